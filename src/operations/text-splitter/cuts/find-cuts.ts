import { isWhiteSpace } from '../chars/char-class.ts';
import { nextCodePoint } from '../chars/grapheme.ts';
import type { Survey } from '../chars/survey.ts';
import { type Markup, TOKEN } from '../markup/markup.ts';
import { codeSeam } from './code-seam.ts';
import { CUT } from './cut-kind.ts';
import type { CutTable } from './cut-table.ts';
import { CutWalk, type CutWalkOptions, LEVEL } from './cut-walk.ts';
import { BARE_SEAM, type Seam } from './seam.ts';
import { bodyStartOf, walkFence } from './walk-fence.ts';
import { beginText } from './walk-space.ts';
import { walkText } from './walk-text.ts';
import { walkMark, walkToken } from './walk-token.ts';

/**
 * Walks over the text once and lists the places where it can be cut. Where two neighbouring places are too far
 * apart for a chunk, the stretch between them is walked again with less and less respect.
 */
export class CutFinder {
  readonly #walk: CutWalk;

  /**
   * @param opening what is written before the first chunk
   * @param from where the first chunk starts: the start of a line
   */
  constructor(
    text: string,
    survey: Survey,
    cuts: CutTable,
    markup: Markup,
    options: CutWalkOptions,
    opening: Seam,
    from: number,
  ) {
    this.#walk = new CutWalk(text, survey, cuts, markup, options, { from, opening }, refine);
    beginText(this.#walk);
  }

  /** Does a part of the work, on about `length` units; true when the end of the text is reached. */
  advance(length: number): boolean {
    const walk = this.#walk;
    if (walk.settle(length)) return false;
    walkTo(walk, Math.min(walk.at + length, walk.text.length));
    return walk.at >= walk.text.length && !walk.settle(length);
  }

  /** Adds the end of the text, where no chunk follows. */
  finish(end: number, closing: Seam): CutTable {
    return this.#walk.finish(end, closing);
  }
}

function walkTo(walk: CutWalk, to: number): void {
  while (walk.at < to) {
    const token = walk.nextToken;
    const mark = walk.nextMark;
    const stop = Math.min(to, token, mark);
    if (walk.at < stop) walkText(walk, stop);
    else if (mark <= token) walkMark(walk);
    else if (walk.markup.tokens.kind(walk.token) === TOKEN.fence) walkFence(walk, to);
    else walkToken(walk, to);
  }
}

function refine(walk: CutWalk, end: number): void {
  if (walk.level < LEVEL.codePoints) walkTo(walk, end);
  else addCodePoints(walk, end);
}

/** Nothing else fits: between any two code points from the last cut to `end`. */
function addCodePoints(walk: CutWalk, end: number): void {
  const { text, lastStart } = walk;
  const seam = lastSeam(walk, end);
  // White space is skipped where it is, so that none is left at the ends of a chunk.
  let at = nextCodePoint(text, lastStart);
  while (at < end) {
    const cutEnd = at;
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
    if (at >= end) break;
    if (!isWhiteSpace(text.charCodeAt(cutEnd - 1))) {
      walk.push(cutEnd, at, CUT.forced, CUT.forced.cost, seam);
    }
    at = nextCodePoint(text, Math.min(end, at + walk.clusterGap - 1));
  }
  if (walk.lastStart > lastStart) walk.leapTo(walk.lastStart);
}

/** The seam for the whole stretch up to `end`, when nothing opens or closes in it. */
function lastSeam(walk: CutWalk, end: number): Seam {
  const { tokens } = walk.markup;
  const { token, at, nextToken: start } = walk;
  if (start >= end) return walk.nextMark >= end ? walk.innerSeam() : BARE_SEAM;
  if (start >= at) return BARE_SEAM;
  const kind = tokens.kind(token);
  if (kind !== TOKEN.code && kind !== TOKEN.fence) return walk.innerSeam();
  const bodyStart = kind === TOKEN.fence ? bodyStartOf(walk) : tokens.bodyStart(token);
  return end <= tokens.bodyEnd(token) && at > bodyStart ? codeSeam(walk, '') : BARE_SEAM;
}
