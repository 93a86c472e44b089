import { isAsciiLetter } from './characters.ts';
import type { LineText } from './line-text.ts';

/** A letter of the alphabets that time words are written in, Latin and Cyrillic, or a combining accent. */
function isTimeLetter(unit: number): boolean {
  if (unit < 0x80) return isAsciiLetter(unit);
  return (
    (unit >= 0xc0 && unit <= 0x24f && unit !== 0xd7 && unit !== 0xf7) ||
    (unit >= 0x300 && unit <= 0x36f) ||
    (unit >= 0x400 && unit <= 0x52f)
  );
}

/** The end of the letters at `at`, or one after `max` of them when there are more. */
export function findLettersEnd(text: LineText, at: number, max: number): number {
  const last = at + max;
  let end = at;
  while (end <= last && isTimeLetter(text.unitAt(end))) end += 1;
  return end;
}

/** The word as the tables have it: lower case, accents composed, the dot of a Turkish İ gone. */
export function foldWord(text: LineText, start: number, end: number): string {
  const word = text.sliceLowerCase(start, end);
  return text.isAscii ? word : word.normalize('NFC').replaceAll('i\u0307', 'i');
}
