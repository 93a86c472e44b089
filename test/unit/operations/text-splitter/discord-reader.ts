/**
 * Reads Discord Markdown and says which styles every character of a text has. It follows the rules that Discord's
 * clients apply (the first rule that matches at a place takes all that it matches, and what it holds is read
 * again on its own), knows nothing of how the splitter reads, and is slow where that is simpler.
 */

/** Styles of one character, sorted and joined: `bold`, `fence:js`, `quote spoiler` … `mark` is no text at all. */
export type StyleMap = readonly string[];

/** Part of a text, and where each unit of it is in the whole; a quote's marks are taken out of its lines. */
interface Span {
  readonly text: string;
  readonly at: readonly number[] | null;
  /** Where the part starts when `at` is null: then it is one piece of the whole. */
  readonly offset: number;
}

interface State {
  readonly styles: readonly string[];
  readonly inQuote: boolean;
}

interface Reading {
  readonly map: string[];
  /** The greatest distance between two marks; null believes every pair, as a client does. */
  readonly bound: number | null;
}

const MARK = 'mark';

const ESCAPE = /\\([^0-9A-Za-z\s])/y;
const QUOTE_REST = / *>>> ([\s\S]*)/y;
const QUOTE_LINES = / *> [^\n]*(?:\n *> [^\n]*)*\n?/y;
const HEADING = /( *#{1,3} +)([^\n]+?)(?:\n|$)/y;
const SUBTEXT = /( *-# +)([^\n]+?)(?:\n|$)/y;
const FENCE = /```(?:([a-z0-9_+\-.#]+?)(?:\r?\n)+)?[\r\n]*([^]+?)[\r\n]*```/iy;
const TILDE_FENCE = /(~{3,})([^\s~`]*)[ \t]*\r?\n(?:([^]*?)\n)?[ >]*\1~*[ \t\r]*(?=\n|$)/y;
const ANGLE = /<(?:@[!&]?\d+|#\d+|\/[^\n:<>]+:\d+|a?:\w+:\d+|t:-?\d+(?::\w)?|id:\w+|[^: >]+:\/[^ >\n]+)>/y;
const URL = /https?:\/\/[^\s<]+[^<.,:;"')\]\s]/y;
const LINK =
  /!?\[((?:\[[^\]]*\]|[^[\]]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['"]([\s\S]*?)['"])?\s*\)/y;
const ITALIC_STAR = /\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/y;
const ITALIC_LINE = /_((?:__|\\[\s\S]|[^\\_])+?)_\b/y;
const BOLD = /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y;
const UNDERLINE = /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y;
const STRIKE = /~~([\s\S]+?)~~(?!_)/y;
const SPOILER = /\|\|([\s\S]+?)\|\|/y;
const CODE = /(`+)([\s\S]*?[^`])\1(?!`)/y;
const TEXT = /[\s\S]+?(?=[^0-9A-Za-z\s]|\n|\w+:\S|$)/y;

/** The marks of quoted lines are not in what is read, but those within a `>>> ` quote are. */
const BLANK_LINE = /\n[ \t\r]*(?:>[ \t\r]*)?\n/;

/** As a client shows the text when it is one message. */
export function readStyles(text: string): StyleMap {
  return readWithin(text, null);
}

/**
 * As its author meant it: a style or inline code counts only within `max`, and only across a blank line when it is
 * a spoiler whose marks do not both have blanks on both sides.
 */
export function readBounded(text: string, max: number): StyleMap {
  return readWithin(text, max);
}

function readWithin(text: string, bound: number | null): StyleMap {
  const map = Array.from({ length: text.length }, () => '');
  read({ text, at: null, offset: 0 }, { styles: [], inQuote: false }, { map, bound });
  return map;
}

function matchAt(rule: RegExp, { text }: Span, at: number): RegExpExecArray | null {
  rule.lastIndex = at;
  return rule.exec(text);
}

function isApart(before: string, after: string): boolean {
  return /[ \t]/.test(before) && /[ \t]/.test(after);
}

/** The same for a pair of marks; null when nobody meant it. */
function pairAt(rule: RegExp, span: Span, at: number, { bound }: Reading): RegExpExecArray | null {
  const match = matchAt(rule, span, at);
  if (match === null || bound === null) return match;
  const [whole] = match;
  if (whole.length > bound) return null;
  if (!BLANK_LINE.test(whole)) return match;
  if (rule !== SPOILER) return null;
  const beyond = span.text.slice(at + whole.length, at + whole.length + 1);
  const opensApart = isApart(span.text.slice(Math.max(0, at - 1), at), whole[2] ?? '');
  return opensApart && isApart(whole.at(-3) ?? '', beyond) ? null : match;
}

function slice({ text, at, offset }: Span, start: number, end: number): Span {
  return {
    text: text.slice(start, end),
    at: at === null ? null : at.slice(start, end),
    offset: offset + start,
  };
}

function mark({ at, offset }: Span, start: number, end: number, style: string, { map }: Reading): void {
  for (let k = start; k < end; k += 1) map[at === null ? offset + k : (at[k] ?? 0)] = style;
}

function nameOf({ styles }: State, extra?: string): string {
  return [...new Set(extra === undefined ? styles : [...styles, extra])].sort().join(' ');
}

/** Reads what a rule holds: `inner` units, `before` units behind `at`; the rest of its `length` is marks. */
function readInner(
  span: Span,
  at: number,
  { length, before, inner }: { length: number; before: number; inner: number },
  state: State,
  reading: Reading,
): number {
  mark(span, at, at + before, MARK, reading);
  mark(span, at + before + inner, at + length, MARK, reading);
  read(slice(span, at + before, at + before + inner), state, reading);
  return length;
}

function read(span: Span, state: State, reading: Reading): void {
  let at = 0;
  while (at < span.text.length) {
    at +=
      (at === 0 || span.text[at - 1] === '\n' ? readBlock(span, at, state, reading) : 0) ||
      readToken(span, at, state, reading) ||
      readStyle(span, at, state, reading) ||
      readText(span, at, state, reading);
  }
}

/** @returns how many units were read, as all of these do */
function readBlock(span: Span, at: number, state: State, reading: Reading): number {
  const rest = state.inQuote ? null : matchAt(QUOTE_REST, span, at);
  if (rest !== null) {
    const [{ length }, { length: inner }] = [rest[0], rest[1] ?? ''];
    const quoted = { inQuote: true, styles: [...state.styles, 'quote'] };
    return readInner(span, at, { length, before: length - inner, inner }, quoted, reading);
  }
  const lines = state.inQuote ? null : matchAt(QUOTE_LINES, span, at);
  if (lines !== null) {
    readQuotedLines(slice(span, at, at + lines[0].length), state, reading);
    return lines[0].length;
  }
  const tilde = matchAt(TILDE_FENCE, span, at);
  if (tilde !== null) {
    mark(span, at, at + tilde[0].length, MARK, reading);
    const start = at + tilde[0].indexOf('\n') + 1;
    mark(span, start, start + (tilde[3] ?? '').length, nameOf(state, `fence:${tilde[2] ?? ''}`), reading);
    return tilde[0].length;
  }
  const heading = matchAt(HEADING, span, at) ?? matchAt(SUBTEXT, span, at);
  if (heading === null) return 0;
  const [whole, marker, inner] = [heading[0], heading[1] ?? '', heading[2] ?? ''];
  const styled = { ...state, styles: [...state.styles, `heading${marker.trim()}`] };
  const parts = { length: whole.length, before: marker.length, inner: inner.length };
  return readInner(span, at, parts, styled, reading);
}

/** Takes the `> ` from every line and reads what is left as one text. */
function readQuotedLines(span: Span, state: State, reading: Reading): void {
  const text: string[] = [];
  const at: number[] = [];
  let start = 0;
  for (const line of span.text.split(/(?<=\n)/)) {
    const marker = /^ *> ?/.exec(line)?.[0].length ?? 0;
    mark(span, start, start + marker, MARK, reading);
    text.push(line.slice(marker));
    for (let k = start + marker; k < start + line.length; k += 1) {
      at.push(span.at === null ? span.offset + k : (span.at[k] ?? 0));
    }
    start += line.length;
  }
  const quoted = { inQuote: true, styles: [...state.styles, 'quote'] };
  read({ text: text.join(''), at, offset: 0 }, quoted, reading);
}

function readToken(span: Span, at: number, state: State, reading: Reading): number {
  if (matchAt(ESCAPE, span, at) !== null) {
    mark(span, at, at + 1, MARK, reading);
    mark(span, at + 1, at + 2, nameOf(state), reading);
    return 2;
  }
  const fence = matchAt(FENCE, span, at);
  if (fence !== null && !(reading.bound !== null && isMention(fence, span, at))) {
    const [whole, language = '', body = ''] = fence;
    mark(span, at, at + whole.length, MARK, reading);
    const start = at + whole.lastIndexOf(body, whole.length - 3 - body.length);
    mark(span, start, start + body.length, nameOf(state, `fence:${language}`), reading);
    return whole.length;
  }
  const plain = matchAt(ANGLE, span, at) ?? matchAt(URL, span, at) ?? matchAt(LINK, span, at);
  if (plain === null) return 0;
  mark(span, at, at + plain[0].length, nameOf(state, 'token'), reading);
  return plain[0].length;
}

/** Prose that mentions the mark of a fence: no language is behind it, and the next mark opens a real one. */
function isMention([whole, language]: RegExpExecArray, { text }: Span, at: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const closing = text.slice(at + whole.length - 4);
  return language === undefined && /[^\s>*_~|-]/.test(before) && /^\n```[a-z0-9_+\-.#]+\r?\n/i.test(closing);
}

function readStyle(span: Span, at: number, state: State, reading: Reading): number {
  const styled = (name: string, match: RegExpExecArray, width: number) => {
    const { length } = match[0];
    const inner = { ...state, styles: [...state.styles, name] };
    return readInner(span, at, { length, before: width, inner: length - 2 * width }, inner, reading);
  };
  const italic = pairAt(ITALIC_STAR, span, at, reading) ?? pairAt(ITALIC_LINE, span, at, reading);
  const bold = pairAt(BOLD, span, at, reading);
  const double = bold ?? pairAt(UNDERLINE, span, at, reading);
  // The longer one wins, and italics where both are equally long.
  if (italic !== null && (double === null || italic[0].length >= double[0].length)) {
    return styled('italic', italic, 1);
  }
  if (double !== null) return styled(bold === null ? 'underline' : 'bold', double, 2);
  const strike = pairAt(STRIKE, span, at, reading);
  if (strike !== null) return styled('strike', strike, 2);
  const spoiler = pairAt(SPOILER, span, at, reading);
  if (spoiler !== null) return styled('spoiler', spoiler, 2);
  const code = pairAt(CODE, span, at, reading);
  if (code === null) return 0;
  const run = (code[1] ?? '').length;
  const end = at + code[0].length;
  mark(span, at, end, MARK, reading);
  mark(span, at + run, end - run, nameOf(state, 'code'), reading);
  return code[0].length;
}

function readText(span: Span, at: number, state: State, reading: Reading): number {
  // A line break is read alone, so that the next line is seen to begin one.
  const length = span.text[at] === '\n' ? 1 : (matchAt(TEXT, span, at)?.[0].length ?? 1);
  mark(span, at, at + length, nameOf(state), reading);
  return length;
}
