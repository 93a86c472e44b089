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

/**
 * Walks over the text once and lists the places for cuts. If two neighbouring places are too far apart for a chunk, the
 * stretch between them is walked again at the next level.
 */
export class CutFinder {
  readonly #options: WalkOptions;
  /** At the natural level, over the whole text. */
  readonly #walk: TextWalk;
  readonly #cuts: CutList;
  #doubt = 0;
  #doubtEnd = 0;

  /**
   * @param opening goes before the first chunk
   * @param from start of the first chunk, at the start of a line
   */
  constructor(options: WalkOptions, opening: Seam, from: number) {
    this.#options = options;
    this.#walk = new TextWalk(options, LEVEL.natural, startAt(from));
    const start = makeCut(this.#walk, from, from, 'end', COST.end, opening);
    beginText(this.#walk);
    this.#cuts = new CutList(start, this.#walk.here, options.gap);
  }

  /** Does a part of the work, on about `length` units; true when the end of the text is reached. */
  advance(length: number): boolean {
    const { here, text } = this.#walk;
    if (this.#settle(length)) return false;
    this.#walkTo(this.#walk, Math.min(here.at + length, text.length));
    return here.at >= text.length && !this.#settle(length);
  }

  /** Adds the end of the text, where no chunk follows. */
  finish(end: number, closing: Seam): readonly Cut[] {
    const cut = makeCut(this.#walk, end, end, 'end', COST.end, closing);
    this.#closeGap(end, cut.need, LEVEL.words);
    this.#cuts.add(cut, this.#walk.here);
    return this.#cuts.cuts;
  }

  /**
   * Looks for cuts in a stretch that was passed without any, once it is longer than two chunks, so that a long stretch
   * is searched in steps and not only at its end.
   * @param length units to search
   * @returns true when cuts were found; then there may be more to do
   */
  #settle(length: number): boolean {
    const { ruler, room } = this.#options;
    const { last } = this.#cuts;
    const { at } = this.#walk.here;
    if (ruler.at(at) - last.reach <= room * 2) return false;
    const end = Math.min(at, last.start + Math.max(length, room * 4));
    this.#closeGap(end, ruler.at(end), LEVEL.words);
    return this.#cuts.last !== last;
  }

  #walkTo(walk: TextWalk, to: number): void {
    while (walk.here.at < to) this.#addAll(walkNext(walk, to, this.#cuts), walk);
  }

  #addAll(found: Cuts, walk: TextWalk): void {
    for (const cut of found) if (cut !== null) this.#add(cut, walk);
  }

  /** Adds a cut, if it is worth it. Looks for more cuts before it when the last one is too far away. */
  #add(cut: Cut, { level, here }: TextWalk): void {
    const cuts = this.#cuts;
    if (level === LEVEL.natural && this.#isDoubtful(cut.end)) return;
    if (cut.end === cuts.last.start) {
      if (cuts.isBetter(cut, this.#options.room)) cuts.add(cut, here);
    } else if (level <= LEVEL.words && cuts.isCrowded(cut)) cuts.spare(cut, here);
    else {
      this.#closeGap(cut.end, cut.need, level + 1);
      // Closer cuts may have led beyond it.
      if (cut.end >= cuts.last.start) cuts.add(cut, here);
    }
  }

  /**
   * Walks from the last cut to `end` once more, level by level, until a chunk that starts at the last cut can end there.
   * @param need of a chunk that ends there
   */
  #closeGap(end: number, need: number, from: number): void {
    const cuts = this.#cuts;
    const isTooWide = () => need - cuts.last.reach > this.#options.room;
    for (let level = from; level <= LEVEL.codePoints; level += 1) {
      if (isTooWide()) cuts.addSpare();
      if (!isTooWide()) return;
      if (level === LEVEL.words && !this.#hasWords(end)) continue;
      const walk = new TextWalk(this.#options, level, cuts.lastPosition);
      if (level < LEVEL.codePoints) this.#walkTo(walk, end);
      else this.#addAll(walkCodePoints(walk, cuts.last.start, end), walk);
    }
  }

  /** In plain text, only tokens have more places for cuts at the level of words. */
  #hasWords(end: number): boolean {
    const { readsLines, markup } = this.#options;
    return readsLines || (markup.tokens[this.#cuts.lastPosition.token]?.start ?? Infinity) < end;
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

/**
 * Walks over what comes next: text, a mark or a token.
 * @param cuts that were added so far
 */
function walkNext(walk: TextWalk, to: number, cuts: CutList): Cuts {
  const { token, nextMark } = walk;
  const nextToken = token?.start ?? Infinity;
  const stop = Math.min(to, nextToken, nextMark);
  if (walk.here.at < stop) return walkText(walk, stop, cuts);
  if (token === null || nextMark <= nextToken) return walkMark(walk);
  return token.kind === 'fence' ? walkFence(walk, token, to) : walkToken(walk, token, to);
}
