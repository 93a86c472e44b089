const BRACKETS_MAX = 64;
const WIDTH = 3;

/** Brackets that may begin a link; of too many the oldest are forgotten. */
export class OpenBrackets {
  /** Of each its place, and how many tokens and runs there were before it. */
  readonly #values = new Int32Array(BRACKETS_MAX * WIDTH);
  #count = 0;

  push(at: number, tokens: number, runs: number): void {
    if (this.#count === BRACKETS_MAX) {
      this.#count = BRACKETS_MAX / 2;
      this.#values.copyWithin(0, this.#count * WIDTH);
    }
    const place = this.#count * WIDTH;
    this.#values[place] = at;
    this.#values[place + 1] = tokens;
    this.#values[place + 2] = runs;
    this.#count += 1;
  }

  /** Takes the innermost one, which can still be read until the next push; false if there is none. */
  pop(): boolean {
    if (this.#count === 0) return false;
    this.#count -= 1;
    return true;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Of the one that was taken last. */
  get at(): number {
    return this.#values[this.#count * WIDTH] ?? 0;
  }

  get tokens(): number {
    return this.#values[this.#count * WIDTH + 1] ?? 0;
  }

  get runs(): number {
    return this.#values[this.#count * WIDTH + 2] ?? 0;
  }
}
