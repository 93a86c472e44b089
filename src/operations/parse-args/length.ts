import type { Line, Range } from './line.ts';
import { readFraction, readNumber, skipHyphen, type Count } from './number.ts';
import { skipWordConnection, type Phrases } from './phrases.ts';
import {
  AFTER_PHRASES,
  AND_WORDS,
  LONE_UNITS,
  DURATION_MS_MAX,
  DURATION_UNITS,
  LATENESS_WORDS,
  LENGTHS,
  MINUTE,
  ADDED_FRACTIONS,
  NOT_UNITS,
  NUMBER_PHRASES,
  PAST,
  type DurationUnit,
} from './time-words.ts';
import { UNIT_MS } from './languages/time-language.ts';
import { hasLineBreak, isLineOver } from './separator.ts';
import { isSpaceAt, isSentenceOver, isTokenEnd, isWordAt, type Token } from './token.ts';

/** A length of time from `start` to `end`. */
export interface Length extends Range {
  readonly kind: 'length';
  /** Where reading continues: after a word such as the Turkish "boyunca", if there is one. */
  readonly next: number;
  readonly ms: number;
  /** The smallest unit. */
  readonly unit: DurationUnit;
  /** Set for a single word without a number or "for" before it: a unit, or a length such as "полчаса". */
  readonly singleWord: 'unit' | 'length' | null;
}

/** A number and its unit, or "a week", or several of these without spaces between them. */
interface Part {
  readonly end: number;
  readonly ms: number;
  /** In the order in which they were typed; at least one. */
  readonly units: readonly [DurationUnit, ...DurationUnit[]];
  /** Written out or with a space before the unit, so that it may be part of a sentence. */
  readonly isWrittenOut: boolean;
  /** See Length. */
  readonly singleWord?: Length['singleWord'];
}

/**
 * Reads groups of parts. Within a group no spaces separate the parts, and they differ in unit (`1h30m`). Between groups
 * there is a space, a comma or "and", and each unit is smaller than the last. A group that is not a duration ends the
 * duration before it.
 * @param after phrases that may follow without making it prose
 */
export function readLength(line: Line, start: number, after: Phrases<true> = AFTER_PHRASES): Length | null {
  let ms = 0;
  let unit: DurationUnit | null = null;
  let end = start;
  let isWrittenOut = false;
  let singleWord: Length['singleWord'] = null;
  for (let at = start; ;) {
    const group = readGroup(line, at);
    if (group === null || group.units[0].ms >= (unit?.ms ?? Infinity)) break;
    const smallest = smallestOf(group.units);
    if (isProse(line, group, smallest, after)) {
      const isComma = line.text.charAt(end) === ',';
      if (unit !== null && isOneLength({ unit, isWrittenOut, isComma }, group)) return null;
      break;
    }
    singleWord = unit === null ? (group.singleWord ?? null) : null;
    ms += group.ms;
    unit = smallest;
    ({ end, isWrittenOut } = group);
    at = skipConnection(line, end);
    if (at === end) break;
  }
  if (unit === null || ms === 0 || ms > DURATION_MS_MAX) return null;
  const next = after.findAfterSpaces(line, end)?.end ?? end;
  return { kind: 'length', start, end, next: isTokenEnd(line.text, next) ? next : end, ms, unit, singleWord };
}

/** Neighbouring units differ by this factor at most: an hour has 60 minutes. */
const NEXT_UNIT_FACTOR_MAX = 60;

/**
 * True when the groups before this one belong to the same sentence: "1 day 3 hours ago", "1d 2h ago". Otherwise they
 * are a duration of their own: "7d 3 hours after joining", "7d 5m ago", "7d, 1h ago".
 */
function isOneLength(
  before: { readonly unit: DurationUnit; readonly isWrittenOut: boolean; readonly isComma: boolean },
  { isWrittenOut, units }: Part,
): boolean {
  if (before.isWrittenOut !== isWrittenOut) return false;
  return isWrittenOut || (!before.isComma && before.unit.ms / units[0].ms <= NEXT_UNIT_FACTOR_MAX);
}

function smallestOf(units: Part['units']): DurationUnit {
  return units.reduce((smallest, unit) => (unit.ms < smallest.ms ? unit : smallest));
}

/** Characters between two parts of a group: "1h:30m", "1d+2h". */
const GROUP_SEPARATORS = new Set(':+');

