import { isWhiteSpace } from '../markup/char-class.ts';
import { BARE_SEAM, CUT, CUT_COST, type Seam } from './cut.ts';
import { passFence } from './cut-fence.ts';
import type { CutList } from './cut-list.ts';
import { beginText } from './cut-space.ts';
import { passPlainText, passText } from './cut-text.ts';
import { codeSeam, passMark, passToken } from './cut-token.ts';
import { CutWalk, type CutWalkOptions, LEVEL } from './cut-walk.ts';
import { nextCodePoint } from './grapheme.ts';
import { type Markup, TOKEN } from '../markup/markup.ts';
import { PlainSpaces } from '../markup/plain-spaces.ts';

/**
 * Walks over the text once and lists the places where it can be cut. Where two neighbouring places are too far
 * apart for a chunk, the stretch between them is walked again with less and less respect.
 */
export class CutFinder {
  readonly #walk: CutWalk;
  readonly #plainSpaces: PlainSpaces | null;

  /**
   * @param opening what is written before the first chunk
   * @param from where the first chunk starts: the start of a line
   */
  constructor(text: string, markup: Markup, options: CutWalkOptions, opening: Seam, from: number) {
    this.#walk = new CutWalk(text, markup, options, refine);
    this.#walk.at = from;
    this.#walk.push(from, from, CUT.end, 0, opening);
    beginText(this.#walk);
    this.#plainSpaces = markup.isPlain && options.gap > 0 ? new PlainSpaces(text) : null;
  }

  /** Does a part of the work, on about `length` units; true when the end of the text is reached. */
  advance(length: number): boolean {
    const walk = this.#walk;
    if (walk.settle(length)) return false;
    const to = Math.min(walk.at + length, walk.text.length);
    if (this.#plainSpaces === null) walkTo(walk, to);
    else passPlainText(walk, this.#plainSpaces, to);
    return walk.at >= walk.text.length && !walk.settle(length);
  }

  /** Adds the end of the text, where no chunk follows. */
  finish(end: number, closing: Seam): CutList {
    this.#walk.add(end, end, CUT.end, 0, closing);
    return this.#walk.cuts;
  }
}

function walkTo(walk: CutWalk, to: number): void {
  const { tokens, marks } = walk.markup;
  while (walk.at < to) {
    const token = tokens.start.at(walk.token);
    const mark = marks.start.at(walk.mark);
    const stop = Math.min(to, token, mark);
    if (walk.at < stop) passText(walk, stop);
    else if (mark <= token) passMark(walk);
    else if (tokens.kind.at(walk.token) === TOKEN.fence) passFence(walk, walk.token, to);
    else passToken(walk, walk.token, to);
  }
}

function refine(walk: CutWalk, end: number): void {
  if (walk.level < LEVEL.codePoints) walkTo(walk, end);
  else addCodePoints(walk, end);
}

/** Nothing else fits: between any two code points from the last cut to `end`. */
function addCodePoints(walk: CutWalk, end: number): void {
  const { text, cuts } = walk;
  const { count } = cuts;
  const seam = lastSeam(walk, end);
  // White space is skipped where it is, so that none is left at the ends of a chunk.
  let at = nextCodePoint(text, cuts.start[cuts.last] ?? 0);
  while (at < end) {
    const cutEnd = at;
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
    if (at >= end) break;
    if (!isWhiteSpace(text.charCodeAt(cutEnd - 1))) {
      walk.push(cutEnd, at, CUT.forced, CUT_COST[CUT.forced] ?? 0, seam);
    }
    at = nextCodePoint(text, Math.min(end, at + walk.clusterGap - 1));
  }
  if (cuts.count > count) moveTo(walk, cuts.start[cuts.last] ?? 0);
}

/** Moves over marks and tokens without looking at what stands between them. */
function moveTo(walk: CutWalk, at: number): void {
  const { tokens, marks } = walk.markup;
  while (marks.start.at(walk.mark) < at) passMark(walk);
  while (tokens.end.at(walk.token) <= at) walk.token += 1;
  walk.at = Math.max(walk.at, at);
  walk.remember();
}

/** The seam for the whole stretch up to `end`, when nothing opens or closes in it. */
function lastSeam(walk: CutWalk, end: number): Seam {
  const { tokens, marks } = walk.markup;
  const { token, at } = walk;
  const start = tokens.start.at(token);
  if (start >= end) return marks.start.at(walk.mark) >= end ? walk.innerSeam() : BARE_SEAM;
  if (start >= at) return BARE_SEAM;
  const kind = tokens.kind.at(token);
  if (kind !== TOKEN.code && kind !== TOKEN.fence) return walk.innerSeam();
  const isInside = end <= tokens.bodyEnd.at(token) && at > tokens.bodyStart.at(token);
  return isInside ? codeSeam(walk, token, '') : BARE_SEAM;
}
