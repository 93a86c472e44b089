import { BACKTICK, isWhiteSpace, NEWLINE } from '../markup/char-class.ts';
import { BARE_SEAM, COST, CUT, CUT_COST } from './cut.ts';
import { addWithin, codeSeam, quoteOfLine } from './cut-token.ts';
import { type CutWalk, LEVEL } from './cut-walk.ts';
import { eachCluster, extendsBackwards } from './grapheme.ts';
import { NO_LINE } from '../markup/line-start.ts';

/** Deeper indentation is no worse a place for a cut. */
const INDENT_MAX = 8;

/** Passes a fence up to `to`: it can be cut between its lines, never beside the line that opens or closes it. */
export function passFence(walk: CutWalk, index: number, to: number): void {
  const { tokens } = walk.markup;
  const bodyEnd = tokens.bodyEnd.at(index);
  walk.at = Math.max(walk.at, tokens.bodyStart.at(index));
  if (walk.level <= LEVEL.doubtful) passLines(walk, index, Math.min(to, bodyEnd), bodyEnd);
  else passLongLine(walk, index, Math.min(to, bodyEnd));
  if (to < bodyEnd) {
    walk.at = Math.max(walk.at, to);
    return;
  }
  walk.at = tokens.end.at(index);
  walk.token = index + 1;
  walk.hasContent = true;
  walk.line = { ...NO_LINE, quote: walk.line.quote };
  walk.forgetSeam();
}

function passLines(walk: CutWalk, index: number, to: number, bodyEnd: number): void {
  const { text } = walk;
  const bodyStart = walk.markup.tokens.bodyStart.at(index);
  const seam = codeSeam(walk, index, '');
  while (walk.at < to) {
    const lineEnd = text.indexOf('\n', walk.at);
    if (lineEnd < 0 || lineEnd >= bodyEnd) {
      walk.at = to;
      return;
    }
    let end = lineEnd;
    if (text.charCodeAt(end - 1) === 0x0d && end > bodyStart) end -= 1;
    walk.endLine = walk.lineNumber;
    walk.lineNumber += 1;
    walk.at = lineEnd + 1;
    // Without a fence round it a chunk of blank lines would be blank.
    if (seam === BARE_SEAM) {
      while (end > bodyStart && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
      skipBlankLines(walk);
    }
    if (end > bodyStart && walk.at < bodyEnd && !walk.isDoubtful(end)) {
      if (walk.add(end, walk.at, CUT.line, costOfLine(text, end, walk.at), seam)) walk.remember();
    }
    walk.endLine = -1;
  }
}

/** Passes blank lines, and the indentation of the next one when there is much of it. */
function skipBlankLines(walk: CutWalk): void {
  const { text } = walk;
  let at = walk.at;
  for (; at < text.length && isWhiteSpace(text.charCodeAt(at)); at += 1) {
    if (text.charCodeAt(at) !== NEWLINE) continue;
    walk.at = at + 1;
    walk.lineNumber += 1;
  }
  if (at - walk.at > walk.options.room >> 2) walk.at = at;
}

/** Blank lines, and lines with little indentation, are where code falls into parts. */
function costOfLine(text: string, end: number, next: number): number {
  const line = CUT_COST[CUT.line] ?? 0;
  if (text.charCodeAt(end - 1) === NEWLINE) return line + COST.inFenceBehindBlankLine;
  let indent = 0;
  while (indent < INDENT_MAX && isWhiteSpace(text.charCodeAt(next + indent))) {
    // A chunk that begins with a blank line loses it on the way to the reader.
    if (text.charCodeAt(next + indent) === NEWLINE) return line + COST.inFence + INDENT_MAX;
    indent += 1;
  }
  return line + COST.inFence + indent;
}

/** A line of code longer than a chunk: behind a space, then between characters. Nothing of it is left out. */
function passLongLine(walk: CutWalk, index: number, to: number): void {
  const { text } = walk;
  const seam = codeSeam(walk, index, quoteOfLine(walk));
  // Without a fence round it the chunk is plain text, and may neither be blank nor end in white space.
  const isBare = seam === BARE_SEAM;
  const from = walk.at;
  const addCut = (end: number, start: number, kind: number) => {
    const before = text.charCodeAt(end - 1);
    const after = text.charCodeAt(start);
    if (before === NEWLINE || after === NEWLINE || after === 0x0d) return;
    if (before === BACKTICK || after === BACKTICK) return;
    addWithin(walk, end, start, kind, (CUT_COST[kind] ?? 0) + COST.inFence, seam);
  };
  if (walk.level === LEVEL.clusters) {
    eachCluster(text, from, to, walk.clusterGap, (at) => {
      const isSpace = isWhiteSpace(text.charCodeAt(at)) || isWhiteSpace(text.charCodeAt(at - 1));
      if (!isBare || !isSpace) addCut(at, at, CUT.grapheme);
    });
    return;
  }
  let hasContent = false;
  let spaceStart = from;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === NEWLINE) hasContent = false;
    else if (!isWhiteSpace(unit)) {
      hasContent = true;
      spaceStart = at + 1;
    } else if (hasContent && !isWhiteSpace(text.charCodeAt(at + 1)) && !extendsBackwards(text, at + 1)) {
      addCut(isBare ? spaceStart : at + 1, at + 1, CUT.space);
    }
  }
}
