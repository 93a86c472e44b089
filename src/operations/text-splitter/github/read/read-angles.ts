import { writeInlineCode } from '../../chars/code-ticks.ts';
import { decodeEntities } from './entities.ts';
import { readAttribute, readTag, type Tag, withoutTags } from './html.ts';
import type { InlineParts } from './inline-parts.ts';
import {
  escapeMarks,
  type Inline,
  type InlineContext,
  type LinkStart,
  plainText,
  type Style,
} from './inline.ts';
import { inScript } from './latex.ts';

/** Mentions, emoji, timestamps and guild navigation, as Discord reads them. */
const DISCORD_TOKEN =
  /<(?:@[!&]?\d{1,20}|#\d{1,20}|\/[^\n:<>]{1,100}:\d{1,20}|a?:\w{1,40}:\d{1,20}|t:-?\d{1,20}(?::\w)?|id:\w{1,40})>/y;
/** A URL, or a mail address. */
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2000}|[\w.!#$%&'*+/=?^`{|}~-]{1,100}@[\w.-]{1,100})>/iy;
/** Tags that are open. Each end tag searches them. */
const TAGS_MAX = 32;

const STYLES: Readonly<Record<string, Style>> = {
  b: 'strong',
  strong: 'strong',
  i: 'emphasis',
  em: 'emphasis',
  s: 'strike',
  del: 'strike',
  strike: 'strike',
  u: 'underline',
  ins: 'underline',
};
const MEDIA = new Set(['video', 'audio', 'iframe', 'source']);
const CODE_NAMES = new Set(['code', 'kbd', 'samp', 'tt']);
const CODE_END = /<\/(?:code|kbd|samp|tt)\s{0,9}>/i;
/** UTF-16 code units that are searched for the end tag. */
const CODE_LENGTH_MAX = 4_000;

/** The content of an exponent or an index, without spaces, tags and Markdown. */
const SCRIPT = /((?:[^\s<>&*_~`\\[\]|$]|&#?\w{1,10};){1,12})<\/(sup|sub)\s{0,9}>/iy;
const SCRIPT_CHARS_MAX = 12;

type Read = (text: string, context: InlineContext) => readonly Inline[];

/** Reads text that begins with `<`: Discord's tokens, URLs, and HTML inside a line. */
export class AngleReader {
  readonly #parts: InlineParts;
  readonly #read: Read;
  readonly #tags: (Inline & { kind: 'style' })[] = [];
  readonly #links: LinkStart[] = [];
  /** An open video or sound has no URL yet, so it takes that of its first source. */
  #needsSource = false;
  #commentEnd = 0;

  /** @param read reads the text inside code of HTML */
  constructor(parts: InlineParts, read: Read) {
    this.#parts = parts;
    this.#read = read;
  }

  /** @returns where reading continues */
  read(at: number): number {
    const { text } = this.#parts;
    DISCORD_TOKEN.lastIndex = at;
    if (DISCORD_TOKEN.test(text)) return this.#parts.addToken(at, DISCORD_TOKEN.lastIndex);
    AUTOLINK.lastIndex = at;
    const url = AUTOLINK.exec(text)?.[1];
    if (url === undefined) return this.#readHtml(at) ?? this.#parts.addText(at, at + 1);
    if (/^https?:\/\//i.test(url)) this.#parts.add({ kind: 'token', text: `<${decodeEntities(url)}>` });
    else {
      this.#parts.context.changes.add('link_removed');
      this.#parts.add({ kind: 'text', text: url });
    }
    return AUTOLINK.lastIndex;
  }

  #readHtml(at: number): number | null {
    const { text, context } = this.#parts;
    if (text.startsWith('<!--', at)) {
      // If the last search failed, a later one fails too.
      const end = at < this.#commentEnd ? -1 : text.indexOf('-->', at + 2);
      if (end < 0) this.#commentEnd = text.length;
      if (end < 0) return null;
      context.changes.add('comment');
      return end + 3;
    }
    const tag = readTag(text, at);
    if (tag === null) return null;
    context.changes.add('html');
    if ((tag.name === 'sup' || tag.name === 'sub') && !tag.isEnd) return this.#readScript(tag);
    return CODE_NAMES.has(tag.name) && !tag.isEnd ? this.#readCodeTag(tag) : this.#readTag(tag);
  }

  /** `10<sup>6</sup>` is an exponent. After white space it is small print. */
  #readScript({ name, end }: Tag): number {
    SCRIPT.lastIndex = end;
    const [whole = '', source = '', closed = ''] = SCRIPT.exec(this.#parts.text) ?? [];
    const text = decodeEntities(source);
    const isShort = text !== '' && Array.from(text).length <= SCRIPT_CHARS_MAX && !/[\s<>*_~`\\|]/.test(text);
    if (!isShort || closed.toLowerCase() !== name || !this.#parts.endsInVisibleChar()) return end;
    const char = name === 'sup' ? '^' : '_';
    const isPlain = Array.from(text).length === 1 || /^\(.*\)$/.test(text);
    const written = inScript(char, text) ?? char + (isPlain ? text : `(${text})`);
    this.#parts.add({ kind: 'literal', text: written, source: escapeMarks(written) });
    return end + whole.length;
  }

  #readCodeTag(tag: Tag): number {
    const { text, context } = this.#parts;
    const close = text.slice(tag.end, tag.end + CODE_LENGTH_MAX).search(CODE_END);
    if (close < 0) return tag.end;
    const inner = withoutTags(text.slice(tag.end, tag.end + close));
    // GitHub reads Markdown in it, even though it is code in HTML.
    const body = plainText(this.#read(inner, context)).replaceAll(/\s+/g, ' ');
    if (body.trim() !== '') this.#parts.add({ kind: 'code', text: body, ...writeInlineCode(body) });
    return text.indexOf('>', tag.end + close) + 1;
  }

  #readTag(tag: Tag): number {
    const { name, isEnd, end } = tag;
    const style = STYLES[name];
    if (style !== undefined) this.#addStyle(style, isEnd);
    else if (name === 'br') this.#parts.add({ kind: 'break' });
    else if (MEDIA.has(name)) this.#addMedia(tag);
    else if (name === 'img' && !isEnd) {
      const alt = readAttribute(tag, 'alt');
      const url = decodeEntities(readAttribute(tag, 'src') ?? '');
      // A picture with an empty text is decoration.
      if (alt === '') this.#parts.context.changes.add('image');
      else this.#parts.add({ kind: 'image', alt: decodeEntities(alt ?? ''), url });
    } else if (name === 'a') {
      const start = this.#links.pop();
      if (start !== undefined) this.#parts.add({ kind: 'linkEnd', start });
      if (!isEnd) {
        const opened: LinkStart = { kind: 'link', url: decodeEntities(readAttribute(tag, 'href') ?? '') };
        this.#parts.add(opened);
        this.#links.push(opened);
      }
    }
    // A line break in the source directly after an HTML one is the same break.
    return name === 'br' && this.#parts.text.charCodeAt(end) === 0x0a ? end + 1 : end;
  }

  /** Links to a video or sound, which Discord cannot show in a text. */
  #addMedia(tag: Tag): void {
    const isSource = tag.name === 'source';
    if (tag.isEnd) this.#needsSource &&= isSource;
    if (tag.isEnd || (isSource && !this.#needsSource)) return;
    const url = decodeEntities(readAttribute(tag, 'src') ?? '');
    if (url !== '')
      this.#parts.add({ kind: 'image', alt: decodeEntities(readAttribute(tag, 'title') ?? ''), url });
    this.#needsSource = url === '' && !isSource;
  }

  #addStyle(style: Style, isEnd: boolean): void {
    const entry: Inline & { kind: 'style' } = { kind: 'style', style, isEnd, isPaired: false };
    this.#parts.add(entry);
    if (!isEnd) {
      if (this.#tags.length < TAGS_MAX) this.#tags.push(entry);
      return;
    }
    const at = this.#tags.findLastIndex((each) => each.style === style);
    const start = this.#tags[at];
    if (start === undefined) return;
    start.isPaired = true;
    entry.isPaired = true;
    this.#tags.length = at;
  }
}