function readGroup(line: Line, start: number): Part | null {
  let group = readPart(line, start);
  while (group !== null) {
    const { end, units, ms } = group;
    const at = GROUP_SEPARATORS.has(line.text.charAt(end)) ? end + 1 : end;
    if (line.tokenAt(at).kind !== 'digits') break;
    const next = readPart(line, at);
    if (next === null || next.units.some((unit) => units.some((before) => before.ms === unit.ms)))
      return null;
    group = { ...next, ms: ms + next.ms, units: [...units, ...next.units] };
  }
  return group !== null && isTokenEnd(line.text, group.end) ? group : null;
}

/** Reads a part with "and a half" after it, unless that begins the next part: "1 day and half an hour". */
function readPart(line: Line, at: number): Part | null {
  const part = readCountedPart(line, at);
  const more = part === null ? null : readAddedFraction(line, part);
  if (part === null || more === null || !isTokenEnd(line.text, more.end)) return part;
  if (readCountedPart(line, skipConnection(line, part.end)) !== null) return part;
  const [unit] = part.units;
  return {
    end: more.end,
    ms: part.ms + (more.thousandths * unit.ms) / 1000,
    units: [unit],
    isWrittenOut: true,
  };
}

/** Reads "and a half" after a unit, and "½" or "and 1/2" after a written-out one. "7d 1/2" may be the first of two. */
function readAddedFraction(line: Line, { end: at, units: [unit], isWrittenOut }: Part): Count | null {
  const more = ADDED_FRACTIONS.findAfterSpaces(line, at);
  if (more !== null) return more.meaning === 0 ? null : { end: more.end, thousandths: more.meaning * 1000 };
  const fraction =
    isWrittenOut && isSpaceAt(line.text, at) ? readFraction(line.text, skipConnection(line, at)) : null;
  // "1 hour 1/2 of the chat"
  const isOfSentence =
    fraction !== null && isProse(line, { end: fraction.end, isWrittenOut }, unit, AFTER_PHRASES);
  return isOfSentence ? null : fraction;
}

function readCountedPart(line: Line, at: number): Part | null {
  const number = readNumber(line, at);
  return number === null ? readWordPart(line, at) : readDigitPart(line, number);
}

function readDigitPart(line: Line, number: Count): Part | null {
  const more = ADDED_FRACTIONS.findAt(line, skipHyphen(line, number.end));
  // "1/2 an hour"
  const article =
    number.thousandths < 1000 ? NUMBER_PHRASES.findAt(line, skipHyphen(line, number.end)) : null;
  const end = more?.end ?? (article?.meaning.count === 1 ? article.end : number.end);
  const word = line.tokenAt(skipHyphen(line, end));
  const unit = word.kind === 'word' ? DURATION_UNITS.get(word.value) : undefined;
  if (unit === undefined) return null;
  const isDetached = word.start > number.end;
  if (isDetached && isOtherWord(line, word, unit)) return null;
  const ms = ((number.thousandths + (more?.meaning ?? 0) * 1000) * unit.ms) / 1000;
  const minutes = unit.ms === UNIT_MS.hour ? findMinutes(line, word, isDetached) : null;
  if (minutes !== null) {
    const minutesMs = Number(minutes.value) * MINUTE.ms;
    return { end: minutes.end, ms: ms + minutesMs, units: [unit, MINUTE], isWrittenOut: false };
  }
  return { end: word.end, ms, units: [unit], isWrittenOut: !unit.isShort || isDetached };
}

/** True when a word that could be a unit means something else after a number and a space. */
function isOtherWord(line: Line, { start, end, value }: Token, unit: DurationUnit): boolean {
  if (unit.isOnlyAttached === true || NOT_UNITS.findAt(line, start) !== null) return true;
  // "1 y 2": the Spanish y is also "and".
  if (AND_WORDS.has(value) && isSpaceAt(line.text, end)) {
    const next = line.tokenAt(line.skipSpaces(end));
    return next.kind === 'digits' && isLineOver(line, next.end);
  }
  // "5 с другом": the Russian с is also a preposition.
  const isPreposition =
    value.length === 1 && unit.contextWords.some(({ prepositions }) => prepositions.has(value));
  return isPreposition && isFollowedByWord(line, end);
}

