import { RAW_NAMES, readHidden, readTag, type Tag } from './html.ts';
import { INLINE_LENGTH_MAX } from './read-inline.ts';

/** A part of a block of HTML, up to `end`. */
export type HtmlPart =
  | { readonly kind: 'text'; readonly end: number }
  | { readonly kind: 'tag'; readonly end: number; readonly tag: Tag }
  /** A comment or a declaration. */
  | {
      readonly kind: 'hidden';
      readonly end: number;
      readonly isComment: boolean;
      readonly opening: string | null;
    }
  /** An element whose text is not HTML, with this text. */
  | {
      readonly kind: 'raw';
      readonly end: number;
      readonly name: string;
      readonly body: string;
      readonly opening: string | null;
    };

/** The part of a block of HTML that begins at `at`. */
export function readHtmlPart(html: string, at: number): HtmlPart {
  if (html.charCodeAt(at) !== 0x3c) {
    const found = html.indexOf('<', at);
    return { kind: 'text', end: Math.min(found < 0 ? html.length : found, at + INLINE_LENGTH_MAX) };
  }
  const hidden = readHidden(html, at);
  if (hidden !== null) {
    // `<!-->` is a comment, too.
    const found = html.indexOf(hidden.end, at + 2);
    return {
      kind: 'hidden',
      end: found < 0 ? html.length : found + hidden.end.length,
      isComment: hidden.end === '-->',
      opening: found < 0 ? hidden.start : null,
    };
  }
  const tag = readTag(html, at);
  if (tag === null) return { kind: 'text', end: at + 1 };
  if (tag.isEnd || !RAW_NAMES.has(tag.name)) return { kind: 'tag', end: tag.end, tag };
  const close = html.slice(tag.end).search(new RegExp(`</${tag.name}\\s{0,9}>`, 'i'));
  const bodyEnd = close < 0 ? html.length : tag.end + close;
  return {
    kind: 'raw',
    end: close < 0 ? html.length : html.indexOf('>', bodyEnd) + 1,
    name: tag.name,
    body: html.slice(tag.end, bodyEnd),
    opening: close < 0 ? `<${tag.name}>` : null,
  };
}
