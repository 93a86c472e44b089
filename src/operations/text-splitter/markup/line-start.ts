import { DASH, GREATER, HASH, isDigit, NEWLINE, PIPE, SPACE, STAR } from '../chars/char-class.ts';
import { QUOTE } from './markup.ts';

/** What the first characters of a line make of it. */
export interface LineStart {
  quote: number;
  /** Where the quote's content begins; the start of the line when there is no quote. */
  quoteEnd: number;
  /** `# `, `## `, `### `, `-# ` or nothing. */
  heading: string;
  isList: boolean;
  /** Indentation of a list item, in characters. */
  indent: number;
  isTableRow: boolean;
  /** Behind all of these: where the line's own text begins. */
  contentStart: number;
}

export const NO_LINE: LineStart = {
  quote: QUOTE.none,
  quoteEnd: 0,
  heading: '',
  isList: false,
  indent: 0,
  isTableRow: false,
  contentStart: 0,
};

/** `> ` or `>>> ` after any number of spaces. */
export function readQuote(text: string, lineStart: number): { quote: number; end: number } {
  let at = lineStart;
  while (text.charCodeAt(at) === SPACE) at += 1;
  if (text.charCodeAt(at) !== GREATER) return { quote: QUOTE.none, end: lineStart };
  if (text.charCodeAt(at + 1) === SPACE) return { quote: QUOTE.line, end: at + 2 };
  if (text.startsWith('>>> ', at)) return { quote: QUOTE.rest, end: at + 4 };
  return { quote: QUOTE.none, end: lineStart };
}

/** @param inQuote true inside a `>>> ` quote, where further quotes are not read */
export function readLineStart(text: string, lineStart: number, inQuote: boolean): LineStart {
  const first = text.charCodeAt(lineStart);
  // Most lines begin with a letter.
  if (first > 0x7c || (first > 0x40 && first < 0x7c) || first === NEWLINE) return NO_LINE;
  const line: LineStart = {
    quote: QUOTE.none,
    quoteEnd: lineStart,
    heading: '',
    isList: false,
    indent: 0,
    isTableRow: false,
    contentStart: lineStart,
  };
  if (!inQuote) {
    const { quote, end } = readQuote(text, lineStart);
    line.quote = quote;
    line.quoteEnd = end;
  }
  let at = line.quoteEnd;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === 0x09) at += 1;
  line.indent = at - line.quoteEnd;
  const unit = text.charCodeAt(at);
  line.contentStart = line.quoteEnd;
  if (unit === HASH) {
    const match = readHeading(text, at);
    if (match !== '') {
      line.heading = match;
      line.contentStart = at + match.length;
    }
  } else if (unit === DASH && text.charCodeAt(at + 1) === HASH && text.charCodeAt(at + 2) === SPACE) {
    line.heading = '-# ';
    line.contentStart = at + 3;
  } else if (unit === DASH || unit === STAR || unit === 0x2b) {
    if (text.charCodeAt(at + 1) === SPACE) {
      line.isList = true;
      line.contentStart = at + 2;
    }
  } else if (isDigit(unit)) {
    let end = at + 1;
    while (end < at + 10 && isDigit(text.charCodeAt(end))) end += 1;
    const dot = text.charCodeAt(end);
    if ((dot === 0x2e || dot === 0x29) && text.charCodeAt(end + 1) === SPACE) {
      line.isList = true;
      line.contentStart = end + 2;
    }
  } else if (unit === PIPE && text.charCodeAt(at + 1) !== PIPE) {
    line.isTableRow = endsWithPipe(text, at);
  }
  return line;
}

function readHeading(text: string, at: number): string {
  let level = 1;
  while (level <= 3 && text.charCodeAt(at + level) === HASH) level += 1;
  return level <= 3 && text.charCodeAt(at + level) === SPACE ? `${'#'.repeat(level)} ` : '';
}

function endsWithPipe(text: string, at: number): boolean {
  let end = text.indexOf('\n', at);
  if (end < 0) end = text.length;
  while (end > at && text.charCodeAt(end - 1) <= SPACE) end -= 1;
  return end > at + 1 && text.charCodeAt(end - 1) === PIPE;
}
