import type { Cut } from './cut-kind.ts';
import { BARE_SEAM, type Seam } from './seam.ts';

const CAPACITY_MIN = 256;

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
  #values = new Int32Array(CAPACITY_MIN * WIDTH);
  /** Neighbours mostly share a seam. */
  readonly #seams: Seam[] = [BARE_SEAM];

  get count(): number {
    return this.#count;
  }

  get last(): number {
    return this.#count - 1;
  }

  /**
   * Adds a place; its lengths are to be set, and its lines where they count.
   * @param end where the chunk before ends
   * @param start where the next chunk starts; between the two is only white space
   * @param cost what it costs to cut here: that of its kind, and more where the place is worse
   */
  add(end: number, start: number, kind: Cut, cost: number, seam: Seam): void {
    const at = this.#count * WIDTH;
    if (at === this.#values.length) this.#grow();
    const values = this.#values;
    values[at + END] = end;
    values[at + START] = start;
    values[at + RANK] = kind.rank;
    values[at + COST] = cost;
    if (seam === BARE_SEAM) values[at + SEAM] = 0;
    else {
      if (seam !== this.#seams[this.#seams.length - 1]) this.#seams.push(seam);
      values[at + SEAM] = this.#seams.length - 1;
    }
    this.#count += 1;
  }

  /** Lengths of the text up to the end of the last place and up to its start, in the unit of the caller. */
  setLengths(endLength: number, startLength: number, seam: Seam): void {
    const at = this.last * WIDTH;
    const values = this.#values;
    values[at + START_LENGTH] = startLength;
    values[at + NEED] = endLength + seam.suffixLength;
    values[at + REACH] = startLength - seam.prefixLength;
  }

  /** Lines up to the end of the chunk before and to the start of the next one, with those that are added there. */
  setLines(endLine: number, startLine: number): void {
    const at = this.last * WIDTH;
    this.#values[at + END_LINE] = endLine;
    this.#values[at + START_LINE] = startLine;
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
