import { GREATER, isWhiteSpace, SPACE } from '../chars/char-class.ts';
import { contentOffset, NO_LINE, quoteOf, readLineStart } from '../markup/line-start.ts';
import { QUOTE, TOKEN } from '../markup/markup.ts';
import { COST, CUT } from './cut-kind.ts';
import type { CutWalk } from './cut-walk.ts';
import { skipSpaces } from './walk-space.ts';

/** What the end of a line of prose or of a list costs, and between two lines of a quote. */
const LINE_COST = CUT.line.cost + COST.inList;
const QUOTED_LINE_COST = CUT.line.cost + COST.inQuote;

/** Whether there may be lines to leap over. */
export function mayLeap(walk: CutWalk): boolean {
  return walk.at < walk.crowdedUntil(QUOTED_LINE_COST) && walk.hasContent;
}

/**
 * Moves past all lines that end too close to the last cut, which is as good, without looking at what is in them. Lines that could be better places, and code blocks and quotes up to the end of the text, are left to be walked.
 * @returns whether it moved
 */
export function leapLines(walk: CutWalk, to: number): boolean {
  const limit = Math.min(to, walk.crowdedUntil(QUOTED_LINE_COST));
  const isInQuote = walk.lastCost > LINE_COST;
  const { units, text } = walk;
  const { tokens, marks } = walk.markup;
  let { token, mark } = walk;
  let isQuoted = quoteOf(walk.line) === QUOTE.line;
  let lineStart = -1;
  for (;;) {
    const lineEnd = walk.lineEndAfter(lineStart < 0 ? walk.at : lineStart);
    if (lineEnd >= limit) break;
    while (tokens.end(token) <= lineEnd && tokens.kind(token) !== TOKEN.fence) token += 1;
    if (tokens.start(token) <= lineEnd) break;
    while (marks.start(mark) < lineEnd) mark += 1;
    // A style that opens at the end of a line has no content yet.
    if (
      mark > walk.mark &&
      marks.length(mark - 1) > 0 &&
      isLastOnLine(units, marks.start(mark - 1) + marks.length(mark - 1), lineEnd)
    )
      break;
    const next = skipSpaces(units, lineEnd + 1);
    const unit = units[next] ?? 0;
    if (isWhiteSpace(unit) || (unit === GREATER && units[next + 1] === GREATER) || next >= text.length) break;
    const isNextQuoted = unit === GREATER && units[next + 1] === SPACE;
    if (isInQuote && !(isQuoted && isNextQuoted)) break;
    isQuoted = isNextQuoted;
    lineStart = lineEnd + 1;
  }
  if (lineStart < 0) return false;
  walk.thin();
  const line = walk.options.readsLines ? readLineStart(units, lineStart, walk.inRest) : NO_LINE;
  walk.leapToLine(lineStart, line);
  walk.skipTo(skipSpaces(units, lineStart + contentOffset(line)));
  return true;
}

/** Whether there is only white space from `at` to the end of the line. */
function isLastOnLine(units: Uint16Array, at: number, lineEnd: number): boolean {
  let end = at;
  while (end < lineEnd && isWhiteSpace(units[end] ?? 0)) end += 1;
  return end >= lineEnd;
}
