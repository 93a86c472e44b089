const BACKTICK = 0x60;

export interface CodeSpan {
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** -1 when the run closes nowhere. */
  readonly end: number;
}

/** Finds the ends of code spans: runs of back-ticks by their length, listed once, when first asked. */
export class CodeSpans {
  readonly #text: string;
  #starts: Map<number, number[]> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param at of the opening run; calls go forward */
  read(at: number): CodeSpan {
    const bodyStart = endOfRun(this.#text, at);
    const length = bodyStart - at;
    this.#starts ??= this.#list();
    const starts = this.#starts.get(length) ?? [];
    // The lists are in descending order: what is passed is taken off their ends.
    let next = starts.at(-1);
    while (next !== undefined && next < bodyStart) {
      starts.pop();
      next = starts.at(-1);
    }
    return { bodyStart, bodyEnd: next ?? bodyStart, end: next === undefined ? -1 : next + length };
  }

  #list(): Map<number, number[]> {
    const lists = new Map<number, number[]>();
    const text = this.#text;
    for (let at = text.indexOf('`'); at >= 0;) {
      const end = endOfRun(text, at);
      const list = lists.get(end - at);
      if (list === undefined) lists.set(end - at, [at]);
      else list.push(at);
      at = text.indexOf('`', end);
    }
    for (const list of lists.values()) list.reverse();
    return lists;
  }
}

function endOfRun(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === BACKTICK) end += 1;
  return end;
}
