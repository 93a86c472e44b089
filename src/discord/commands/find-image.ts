import type { Attachment, Embed } from 'discord.js';

/** The parts of a message that may hold its image. */
export interface MessageContent {
  readonly attachments: readonly Pick<Attachment, 'url' | 'name' | 'contentType' | 'width' | 'height'>[];
  readonly embeds: readonly {
    readonly image: Pick<NonNullable<Embed['image']>, 'url'> | null;
    readonly thumbnail: Pick<NonNullable<Embed['thumbnail']>, 'url'> | null;
  }[];
  readonly content: string;
}

const IMAGE_NAME = /\.(?:a?png|jpe?g|jfif|gif|webp|avif)$/i;
/** Videos have width and height too. */
const VIDEO_NAME = /\.(?:mp4|m4v|mov|webm|mkv|avi|mpe?g|wmv|flv|3gp|ogv)$/i;
/** Discord's type for a file of unknown type. */
const ANY_TYPE = 'application/octet-stream';

const URL_PATTERN = /https?:\/\/[^\s<>"”“`。、，！？…]{1,2040}/;
/** Punctuation and Discord's marks after a URL belong to the sentence around it. */
const AFTER_URL = new Set(".,;:!?'*_~|");
const BRACKETS = new Map([
  [')', '('],
  [']', '['],
]);

/**
 * Returns the URL of the first image of a message, or null: a file, else an image that Discord shows for a link, else a
 * URL in the text.
 */
export function findImage({ attachments, embeds, content }: MessageContent): string | null {
  const embed = embeds.find((each) => each.image !== null || each.thumbnail !== null);
  return attachments.find(isImage)?.url ?? embed?.image?.url ?? embed?.thumbnail?.url ?? findUrl(content);
}

/** Older messages have no types, only names, and the width and height of files that Discord could show. */
function isImage({ name, contentType, width, height }: MessageContent['attachments'][number]): boolean {
  if (contentType !== null && contentType !== ANY_TYPE) return contentType.startsWith('image/');
  return IMAGE_NAME.test(name) || (width !== null && height !== null && !VIDEO_NAME.test(name));
}

function findUrl(content: string): string | null {
  const [found] = URL_PATTERN.exec(content) ?? [];
  if (found === undefined) return null;
  const counts = new Map<string, number>();
  for (const char of found) counts.set(char, (counts.get(char) ?? 0) + 1);
  const countOf = (char: string | undefined) => counts.get(char ?? '') ?? 0;
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    // A closing bracket belongs to the URL if it was opened there.
    const closes = BRACKETS.has(last) && countOf(last) > countOf(BRACKETS.get(last));
    if (!closes && !AFTER_URL.has(last)) break;
    counts.set(last, countOf(last) - 1);
  }
  const url = found.slice(0, end);
  return /^https?:\/\/./.test(url) ? url : null;
}
