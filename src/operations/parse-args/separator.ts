import type { Line } from './line.ts';
import { isSpaceOrEndAt, isSentenceOver, matchEnd, SENTENCE_ENDS } from './token.ts';

const ATTACHED = new Set(',;—–');

/**
 * Returns the end of a separator attached to the token before it, such as a comma, or `at`.
 * @param includesSentenceEnds true to count characters that end a sentence as separators
 */
export function skipAttachedSeparator(line: Line, at: number, includesSentenceEnds: boolean): number {
  if (isSpaceOrEndAt(line.text, at)) return at;
  const char = line.text.charAt(at);
  // Two pipes begin a spoiler.
  if (ATTACHED.has(char) || (char === '|' && line.text.charAt(at + 1) !== '|')) return at + 1;
  let end = at;
  if (char === ':') end = at + 1;
  else if (includesSentenceEnds) end = matchEnd(SENTENCE_ENDS, line.text, at);
  return isSpaceOrEndAt(line.text, end) ? end : at;
}

const STANDALONE = /(?:--|->|=>|[-–—|/:•·→,;])(?![^ \n])/y;

/**
 * Skips spaces after a target or duration, and one separator that touches the token before it or is on its own. Keeps a
 * dash at the beginning of a line, because it is Markdown.
 */
export function skipSeparator(line: Line, at: number, includesSentenceEnds = false): number {
  const attachedEnd = skipAttachedSeparator(line, at, includesSentenceEnds);
  const next = line.skipSpaces(attachedEnd);
  if (attachedEnd > at || next === at || line.tokenAt(next).kind !== 'punctuation') return next;
  const end = matchEnd(STANDALONE, line.text, next);
  return end === next || hasLineBreak(line, at, next) ? next : line.skipSpaces(end);
}

/** True at the end of a line, and before a separator or a flag: "1 h 30 - spam". */
export function isLineOver(line: Line, at: number): boolean {
  if (isSentenceOver(line.text, at) || skipAttachedSeparator(line, at, true) > at) return true;
  const next = line.skipSpaces(at);
  if (next === at) return false;
  return (
    hasLineBreak(line, at, next) ||
    matchEnd(STANDALONE, line.text, next) > next ||
    line.text.startsWith('--', next)
  );
}

export function hasLineBreak({ text }: Line, start: number, end: number): boolean {
  return text.slice(start, end).includes('\n');
}
