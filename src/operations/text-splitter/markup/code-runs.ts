import { BACKTICK } from '../chars/char-class.ts';

/** The positions of all runs of one length in ascending order, and the index of the next one. */
interface RunsOfLength {
  readonly starts: number[];
  next: number;
}

interface LongRun {
  readonly start: number;
  readonly length: number;
  /** The longest run from there on. If it is too short, there is no closing run. */
  longest: number;
}

/** All runs of back-ticks of a text, found once, so that a search for a closing run never scans the text again. */
export class CodeRuns {
  readonly #byLength = new Map<number, RunsOfLength>();
  /** Runs of three and more. */
  readonly #long: LongRun[] = [];
  #nextLong = 0;

  constructor(text: string) {
    for (let at = text.indexOf('`'); at >= 0;) {
      let end = at + 1;
      while (text.charCodeAt(end) === BACKTICK) end += 1;
      const length = end - at;
      const same = this.#byLength.get(length);
      if (same === undefined) this.#byLength.set(length, { starts: [at], next: 0 });
      else same.starts.push(at);
      if (length >= 3) this.#long.push({ start: at, length, longest: length });
      at = text.indexOf('`', end);
    }
    let longest = 0;
    for (const run of this.#long.toReversed()) {
      longest = Math.max(longest, run.length);
      run.longest = longest;
    }
  }

  /** The next run of exactly `length` that starts at or after `from`, or -1. `from` must not decrease. */
  nextExact(length: number, from: number): number {
    const same = this.#byLength.get(length);
    if (same === undefined) return -1;
    while ((same.starts[same.next] ?? Infinity) < from) same.next += 1;
    return same.starts[same.next] ?? -1;
  }

  /** The next run of at least `length` (three or more) that starts at or after `from` and before `limit`, or -1. */
  nextAtLeast(length: number, from: number, limit: number): number {
    while ((this.#long[this.#nextLong]?.start ?? Infinity) < from) this.#nextLong += 1;
    if ((this.#long[this.#nextLong]?.longest ?? 0) < length) return -1;
    for (let k = this.#nextLong; ; k += 1) {
      const run = this.#long[k];
      if (run === undefined || run.start >= limit) return -1;
      if (run.length >= length) return run.start;
    }
  }
}
