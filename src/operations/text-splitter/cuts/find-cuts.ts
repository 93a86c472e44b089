import { isWhiteSpace } from '../chars/char-class.ts';
import { nextCodePoint } from '../chars/grapheme.ts';
import type { Markup } from '../markup/markup.ts';
import { codeSeam } from './code-seam.ts';
import { COST } from './costs.ts';
import type { Cut } from './cut.ts';
import { CutWalk, type CutWalkOptions, LEVEL } from './cut-walk.ts';
import { BARE_SEAM, type Seam } from './seam.ts';
import { bodyStartOf, walkFence } from './walk-fence.ts';
import { beginText } from './walk-space.ts';
import { walkText } from './walk-text.ts';
import { walkMark, walkToken } from './walk-token.ts';

/**
 * Walks over the text once and lists the places for cuts. If two neighbouring places are too far apart for a chunk, the
 * stretch between them is walked again with less and less respect.
 */
export class CutFinder {
  readonly #walk: CutWalk;

  /**
   * @param opening goes before the first chunk
   * @param from start of the first chunk, at the start of a line
   */
  constructor(text: string, markup: Markup, options: CutWalkOptions, opening: Seam, from: number) {
    this.#walk = new CutWalk(text, markup, options, { from, opening }, refine);
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
  finish(end: number, closing: Seam): readonly Cut[] {
    return this.#walk.finish(end, closing);
  }
}

function walkTo(walk: CutWalk, to: number): void {
  while (walk.at < to) {
    const { token, nextToken, nextMark } = walk;
    const stop = Math.min(to, nextToken, nextMark);
    if (walk.at < stop) walkText(walk, stop);
    else if (token === null || nextMark <= nextToken) walkMark(walk);
    else if (token.kind === 'fence') walkFence(walk, token, to);
    else walkToken(walk, token, to);
  }
}

function refine(walk: CutWalk, end: number): void {
  if (walk.level < LEVEL.codePoints) walkTo(walk, end);
  else addCodePoints(walk, end);
}

/** For when nothing else fits: cuts between any two code points from the last cut to `end`. */
function addCodePoints(walk: CutWalk, end: number): void {
  const { text, lastStart } = walk;
  const seam = lastSeam(walk, end);
  // White space is skipped, so that none is left at the ends of a chunk.
  let at = nextCodePoint(text, lastStart);
  while (at < end) {
    const cutEnd = at;
    while (isWhiteSpace(text.charCodeAt(at))) at += 1;
    if (at >= end) break;
    const isPlace = !isWhiteSpace(text.charCodeAt(cutEnd - 1));
    if (isPlace) walk.push(cutEnd, at, 'forced', COST.forced, seam);
    at = nextCodePoint(text, isPlace ? Math.min(end, at + walk.clusterGap - 1) : at);
  }
  if (walk.lastStart > lastStart) {
    walk.leapTo(walk.lastStart);
    walk.remember();
  }
}

/** The seam for the whole stretch up to `end`, when nothing opens or closes in it. */
function lastSeam(walk: CutWalk, end: number): Seam {
  const { token, at } = walk;
  if (token === null || token.start >= end) return walk.nextMark >= end ? walk.innerSeam() : BARE_SEAM;
  if (token.start >= at) return BARE_SEAM;
  if (token.kind !== 'code' && token.kind !== 'fence') return walk.innerSeam();
  const bodyStart = token.kind === 'fence' ? bodyStartOf(walk, token) : token.bodyStart;
  return end <= token.bodyEnd && at > bodyStart ? codeSeam(walk, token, '') : BARE_SEAM;
}
