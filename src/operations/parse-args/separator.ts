import {
  isAsciiLetter,
  isAt,
  isBlank,
  isBlankOrEndAt,
  isDigit,
  isLineBreak,
  isPictureAt,
  isWordAt,
  skipBlanks,
} from './characters.ts';
import type { LineText } from './line-text.ts';
import { UnitSet } from './unit-set.ts';

const ENDS = new UnitSet(`,;|—"“”«»\`<>()[]{}`);
const SENTENCE_ENDS = new UnitSet('.!?…');
const STICKING = new UnitSet(',;—');

/** Whether a token that ends at `at` is whole there: `7d`, `7d,` and `7d.` are, `7dx`, `7d-old`, `24/7` are not. */
export function isTokenEnd(text: LineText, at: number): boolean {
  if (isBlankOrEndAt(text, at)) return true;
  const unit = text.unitAt(at);
  if (ENDS.has(unit)) return true;
  if (isAt(text, at, ':')) return !isDigit(text.unitAt(at + 1));
  if (SENTENCE_ENDS.has(unit)) {
    const end = skipSentenceEnds(text, at);
    return end >= text.length || !isWordAt(text, end);
  }
  return isPictureAt(text, at);
}

function skipSentenceEnds(text: LineText, at: number): number {
  let end = at;
  while (SENTENCE_ENDS.has(text.unitAt(end))) end += 1;
  return end;
}

/** Whether nothing but the end of a sentence and blanks follows. */
export function isSentenceOver(text: LineText, at: number): boolean {
  return skipBlanks(text, skipSentenceEnds(text, skipBlanks(text, at))) >= text.length;
}

/** A colon or the like that sticks to the token before it; the end of it, or `at`. */
export function skipAttachedSeparator(text: LineText, at: number, sentenceEnds: boolean): number {
  const unit = text.unitAt(at);
  // Mostly there is a space here, and nothing else to look at.
  if (unit === 32) return at;
  if (STICKING.has(unit)) return at + 1;
  // Two bars begin a spoiler.
  if (isAt(text, at, '|')) return isAt(text, at + 1, '|') ? at : at + 1;
  let end = at;
  if (isAt(text, at, ':')) end = at + 1;
  else if (sentenceEnds) end = skipSentenceEnds(text, at);
  return isBlankOrEndAt(text, end) ? end : at;
}

const LONE = ['-', '–', '—', '|', '/', ':', '•', '·', '→', '--', '->', '=>', ',', ';'];
const LONE_STARTS = new UnitSet(LONE.map((separator) => separator.charAt(0)).join(''));

/**
 * From the end of a target or duration to the beginning of what follows: blanks, and one separator that sticks to
 * the token before or is on its own. A dash at the beginning of a line is Markdown and stays.
 */
export function skipSeparator(text: LineText, at: number, sentenceEnds = false): number {
  if (at >= text.length) return at;
  // Most lines have one space here, and then a word, a number or a mention.
  if (text.unitAt(at) === 32 && isPlainStart(text.unitAt(at + 1))) return at + 1;
  const attachedEnd = skipAttachedSeparator(text, at, sentenceEnds);
  const next = skipBlanks(text, attachedEnd);
  if (attachedEnd > at || next === at || !LONE_STARTS.has(text.unitAt(next))) return next;
  for (const separator of LONE) {
    if (!text.string.startsWith(separator, next) || !isBlankOrEndAt(text, next + separator.length)) continue;
    return hasLineBreak(text, at, next) ? next : skipBlanks(text, next + separator.length);
  }
  return next;
}

function isPlainStart(unit: number): boolean {
  return isAsciiLetter(unit) || isDigit(unit) || unit === 60;
}

export function hasLineBreak(text: LineText, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const unit = text.unitAt(at);
    if (isBlank(unit) && isLineBreak(unit)) return true;
  }
  return false;
}
