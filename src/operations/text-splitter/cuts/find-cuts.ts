import { COST } from './costs.ts';
import type { Cut } from './cut.ts';
import { type Cuts, makeCut } from './make-cut.ts';
import type { Reopening } from './reopen-markup.ts';
import { LEVEL, type Position, startAt, TextWalk, type WalkOptions } from './text-walk.ts';
import { walkCodePoints } from './walk-code-points.ts';
import { walkFence } from './walk-fence.ts';
import { beginText } from './walk-space.ts';
import { walkText } from './walk-text.ts';
import { walkMark, walkToken } from './walk-token.ts';

/**
 * Walks over the text once and lists the possible cuts. If two neighbouring cuts are too far apart for a chunk, the text
 * between them is walked again at the next level.
 */
export class CutFinder {
  readonly #options: WalkOptions;
  /** The walk at the natural level, over the whole text. */
  readonly #walk: TextWalk;
  /** In ascending order. The first one is the start of the text. */
  readonly #cuts: Cut[];
  #last: Cut;
  /** Where to walk on after the last cut. */
  #lastPosition: Readonly<Position>;

  /**
   * @param opening is put before the first chunk
   * @param from start of the first chunk, at the start of a line
   */
  constructor(options: WalkOptions, opening: Reopening, from: number) {
    this.#options = options;
    this.#walk = new TextWalk(options, LEVEL.natural, startAt(from));
    this.#last = makeCut(this.#walk, from, from, 'end', COST.end, opening);
    this.#cuts = [this.#last];
    beginText(this.#walk);
    this.#lastPosition = { ...this.#walk.here };
  }

  /**
   * Finds the cuts. The last one is the end of the text.
   * @param closing is put after the last chunk
   */
  find(end: number, closing: Reopening): readonly Cut[] {
    this.#walkTo(this.#walk, this.#walk.text.length);
    const cut = makeCut(this.#walk, end, end, 'end', COST.end, closing);
    this.#closeGap(cut, LEVEL.words);
    this.#add(cut, this.#walk.here);
    return this.#cuts;
  }

  #walkTo(walk: TextWalk, to: number): void {
    while (walk.here.at < to) {
      for (const cut of walkNext(walk, to)) {
        if (cut.end === this.#last.start && !this.#isBetter(cut)) continue;
        this.#closeGap(cut, walk.level + 1);
        // Cuts from a finer level may already be beyond it.
        if (cut.end >= this.#last.start) this.#add(cut, walk.here);
      }
    }
  }

  /** @param position where the next chunk starts */
  #add(cut: Cut, position: Readonly<Position>): void {
    this.#last = cut;
    this.#lastPosition = { ...position };
    this.#cuts.push(cut);
  }

  /**
   * True when a cut that touches the last one is worth keeping too. No chunk fits between the two, but this one is
   * cheaper, and a chunk from an earlier cut can end there.
   */
  #isBetter({ cost, endWithSuffix }: Cut): boolean {
    const before = this.#cuts.at(-2)?.startBeforePrefix ?? -Infinity;
    return cost < this.#last.cost && endWithSuffix - this.#options.capacity <= before;
  }

  /** Walks again from the last cut to a cut that is too far away for a chunk, level by level. */
  #closeGap(cut: Cut, from: number): void {
    for (let level = from; level <= LEVEL.codePoints; level += 1) {
      if (cut.endWithSuffix - this.#last.startBeforePrefix <= this.#options.capacity) return;
      // Between code points, even the marker of a quote or a list item is cut, which the other levels skip.
      const at = level === LEVEL.codePoints ? this.#last.start : this.#lastPosition.at;
      this.#walkTo(new TextWalk(this.#options, level, { ...this.#lastPosition, at }), cut.end);
    }
  }
}

/** Walks over the next text, mark or token. */
function walkNext(walk: TextWalk, to: number): Cuts {
  if (walk.level === LEVEL.codePoints) return walkCodePoints(walk, to);
  const { token, nextMark } = walk;
  const nextToken = token?.start ?? Infinity;
  const stop = Math.min(to, nextToken, nextMark);
  if (walk.here.at < stop) return walkText(walk, stop);
  if (token === null || nextMark <= nextToken) return walkMark(walk);
  return token.kind === 'fence' ? walkFence(walk, token, to) : walkToken(walk, token, to);
}
