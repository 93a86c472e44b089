import type { Inline, InlineContext, Run } from './inline.ts';
import { makeRun, pairRuns } from './runs.ts';

/** What was read of a text so far. */
export class InlineParts {
  readonly text: string;
  readonly context: InlineContext;
  readonly list: Inline[] = [];
  /** Where the part that is read next begins. */
  at = 0;
  readonly #starts: number[] | null;
  readonly #runs: Run[] = [];
  /** Index of each run in the list. */
  readonly #runAt: number[] = [];

  /** @param starts takes where each part begins in the text */
  constructor(text: string, context: InlineContext, starts: number[] | null) {
    this.#starts = starts;
    this.text = text;
    this.context = context;
  }

  add(part: Inline): void {
    this.#starts?.push(this.at);
    this.list.push(part);
  }

  /** @returns `to`, where reading goes on */
  addText(from: number, to: number): number {
    this.add({ kind: 'text', text: this.text.slice(from, to) });
    return to;
  }

  /** @returns where reading goes on */
  addRun(sign: Run['sign'], at: number): number {
    let end = at + 1;
    while (this.text.charAt(end) === sign) end += 1;
    // GitHub knows one tilde or two.
    if (sign === '~' && end - at > 2) return this.addText(at, end);
    const run = makeRun(this.text, sign, at, end);
    this.#runAt.push(this.list.length);
    this.#runs.push(run);
    this.add(run);
    return end;
  }

  /** Takes out what was read from an index on. Runs in it no longer pair with those outside. */
  takeFrom(index: number): Inline[] {
    while ((this.#runAt.at(-1) ?? -1) > index) {
      this.#runAt.pop();
      this.#runs.pop();
    }
    this.at = this.#starts?.splice(index)[0] ?? this.at;
    return this.list.splice(index);
  }

  /** Finds the styles, when all is read. */
  finish(): Inline[] {
    pairRuns(this.#runs);
    return this.list;
  }
}
