import { UNIT_MS } from './languages/time-language.ts';
import { readLength, type Length } from './length.ts';
import { Line, type Range } from './line.ts';
import { hasLastingEffect, isMoneyCommand, isWarnOrKick } from './moderation-verbs.ts';
import { hasLineBreak } from './separator.ts';
import { readTarget } from './target.ts';
import {
  AND_WORDS,
  FOR_PHRASES,
  IN_AFTER_PHRASES,
  IN_PHRASES,
  PERMANENT_PHRASES,
  PERMANENT_SYMBOLS,
  UNTIL_WORDS,
  WITHOUT_WORDS,
  type ContextWords,
  type PermanentWord,
} from './time-words.ts';
import { closersOf, isSpaceAt, isTokenEnd, isWordAt, type Token } from './token.ts';

/** As typed from `start` to `end`, without quotes or brackets around it and without "for" or "until" before it. */
export type Duration = Length | Permanent | Timestamp;

interface Permanent extends Range {
  readonly kind: 'permanent';
  /** Where reading continues: after the closing quote, if there is one. */
  readonly next: number;
  /** null for a symbol. */
  readonly word: PermanentWord | null;
}

/** A duration that Discord renders as the moment of its end. */
interface Timestamp extends Range {
  readonly kind: 'timestamp';
  readonly next: number;
  /** Unix seconds. */
  readonly until: number;
}

/** The duration that begins exactly at `at`, or null. */
export function readDuration(line: Line, at: number): Duration | null {
  const token = line.tokenAt(at);
  if (token.kind === 'timestamp') return readTimestamp(line, token);
  return (
    readBareDuration(line, token) ??
    (token.kind === 'word' ? readAfterForOrUntil(line, token) : readWrapped(line, token))
  );
}

/**
 * Reads "in 10 minutes", "10 dakika sonra".
 * @param action see readDurationIfMeant
 */
export function readDurationAfterIn(line: Line, at: number, action: string): Duration | null {
  const preposition = IN_PHRASES.findAt(line, at);
  const duration =
    preposition === null
      ? readLength(line, at, IN_AFTER_PHRASES)
      : readAfterPreposition(line, preposition.end);
  return duration !== null && isMoney(line, duration, action) ? null : duration;
}

/** Reads a duration after "for" or "until". */
function readAfterForOrUntil(line: Line, word: Token): Duration | null {
  if (UNTIL_WORDS.has(word.value) && isSpaceAt(line.text, word.end)) {
    const next = line.tokenAt(line.skipSpaces(word.end));
    return next.kind === 'timestamp' ? readTimestamp(line, next) : null;
  }
  const preposition = FOR_PHRASES.findAt(line, word.start);
  return preposition === null ? null : readAfterPreposition(line, preposition.end);
}

function readAfterPreposition(line: Line, at: number): Duration | null {
  const duration = isSpaceAt(line.text, at)
    ? readBareDuration(line, line.tokenAt(line.skipSpaces(at)))
    : null;
  return duration === null ? null : markAsDuration(duration);
}

/** After "for" or in brackets even a unit alone is a duration. */
function markAsDuration(duration: Duration): Duration {
  return duration.kind === 'length' ? { ...duration, singleWord: null } : duration;
}

/** A duration without brackets, quotes or words around it. */
function readBareDuration(line: Line, first: Token): Duration | null {
  if (first.kind === 'word') return readPermanent(line, first) ?? readLength(line, first.start);
  const isNumber = first.kind === 'digits' || first.value === '.';
  return isNumber ? readLength(line, first.start) : readPermanentSymbol(line, first);
}

/** The range that a JavaScript date can hold and Discord can show. */
const TIMESTAMP_SECONDS_MAX = 8_640_000_000_000;

function readTimestamp(line: Line, { start, end, value }: Token): Timestamp | null {
  const until = Number(value);
  if (Math.abs(until) > TIMESTAMP_SECONDS_MAX || !isTokenEnd(line.text, end)) return null;
  return { kind: 'timestamp', start, end, next: end, until };
}

/** The longest permanent word or phrase. */
function readPermanent(line: Line, { start }: Token): Permanent | null {
  const found = PERMANENT_PHRASES.findAt(line, start);
  if (found === null || !isTokenEnd(line.text, found.end)) return null;
  return permanentOf(start, found.end, found.meaning);
}

function readPermanentSymbol({ text }: Line, { start, end, value }: Token): Permanent | null {
  if (!PERMANENT_SYMBOLS.has(value)) return null;
  // The symbol may carry the selector that shows it as an emoji.
  const symbolEnd = text.charAt(end) === '\ufe0f' ? end + 1 : end;
  return isTokenEnd(text, symbolEnd) ? permanentOf(start, symbolEnd, null) : null;
}

