import { decodeEntities } from './entities.ts';
import { RAW_NAMES, readAttribute, readHidden, readTag, type Tag, withoutTags } from './html.ts';
import { closesFence, countSpaces, readFence } from './line-kinds.ts';
import { INLINE_LENGTH_MAX } from './read-inline.ts';

/** A part of a block of HTML. */
export type HtmlPart =
  | { readonly kind: 'text'; readonly source: string }
  | { readonly kind: 'tag'; readonly source: string; readonly tag: Tag }
  /** A comment, a declaration, a script or a style sheet. */
  | { readonly kind: 'hidden'; readonly isComment: boolean }
  /** An element whose text is shown as it is, or a fence of Markdown. */
  | { readonly kind: 'code'; readonly body: string; readonly language: string };

/** After a blank line, cells are read as Markdown. */
const FENCE = /(?<=\n[ \t]*\n {0,3})(?:`{3}|~{3})/;

export function readHtmlParts(html: string): HtmlPart[] {
  const parts: HtmlPart[] = [];
  for (let at = 0; at < html.length;) at = readPart(html, at, parts);
  return parts;
}

/** @returns where reading continues */
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
    const next = found < 0 ? html.length : found;
    const end = found === at ? at + 1 : Math.min(next, at + INLINE_LENGTH_MAX);
    const fence = html.slice(at, end).search(FENCE);
    parts.push({ kind: 'text', source: html.slice(at, fence < 0 ? end : at + fence) });
    return fence < 0 ? end : readFenced(html, at + fence, parts);
  }
  if (tag.isEnd || !RAW_NAMES.has(tag.name)) {
    parts.push({ kind: 'tag', source: html.slice(at, tag.end), tag });
    return tag.end;
  }
  const close = html.slice(tag.end).search(new RegExp(`</${tag.name}\\s{0,9}>`, 'i'));
  const bodyEnd = close < 0 ? html.length : tag.end + close;
  if (tag.name === 'pre' || tag.name === 'textarea') {
    const language = /^[\w+\-.#]{1,40}$/.exec(readAttribute(tag, 'lang') ?? '')?.[0] ?? '';
    parts.push({
      kind: 'code',
      body: decodeEntities(withoutTags(html.slice(tag.end, bodyEnd))).replace(/^\n/, ''),
      language,
    });
  } else parts.push({ kind: 'hidden', isComment: false });
  return close < 0 ? html.length : endOf(html, '>', bodyEnd);
}

/** @returns where reading continues: after the code or, without code, after the first characters */
function readFenced(html: string, start: number, parts: HtmlPart[]): number {
  let at = endOf(html, '\n', start);
  const fence = readFence(html.slice(start, at));
  if (fence === null) {
    parts.push({ kind: 'text', source: html.slice(start, start + 3) });
    return start + 3;
  }
  const indent = start - html.lastIndexOf('\n', start) - 1;
  let body = '';
  while (at < html.length) {
    const lineStart = at;
    at = endOf(html, '\n', at);
    const line = html.slice(lineStart, at);
    if (closesFence(line.trimStart(), fence.run)) break;
    body += line.slice(Math.min(indent, countSpaces(line, 0)));
  }
  parts.push({ kind: 'code', body, language: fence.language });
  return at;
}

function endOf(html: string, char: string, from: number): number {
  const found = html.indexOf(char, from);
  return found < 0 ? html.length : found + char.length;
}
