import { isPairedLowSurrogate } from '../../chars/char-class.ts';
import type { Run, Style } from './inline.ts';

type Neighbour = 'space' | 'punctuation' | 'word';

/** The kind of the character next to a run. The ends of the text count as spaces. */
function kindOf(char: string): Neighbour {
  if (char === '' || /\s/.test(char)) return 'space';
  return /[\p{P}\p{S}]/u.test(char) ? 'punctuation' : 'word';
}

/**
 * Chinese, Japanese and Korean have no spaces between words, so a style may begin and end next to any character. In
 * `**准备环境：**安装` the stars after the colon close.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;

/** A run of one character from `at` to `end`. Its neighbours decide whether it may open or close a style. */
export function makeRun(text: string, char: Run['char'], at: number, end: number): Run {
  const charBefore = text.slice(Math.max(0, isPairedLowSurrogate(text, at - 1) ? at - 2 : at - 1), at);
  const charAfter = String.fromCodePoint(text.codePointAt(end) ?? 0x20);
  const before = kindOf(charBefore);
  const after = kindOf(charAfter);
  const isUnderscore = char === '_';
  const isBetween =
    (before === 'word' && after === 'punctuation') || (before === 'punctuation' && after === 'word');
  const isUnspaced = isBetween && !isUnderscore && (UNSPACED.test(charBefore) || UNSPACED.test(charAfter));
  const isLeftFlanking = after !== 'space' && (after !== 'punctuation' || before !== 'word' || isUnspaced);
  const isRightFlanking = before !== 'space' && (before !== 'punctuation' || after !== 'word' || isUnspaced);
  return {
    kind: 'run',
    char,
    length: end - at,
    canOpen: isLeftFlanking && (!isUnderscore || !isRightFlanking || before === 'punctuation'),
    canClose: isRightFlanking && (!isUnderscore || !isLeftFlanking || after === 'punctuation'),
    rest: end - at,
    closes: null,
    opens: null,
    isInWord: before === 'word' && after === 'word' && text.charCodeAt(end) < 0x80,
  };
}

/**
 * Pairs runs of `*`, `_` and `~` as CommonMark does. For each kind of run it remembers the lowest opener that may still
 * match (`openers_bottom` in CommonMark), so that the work stays linear.
 */
export function pairRuns(runs: readonly Run[]): void {
  // Runs inside a pair are removed from this list.
  const open: Run[] = [];
  const openersBottom = new Map<number, number>();
  for (const run of runs) {
    if (run.canClose) closeWith(run, open, openersBottom);
    if (run.canOpen && run.rest > 0) open.push(run);
  }
}

function closeWith(closer: Run, open: Run[], openersBottom: Map<number, number>): void {
  const { char, length, canOpen } = closer;
  // Runs of one kind match the same openers. Keys are numbers, to avoid a string for each run.
  const kind = char === '~' ? -length : 4 * char.charCodeAt(0) + (canOpen ? length % 3 : 3);
  while (closer.rest > 0) {
    const bottom = openersBottom.get(kind) ?? 0;
    let index = open.length - 1;
    while (index >= bottom && !matches(open[index], closer)) index -= 1;
    const opener = index >= bottom ? open[index] : undefined;
    if (opener === undefined) {
      openersBottom.set(kind, open.length);
      return;
    }
    const [style, used] = styleOf(opener, closer);
    opener.rest -= used;
    closer.rest -= used;
    (opener.opens ??= []).push(style);
    (closer.closes ??= []).push(style);
    open.length = opener.rest > 0 ? index + 1 : index;
    // What is known of removed openers does not apply to those that replace them.
    for (const [each, known] of openersBottom) if (known > open.length) openersBottom.set(each, open.length);
  }
}

/** Also returns how much of both runs it uses. */
function styleOf(opener: Run, closer: Run): readonly [Style, number] {
  if (closer.char === '~') return ['strike', closer.length];
  return opener.rest >= 2 && closer.rest >= 2 ? ['strong', 2] : ['emphasis', 1];
}

function matches(opener: Run | undefined, closer: Run): boolean {
  if (opener?.char !== closer.char) return false;
  if (closer.char === '~') return opener.length === closer.length;
  const isMixed = opener.canClose || closer.canOpen;
  return !isMixed || (opener.length + closer.length) % 3 !== 0 || opener.length % 3 === 0;
}

/** Finds the ends of code spans. */
export class CodeSpans {
  readonly #text: string;
  /** The position of the last run of back-ticks of each length, listed on first use. */
  #last: Map<number, number> | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * @param run of back-ticks that opens
   * @returns the position of the next run of its length, or -1
   */
  findEnd(run: string, from: number): number {
    this.#last ??= new Map(Array.from(this.#text.matchAll(/`+/g), (each) => [each[0].length, each.index]));
    if ((this.#last.get(run.length) ?? -1) < from) return -1;
    for (let at = from; ;) {
      const start = this.#text.indexOf(run, at);
      at = start + run.length;
      while (this.#text.charAt(at) === '`') at += 1;
      if (at - start === run.length) return start;
    }
  }
}