function permanentOf(start: number, end: number, word: PermanentWord | null): Permanent {
  return { kind: 'permanent', start, end, next: end, word };
}

// After a space, phones type an opening quote where a closing one is meant.
const CLOSERS = closersOf(`"" '' \`\` () [] {} <> “”“ „“ ‘’‘ «»`);
/** No sensible duration is longer, so the search for a closing quote stops here. */
const WRAPPED_LENGTH_MAX = 66;

/** A duration alone in quotes, back-ticks or brackets. */
function readWrapped({ text }: Line, { end: start, value }: Token): Duration | null {
  const closers = CLOSERS.get(value);
  if (closers === undefined) return null;
  const inside = text.slice(start, start + WRAPPED_LENGTH_MAX);
  const lengths = Array.from(closers, (closer) => inside.indexOf(closer)).filter((length) => length >= 0);
  if (lengths.length === 0) return null;
  const length = Math.min(...lengths);
  if (!isTokenEnd(text, start + length + 1)) return null;
  const inner = new Line(text.slice(start, start + length));
  const first = inner.skipSpaces(0);
  const found = CLOSERS.has(inner.text.charAt(first)) ? null : readDuration(inner, first);
  if (found === null || inner.skipSpaces(found.next) < inner.length) return null;
  return {
    ...markAsDuration(found),
    start: start + found.start,
    end: start + found.end,
    next: start + length + 1,
  };
}

/**
 * Reads the duration at `at`, if it is meant as one and not as an age or the first word of a sentence.
 * @param action the verb of the line, or empty
 */
export function readDurationIfMeant(
  line: Line,
  at: number,
  action: string,
  isAfterTarget: boolean,
): Duration | null {
  const duration = readDuration(line, at);
  return duration !== null && isMeant(line, duration, action, isAfterTarget) ? duration : null;
}

function isMeant(line: Line, duration: Duration, action: string, isAfterTarget: boolean): boolean {
  if (duration.kind === 'timestamp') return true;
  if (isMoney(line, duration, action)) return false;
  const { next } = duration;
  if (duration.kind === 'length') {
    const { singleWord, unit } = duration;
    if (singleWord === 'unit' && isSentence(line, next, unit)) return false;
    if (singleWord !== null && WITHOUT_WORDS.has(line.tokenAt(line.skipSpaces(next)).value)) return false;
    return !(isWarnOrKick(action) && (isAge(duration) || endsWithAnd(line, duration)));
  }
  const { word } = duration;
  if (word === null || !isSentence(line, next, word)) return true;
  return isAfterTarget && !word.isAmbiguous && hasLastingEffect(action);
}

const MONEY = /^\d[\d.,]*m$/i;

/** True for `100m` in "!give @user 100m", which is a hundred million. */
function isMoney({ text }: Line, { start, end }: Range, action: string): boolean {
  return isMoneyCommand(action) && MONEY.test(text.slice(start, end));
}

const AGE_YEARS_MIN = 7;
const AGE_YEARS_MAX = 17;

/** "13 years" is an age, because no warning lasts that long. */
function isAge({ ms, unit }: { readonly ms: number; readonly unit: { readonly ms: number } }): boolean {
  const years = ms / UNIT_MS.year;
  return unit.ms === UNIT_MS.year && years >= AGE_YEARS_MIN && years <= AGE_YEARS_MAX;
}

/** In "1 y 2 alts" the y is the Spanish "and", because no warning lasts a year. */
function endsWithAnd(line: Line, { end }: Range): boolean {
  const isAnd = isSpaceAt(line.text, end - 2) && AND_WORDS.has(line.tokenAt(end - 1).value);
  return isAnd && isSpaceAt(line.text, end) && line.tokenAt(line.skipSpaces(end)).kind === 'digits';
}

/**
 * True when the next word neither leads to a reason nor names a target: "forever alone".
 * @param word of the duration before it
 */
function isSentence(
  line: Line,
  at: number,
  { contextWords }: { readonly contextWords: readonly ContextWords[] },
): boolean {
  const start = line.skipSpaces(at);
  if (!isWordAt(line.text, start) || hasLineBreak(line, at, start)) return false;
  if (readTarget(line, start, false) !== null) return false;
  const { end, value } = line.tokenAt(start);
  const isWhole = !isWordAt(line.text, end) && line.text.charAt(end) !== '-';
  return !(isWhole && contextWords.some(({ prepositions }) => prepositions.has(value)));
}
