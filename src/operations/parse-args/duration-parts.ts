import { isAsciiLetter, isAt, isBlank, isDigit, isWordAt, skipBlanks } from './characters.ts';
import type { LineText } from './line-text.ts';
import { isProse } from './prose-guard.ts';
import { isTokenEnd } from './separator.ts';
import type { Range } from './shadow-text.ts';
import { findLettersEnd, foldWord } from './time-letters.ts';
import {
  AND_LETTERS_MAX,
  AND_STARTS,
  AND_WORDS,
  ARTICLE_UNITS,
  DURATION_MS_MAX,
  DURATION_UNITS,
  PART_WORD_STARTS,
  UNIT_LETTERS_MAX,
  type DurationUnit,
} from './time-words.ts';

/** A length of time from `start` to `end`. */
export interface Length extends Range {
  readonly kind: 'length';
  /** Where the line goes on. */
  readonly next: number;
  readonly ms: number;
  /** The smallest unit. */
  readonly unit: DurationUnit;
}

/** A number and its unit, or "a week"; or several of these that are glued. */
interface Part {
  readonly end: number;
  readonly ms: number;
  readonly unit: DurationUnit;
  /** Of all units in it, in milliseconds; the first one first. */
  readonly unitsMs: readonly number[];
  /** Written out or with a blank before the unit, so that it may be part of a sentence. */
  readonly isWordy: boolean;
}

/** Whether parts may begin at `at`: with a number, or `.5`. */
function isNumberAt(text: LineText, at: number): boolean {
  return isDigit(text.unitAt(at)) || (isAt(text, at, '.') && isDigit(text.unitAt(at + 1)));
}

/**
 * Reads groups of parts. Within a group they are glued and differ in unit (`1h30m`); between groups there is a blank, a
 * comma or "and", and units go down. A group that is not a duration ends the duration before it.
 */
export function readLength(text: LineText, start: number): Length | null {
  let ms = 0;
  let last: Part | null = null;
  for (let at = start; ;) {
    const group: Part | null = readGroup(text, at, last?.unit.ms ?? Infinity);
    if (group === null) break;
    if (group.isWordy && isProse(text, group.end, group.unit.languages)) {
      // "1 day 3 hours ago" is prose from its beginning; "7d 3 hours after joining" begins with a duration.
      if (last?.isWordy === true) return null;
      break;
    }
    ms += group.ms;
    last = group;
    const next = skipGlue(text, group.end);
    if (next === group.end) break;
    at = next;
  }
  if (last === null || ms === 0 || ms > DURATION_MS_MAX) return null;
  return { kind: 'length', start, end: last.end, next: last.end, ms, unit: last.unit };
}

/** @param unitMsBelow the first unit must be smaller than this one */
function readGroup(text: LineText, start: number, unitMsBelow: number): Part | null {
  const first = readPart(text, start);
  if (first === null || (first.unitsMs[0] ?? 0) >= unitMsBelow) return null;
  if (!isDigit(text.unitAt(first.end))) return isTokenEnd(text, first.end) ? first : null;

  const unitsMs = [...first.unitsMs];
  let { ms, end, unit } = first;
  for (;;) {
    const part = readPart(text, end);
    if (part === null || part.unitsMs.some((unitMs) => unitsMs.includes(unitMs))) return null;
    unitsMs.push(...part.unitsMs);
    ms += part.ms;
    ({ end } = part);
    if (part.unit.ms < unit.ms) ({ unit } = part);
    if (isDigit(text.unitAt(end))) continue;
    return isTokenEnd(text, end) ? { end, ms, unit, unitsMs, isWordy: part.isWordy } : null;
  }
}

function readPart(text: LineText, at: number): Part | null {
  if (!isNumberAt(text, at)) return readWordPart(text, at);
  const number = readNumber(text, at);
  if (number === null) return null;
  const unitStart = skipBlanks(text, number.end);
  const end = findLettersEnd(text, unitStart, UNIT_LETTERS_MAX);
  const word = foldWord(text, unitStart, end);
  const unit = DURATION_UNITS.get(word);
  if (unit === undefined || unit.isHalf) return null;
  const isApart = unitStart > number.end;
  // "5 с другом": the Russian с is also a preposition.
  if (isApart && word === 'с' && isFollowedByWord(text, end)) return null;
  const ms = (number.thousandths * unit.ms) / 1000;
  if (!isApart && word === 'h') {
    const minutes = readMinutes(text, end);
    if (minutes !== null) return { ...minutes, ms: ms + minutes.ms, unitsMs: [unit.ms, ...minutes.unitsMs] };
  }
  return { end, ms, unit, unitsMs: [unit.ms], isWordy: !unit.isShort || isApart };
}

