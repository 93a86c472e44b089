import type { Cut } from './cut.ts';
import type { Position } from './text-walk.ts';

/** A cut, and the position of the walk that found it. */
interface Found {
  readonly cut: Cut;
  readonly position: Readonly<Position>;
}

/** The cuts in ascending order. The first one is the start of the text. */
export class CutList {
  readonly cuts: Cut[] = [];
  readonly #gap: number;
  #last: Found;
  /** The last cut after it that was left out as crowded. */
  #spare: Found | null = null;

  /** @param gap see WalkOptions */
  constructor(start: Cut, position: Readonly<Position>, gap: number) {
    this.#gap = gap;
    this.#last = { cut: start, position: { ...position } };
    this.cuts.push(start);
  }

  get last(): Cut {
    return this.#last.cut;
  }

  /** The position from which to walk on after the last cut. */
  get lastPosition(): Readonly<Position> {
    return this.#last.position;
  }

  /** @param position where the next chunk starts */
  add(cut: Cut, position: Readonly<Position>): void {
    this.#addFound({ cut, position: { ...position } });
  }

  /** Keeps a crowded cut, in case no better one is near enough. */
  spare(cut: Cut, position: Readonly<Position>): void {
    this.#spare = { cut, position: { ...position } };
  }

  /** Adds the spare, if there is one. */
  addSpare(): void {
    if (this.#spare !== null) this.#addFound(this.#spare);
  }

  #addFound(found: Found): void {
    this.#last = found;
    this.cuts.push(found.cut);
    this.#spare = null;
  }

  /** True when a cut is close to the last one, and no better. */
  isCrowded({ end, cost }: Cut): boolean {
    const { start, cost: lastCost } = this.last;
    return end - start < this.#gap && cost >= lastCost && this.cuts.length > 1;
  }

  /**
   * True when a cut that touches the last one is worth keeping too: it is better, and a chunk can end there, although
   * none goes from the last one to it.
   */
  isBetter({ cost, need }: Cut, room: number): boolean {
    return cost < this.last.cost && need - room <= (this.cuts.at(-2)?.reach ?? -Infinity);
  }
}
