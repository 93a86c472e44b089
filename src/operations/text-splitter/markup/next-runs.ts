import { PIPE, STAR, TILDE, UNDERSCORE } from '../chars/char-class.ts';
import { type DelimiterRuns, RUN } from './markup.ts';

/** Longer runs are rules and decoration; Discord styles nothing with them. */
export const RUN_MAX = 4;

const UNITS = [STAR, UNDERSCORE, TILDE, PIPE];

/** What is looked for: runs of two and more, and of odd length. */
const LONG = 0;
const ODD = 1;
const WIDTH = 2;

const COUNT_MIN = 1024;

/** For each run of delimiters, the next runs of the same character that could close what it opens; -1 means none. */
export class NextRuns {
  #next = new Int32Array(0);
  /** The same of the runs within tokens, for all runs up to the last of these. */
  #inside = new Int32Array(0);
  #lastInside = -1;
  /** The last run of each kind that was seen, at the code of its character. */
  readonly #seen = new Int32Array(128 * WIDTH);
  readonly #seenInside = new Int32Array(128 * WIDTH);

  /** Other runs take the place of the last ones. */
  read(runs: DelimiterRuns): void {
    const { count } = runs;
    if (count * WIDTH > this.#next.length) this.#next = new Int32Array(Math.max(count, COUNT_MIN) * WIDTH);
    const next = this.#next;
    const seen = this.#seen;
    for (const unit of UNITS) {
      seen.fill(-1, unit * WIDTH, (unit + 1) * WIDTH);
      this.#seenInside.fill(-1, unit * WIDTH, (unit + 1) * WIDTH);
    }
    this.#lastInside = -1;
    for (let run = count - 1; run >= 0; run -= 1) {
      const first = runs.unit(run) * WIDTH;
      const at = run * WIDTH;
      next[at + LONG] = seen[first + LONG] ?? -1;
      next[at + ODD] = seen[first + ODD] ?? -1;
      if (this.#lastInside >= 0) this.#writeInside(run, first);
      const length = runs.length(run);
      if (runs.role(run) >= RUN.inToken) this.#seeInside(run, first, length);
      else if (length <= RUN_MAX) {
        if (length >= 2) seen[first + LONG] = run;
        if (length % 2 === 1) seen[first + ODD] = run;
      }
    }
  }

  #seeInside(run: number, first: number, length: number): void {
    if (length > RUN_MAX) return;
    if (length >= 2) this.#seenInside[first + LONG] = run;
    if (length % 2 === 1) this.#seenInside[first + ODD] = run;
    if (this.#lastInside >= 0) return;
    this.#lastInside = run;
    if (run * WIDTH > this.#inside.length) this.#inside = new Int32Array(Math.max(run, COUNT_MIN) * WIDTH);
  }

  #writeInside(run: number, first: number): void {
    this.#inside[run * WIDTH + LONG] = this.#seenInside[first + LONG] ?? -1;
    this.#inside[run * WIDTH + ODD] = this.#seenInside[first + ODD] ?? -1;
  }

  /** The next run of two and more. */
  long(run: number): number {
    return this.#next[run * WIDTH + LONG] ?? -1;
  }

  /** The next run of odd length. */
  odd(run: number): number {
    return this.#next[run * WIDTH + ODD] ?? -1;
  }

  /** The same of those within tokens. */
  longInside(run: number): number {
    return run < this.#lastInside ? (this.#inside[run * WIDTH + LONG] ?? -1) : -1;
  }

  oddInside(run: number): number {
    return run < this.#lastInside ? (this.#inside[run * WIDTH + ODD] ?? -1) : -1;
  }
}
