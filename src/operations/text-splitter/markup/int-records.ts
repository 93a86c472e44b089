import { FAR } from './int-list.ts';

const FIRST_SIZE = 32;

/** Most lists of a short text stay empty. */
const EMPTY = new Int32Array(0);

/**
 * A growing list of records of integers, in one block: a megabyte can hold hundreds of thousands of them, and what
 * is read together is close together in memory.
 */
export class IntRecords {
  readonly #width: number;
  #count = 0;
  #values = EMPTY;

  /** @param width how many integers a record has */
  constructor(width: number) {
    this.#width = width;
  }

  get count(): number {
    return this.#count;
  }

  /** Drops all. @param expected how many there will be, more or less: memory that is not written to costs nothing */
  clear(expected: number): void {
    this.#count = 0;
    if (expected * this.#width > this.#values.length) this.#values = new Int32Array(expected * this.#width);
  }

  /** Drops all but the first `count`. */
  shorten(count: number): void {
    this.#count = count;
  }

  /** Adds a record, whose fields are to be set. */
  protected add(): number {
    if ((this.#count + 1) * this.#width > this.#values.length) {
      const larger = new Int32Array(Math.max(FIRST_SIZE * this.#width, this.#values.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#count += 1;
    return this.#count - 1;
  }

  protected set(record: number, field: number, value: number): void {
    this.#values[record * this.#width + field] = value;
  }

  /** FAR past the end. */
  protected get(record: number, field: number): number {
    return record < this.#count ? (this.#values[record * this.#width + field] ?? FAR) : FAR;
  }
}
