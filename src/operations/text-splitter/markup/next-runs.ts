import { PIPE, STAR, TILDE, UNDERSCORE } from '../chars/char-class.ts';
import { type DelimiterRuns, RUN } from './markup.ts';

/** Longer runs are rules and decoration; Discord styles nothing with them. */
export const RUN_MAX = 4;

const UNITS = [STAR, UNDERSCORE, TILDE, PIPE];

/** What is looked for: runs of two and more, and of odd length, in the text and within tokens. */
const LONG = 0;
const ODD = 1;
const LONG_INSIDE = 2;
const ODD_INSIDE = 3;
const WIDTH = 4;

const COUNT_MIN = 1024;

/** For each run of delimiters, the next runs of the same character that could close what it opens; -1 is none. */
export class NextRuns {
  #next = new Int32Array(0);
  /** The last one of each kind that was seen, at the code of its character. */
  readonly #seen = new Int32Array(128 * WIDTH);

  /** Other runs take the place of the last ones. */
  read(runs: DelimiterRuns): void {
    const { count } = runs;
    if (count * WIDTH > this.#next.length) this.#next = new Int32Array(Math.max(count, COUNT_MIN) * WIDTH);
    const next = this.#next;
    const seen = this.#seen;
    for (const unit of UNITS) seen.fill(-1, unit * WIDTH, (unit + 1) * WIDTH);
    for (let run = count - 1; run >= 0; run -= 1) {
      const first = runs.unit(run) * WIDTH;
      const at = run * WIDTH;
      next[at] = seen[first] ?? -1;
      next[at + 1] = seen[first + 1] ?? -1;
      next[at + 2] = seen[first + 2] ?? -1;
      next[at + 3] = seen[first + 3] ?? -1;
      const length = runs.length(run);
      if (length > RUN_MAX) continue;
      const place = runs.role(run) >= RUN.inToken ? first + LONG_INSIDE : first;
      if (length >= 2) seen[place + LONG] = run;
      if (length % 2 === 1) seen[place + ODD] = run;
    }
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
    return this.#next[run * WIDTH + LONG_INSIDE] ?? -1;
  }

  oddInside(run: number): number {
    return this.#next[run * WIDTH + ODD_INSIDE] ?? -1;
  }
}
