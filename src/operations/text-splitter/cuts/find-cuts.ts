import { COST } from './costs.ts';
import type { Cut } from './cut.ts';
import { CutList } from './cut-list.ts';
import { type Cuts, makeCut } from './make-cut.ts';
import type { Seam } from './seam.ts';
import { LEVEL, startAt, TextWalk, type WalkOptions } from './text-walk.ts';
import { walkCodePoints } from './walk-code-points.ts';
import { walkFence } from './walk-fence.ts';
import { beginText } from './walk-space.ts';
import { walkText } from './walk-text.ts';
import { walkMark, walkToken } from './walk-token.ts';

/** Units of text to walk over between two yields. A possible cut takes as long as a number of units. */
const STEP = 16_384;
const UNITS_PER_PLACE = 16;

/**
 * Walks over the text once and lists the places for cuts. If two neighbouring places are too far apart for a chunk, the
 * stretch between them is walked again at the next level.
 */
export class CutFinder {
  readonly #options: WalkOptions;
  readonly #cuts: CutList;
  /** The walk at the natural level, over the whole text. */
  readonly #walk: TextWalk;
  #worked = 0;
  #doubt = 0;
  #doubtEnd = 0;

  /**
   * @param opening is put before the first chunk
   * @param from start of the first chunk, at the start of a line
   */
  constructor(options: WalkOptions, opening: Seam, from: number) {
    this.#options = options;
    this.#walk = new TextWalk(options, LEVEL.natural, startAt(from));
    const start = makeCut(this.#walk, from, from, 'end', COST.end, opening);
    beginText(this.#walk);
    this.#cuts = new CutList(start, this.#walk.here, options.gap);
  }

  /**
   * Finds the cuts in steps of a few milliseconds. The last one is the end of the text, where no chunk follows.
   * @param closing is put after the last chunk
   */
  *find(end: number, closing: Seam): Generator<void, readonly Cut[]> {
    const { text, here } = this.#walk;
    yield* this.#walkTo(this.#walk, text.length);
    const cut = makeCut(this.#walk, end, end, 'end', COST.end, closing);
    yield* this.#closeGap(cut, LEVEL.words);
    this.#cuts.add(cut, here);
    return this.#cuts.cuts;
  }

  *#walkTo(walk: TextWalk, to: number): Generator<void, void> {
    const cuts = this.#cuts;
    while (walk.here.at < to) {
      const from = walk.here.at;
      for (const cut of walkNext(walk, to)) {
        if (this.#isStepOver(UNITS_PER_PLACE)) yield;
        if (cut === null || this.#isLeftOut(cut, walk)) continue;
        if (this.#isTooFar(cut)) yield* this.#closeGap(cut, walk.level + 1);
        // Cuts that were found closer by may already be beyond it.
        if (cut.end >= cuts.last.start) cuts.add(cut, walk.here);
      }
      if (this.#isStepOver(walk.here.at - from)) yield;
    }
  }

  #isStepOver(units: number): boolean {
    this.#worked += units;
    if (this.#worked < STEP) return false;
    this.#worked = 0;
    return true;
  }

  #isLeftOut(cut: Cut, { level, here }: TextWalk): boolean {
    const cuts = this.#cuts;
    if (level === LEVEL.natural && this.#isDoubtful(cut.end)) return true;
    if (cut.end === cuts.last.start) return !cuts.isBetter(cut, this.#options.room);
    if (level > LEVEL.words || !cuts.isCrowded(cut)) return false;
    cuts.spare(cut, here);
    return true;
  }

  /** True when a chunk that starts at the last cut cannot end at this one. */
  #isTooFar({ need }: Cut): boolean {
    return need - this.#cuts.last.reach > this.#options.room;
  }

  /** Walks again from the last cut to a cut that is too far away, level by level. */
  *#closeGap(cut: Cut, from: number): Generator<void, void> {
    const cuts = this.#cuts;
    for (let level = from; level <= LEVEL.codePoints; level += 1) {
      if (this.#isTooFar(cut)) cuts.addSpare();
      if (!this.#isTooFar(cut)) return;
      // Between code points, even the sign of a line is cut, which the other levels skip.
      const at = level === LEVEL.codePoints ? cuts.last.start : cuts.lastPosition.at;
      yield* this.#walkTo(new TextWalk(this.#options, level, { ...cuts.lastPosition, at }), cut.end);
    }
  }

  /** True when a cut at `at` would be inside a stretch that can be read in two ways. */
  #isDoubtful(at: number): boolean {
    const { doubts } = this.#options.markup;
    for (let next = doubts[this.#doubt]; next !== undefined && next.start < at; next = doubts[this.#doubt]) {
      this.#doubtEnd = Math.max(this.#doubtEnd, next.end);
      this.#doubt += 1;
    }
    return at < this.#doubtEnd;
  }
}

/** Walks over what comes next: text, a mark or a token. */
function walkNext(walk: TextWalk, to: number): Cuts {
  if (walk.level === LEVEL.codePoints) return walkCodePoints(walk, to);
  const { token, nextMark } = walk;
  const nextToken = token?.start ?? Infinity;
  const stop = Math.min(to, nextToken, nextMark);
  if (walk.here.at < stop) return walkText(walk, stop);
  if (token === null || nextMark <= nextToken) return walkMark(walk);
  return token.kind === 'fence' ? walkFence(walk, token, to) : walkToken(walk, token, to);
}