/** The two digits of "1h30", which have no unit of their own. */
function readMinutes(text: LineText, at: number): Part | null {
  const end = findDigitsEnd(text, at, MINUTE_DIGITS);
  const unit = DURATION_UNITS.get('m');
  if (unit === undefined || end - at !== MINUTE_DIGITS || !isTokenEnd(text, end)) return null;
  return { end, ms: readDigits(text, at, end) * unit.ms, unit, unitsMs: [unit.ms], isWordy: false };
}

function isFollowedByWord(text: LineText, at: number): boolean {
  return isBlank(text.unitAt(at)) && isWordAt(text, skipBlanks(text, at));
}

const WHOLE_DIGITS_MAX = 12;
const DECIMALS_MAX = 3;
const MINUTE_DIGITS = 2;

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

/** The end of the digits at `at`, or one after `max` of them when there are more. */
function findDigitsEnd(text: LineText, at: number, max: number): number {
  let end = at;
  while (end - at <= max && isDigit(text.unitAt(end))) end += 1;
  return end;
}

/** "a week", "half an hour", "полчаса". */
function readWordPart(text: LineText, at: number): Part | null {
  const first = text.unitAt(at);
  if (!PART_WORD_STARTS.has(first)) return null;
  if (!isAsciiLetter(first)) return readHalfWord(text, at);
  const wordEnd = findLettersEnd(text, at, 4);
  const isHalf = text.sliceLowerCase(at, wordEnd) === 'half' && isBlank(text.unitAt(wordEnd));
  const articleAt = isHalf ? skipBlanks(text, wordEnd) : at;
  const articleEnd = isHalf ? findLettersEnd(text, articleAt, 2) : wordEnd;
  const article = text.sliceLowerCase(articleAt, articleEnd);
  if ((article !== 'a' && article !== 'an') || !isBlank(text.unitAt(articleEnd))) return null;
  const unitStart = skipBlanks(text, articleEnd);
  const end = findLettersEnd(text, unitStart, UNIT_LETTERS_MAX);
  const word = text.sliceLowerCase(unitStart, end);
  const unit = ARTICLE_UNITS.has(word) ? DURATION_UNITS.get(word) : undefined;
  if (unit === undefined) return null;
  // In "a second account", the word is a number and not a unit.
  if (word === 'second' && isFollowedByWord(text, end)) return null;
  return { end, ms: isHalf ? unit.ms / 2 : unit.ms, unit, unitsMs: [unit.ms], isWordy: true };
}

function readHalfWord(text: LineText, at: number): Part | null {
  const end = findLettersEnd(text, at, UNIT_LETTERS_MAX);
  const unit = DURATION_UNITS.get(foldWord(text, at, end));
  return unit?.isHalf === true ? { end, ms: unit.ms, unit, unitsMs: [unit.ms], isWordy: true } : null;
}

/**
 * The end of what may be between two groups: a comma or abbreviation dot, blanks, "and"; `at` when there is nothing.
 */
function skipGlue(text: LineText, at: number): number {
  if (at >= text.length) return at;
  let end = at;
  if (isAt(text, end, ',') || (isAt(text, end, '.') && isBlank(text.unitAt(end + 1)))) end += 1;
  end = skipBlanks(text, end);
  if (!isBlank(text.unitAt(end - 1))) return end;
  const wordEnd = findAndEnd(text, end);
  return wordEnd > end && isBlank(text.unitAt(wordEnd)) ? skipBlanks(text, wordEnd) : end;
}

function findAndEnd(text: LineText, at: number): number {
  if (isAt(text, at, '&') || isAt(text, at, '+')) return at + 1;
  if (!AND_STARTS.has(text.unitAt(at))) return at;
  const end = findLettersEnd(text, at, AND_LETTERS_MAX);
  return AND_WORDS.has(foldWord(text, at, end)) ? end : at;
}
