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
export function readQuote(units: Uint16Array, lineStart: number): number {
  let at = lineStart;
  while (units[at] === SPACE) at += 1;
  if (units[at] !== GREATER) return QUOTE.none;
  if (units[at + 1] === SPACE) return QUOTE.line;
  const isRest = units[at + 1] === GREATER && units[at + 2] === GREATER && units[at + 3] === SPACE;
  return isRest ? QUOTE.rest : QUOTE.none;
}

/**
 * @param units of the text, see Survey
 * @param inQuote true inside a `>>> ` quote, where further quotes are not read
 */
export function readLineStart(units: Uint16Array, lineStart: number, inQuote: boolean): LineStart {
  const first = units[lineStart] ?? 0;
  // Most lines begin with a letter.
  if (first > 0x7c || (first > 0x40 && first < 0x7c) || first === NEWLINE) return NO_LINE;
  const quote = inQuote ? QUOTE.none : readQuote(units, lineStart);
  let quoteEnd = lineStart;
  if (quote !== QUOTE.none) {
    while (units[quoteEnd] !== GREATER) quoteEnd += 1;
    quoteEnd += quote === QUOTE.line ? 2 : 4;
  }
  let at = quoteEnd;
  while (units[at] === SPACE || units[at] === 0x09) at += 1;
  const sign = readSign(units, at, at > quoteEnd);
  const content = contentOffset(sign) === 0 ? quoteEnd : at + contentOffset(sign);
  return quote | (sign & ((1 << OFFSET_SHIFT) - 1)) | ((content - lineStart) << OFFSET_SHIFT);
}

/** The sign of a heading, list item or table row at `at`, and its length. */
function readSign(units: Uint16Array, at: number, isIndented: boolean): LineStart {
  const unit = units[at] ?? 0;
  if (unit === HASH) return readHeading(units, at);
  if (unit === PIPE) return units[at + 1] !== PIPE && endsWithPipe(units, at) ? TABLE_ROW : 0;
  const list = isIndented ? LIST | NESTED : LIST;
  if (unit === DASH || unit === STAR || unit === 0x2b) {
    const next = units[at + 1];
    if (next === SPACE) return list | (2 << OFFSET_SHIFT);
    const isSubtext = unit === DASH && next === HASH && units[at + 2] === SPACE;
    return isSubtext ? (SUBTEXT << HEADING_SHIFT) | (3 << OFFSET_SHIFT) : 0;
  }
  if (!isDigit(unit)) return 0;
  let end = at + 1;
  while (end < at + 10 && isDigit(units[end] ?? 0)) end += 1;
  const dot = units[end];
  if ((dot !== 0x2e && dot !== 0x29) || units[end + 1] !== SPACE) return 0;
  return list | ((end + 2 - at) << OFFSET_SHIFT);
}

function readHeading(units: Uint16Array, at: number): LineStart {
  let level = 1;
  while (level <= 3 && units[at + level] === HASH) level += 1;
  if (level > 3 || units[at + level] !== SPACE) return 0;
  return (level << HEADING_SHIFT) | ((level + 1) << OFFSET_SHIFT);
}

function endsWithPipe(units: Uint16Array, at: number): boolean {
  let end = units.indexOf(NEWLINE, at);
  while (end > at && (units[end] ?? 0) <= SPACE) end -= 1;
  return end > at && units[end] === PIPE;
}
