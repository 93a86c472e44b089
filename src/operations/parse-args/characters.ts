// Classes of single characters on the shadow of a line. Each is decided from one code point.

import type { LineText } from './line-text.ts';

const NON_ASCII_WORD = /[\p{L}\p{M}\p{N}]/u;
const NON_ASCII_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const PICTURE = /[\p{So}\p{Sk}\p{Extended_Pictographic}]/u;

/** White space, and characters that look like it (the Braille blank and the Hangul fillers). */
export function isBlank(unit: number): boolean {
  if (unit < 0x80) return unit <= 32 && (unit === 32 || (unit >= 9 && unit <= 13));
  if (unit < 0x1680) return unit === 0xa0 || unit === 0x85 || unit === 0x115f;
  return (
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0x1680 ||
    unit === 0x2800 ||
    unit === 0x3164 ||
    unit === 0xffa0
  );
}

export function isLineBreak(unit: number): boolean {
  return (unit >= 10 && unit <= 13) || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}

export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

export function isAsciiLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}

/** A letter or digit of any script, without combining marks and the underscore. */
export function isLetterOrDigitAt(text: LineText, at: number): boolean {
  const unit = text.unitAt(at);
  if (unit < 0x80) return isAsciiLetter(unit) || isDigit(unit);
  return !isBlank(unit) && NON_ASCII_LETTER_OR_DIGIT.test(characterAt(text, at));
}

/** A letter, digit or mark of any script, or the underscore: whatever continues a word. */
export function isWordAt(text: LineText, at: number): boolean {
  const unit = text.unitAt(at);
  if (unit < 0x80) return isAsciiLetter(unit) || isDigit(unit) || unit === 95;
  return !isBlank(unit) && NON_ASCII_WORD.test(characterAt(text, at));
}

/** An emoji or another picture-like symbol beyond ASCII. */
export function isPictureAt(text: LineText, at: number): boolean {
  return text.unitAt(at) >= 0x80 && PICTURE.test(characterAt(text, at));
}

/** Length of the character at `at` in UTF-16 units. */
export function unitsAt(text: LineText, at: number): number {
  const unit = text.unitAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return 1;
  const next = text.unitAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

function characterAt(text: LineText, at: number): string {
  return text.slice(at, at + unitsAt(text, at));
}

export function skipBlanks(text: LineText, at: number): number {
  let end = at;
  while (isBlank(text.unitAt(end))) end += 1;
  return end;
}

/** The end of the text before `end` without the blanks at its end, not before `start`. */
export function trimBlanksBefore(text: LineText, start: number, end: number): number {
  let last = end;
  while (last > start && isBlank(text.unitAt(last - 1))) last -= 1;
  return last;
}

export function isBlankOrEndAt(text: LineText, at: number): boolean {
  return at >= text.length || isBlank(text.unitAt(at));
}

/** Whether the character at `at` is `character`, which is one unit long. */
export function isAt(text: LineText, at: number, character: string): boolean {
  return text.unitAt(at) === character.charCodeAt(0);
}

/** The closing unit of each pair by the opening one. */
export function unitPairsOf(pairs: readonly string[]): ReadonlyMap<number, number> {
  return new Map(pairs.map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]));
}

/** Whether "and" is at `at`, in any case; what follows it is not looked at. */
export function isAndAt(text: LineText, at: number): boolean {
  const first = text.unitAt(at);
  return (first === 97 || first === 65) && text.sliceLowerCase(at, at + 3) === 'and';
}

/** The end of the run of units without a blank that begins at `at`. */
export function findWordEnd(text: LineText, at: number): number {
  const { units, length } = text;
  let end = at;
  for (; end < length; end += 1) {
    const unit = units[end] ?? 0;
    // Visible ASCII is most of what is read.
    if ((unit <= 32 || unit >= 0x80) && isBlank(unit)) break;
  }
  return end;
}
