import type { Inline, InlineContext, Run } from './inline.ts';
import { makeRun, pairRuns } from './runs.ts';

/** These have no text of their own. */
const MARK_KINDS: ReadonlySet<Inline['kind']> = new Set(['style', 'run', 'link', 'linkEnd']);

/** The parts of a text that have been read so far. */
export class InlineParts {
  readonly text: string;
  readonly context: InlineContext;
  readonly list: Inline[] = [];
  /** Runs that only pair within the link or picture that they are in. */
  readonly #closed = new Set<Run>();

  constructor(text: string, context: InlineContext) {
    this.text = text;
    this.context = context;
  }

  add(part: Inline): void {
    this.list.push(part);
  }

  /** @returns `to`, where reading continues */
  addText(from: number, to: number): number {
    this.add({ kind: 'text', text: this.text.slice(from, to) });
    return to;
  }

  /** @returns where reading continues, as `addRun` does */
  addToken(from: number, to: number): number {
    this.add({ kind: 'token', text: this.text.slice(from, to) });
    return to;
  }

  addRun(char: Run['char'], at: number): number {
    let end = at + 1;
    while (this.text.charAt(end) === char) end += 1;
    // GitHub reads only one tilde or two as a mark.
    if (char === '~' && end - at > 2) return this.addText(at, end);
    this.add(makeRun(this.text, char, at, end));
    return end;
  }

  /** True when the next part touches the character before it, through marks and tags. */
  endsInVisibleChar(): boolean {
    const last = this.list.findLast(({ kind }) => !MARK_KINDS.has(kind));
    if (last === undefined || last.kind === 'break') return false;
    return !('text' in last) || /\S$/.test(last.text);
  }

  /** Finds the styles in the parts from an index on: the text of a link or a picture, or the whole text. */
  closeFrom(index: number): void {
    const runs = this.list
      .slice(index)
      .filter((part) => part.kind === 'run')
      .filter((run) => !this.#closed.has(run));
    pairRuns(runs);
    for (const run of runs) this.#closed.add(run);
  }

  /** Removes the parts from an index on. */
  takeFrom(index: number): Inline[] {
    return this.list.splice(index);
  }
}
