/**
 * Reads Discord Markdown and says which styles every character of a text has. It follows the rules that Discord's
 * clients apply (the first rule that matches at a place takes all that it matches, and what it holds is read
 * again on its own), knows nothing of how the splitter reads, and is slow where that is simpler.
 */

/** Styles of one character, sorted and joined: `bold`, `fence:js`, `quote spoiler` … `mark` is no text at all. */
export type StyleMap = readonly string[];

interface Span {
  readonly text: string;
  /** Where each unit of `text` stands in the whole. */
  readonly at: readonly number[];
}

interface State {
  readonly styles: readonly string[];
  readonly inQuote: boolean;
  readonly inItalic: boolean;
}

const MARK = 'mark';

const ESCAPE = /^\\([^0-9A-Za-z\s])/;
const QUOTE_REST = /^ *>>> ([\s\S]*)/;
const QUOTE_LINES = /^ *> [^\n]*(?:\n *> [^\n]*)*\n?/;
const HEADING = /^(#{1,3} +)([^\n]+?)(?:\n|$)/;
const SUBTEXT = /^(-# +)([^\n]+?)(?:\n|$)/;
const FENCE = /^```(?:([a-z0-9_+\-.#]+?)(?:\r?\n)+)?[\r\n]*([^]+?)[\r\n]*```/i;
const TILDE_FENCE = /^(~{3,})([^\s~`]*)[ \t]*\r?\n(?:([^]*?)\n)?[ >]*\1~*[ \t\r]*(?=\n|$)/;
const ANGLE = /^<(?:@[!&]?\d+|#\d+|\/[^\n:<>]+:\d+|a?:\w+:\d+|t:-?\d+(?::\w)?|id:\w+|[^: >]+:\/[^ >\n]+)>/;
const URL = /^https?:\/\/[^\s<]+[^<.,:;"')\]\s]/;
const LINK =
  /^!?\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['"]([\s\S]*?)['"])?\s*\)/;
const ITALIC_STAR = /^\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/;
const ITALIC_LINE = /^_((?:__|\\[\s\S]|[^\\_])+?)_\b/;
const BOLD = /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/;
const UNDERLINE = /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/;
const STRIKE = /^~~([\s\S]+?)~~(?!_)/;
const SPOILER = /^\|\|([\s\S]+?)\|\|/;
const CODE = /^(`+)([\s\S]*?[^`])\1(?!`)/;
const TEXT = /^[\s\S]+?(?=[^0-9A-Za-z\s]|\n|\w+:\S|$)/;

export function readStyles(text: string): StyleMap {
  const map: string[] = Array.from({ length: text.length }, () => '');
  read(
    { text, at: Array.from({ length: text.length }, (_, index) => index) },
    { styles: [], inQuote: false, inItalic: false },
    map,
  );
  return map;
}

function slice({ text, at }: Span, start: number, end: number): Span {
  return { text: text.slice(start, end), at: at.slice(start, end) };
}

function mark(span: Span, style: string, map: string[]): void {
  for (const index of span.at) map[index] = style;
}

function nameOf({ styles }: State, extra?: string): string {
  return [...new Set(extra === undefined ? styles : [...styles, extra])].sort().join(' ');
}

/** Reads what a rule holds, between the units that belong to the rule itself. */
function within(span: Span, from: number, length: number, state: State, map: string[]): void {
  mark(slice(span, 0, from), MARK, map);
  mark(slice(span, from + length, span.text.length), MARK, map);
  read(slice(span, from, from + length), state, map);
}

function read(span: Span, state: State, map: string[]): void {
  let at = 0;
  while (at < span.text.length) {
    const rest = slice(span, at, span.text.length);
    at += readOne(rest, at === 0 || span.text[at - 1] === '\n', state, map);
  }
}

/** @returns how many units were read */
function readOne(span: Span, isLineStart: boolean, state: State, map: string[]): number {
  return (
    (isLineStart ? readBlock(span, state, map) : 0) ||
    readToken(span, state, map) ||
    readStyle(span, state, map) ||
    readText(span, state, map)
  );
}

function readBlock(span: Span, state: State, map: string[]): number {
  const rest = state.inQuote ? null : QUOTE_REST.exec(span.text);
  if (rest !== null) {
    const [{ length }, { length: inner }] = [rest[0], rest[1] ?? ''];
    const quoted = { ...state, inQuote: true, styles: [...state.styles, 'quote'] };
    within(slice(span, 0, length), length - inner, inner, quoted, map);
    return length;
  }
  const lines = state.inQuote ? null : QUOTE_LINES.exec(span.text);
  if (lines !== null) {
    readQuotedLines(slice(span, 0, lines[0].length), state, map);
    return lines[0].length;
  }
  const tilde = TILDE_FENCE.exec(span.text);
  if (tilde !== null) {
    mark(slice(span, 0, tilde[0].length), MARK, map);
    const start = tilde[0].indexOf('\n') + 1;
    const body = slice(span, start, start + (tilde[3] ?? '').length);
    mark(body, nameOf(state, `fence:${tilde[2] ?? ''}`), map);
    return tilde[0].length;
  }
  const heading = HEADING.exec(span.text) ?? SUBTEXT.exec(span.text);
  if (heading !== null) {
    const [whole, sign, inner] = [heading[0], heading[1] ?? '', heading[2] ?? ''];
    const styled = { ...state, styles: [...state.styles, `heading${sign.trim()}`] };
    within(slice(span, 0, whole.length), sign.length, inner.length, styled, map);
    return whole.length;
  }
  return 0;
}

/** Takes the `> ` from every line and reads what is left as one text. */
function readQuotedLines(span: Span, state: State, map: string[]): void {
  const text: string[] = [];
  const at: number[] = [];
  let offset = 0;
  for (const line of span.text.split(/(?<=\n)/)) {
    const sign = /^ *> ?/.exec(line)?.[0].length ?? 0;
    mark(slice(span, offset, offset + sign), MARK, map);
    text.push(line.slice(sign));
    at.push(...span.at.slice(offset + sign, offset + line.length));
    offset += line.length;
  }
  read({ text: text.join(''), at }, { ...state, inQuote: true, styles: [...state.styles, 'quote'] }, map);
}

function readToken(span: Span, state: State, map: string[]): number {
  const escape = ESCAPE.exec(span.text);
  if (escape !== null) {
    mark(slice(span, 0, 1), MARK, map);
    mark(slice(span, 1, 2), nameOf(state), map);
    return 2;
  }
  const fence = FENCE.exec(span.text);
  if (fence !== null) {
    const [whole, language = '', body = ''] = fence;
    mark(slice(span, 0, whole.length), MARK, map);
    const start = whole.lastIndexOf(body, whole.length - 3 - body.length);
    mark(slice(span, start, start + body.length), nameOf(state, `fence:${language}`), map);
    return whole.length;
  }
  const plain = ANGLE.exec(span.text) ?? URL.exec(span.text) ?? LINK.exec(span.text);
  if (plain !== null) {
    mark(slice(span, 0, plain[0].length), nameOf(state, 'token'), map);
    return plain[0].length;
  }
  return 0;
}

function readStyle(span: Span, state: State, map: string[]): number {
  const { text } = span;
  const italic = ITALIC_STAR.exec(text) ?? ITALIC_LINE.exec(text);
  const double = BOLD.exec(text) ?? UNDERLINE.exec(text);
  // The longer one wins, and italics where both are equally long.
  if (italic !== null && (double === null || italic[0].length + 0.2 > double[0].length + 0.1)) {
    const styled = { ...state, styles: [...state.styles, 'italic'] };
    within(slice(span, 0, italic[0].length), 1, italic[0].length - 2, styled, map);
    return italic[0].length;
  }
  const name = double === null ? '' : text.startsWith('**') ? 'bold' : 'underline';
  const match = double ?? STRIKE.exec(text) ?? SPOILER.exec(text);
  if (match !== null) {
    const style = name !== '' ? name : text.startsWith('~~') ? 'strike' : 'spoiler';
    const styled = { ...state, styles: [...state.styles, style] };
    within(slice(span, 0, match[0].length), 2, match[0].length - 4, styled, map);
    return match[0].length;
  }
  const code = CODE.exec(text);
  if (code === null) return 0;
  const run = (code[1] ?? '').length;
  mark(slice(span, 0, code[0].length), MARK, map);
  mark(slice(span, run, code[0].length - run), nameOf(state, 'code'), map);
  return code[0].length;
}

function readText(span: Span, state: State, map: string[]): number {
  // A line break stands alone, so that the next line is seen to begin one.
  const length = span.text.startsWith('\n') ? 1 : (TEXT.exec(span.text)?.[0].length ?? 1);
  mark(slice(span, 0, length), nameOf(state), map);
  return length;
}