/** Finds the minutes of "1h30", "1h:30", and of "1 h 30" at the end of a line. They have no unit of their own. */
function findMinutes(line: Line, { value, end }: Token, isDetached: boolean): Token | null {
  const { text } = line;
  const mark = text.charAt(end);
  const afterMark = mark === ':' || (mark === '.' && isSpaceAt(text, end + 1)) ? end + 1 : end;
  const at = mark === ':' ? afterMark : line.skipSpaces(afterMark);
  const minutes = line.tokenAt(at);
  if (minutes.kind !== 'digits' || minutes.value.length !== 2) return null;
  const isWhole =
    at > afterMark
      ? minutes.value < '60' && !hasLineBreak(line, end, at) && isLineOver(line, minutes.end)
      : !isDetached && value.length === 1 && isTokenEnd(text, minutes.end);
  return isWhole ? minutes : null;
}

function isFollowedByWord(line: Line, at: number): boolean {
  return isSpaceAt(line.text, at) && isWordAt(line.text, line.skipSpaces(at));
}

/** For example "a week", "half an hour", "полчаса". */
function readWordPart(line: Line, start: number): Part | null {
  const length = LENGTHS.findAt(line, start);
  if (length !== null) {
    const { count, unit } = length.meaning;
    const isOneWord = line.tokenAt(start).end === length.end;
    return {
      end: length.end,
      ms: count * unit.ms,
      units: [unit],
      isWrittenOut: true,
      singleWord: isOneWord ? 'length' : null,
    };
  }
  const number = NUMBER_PHRASES.findAt(line, start);
  if (number === null) return readLoneUnit(line, start);
  const more = ADDED_FRACTIONS.findAfterSpaces(line, number.end);
  const count = number.meaning.count + (more?.meaning ?? 0);
  const numberEnd = more?.end ?? number.end;
  const word = line.tokenAt(skipWordConnection(line, numberEnd));
  const unit = word.start > numberEnd ? findLongUnit(word.value) : undefined;
  if (unit === undefined || !unit.contextWords.some((words) => number.meaning.contextWords.includes(words)))
    return null;
  if (NOT_UNITS.findAt(line, word.start) !== null) return null;
  // In "a second account", the word is a number and not a unit.
  if (count <= 1 && unit.ms === UNIT_MS.second && isFollowedByWord(line, word.end)) return null;
  // "One day he will learn."
  const isOneDay = count === 1 && unit.ms === UNIT_MS.day;
  if (isOneDay && unit.contextWords.some(({ pronouns }) => pronouns.findAfterSpaces(line, word.end) !== null))
    return null;
  return { end: word.end, ms: count * unit.ms, units: [unit], isWrittenOut: true };
}

/** "hora y media", and "час" where it can stand without a number. */
function readLoneUnit(line: Line, start: number): Part | null {
  const { value, end } = line.tokenAt(start);
  const unit = findLongUnit(value);
  if (unit === undefined) return null;
  const part = { end, ms: unit.ms, units: [unit], isWrittenOut: true } as const;
  if ((ADDED_FRACTIONS.findAfterSpaces(line, end)?.meaning ?? 0) > 0) return part;
  return LONE_UNITS.has(value) ? { ...part, singleWord: 'unit' } : null;
}

/** A unit of at least two letters. */
function findLongUnit(word: string): DurationUnit | undefined {
  return word.length > 1 ? DURATION_UNITS.get(word) : undefined;
}

/** Skips a comma or abbreviation dot, spaces and "and" between two groups. Returns the end, or `at`. */
function skipConnection(line: Line, at: number): number {
  const { text } = line;
  const char = text.charAt(at);
  const isPunctuation = char === ',' || (char === '.' && isSpaceAt(text, at + 1));
  const end = line.skipSpaces(isPunctuation ? at + 1 : at);
  if (!isSpaceAt(text, end - 1)) return end;
  const and = line.tokenAt(end);
  return AND_WORDS.has(and.value) && isSpaceAt(text, and.end) ? line.skipSpaces(and.end) : end;
}

/** True when the words after a group make it a part of a sentence: "30 days of warnings", "5m ago". */
function isProse(
  line: Line,
  { end, isWrittenOut }: Pick<Part, 'end' | 'isWrittenOut'>,
  { contextWords }: DurationUnit,
  after: Phrases<true>,
): boolean {
  if (PAST.findAfterSpaces(line, end) !== null) return true;
  if (contextWords.some(({ past }) => past.findAfterSpaces(line, end) !== null)) return true;
  if (!isWrittenOut || after.findAfterSpaces(line, end) !== null) return false;
  if (LATENESS_WORDS.findAfterSpaces(line, end) !== null) return true;
  return contextWords.some(({ prose }) => {
    const found = prose.findAfterSpaces(line, end);
    if (found?.meaning === 'at the end') return isSentenceOver(line.text, found.end);
    return found?.meaning === 'always';
  });
}
