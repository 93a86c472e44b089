/** What a list says past its end: further than any place in a text. */
export const FAR = 0x7fffffff;

const FIRST_SIZE = 64;

/** Most lists of a short text stay empty. */
const EMPTY = new Int32Array(0);

/** A growing list of 32-bit integers, several times smaller and faster than an array of numbers. */
export class IntList {
  length = 0;
  #values = EMPTY;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Int32Array(Math.max(FIRST_SIZE, this.length * 2));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  clear(): void {
    this.length = 0;
  }

  /** FAR past the end. */
  at(index: number): number {
    return index < this.length ? (this.#values[index] ?? FAR) : FAR;
  }
}
