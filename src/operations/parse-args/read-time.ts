import { readDuration, type Duration } from './duration.ts';
import type { Line } from './line.ts';
import { canLast, isWarning } from './moderation-verbs.ts';
import { hasLineBreak } from './separator.ts';
import { readTarget } from './target.ts';
import { UNIT_MS } from './languages/time-language.ts';
import type { Guards } from './time-words.ts';
import { isWordAt } from './token.ts';

/**
 * The duration at `at`, if it means a time there: neither an age nor the first word of a sentence.
 * @param action the verb of the line; empty when it has none
 */
export function readTime(line: Line, at: number, action: string, isAfterTarget: boolean): Duration | null {
  const duration = readDuration(line, at);
  return duration !== null && isTime(line, duration, action, isAfterTarget) ? duration : null;
}

function isTime(line: Line, duration: Duration, action: string, isAfterTarget: boolean): boolean {
  if (duration.kind === 'timestamp') return true;
  const { next } = duration;
  if (duration.kind === 'length') {
    if (duration.isBare && isSentence(line, next, duration.unit)) return false;
    return !(isAge(duration) && isWarning(action));
  }
  const { word } = duration;
  if (word === null || !isSentence(line, next, word)) return true;
  return isAfterTarget && word.isStrong && canLast(action);
}

const AGE_YEARS_MIN = 7;
const AGE_YEARS_MAX = 17;

/** "13 years" is an age: no warning lasts that long. */
function isAge({ ms, unit }: { readonly ms: number; readonly unit: { readonly ms: number } }): boolean {
  const years = ms / UNIT_MS.year;
  return unit.ms === UNIT_MS.year && years >= AGE_YEARS_MIN && years <= AGE_YEARS_MAX;
}

/**
 * True when the next word neither leads to a reason nor names a target: "forever alone".
 * @param word the time before it
 */
function isSentence(line: Line, at: number, { guards }: { readonly guards: readonly Guards[] }): boolean {
  const start = line.skipBlanks(at);
  if (!isWordAt(line.text, start) || hasLineBreak(line, at, start)) return false;
  if (readTarget(line, start, false) !== null) return false;
  const { end, value } = line.tokenAt(start);
  const isWhole = !isWordAt(line.text, end) && line.text.charAt(end) !== '-';
  return !(isWhole && guards.some(({ prepositions }) => prepositions.has(value)));
}
