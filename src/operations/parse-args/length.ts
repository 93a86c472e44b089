import type { Line, Range } from './line.ts';
import { isBlankAt, isSentenceOver, isTokenEnd, isWordAt, type Token } from './token.ts';
import {
  AND_WORDS,
  ARTICLE_UNITS,
  DURATION_MS_MAX,
  DURATION_UNITS,
  MINUTE,
  PAST_PHRASES,
  PAST_WORDS,
  type DurationUnit,
  type Guards,
} from './time-words.ts';

/** A length of time from `start` to `end`. */
export interface Length extends Range {
  readonly kind: 'length';
  /** The line goes on here. */
  readonly next: number;
  readonly ms: number;
  /** The smallest unit. */
  readonly unit: DurationUnit;
}

/** A number and its unit, or "a week"; or several of these without blanks between them. */
interface Part {
  readonly end: number;
  readonly ms: number;
  /** In the order in which they were typed; at least one. */
  readonly units: readonly [DurationUnit, ...DurationUnit[]];
  /** Written out or with a blank before the unit, so that it may be part of a sentence. */
  readonly isWordy: boolean;
}

/**
 * Reads groups of parts. Within a group no blanks separate them, and they differ in unit (`1h30m`); between groups
 * there is a blank, a comma or "and", and units go down. A group that is not a duration ends the duration before it.
 */
export function readLength(line: Line, start: number): Length | null {
  let ms = 0;
  let unit: DurationUnit | null = null;
  let end = start;
  let isWordy = false;
  for (let at = start; ;) {
    const group = readGroup(line, at);
    if (group === null || group.units[0].ms >= (unit?.ms ?? Infinity)) break;
    const smallest = smallestOf(group.units);
    if (isProse(line, group, smallest.guards)) {
      const isComma = line.text.charAt(end) === ',';
      if (unit !== null && isOneLength({ unit, isWordy, isComma }, group)) return null;
      break;
    }
    ms += group.ms;
    unit = smallest;
    ({ end, isWordy } = group);
    at = skipGlue(line, end);
    if (at === end) break;
  }
  if (unit === null || ms === 0 || ms > DURATION_MS_MAX) return null;
  return { kind: 'length', start, end, next: end, ms, unit };
}

/** The most of a unit in the next larger one: minutes in an hour. */
const NEXT_UNIT_MAX = 60;

/**
 * True when the groups before this one belong to the same sentence: "1 day 3 hours ago", "1d 2h ago". Otherwise they are
 * a time of their own: "7d 3 hours after joining", "7d 5m ago", "7d, 1h ago".
 */
function isOneLength(
  before: { readonly unit: DurationUnit; readonly isWordy: boolean; readonly isComma: boolean },
  { isWordy, units }: Part,
): boolean {
  if (before.isWordy !== isWordy) return false;
  return isWordy || (!before.isComma && before.unit.ms / units[0].ms <= NEXT_UNIT_MAX);
}

function smallestOf(units: Part['units']): DurationUnit {
  return units.reduce((smallest, unit) => (unit.ms < smallest.ms ? unit : smallest));
}

function readGroup(line: Line, start: number): Part | null {
  let group = readPart(line, start);
  while (group !== null && line.tokenAt(group.end).kind === 'digits') {
    const next = readPart(line, group.end);
    if (next === null || next.units.some(({ ms }) => group?.units.some((unit) => unit.ms === ms)))
      return null;
    group = { ...next, ms: group.ms + next.ms, units: [...group.units, ...next.units] };
  }
  return group !== null && isTokenEnd(line.text, group.end) ? group : null;
}

function readPart(line: Line, at: number): Part | null {
  const token = line.tokenAt(at);
  if (token.kind === 'word') return readWordPart(line, token);
  const number = readNumber(line, token);
  if (number === null) return null;
  const word = line.tokenAt(line.skipBlanks(number.end));
  const unit = word.kind === 'word' ? DURATION_UNITS.get(word.value) : undefined;
  if (unit === undefined || unit.isHalf) return null;
  const isApart = word.start > number.end;
  // "5 с другом": the Russian с is also a preposition.
  if (isApart && word.value === 'с' && isFollowedByWord(line, word.end)) return null;
  const ms = (number.thousandths * unit.ms) / 1000;
  if (!isApart && word.value === 'h') {
    // The minutes of "1h30" have no unit of their own.
    const minutes = line.tokenAt(word.end);
    if (minutes.kind === 'digits' && minutes.value.length === 2 && isTokenEnd(line.text, minutes.end)) {
      const minutesMs = Number(minutes.value) * MINUTE.ms;
      return { end: minutes.end, ms: ms + minutesMs, units: [unit, MINUTE], isWordy: false };
    }
  }
  return { end: word.end, ms, units: [unit], isWordy: !unit.isShort || isApart };
}

function isFollowedByWord(line: Line, at: number): boolean {
  return isBlankAt(line.text, at) && isWordAt(line.text, line.skipBlanks(at));
}

