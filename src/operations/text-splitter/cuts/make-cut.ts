import { BACKSLASH, BACKTICK, isDelimiter, isWhiteSpace } from '../chars/char-class.ts';
import type { CutKind } from './costs.ts';
import type { Cut } from './cut.ts';
import type { Reopening } from './reopen-markup.ts';
import { LEVEL, type LineCount, type TextWalk } from './text-walk.ts';

/** The cuts that a walker finds, each yielded while the walk is where the next chunk starts. */
export type Cuts = Generator<Cut, void>;

const NO_LINES = { endLine: 0, startLine: 0 };

/** This much of a line's start is enough to recognise its kind. */
const LINE_CHARS_MAX = 100;

/** A cut near the position, on the same line. */
export function makeCut(
  walk: TextWalk,
  end: number,
  start: number,
  kind: CutKind,
  cost: number,
  reopening: Reopening,
): Cut {
  const { lines } = walk.options;
  const endWithSuffix = end + reopening.suffixLength;
  const startBeforePrefix = start - reopening.prefixLength;
  const { endLine, startLine } =
    lines === null ? NO_LINES : countLines(walk, lines, end, start, kind, reopening);
  return { end, start, kind, cost, reopening, endWithSuffix, startBeforePrefix, endLine, startLine };
}

function countLines(
  { text, here }: TextWalk,
  lines: LineCount,
  end: number,
  start: number,
  kind: CutKind,
  reopening: Reopening,
) {
  const line = text.slice(here.lineStart, Math.min(end, here.lineStart + LINE_CHARS_MAX));
  const opening = reopening.prefix + text.slice(start, start + LINE_CHARS_MAX);
  // The ends of the text get no additions.
  const isEnd = kind === 'end';
  const before = isEnd ? 0 : lines.before(opening);
  return {
    endLine: lines.at(end) + countBreaks(reopening.suffix) + lines.after(line + reopening.suffix, isEnd),
    startLine: lines.at(start) - countBreaks(reopening.prefix) - before,
  };
}

function countBreaks(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return breaks;
}

/**
 * Returns the cut at the position, between two characters without white space, or null if it is not allowed there.
 * @param isBoundary true when the position is known to be between two clusters
 */
export function cutBetween(walk: TextWalk, kind: CutKind, isBoundary = false): Cut | null {
  const { text, level } = walk;
  const { at, hasContent, lineMarks } = walk.here;
  if (!hasContent) return null;
  if (level < LEVEL.words && (lineMarks.isTableRow || walk.wouldBeginBlock(at))) return null;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (Number.isNaN(after) || isWhiteSpace(after) || isWhiteSpace(before) || before === BACKSLASH) return null;
  if ((isDelimiter(after) || after === BACKTICK) && (after === before || isDelimiter(before))) return null;
  if (walk.closesAt(at) || walk.isTouching(before, after)) return null;
  if (!isBoundary && !walk.isClusterBoundary(at)) return null;
  return makeCut(walk, at, at, kind, walk.costOf(kind), walk.innerReopening());
}
