import { BACKTICK } from '../chars/char-class.ts';
import { FAR, IntList } from './int-list.ts';

/** Real texts have few different lengths. */
const LENGTHS_KEPT_MAX = 8;

interface RunsOfLength {
  readonly start: IntList;
  next: number;
}

/** All runs of back-ticks of a text, found once, so that looking for a closing run never scans the text again. */
export class CodeRuns {
  /** Positions of the runs of exactly that length, and how far they are used up. Looked up in ascending order. */
  readonly #byLength = new Map<number, RunsOfLength>();
  /** Runs of three and more. */
  readonly #longStart = new IntList();
  readonly #longLength = new IntList();
  /** For each long run the longest from there on: tells at once that there is no closing run. */
  #longestFrom = new Int32Array(0);
  #nextLong = 0;

  /** Another text takes the place of the last one. */
  read(text: string): void {
    this.#clear();
    let same: RunsOfLength | undefined;
    let sameLength = 0;
    for (let at = text.indexOf('`'); at >= 0;) {
      let end = at + 1;
      while (text.charCodeAt(end) === BACKTICK) end += 1;
      const length = end - at;
      if (length !== sameLength || same === undefined) {
        same = this.#runsOf(length);
        sameLength = length;
      }
      same.start.push(at);
      if (length >= 3) {
        this.#longStart.push(at);
        this.#longLength.push(length);
      }
      at = text.indexOf('`', end);
    }
    const { length: count } = this.#longStart;
    if (count >= this.#longestFrom.length) this.#longestFrom = new Int32Array((count + 1) * 2);
    this.#longestFrom[count] = 0;
    for (let k = count - 1; k >= 0; k -= 1) {
      this.#longestFrom[k] = Math.max(this.#longestFrom[k + 1] ?? 0, this.#longLength.at(k));
    }
  }

  #clear(): void {
    if (this.#byLength.size > LENGTHS_KEPT_MAX) this.#byLength.clear();
    for (const runs of this.#byLength.values()) {
      runs.start.clear();
      runs.next = 0;
    }
    this.#longStart.clear();
    this.#longLength.clear();
    this.#nextLong = 0;
  }

  #runsOf(length: number): RunsOfLength {
    const known = this.#byLength.get(length);
    if (known !== undefined) return known;
    const runs = { start: new IntList(), next: 0 };
    this.#byLength.set(length, runs);
    return runs;
  }

  /** The next run of exactly `length` that starts at or after `from`, or -1. `from` must not go back. */
  nextExact(length: number, from: number): number {
    const same = this.#byLength.get(length);
    if (same === undefined) return -1;
    while (same.start.at(same.next) < from) same.next += 1;
    const start = same.start.at(same.next);
    return start === FAR ? -1 : start;
  }

  /** The next run of at least `length` (three or more) that starts at or after `from` and before `limit`, or -1. */
  nextAtLeast(length: number, from: number, limit: number): number {
    while (this.#longStart.at(this.#nextLong) < from) this.#nextLong += 1;
    if ((this.#longestFrom[this.#nextLong] ?? 0) < length) return -1;
    for (let k = this.#nextLong; this.#longStart.at(k) < limit; k += 1) {
      if (this.#longLength.at(k) >= length) return this.#longStart.at(k);
    }
    return -1;
  }
}
