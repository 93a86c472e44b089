import { DASH, GREATER, HASH, isDigit, NEWLINE, PIPE, SPACE, STAR } from '../chars/char-class.ts';
import { QUOTE } from './markup.ts';

/**
 * What the first characters of a line make of it, in one number, since a megabyte can have hundreds of thousands of
 * lines: the quote, the heading, three flags, and how many units there are before the line's own text.
 */
export type LineStart = number;

export const NO_LINE: LineStart = 0;

const HEADING_SHIFT = 2;
const LIST = 1 << 5;
const NESTED = 1 << 6;
const TABLE_ROW = 1 << 7;
const OFFSET_SHIFT = 8;

const HEADINGS = ['', '# ', '## ', '### ', '-# '] as const;
const SUBTEXT = 4;

/** One of QUOTE. */
export function quoteOf(line: LineStart): number {
  return line & 3;
}

/** `# `, `## `, `### `, `-# ` or nothing. */
export function headingOf(line: LineStart): string {
  return HEADINGS[(line >> HEADING_SHIFT) & 7] ?? '';
}

export function isListItem(line: LineStart): boolean {
  return (line & LIST) !== 0;
}

/** Whether a list item is indented. */
export function isNested(line: LineStart): boolean {
  return (line & NESTED) !== 0;
}

export function isTableRow(line: LineStart): boolean {
  return (line & TABLE_ROW) !== 0;
}

/** A quote, heading, list item or table row: it must begin its line. */
export function isBlock(line: LineStart): boolean {
  return (line & ((1 << OFFSET_SHIFT) - 1) & ~NESTED) !== 0;
}

/** How many units of the line are before its own text. */
export function contentOffset(line: LineStart): number {
  return line >> OFFSET_SHIFT;
}

/** Whether the line begins with `> ` or `>>> `, after any number of spaces. @returns one of QUOTE */
export function readQuote(text: string, lineStart: number): number {
  let at = lineStart;
  while (text.charCodeAt(at) === SPACE) at += 1;
  if (text.charCodeAt(at) !== GREATER) return QUOTE.none;
  if (text.charCodeAt(at + 1) === SPACE) return QUOTE.line;
  return text.startsWith('>>> ', at) ? QUOTE.rest : QUOTE.none;
}

/** @param inQuote true inside a `>>> ` quote, where further quotes are not read */
export function readLineStart(text: string, lineStart: number, inQuote: boolean): LineStart {
  const first = text.charCodeAt(lineStart);
  // Most lines begin with a letter.
  if (first > 0x7c || (first > 0x40 && first < 0x7c) || first === NEWLINE) return NO_LINE;
  const quote = inQuote ? QUOTE.none : readQuote(text, lineStart);
  let quoteEnd = lineStart;
  if (quote !== QUOTE.none) quoteEnd = text.indexOf(' ', text.indexOf('>', lineStart)) + 1;
  let at = quoteEnd;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === 0x09) at += 1;
  const sign = readSign(text, at, at > quoteEnd);
  const content = contentOffset(sign) === 0 ? quoteEnd : at + contentOffset(sign);
  return quote | (sign & ((1 << OFFSET_SHIFT) - 1)) | ((content - lineStart) << OFFSET_SHIFT);
}

/** The sign of a heading, list item or table row at `at`, and its length. */
function readSign(text: string, at: number, isIndented: boolean): LineStart {
  const unit = text.charCodeAt(at);
  if (unit === HASH) return readHeading(text, at);
  if (unit === PIPE) return text.charCodeAt(at + 1) !== PIPE && endsWithPipe(text, at) ? TABLE_ROW : 0;
  const list = isIndented ? LIST | NESTED : LIST;
  if (unit === DASH || unit === STAR || unit === 0x2b) {
    const next = text.charCodeAt(at + 1);
    if (next === SPACE) return list | (2 << OFFSET_SHIFT);
    const isSubtext = unit === DASH && next === HASH && text.charCodeAt(at + 2) === SPACE;
    return isSubtext ? (SUBTEXT << HEADING_SHIFT) | (3 << OFFSET_SHIFT) : 0;
  }
  if (!isDigit(unit)) return 0;
  let end = at + 1;
  while (end < at + 10 && isDigit(text.charCodeAt(end))) end += 1;
  const dot = text.charCodeAt(end);
  if ((dot !== 0x2e && dot !== 0x29) || text.charCodeAt(end + 1) !== SPACE) return 0;
  return list | ((end + 2 - at) << OFFSET_SHIFT);
}

function readHeading(text: string, at: number): LineStart {
  let level = 1;
  while (level <= 3 && text.charCodeAt(at + level) === HASH) level += 1;
  if (level > 3 || text.charCodeAt(at + level) !== SPACE) return 0;
  return (level << HEADING_SHIFT) | ((level + 1) << OFFSET_SHIFT);
}

function endsWithPipe(text: string, at: number): boolean {
  let end = text.indexOf('\n', at);
  if (end < 0) end = text.length;
  while (end > at && text.charCodeAt(end - 1) <= SPACE) end -= 1;
  return end > at + 1 && text.charCodeAt(end - 1) === PIPE;
}
