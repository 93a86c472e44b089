import { RAW_NAMES, readAttribute, readHidden, readTag, type Tag } from './html.ts';
import { INLINE_LENGTH_MAX } from './read-inline.ts';

/** A part of a block of HTML. */
export type HtmlPart =
  | { readonly kind: 'text'; readonly source: string }
  | { readonly kind: 'tag'; readonly source: string; readonly tag: Tag }
  /** A comment, a declaration, a script or a style sheet. */
  | { readonly kind: 'hidden'; readonly isComment: boolean }
  /** An element whose text is shown as it is. */
  | { readonly kind: 'code'; readonly body: string; readonly language: string };

export function readHtmlParts(html: string): HtmlPart[] {
  const parts: HtmlPart[] = [];
  for (let at = 0; at < html.length;) at = readPart(html, at, parts);
  return parts;
}

/** @returns the place where reading goes on */
function readPart(html: string, at: number, parts: HtmlPart[]): number {
  const found = html.charCodeAt(at) === 0x3c ? at : html.indexOf('<', at);
  const hidden = found === at ? readHidden(html, at) : null;
  const tag = found === at && hidden === null ? readTag(html, at) : null;
  if (hidden !== null) {
    // `<!-->` is a comment, too.
    parts.push({ kind: 'hidden', isComment: hidden === '-->' });
    return endOf(html, hidden, at + 2);
  }
  if (tag === null) {
    const end = found === at ? at + 1 : Math.min(found < 0 ? html.length : found, at + INLINE_LENGTH_MAX);
    parts.push({ kind: 'text', source: html.slice(at, end) });
    return end;
  }
  if (tag.isEnd || !RAW_NAMES.has(tag.name)) {
    parts.push({ kind: 'tag', source: html.slice(at, tag.end), tag });
    return tag.end;
  }
  const close = html.slice(tag.end).search(new RegExp(`</${tag.name}\\s{0,9}>`, 'i'));
  const bodyEnd = close < 0 ? html.length : tag.end + close;
  if (tag.name === 'pre' || tag.name === 'textarea') {
    const language = /^[\w+\-.#]{1,40}$/.exec(readAttribute(tag, 'lang') ?? '')?.[0] ?? '';
    parts.push({ kind: 'code', body: html.slice(tag.end, bodyEnd), language });
  } else parts.push({ kind: 'hidden', isComment: false });
  return close < 0 ? html.length : endOf(html, '>', bodyEnd);
}

function endOf(html: string, sign: string, from: number): number {
  const found = html.indexOf(sign, from);
  return found < 0 ? html.length : found + sign.length;
}
