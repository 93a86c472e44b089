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
  /** Runs that pair with none outside of the link or picture that they are in. */
  readonly #closed = new Set<Run>();

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

  /** @returns where reading goes on, as `addRun` does */
  addToken(from: number, to: number): number {
    this.add({ kind: 'token', text: this.text.slice(from, to) });
    return to;
  }

  addRun(sign: Run['sign'], at: number): number {
    let end = at + 1;
    while (this.text.charAt(end) === sign) end += 1;
    // GitHub knows one tilde or two.
    if (sign === '~' && end - at > 2) return this.addText(at, end);
    this.add(makeRun(this.text, sign, at, end));
    return end;
  }

  /** What was read from an index on is the text of a link or a picture, or all there is: finds the styles in it. */
  closeFrom(index: number): void {
    const runs = this.list
      .slice(index)
      .filter((part) => part.kind === 'run')
      .filter((run) => !this.#closed.has(run));
    pairRuns(runs);
    for (const run of runs) this.#closed.add(run);
  }

  /** Takes out what was read from an index on. */
  takeFrom(index: number): Inline[] {
    this.at = this.#starts?.splice(index)[0] ?? this.at;
    return this.list.splice(index);
  }
}
