import { isAndAt, isAsciiLetter, isAt, isBlank, isDigit, isWordAt, skipBlanks } from './characters.ts';
import {
  ARTICLE_UNITS,
  DURATION_MS_MAX,
  DURATION_UNITS,
  PERMANENT_WORDS,
  PROSE_PHRASES,
  PROSE_WORDS,
  UNIT_LETTERS_MAX,
} from './duration-words.ts';
import type { LineText } from './line-text.ts';
import { isTokenEnd } from './separator.ts';
import type { Range } from './shadow-text.ts';
import { UnitSet } from './unit-set.ts';

export interface Duration extends Range {
  /** Null when it is permanent. */
  readonly ms: number | null;
}

/** A number and its unit, or "a week". */
interface Part {
  readonly end: number;
  readonly ms: number;
  readonly unitMs: number;
  /** Written out or with a blank before the unit, so that it may be part of a sentence. */
  readonly isWordy: boolean;
}

const PERMANENT_UNITS_MAX = 12;
// Most words are ruled out by their first letter.
const PERMANENT_STARTS = new UnitSet(
  ['ever', ...PERMANENT_WORDS].map((word) => word.charAt(0) + word.charAt(0).toUpperCase()).join(''),
);

/** The duration that begins exactly at `at`, or null. A "for" before it is not part of its range. */
export function readDuration(text: LineText, at: number): Duration | null {
  if (at >= text.length) return null;
  const start = skipFor(text, at);
  if (isDigit(text.unitAt(start))) return readParts(text, start);
  return readPermanent(text, at, start) ?? readParts(text, start);
}

function skipFor(text: LineText, at: number): number {
  const first = text.unitAt(at);
  if (first !== 102 && first !== 70) return at;
  if (text.sliceLowerCase(at, at + 3) !== 'for' || !isBlank(text.unitAt(at + 3))) return at;
  return skipBlanks(text, at + 3);
}

function readPermanent(text: LineText, at: number, start: number): Duration | null {
  if (!PERMANENT_STARTS.has(text.unitAt(start))) return null;
  let end = start;
  while (end - start <= PERMANENT_UNITS_MAX && isAsciiLetter(text.unitAt(end))) end += 1;
  if (end === start) {
    end += 1;
    // The symbol may carry the selector that shows it as an emoji.
    if (isAt(text, end, '\ufe0f'))
      return isTokenEnd(text, end + 1) ? permanentOf(text, start, end, end + 1) : null;
  }
  if (!isTokenEnd(text, end)) return null;
  if (start > at && text.sliceLowerCase(start, end) === 'ever') return { start: at, end, ms: null };
  return permanentOf(text, start, end, end);
}

function permanentOf(text: LineText, start: number, wordEnd: number, end: number): Duration | null {
  return PERMANENT_WORDS.has(text.sliceLowerCase(start, wordEnd)) ? { start, end, ms: null } : null;
}

/**
 * Reads groups of parts. Within a group they are glued and differ in unit (`1h30m`); between groups there is a
 * blank, a comma or "and", and units go down. A group that is no duration ends what came before it.
 */
function readParts(text: LineText, start: number): Duration | null {
  let totalMs = 0;
  let end = -1;
  let smallestMs = Infinity;
  let wasWordy = false;
  for (let at = start; ;) {
    const group = readGroup(text, at, smallestMs);
    if (group === null) break;
    if (group.isWordy && isProse(text, group.end)) {
      // "1 day 3 hours ago" is prose from its beginning; "7d 3 hours after joining" begins with a duration.
      if (wasWordy) return null;
      break;
    }
    totalMs += group.ms;
    end = group.end;
    smallestMs = group.unitMs;
    wasWordy = group.isWordy;
    const next = skipGlue(text, end);
    if (next === end) break;
    at = next;
  }
  if (end < 0 || totalMs === 0 || totalMs > DURATION_MS_MAX) return null;
  return { start, end, ms: totalMs };
}

/** @param unitMsBelow the first unit must be smaller than this one */
function readGroup(text: LineText, start: number, unitMsBelow: number): Part | null {
  const first = readPart(text, start);
  if (first === null || first.unitMs >= unitMsBelow) return null;
  if (!isDigit(text.unitAt(first.end))) return isTokenEnd(text, first.end) ? first : null;

  const units = [first.unitMs];
  let { ms, end } = first;
  for (;;) {
    const part = readPart(text, end);
    if (part === null || units.includes(part.unitMs)) return null;
    units.push(part.unitMs);
    ms += part.ms;
    ({ end } = part);
    if (isDigit(text.unitAt(end))) continue;
    return isTokenEnd(text, end) ? { end, ms, unitMs: Math.min(...units), isWordy: part.isWordy } : null;
  }
}

