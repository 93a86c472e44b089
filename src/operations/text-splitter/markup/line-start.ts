import { DASH, GREATER, HASH, isDigit, PIPE, SPACE, STAR } from '../chars/char-class.ts';

/** `> ` quotes continue over neighbouring lines, `>>> ` quotes to the end of the text. */
export type Quote = 'none' | 'line' | 'multiline';

/** The meaning of the marker at the start of a line. */
interface BlockMarker {
  /** `# `, `## `, `### `, `-# ` or empty. */
  readonly heading: string;
  readonly isListItem: boolean;
  /** True when a list item is indented. */
  readonly isNested: boolean;
  readonly isTableRow: boolean;
  /** The number of code units before the text after the mark. */
  readonly offset: number;
}

/** The meaning of a line's first characters. `offset` counts those before the line's own text. */
export interface LineMarks extends BlockMarker {
  readonly quote: Quote;
}

const NO_BLOCK_MARKER: BlockMarker = {
  heading: '',
  isListItem: false,
  isNested: false,
  isTableRow: false,
  offset: 0,
};
const TABLE_ROW: BlockMarker = { ...NO_BLOCK_MARKER, isTableRow: true };

export const NO_LINE_MARKS: LineMarks = { ...NO_BLOCK_MARKER, quote: 'none' };

/** True for a quote, heading, list item or table row, which must begin its line. */
export function isBlock({ quote, heading, isListItem, isTableRow }: LineMarks): boolean {
  return quote !== 'none' || heading !== '' || isListItem || isTableRow;
}

/** The quote mark at the beginning of the line, `> ` or `>>> `, after any number of spaces. */
export function readQuote(text: string, lineStart: number): Quote {
  let at = lineStart;
  while (text.charCodeAt(at) === SPACE) at += 1;
  if (text.charCodeAt(at) !== GREATER) return 'none';
  if (text.charCodeAt(at + 1) === SPACE) return 'line';
  return text.startsWith('>>> ', at) ? 'multiline' : 'none';
}

/** @param inQuote true inside a `>>> ` quote, where further quotes are not read */
export function readLineMarks(text: string, lineStart: number, inQuote: boolean): LineMarks {
  const first = text.charCodeAt(lineStart);
  // Most lines begin with a letter.
  if (!(first <= 0x40 || first === PIPE)) return NO_LINE_MARKS;
  const quote = inQuote ? 'none' : readQuote(text, lineStart);
  let quoteEnd = lineStart;
  if (quote !== 'none') {
    while (text.charCodeAt(quoteEnd) !== GREATER) quoteEnd += 1;
    quoteEnd += quote === 'line' ? 2 : 4;
  }
  let at = quoteEnd;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === 0x09) at += 1;
  const marker = readMarker(text, at, at > quoteEnd);
  if (marker === NO_BLOCK_MARKER && quote === 'none') return NO_LINE_MARKS;
  const content = marker.offset === 0 ? quoteEnd : at + marker.offset;
  return { ...marker, quote, offset: content - lineStart };
}

/** The mark of a heading, list item or table row at `at`. */
function readMarker(text: string, at: number, isNested: boolean): BlockMarker {
  const unit = text.charCodeAt(at);
  if (unit === HASH) return readHeading(text, at);
  if (unit === PIPE) {
    const isRow = text.charCodeAt(at + 1) !== PIPE && endsWithPipe(text, at);
    return isRow ? TABLE_ROW : NO_BLOCK_MARKER;
  }
  if (unit === DASH || unit === STAR || unit === 0x2b) {
    if (text.charCodeAt(at + 1) === SPACE) return listItem(isNested, 2);
    return text.startsWith('-# ', at) ? { ...NO_BLOCK_MARKER, heading: '-# ', offset: 3 } : NO_BLOCK_MARKER;
  }
  if (!isDigit(unit)) return NO_BLOCK_MARKER;
  let end = at + 1;
  while (end < at + 10 && isDigit(text.charCodeAt(end))) end += 1;
  const dot = text.charCodeAt(end);
  const isNumbered = (dot === 0x2e || dot === 0x29) && text.charCodeAt(end + 1) === SPACE;
  return isNumbered ? listItem(isNested, end + 2 - at) : NO_BLOCK_MARKER;
}

function listItem(isNested: boolean, offset: number): BlockMarker {
  return { ...NO_BLOCK_MARKER, isListItem: true, isNested, offset };
}

function readHeading(text: string, at: number): BlockMarker {
  for (const heading of ['# ', '## ', '### ']) {
    if (text.startsWith(heading, at)) return { ...NO_BLOCK_MARKER, heading, offset: heading.length };
  }
  return NO_BLOCK_MARKER;
}

function endsWithPipe(text: string, at: number): boolean {
  let end = text.indexOf('\n', at);
  if (end < 0) end = text.length;
  while (end > at && !(text.charCodeAt(end) > SPACE)) end -= 1;
  return end > at && text.charCodeAt(end) === PIPE;
}
