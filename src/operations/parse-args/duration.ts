import { isAt, isBlank, isDigit, skipBlanks, unitPairsOf } from './characters.ts';
import { readLength, type Length } from './duration-parts.ts';
import { LineText } from './line-text.ts';
import { isTokenEnd } from './separator.ts';
import type { Range } from './shadow-text.ts';
import { findLettersEnd, foldWord } from './time-letters.ts';
import {
  FOR_WORDS,
  IN_WORDS,
  LENGTH_STARTS,
  PERMANENT_SYMBOLS,
  PERMANENT_WORDS,
  TIME_WORDS,
  TIME_WORD_STARTS,
  UNTIL_WORDS,
  WORD_LETTERS_MAX,
  type PermanentWord,
} from './time-words.ts';

interface TimeRange extends Range {
  /** Where the line goes on: after the closing quote, if there is one. */
  readonly next: number;
}

/** As typed from `start` to `end`, without quotes or brackets around it and without "for" or "until" before it. */
export type Duration = Length | Permanent | Timestamp;

interface Permanent extends TimeRange {
  readonly kind: 'permanent';
  /** Null for a symbol. */
  readonly word: PermanentWord | null;
}

/** The end of a time. */
interface Timestamp extends TimeRange {
  readonly kind: 'timestamp';
  /** Unix seconds. */
  readonly until: number;
}

/** The duration that begins exactly at `at`, or null. */
export function readDuration(text: LineText, at: number): Duration | null {
  if (at >= text.length) return null;
  const first = text.unitAt(at);
  if (isDigit(first)) return readLength(text, at);
  if (QUOTES.has(first)) return (first === 60 ? readTimestamp(text, at) : null) ?? readQuoted(text, at);
  const fromWord = TIME_WORD_STARTS.has(first) ? readFromWord(text, at) : null;
  return fromWord ?? (LENGTH_STARTS.has(first) ? readLength(text, at) : null);
}

/** A time that begins with a word: permanent, or led by "for" or "until". */
function readFromWord(text: LineText, at: number): Duration | null {
  const end = findLettersEnd(text, at, WORD_LETTERS_MAX);
  if (end === at) return readPermanentSymbol(text, at);
  const word = foldWord(text, at, end);
  // Most words are ruled out here.
  if (!TIME_WORDS.has(word)) return null;
  const permanent = readPermanent(text, at, word, end);
  if (permanent !== null || !isBlank(text.unitAt(end))) return permanent;
  const start = skipBlanks(text, end);
  if (UNTIL_WORDS.has(word) && isAt(text, start, '<')) return readTimestamp(text, start);
  return FOR_WORDS.has(word) ? (readAfterFor(text, start) ?? readLength(text, start)) : null;
}

/** "in 10 minutes". */
export function readDurationAfterIn(text: LineText, at: number): Duration | null {
  const end = findLettersEnd(text, at, WORD_LETTERS_MAX);
  if (!IN_WORDS.has(foldWord(text, at, end)) || !isBlank(text.unitAt(end))) return null;
  const start = skipBlanks(text, end);
  return readAfterFor(text, start) ?? readLength(text, start);
}

function readAfterFor(text: LineText, at: number): Duration | null {
  const end = findLettersEnd(text, at, WORD_LETTERS_MAX);
  return end === at ? readPermanentSymbol(text, at) : readPermanent(text, at, foldWord(text, at, end), end);
}

const TIMESTAMP = /<t:(-?\d{1,13})(?::[tTdDfFsSR])?>/y;
/** The range that a JavaScript date can hold and Discord can show. */
const TIMESTAMP_SECONDS_MAX = 8_640_000_000_000;

function readTimestamp(text: LineText, at: number): Duration | null {
  if (!isAt(text, at + 1, 't') || !isAt(text, at + 2, ':')) return null;
  TIMESTAMP.lastIndex = at;
  const match = TIMESTAMP.exec(text.string);
  if (match === null) return null;
  const until = Number(match[1]);
  const end = at + match[0].length;
  if (Math.abs(until) > TIMESTAMP_SECONDS_MAX || !isTokenEnd(text, end)) return null;
  return { kind: 'timestamp', start: at, end, next: end, until };
}

/** The permanent word, or phrase of two words, that begins with `first` at `at`. */
function readPermanent(text: LineText, at: number, first: string, firstEnd: number): Duration | null {
  if (isBlank(text.unitAt(firstEnd))) {
    const start = skipBlanks(text, firstEnd);
    const end = findLettersEnd(text, start, WORD_LETTERS_MAX);
    const phrase = PERMANENT_WORDS.get(`${first} ${foldWord(text, start, end)}`);
    if (phrase !== undefined && isTokenEnd(text, end)) return permanentOf(at, end, phrase);
  }
  const word = PERMANENT_WORDS.get(first);
  return word !== undefined && isTokenEnd(text, firstEnd) ? permanentOf(at, firstEnd, word) : null;
}

function permanentOf(start: number, end: number, word: PermanentWord | null): Duration {
  return { kind: 'permanent', start, end, next: end, word };
}

function readPermanentSymbol(text: LineText, at: number): Duration | null {
  if (!PERMANENT_SYMBOLS.includes(text.slice(at, at + 1))) return null;
  // The symbol may carry the selector that shows it as an emoji.
  const end = isAt(text, at + 1, '\ufe0f') ? at + 2 : at + 1;
  return isTokenEnd(text, end) ? permanentOf(at, end, null) : null;
}

const QUOTES = unitPairsOf(['""', "''", '``', '()', '[]', '{}', '<>', '“”', '„“', '‘’', '«»']);
/** Longer than any duration that is worth typing. The search for a closing quote stops here. */
const QUOTED_UNITS_MAX = 64;

/** A duration that fills a pair of quotes, back-ticks or brackets. */
function readQuoted(text: LineText, at: number): Duration | null {
  const closer = QUOTES.get(text.unitAt(at));
  const start = at + 1;
  let closerAt = start;
  while (closerAt - start <= QUOTED_UNITS_MAX && text.unitAt(closerAt) !== closer) closerAt += 1;
  if (text.unitAt(closerAt) !== closer || !isTokenEnd(text, closerAt + 1)) return null;
  const inner = new LineText(text.slice(start, closerAt), null);
  const first = skipBlanks(inner, 0);
  if (QUOTES.has(inner.unitAt(first))) return null;
  const time = readDuration(inner, first);
  if (time === null || skipBlanks(inner, time.next) < inner.length) return null;
  return { ...time, start: start + time.start, end: start + time.end, next: closerAt + 1 };
}
