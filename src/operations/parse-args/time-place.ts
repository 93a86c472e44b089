import { isAt, isWordAt, skipBlanks } from './characters.ts';
import type { Duration } from './duration.ts';
import type { LineText } from './line-text.ts';
import { canLast, isWarning } from './moderation-verbs.ts';
import { hasLineBreak } from './separator.ts';
import { readTarget } from './target.ts';
import { findLettersEnd, foldWord } from './time-letters.ts';
import { UNIT_MS } from './time-languages.ts';
import { GUARDS, type PermanentWord } from './time-words.ts';

/**
 * Whether a duration means a time where it was found.
 * @param action what the line's command or subcommand is called, lower case; empty when it has none
 * @param isAfterTarget directly after one
 */
export function isTimeAt(text: LineText, time: Duration, action: string, isAfterTarget: boolean): boolean {
  if (time.kind === 'timestamp') return true;
  if (time.kind === 'length') return !(isAge(time) && isWarning(action));
  return (
    time.word === null ||
    !isFollowedBySentence(text, time.next, time.word) ||
    (isAfterTarget && time.word.isStrong && canLast(action))
  );
}

const AGE_YEARS_MIN = 7;
const AGE_YEARS_MAX = 17;

/** "13 years" says how old somebody is: no warning runs that long. */
function isAge({ ms, unit }: { readonly ms: number; readonly unit: { readonly ms: number } }): boolean {
  if (unit.ms !== UNIT_MS.year) return false;
  const years = ms / UNIT_MS.year;
  return years >= AGE_YEARS_MIN && years <= AGE_YEARS_MAX;
}

const PREPOSITION_LETTERS_MAX = 10;

/** Whether a word follows that neither leads to a reason nor names a target: "forever alone". */
function isFollowedBySentence(text: LineText, at: number, { languages }: PermanentWord): boolean {
  const start = skipBlanks(text, at);
  if (start >= text.length || !isWordAt(text, start) || hasLineBreak(text, at, start)) return false;
  if (readTarget(text, start, false) !== null) return false;
  const end = findLettersEnd(text, start, PREPOSITION_LETTERS_MAX);
  const word = foldWord(text, start, end);
  const isWhole = !isWordAt(text, end) && !isAt(text, end, '-');
  return !(isWhole && languages.some((language) => GUARDS.get(language)?.prepositions.has(word)));
}
