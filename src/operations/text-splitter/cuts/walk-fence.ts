import { BACKTICK, isWhiteSpace, NEWLINE } from '../chars/char-class.ts';
import { clusterBoundaries } from '../chars/boundaries.ts';
import type { CodeToken } from '../markup/markup.ts';
import { COST, type CutKind } from './costs.ts';
import { type Cuts, makeCut } from './make-cut.ts';
import { NO_REOPENING, type Reopening } from './reopen-markup.ts';
import { LEVEL, type TextWalk } from './text-walk.ts';

/** Deeper indentation does not make a cut worse. */
const INDENT_MAX = 8;

/**
 * Walks over a fence, which is the next token, up to `to`. A fence can be cut between its lines, but not next to its
 * opening or closing line.
 */
export function* walkFence(walk: TextWalk, fence: CodeToken, to: number): Cuts {
  const { bodyEnd, end } = fence;
  walk.skipTo(Math.max(walk.here.at, bodyStartOf(walk, fence)));
  const walkCode = walk.level === LEVEL.clusters ? walkClusters : walkLines;
  yield* walkCode(walk, fence, Math.min(to, bodyEnd));
  if (to < bodyEnd) walk.skipTo(Math.max(walk.here.at, to));
  else walk.passToken(end);
}

/** The start of the code of a fence. An opening line that does not fit a chunk is cut as if it were code itself. */
export function bodyStartOf({ options }: TextWalk, { start, run, bodyStart }: CodeToken): number {
  return bodyStart - start + run + 1 > options.capacity ? start + run : bodyStart;
}

function* walkLines(walk: TextWalk, fence: CodeToken, to: number): Cuts {
  const { text } = walk;
  const { bodyEnd } = fence;
  const bodyStart = bodyStartOf(walk, fence);
  const reopening = walk.codeReopening(fence, '');
  // Without a fence around it, a chunk of blank lines would be blank.
  const isBare = reopening === NO_REOPENING;
  while (walk.here.at < to) {
    const lineEnd = text.indexOf('\n', walk.here.at);
    const isLast = lineEnd < 0 || lineEnd >= bodyEnd;
    if (walk.level === LEVEL.words) yield* walkSpaces(walk, fence, isLast ? to : Math.min(to, lineEnd));
    if (isLast) {
      walk.skipTo(to);
      return;
    }
    let end = lineEnd;
    if (text.charCodeAt(end - 1) === 0x0d && end > bodyStart) end -= 1;
    if (isBare) while (end > bodyStart && isWhiteSpace(text.charCodeAt(end - 1))) end -= 1;
    const start = isBare ? skipBlankLines(walk, lineEnd + 1) : lineEnd + 1;
    const canCut = end > bodyStart && start < bodyEnd;
    const cut = canCut ? makeCut(walk, end, start, 'line', costOfLine(text, end, start), reopening) : null;
    walk.beginLine(start, walk.here.lineMarks);
    walk.skipTo(start);
    if (cut !== null) yield cut;
  }
}

/** Where code continues after blank lines, and after the indentation of the next line if it is very long. */
function skipBlankLines({ text, options }: TextWalk, from: number): number {
  let start = from;
  let at = from;
  for (; at < text.length && isWhiteSpace(text.charCodeAt(at)); at += 1) {
    if (text.charCodeAt(at) === NEWLINE) start = at + 1;
  }
  return at - start > options.capacity >> 2 ? at : start;
}

/** Blank lines and lines with little indentation divide code into parts. */
function costOfLine(text: string, end: number, next: number): number {
  let indent = 0;
  while (indent < INDENT_MAX && isWhiteSpace(text.charCodeAt(next + indent))) {
    // A chunk that begins with a blank line loses it in Discord.
    if (text.charCodeAt(next + indent) === NEWLINE) return COST.line + COST.inFence + INDENT_MAX;
    indent += 1;
  }
  const isAfterBlankLine = text.charCodeAt(end - 1) === NEWLINE;
  return COST.line + (isAfterBlankLine ? COST.inFenceAfterBlankLine : COST.inFence + indent);
}

/** Cuts a line of code longer than a chunk after spaces, and keeps all of them. */
function* walkSpaces(walk: TextWalk, fence: CodeToken, to: number): Cuts {
  const { text } = walk;
  const reopening = lineReopening(walk, fence);
  let spaceStart = -1;
  for (let at = walk.here.at; at < to; at += 1) {
    if (!isWhiteSpace(text.charCodeAt(at))) spaceStart = at + 1;
    else if (spaceStart >= 0 && !isWhiteSpace(text.charCodeAt(at + 1)) && walk.isClusterBoundary(at + 1)) {
      yield* cutInLine(walk, reopening === NO_REOPENING ? spaceStart : at + 1, at + 1, 'space', reopening);
    }
  }
}

/** Finds cuts between characters, for lines with too few spaces. */
function* walkClusters(walk: TextWalk, fence: CodeToken, to: number): Cuts {
  const { text } = walk;
  const reopening = lineReopening(walk, fence);
  for (const at of clusterBoundaries(text, walk.here.at, to)) {
    const isSpace = isWhiteSpace(text.charCodeAt(at)) || isWhiteSpace(text.charCodeAt(at - 1));
    // Without a fence around it the chunk is plain text, and may neither be blank nor end in white space.
    if (reopening !== NO_REOPENING || !isSpace) yield* cutInLine(walk, at, at, 'grapheme', reopening);
  }
}

function lineReopening(walk: TextWalk, fence: CodeToken): Reopening {
  return walk.codeReopening(fence, walk.here.lineMarks.quote === 'line' ? '> ' : '');
}

function* cutInLine(walk: TextWalk, end: number, start: number, kind: CutKind, reopening: Reopening): Cuts {
  const before = walk.text.charCodeAt(end - 1);
  const after = walk.text.charCodeAt(start);
  if (before === NEWLINE || after === NEWLINE || after === 0x0d) return;
  if (before === BACKTICK || after === BACKTICK) return;
  walk.skipTo(start);
  yield makeCut(walk, end, start, kind, COST[kind] + COST.inFence, reopening);
}
