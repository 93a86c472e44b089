import type { Run, Style } from './inline.ts';

const SPACE = 0;
const PUNCTUATION = 1;
const WORD = 2;
const PUNCTUATION_SIGN = /[\p{P}\p{S}]/u;

function kindOfSign(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return SPACE;
  if (unit < 0x80) {
    if (unit <= 0x20) return SPACE;
    const isWord = (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) - 0x61) >>> 0 < 26;
    return isWord ? WORD : PUNCTUATION;
  }
  if (/\s/.test(text.charAt(at))) return SPACE;
  const start = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  return PUNCTUATION_SIGN.test(String.fromCodePoint(text.codePointAt(start) ?? 0)) ? PUNCTUATION : WORD;
}

/** A run of one sign from `at` to `end`, which may open or close a style by what is beside it. */
export function makeRun(text: string, sign: Run['sign'], at: number, end: number): Run {
  const before = kindOfSign(text, at - 1);
  const after = kindOfSign(text, end);
  const isLeft = after !== SPACE && (after !== PUNCTUATION || before !== WORD);
  const isRight = before !== SPACE && (before !== PUNCTUATION || after !== WORD);
  const isLine = sign === '_';
  return {
    kind: 'run',
    sign,
    length: end - at,
    canOpen: isLeft && (!isLine || !isRight || before === PUNCTUATION),
    canClose: isRight && (!isLine || !isLeft || after === PUNCTUATION),
    rest: end - at,
    closes: null,
    opens: null,
    isInWord: before === WORD && after === WORD && text.charCodeAt(end) < 0x80,
  };
}

/** `*`, `_`, `~` and `~~`, each of four lengths as far as they matter. */
const KINDS = 16;

/**
 * Pairs runs of `*`, `_` and `~` as CommonMark does. For each kind of run it remembers below which opener there is
 * none that fits, so that the work stays linear.
 */
export function pairRuns(runs: readonly Run[]): void {
  // Openers that are still open, as a list of indexes; what a pair encloses falls out of it.
  const open: number[] = [];
  const floors = new Int32Array(KINDS);
  for (const [index, run] of runs.entries()) {
    if (run.canClose) closeWith(runs, run, open, floors);
    if (run.canOpen && run.rest > 0) open.push(index);
  }
}

function closeWith(runs: readonly Run[], closer: Run, open: number[], floors: Int32Array): void {
  const kind = kindOf(closer);
  while (closer.rest > 0) {
    const floor = floors[kind] ?? 0;
    let place = open.length - 1;
    while (place >= floor && !fits(runs[open[place] ?? 0], closer)) place -= 1;
    const opener = place >= floor ? runs[open[place] ?? 0] : undefined;
    if (opener === undefined) {
      floors[kind] = open.length;
      return;
    }
    const isDouble = opener.rest >= 2 && closer.rest >= 2;
    const used = closer.sign === '~' ? closer.length : isDouble ? 2 : 1;
    const style: Style = closer.sign === '~' ? 'strike' : isDouble ? 'strong' : 'emphasis';
    opener.rest -= used;
    closer.rest -= used;
    (opener.opens ??= []).push(style);
    (closer.closes ??= []).push(style);
    open.length = opener.rest > 0 ? place + 1 : place;
    // What was known of openers that are gone says nothing of those that come in their places.
    for (let each = 0; each < KINDS; each += 1) {
      if ((floors[each] ?? 0) > open.length) floors[each] = open.length;
    }
  }
}

/** Runs of one kind fit the same openers: 0 to KINDS - 1. */
function kindOf({ sign, length, canOpen }: Run): number {
  const signs = sign === '*' ? 0 : sign === '_' ? 1 : length + 1;
  return signs * 4 + (canOpen ? length % 3 : 3);
}

function fits(opener: Run | undefined, closer: Run): boolean {
  if (opener === undefined || opener.sign !== closer.sign || opener.rest === 0) return false;
  if (closer.sign === '~') return opener.length === closer.length;
  const isMixed = opener.canClose || closer.canOpen;
  return (
    !isMixed ||
    (opener.length + closer.length) % 3 !== 0 ||
    (opener.length % 3 === 0 && closer.length % 3 === 0)
  );
}

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