function readPart(text: LineText, at: number): Part | null {
  if (!isDigit(text.unitAt(at))) return readArticlePart(text, at);
  const number = readNumber(text, at);
  if (number === null) return null;
  const unitStart = skipBlanks(text, number.end);
  const end = findLettersEnd(text, unitStart);
  const unit = DURATION_UNITS.get(text.sliceLowerCase(unitStart, end));
  if (unit === undefined) return null;
  return {
    end,
    ms: (number.thousandths * unit.ms) / 1000,
    unitMs: unit.ms,
    isWordy: !unit.isShort || unitStart > number.end,
  };
}

const WHOLE_DIGITS_MAX = 12;
const DECIMALS_MAX = 3;

/** Up to 12 digits with up to 3 decimals; a comma before three digits groups thousands (`1,000`). */
function readNumber(
  text: LineText,
  at: number,
): { readonly end: number; readonly thousandths: number } | null {
  const wholeEnd = findDigitsEnd(text, at, WHOLE_DIGITS_MAX);
  if (wholeEnd - at > WHOLE_DIGITS_MAX) return null;
  const whole = readDigits(text, at, wholeEnd);
  const isComma = isAt(text, wholeEnd, ',');
  if (!isComma && !isAt(text, wholeEnd, '.')) return { end: wholeEnd, thousandths: whole * 1000 };
  const end = findDigitsEnd(text, wholeEnd + 1, DECIMALS_MAX);
  const places = end - wholeEnd - 1;
  if (places === 0 || places > DECIMALS_MAX) return null;
  const decimals = readDigits(text, wholeEnd + 1, end);
  // A leading zero cannot be followed by a group of thousands: `0,500` is a half.
  if (isComma && places === 3 && !isAt(text, at, '0'))
    return { end, thousandths: (whole * 1000 + decimals) * 1000 };
  return { end, thousandths: whole * 1000 + decimals * 10 ** (DECIMALS_MAX - places) };
}

function readDigits(text: LineText, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 10 + text.unitAt(at) - 48;
  return value;
}

/** The end of the digits at `at`, or one behind `max` of them when there are more. */
function findDigitsEnd(text: LineText, at: number, max: number): number {
  let end = at;
  while (end - at <= max && isDigit(text.unitAt(end))) end += 1;
  return end;
}

function readArticlePart(text: LineText, at: number): Part | null {
  if (!isAt(text, at, 'a') && !isAt(text, at, 'A')) return null;
  const articleEnd = findLettersEnd(text, at);
  const article = text.sliceLowerCase(at, articleEnd);
  if ((article !== 'a' && article !== 'an') || !isBlank(text.unitAt(articleEnd))) return null;
  const unitStart = skipBlanks(text, articleEnd);
  const end = findLettersEnd(text, unitStart);
  const word = text.sliceLowerCase(unitStart, end);
  const unit = ARTICLE_UNITS.has(word) ? DURATION_UNITS.get(word) : undefined;
  if (unit === undefined) return null;
  // "a second account" counts, it does not time.
  if (word === 'second' && isBlank(text.unitAt(end)) && isWordAt(text, skipBlanks(text, end))) return null;
  return { end, ms: unit.ms, unitMs: unit.ms, isWordy: true };
}

/** The end of the ASCII letters at `at`, or one behind `max` of them when there are more. */
function findLettersEnd(text: LineText, at: number, max = UNIT_LETTERS_MAX): number {
  let end = at;
  while (end - at <= max && isAsciiLetter(text.unitAt(end))) end += 1;
  return end;
}

/** Over what may stand between groups: a comma or abbreviation dot, blanks, "and"; `at` when there is nothing. */
function skipGlue(text: LineText, at: number): number {
  if (at >= text.length) return at;
  let end = at;
  if (isAt(text, end, ',') || (isAt(text, end, '.') && isBlank(text.unitAt(end + 1)))) end += 1;
  end = skipBlanks(text, end);
  if (!isBlank(text.unitAt(end - 1))) return end;
  const wordEnd = isAndAt(text, end) ? end + 3 : isAt(text, end, '&') || isAt(text, end, '+') ? end + 1 : end;
  return wordEnd > end && isBlank(text.unitAt(wordEnd)) ? skipBlanks(text, wordEnd) : end;
}

const PROSE_LETTERS_MAX = 12;

function isProse(text: LineText, at: number): boolean {
  if (!isBlank(text.unitAt(at))) return false;
  const words: string[] = [];
  let end = at;
  while (words.length < 3) {
    const start = skipBlanks(text, end);
    end = findLettersEnd(text, start, PROSE_LETTERS_MAX);
    if (end === start) break;
    const isWhole = end >= text.length || !(isWordAt(text, end) || isAt(text, end, '-'));
    if (!isWhole) break;
    words.push(text.sliceLowerCase(start, end));
    if (!isBlank(text.unitAt(end))) break;
  }
  const [first] = words;
  if (first === undefined) return false;
  if (PROSE_WORDS.has(first)) return true;
  const phrase = `${words.join(' ')} `;
  return PROSE_PHRASES.some((prose) => phrase.startsWith(`${prose} `));
}