const WHOLE_DIGITS_MAX = 12;
const DECIMALS_MAX = 3;

/** Up to 12 digits with up to 3 decimals, or decimals alone; a comma before three digits groups thousands (`1,000`). */
function readNumber(line: Line, token: Token): { readonly end: number; readonly thousandths: number } | null {
  const whole = token.kind === 'digits' ? token.value : '';
  if (whole.length > WHOLE_DIGITS_MAX) return null;
  const pointAt = token.start + whole.length;
  const point = line.text.charAt(pointAt);
  if (point !== '.' && (point !== ',' || whole === '')) {
    return whole === '' ? null : { end: pointAt, thousandths: Number(whole) * 1000 };
  }
  const decimals = line.tokenAt(pointAt + 1);
  if (decimals.kind !== 'digits' || decimals.value.length > DECIMALS_MAX) return null;
  // A leading zero cannot be followed by a group of thousands: `0,500` is a half.
  const isGroup = point === ',' && decimals.value.length === 3 && !whole.startsWith('0');
  const thousandths = Number(`${whole}${decimals.value.padEnd(3, '0')}`) * (isGroup ? 1000 : 1);
  return { end: decimals.end, thousandths };
}

/** For example "a week", "half an hour", "полчаса". */
function readWordPart(line: Line, first: Token): Part | null {
  const halfUnit = DURATION_UNITS.get(first.value);
  if (halfUnit?.isHalf === true) return { end: first.end, ms: halfUnit.ms, units: [halfUnit], isWordy: true };
  const isHalf = first.value === 'half';
  const article = isHalf ? readNextWord(line, first) : first;
  if (article === null || (article.value !== 'a' && article.value !== 'an')) return null;
  const word = readNextWord(line, article);
  const unit = word !== null && ARTICLE_UNITS.has(word.value) ? DURATION_UNITS.get(word.value) : undefined;
  if (word === null || unit === undefined) return null;
  // In "a second account", the word is a number and not a unit.
  if (word.value === 'second' && isFollowedByWord(line, word.end)) return null;
  return { end: word.end, ms: isHalf ? unit.ms / 2 : unit.ms, units: [unit], isWordy: true };
}

/** The word after this one and a blank; null when something else follows. */
export function readNextWord(line: Line, { end }: Token): Token | null {
  const next = line.tokenAt(line.skipBlanks(end));
  return next.start > end && next.kind === 'word' ? next : null;
}

/**
 * The end of anything allowed between two groups: a comma or abbreviation dot, blanks, "and"; `at` when there is
 * nothing.
 */
function skipGlue(line: Line, at: number): number {
  const { text } = line;
  const sign = text.charAt(at);
  const isGlue = sign === ',' || (sign === '.' && isBlankAt(text, at + 1));
  const end = line.skipBlanks(isGlue ? at + 1 : at);
  if (!isBlankAt(text, end - 1)) return end;
  const and = line.tokenAt(end);
  return AND_WORDS.has(and.value) && isBlankAt(text, and.end) ? line.skipBlanks(and.end) : end;
}

/** The most words of a phrase of prose. */
const WORDS_MAX = 3;
// "left the call" is about a deed, "left on his ban" about a remaining time.
const AFTER_VERB = new Set(['the', 'a', 'our', 'my', 'this']);

/**
 * True when the words after a group make it a part of a sentence: "30 days of warnings", "5m ago".
 * @param guards of the languages that have the duration's unit
 */
function isProse(line: Line, { end: at, isWordy }: Part, guards: readonly Guards[]): boolean {
  const words = listWords(line, at);
  const [first, second] = words;
  if (first === undefined) return false;
  const phrase = `${words.join(' ')} `;
  if (PAST_WORDS.has(first) || guards.some(({ past }) => past.has(first))) return true;
  if (PAST_PHRASES.some((begin) => phrase.startsWith(`${begin} `))) return true;
  if (!isWordy) return false;
  if (first === 'left' && second !== undefined && AFTER_VERB.has(second)) return false;
  if (first === 'account' && words.length === 1) {
    return isSentenceOver(line.text, line.skipBlanks(at) + first.length);
  }
  return guards.some(
    ({ prose, prosePhrases }) =>
      prose.has(first) || prosePhrases.some((begin) => phrase.startsWith(`${begin} `)),
  );
}

function listWords(line: Line, at: number): string[] {
  const { text } = line;
  const words: string[] = [];
  for (let end = at; words.length < WORDS_MAX && isBlankAt(text, end);) {
    const start = line.skipBlanks(end);
    let word = line.tokenAt(start);
    let { value } = word;
    // The French elision: "d'affilée".
    if (value.length === 1 && text.charAt(word.end) === "'") {
      word = line.tokenAt(word.end + 1);
      value = `${value}'${word.value}`;
    }
    ({ end } = word);
    if (word.kind !== 'word' || isWordAt(text, end) || text.charAt(end) === '-') break;
    words.push(value);
  }
  return words;
}
