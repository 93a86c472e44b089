import { isClauseEnd, isCloser, isDelimiter, isDigit, isSentenceEnd, NEWLINE } from '../chars/char-class.ts';
import type { CutKind } from './costs.ts';

/** At most this many quotes, brackets and delimiters may be between a full stop and the space after it. */
const CLOSERS_MAX = 8;

/**
 * The kind of cut at white space within a line.
 * @param next the first code unit after it
 */
export function kindOfSpace(text: string, end: number, next: number): CutKind {
  let at = end - 1;
  let unit = text.charCodeAt(at);
  const limit = Math.max(0, end - CLOSERS_MAX);
  while (at > limit && (isCloser(unit) || isDelimiter(unit))) {
    at -= 1;
    unit = text.charCodeAt(at);
  }
  if (isSentenceEnd(unit)) {
    // `e.g. this`, `3. item`: a sentence does not begin in lower case, and the dot of a number does not end one.
    const isContinued = next >= 0x61 && next <= 0x7a;
    if (!isContinued && !(unit === 0x2e && isNumbering(text, at))) return 'sentence';
    return 'clause';
  }
  return isClauseEnd(text.charCodeAt(end - 1)) ? 'clause' : 'space';
}

/** True when only digits are between the start of the line and the dot at `at`: `12.`, not `v12.` */
function isNumbering(text: string, at: number): boolean {
  let k = at - 1;
  while (k >= 0 && at - k < 4 && isDigit(text.charCodeAt(k))) k -= 1;
  return k < at - 1 && (k < 0 || text.charCodeAt(k) === NEWLINE);
}
