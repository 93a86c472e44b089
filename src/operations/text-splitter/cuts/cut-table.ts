import type { Cut } from './cut-kind.ts';
import { BARE_SEAM, type Seam } from './seam.ts';

const CAPACITY_MIN = 256;

/** A place where the text can be cut. */
export interface CutPlace {
  /** Where the chunk before ends. */
  readonly end: number;
  /** Where the next chunk starts; between the two is only white space. */
  readonly start: number;
  readonly kind: Cut;
  /** What it costs to cut here: that of its kind, and more where the place is worse. */
  readonly cost: number;
  readonly seam: Seam;
}

/** What is measured of a place, in the unit of the caller. */
export interface CutMeasures {
  /** Lengths of the text up to `end` and up to `start`. */
  readonly endLength: number;
  readonly startLength: number;
  /** Lines up to the end of the chunk before and to the start of the next one, with those that are added there. */
  readonly endLine: number;
  readonly startLine: number;
}

/** The columns as one block of numbers, since a megabyte has a hundred thousand places: entry by entry. */
const END = 0;
const START = 1;
const START_LENGTH = 2;
const NEED = 3;
const REACH = 4;
const RANK = 5;
const COST = 6;
const END_LINE = 7;
const START_LINE = 8;
const SEAM = 9;
const WIDTH = 10;

/** Places where the text can be cut, in ascending order. Entry 0 is the start of the text, the last one its end. */
export class CutTable {
  #count = 0;
  #values: Int32Array;
  /** Neighbours mostly share a seam. */
  readonly #seams: Seam[] = [BARE_SEAM];

  constructor(capacity: number) {
    this.#values = new Int32Array(Math.max(CAPACITY_MIN, capacity) * WIDTH);
  }

  get count(): number {
    return this.#count;
  }

  get last(): number {
    return this.#count - 1;
  }

  add({ end, start, kind, cost, seam }: CutPlace, measures: CutMeasures): void {
    const at = this.#count * WIDTH;
    if (at === this.#values.length) this.#grow();
    const values = this.#values;
    values[at + END] = end;
    values[at + START] = start;
    values[at + START_LENGTH] = measures.startLength;
    values[at + NEED] = measures.endLength + seam.suffixLength;
    values[at + REACH] = measures.startLength - seam.prefixLength;
    values[at + RANK] = kind.rank;
    values[at + COST] = cost;
    values[at + END_LINE] = measures.endLine;
    values[at + START_LINE] = measures.startLine;
    if (seam !== BARE_SEAM) {
      if (seam !== this.#seams[this.#seams.length - 1]) this.#seams.push(seam);
      values[at + SEAM] = this.#seams.length - 1;
    }
    this.#count += 1;
  }

  #grow(): void {
    const larger = new Int32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }

  end(cut: number): number {
    return this.#values[cut * WIDTH + END] ?? 0;
  }

  start(cut: number): number {
    return this.#values[cut * WIDTH + START] ?? 0;
  }

  startLength(cut: number): number {
    return this.#values[cut * WIDTH + START_LENGTH] ?? 0;
  }

  /** What a chunk that ends here takes up to: the text and what closes it. */
  need(cut: number): number {
    return this.#values[cut * WIDTH + NEED] ?? 0;
  }

  /** Where the room of a chunk that starts here begins: before what opens it. */
  reach(cut: number): number {
    return this.#values[cut * WIDTH + REACH] ?? 0;
  }

  rank(cut: number): number {
    return this.#values[cut * WIDTH + RANK] ?? 0;
  }

  cost(cut: number): number {
    return this.#values[cut * WIDTH + COST] ?? 0;
  }

  /** How many lines a chunk between two cuts has, with those that are added to it. */
  linesBetween(from: number, to: number): number {
    const values = this.#values;
    return (values[to * WIDTH + END_LINE] ?? 0) - (values[from * WIDTH + START_LINE] ?? 0) + 1;
  }

  seam(cut: number): Seam {
    return this.#seams[this.#values[cut * WIDTH + SEAM] ?? 0] ?? BARE_SEAM;
  }
}
