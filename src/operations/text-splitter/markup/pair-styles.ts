import { isWhiteSpace, isWordUnit, PIPE, STAR, TILDE, UNDERSCORE } from '../chars/char-class.ts';
import { type DelimiterRun, findNextRuns, type NextRuns, RUN_MAX } from './delimiter-runs.ts';
import type { Style } from './markup.ts';
import type { PairBound } from './pair-bound.ts';

/** Marks by their length and character. */
const MARKS: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  1: { [STAR]: '*', [UNDERSCORE]: '_' },
  2: { [STAR]: '**', [UNDERSCORE]: '__', [TILDE]: '~~', [PIPE]: '||' },
};

/** The start of a closing mark, and the index of its run. */
interface Close {
  readonly at: number;
  readonly run: number;
}

interface OpenStyle extends Close {
  readonly length: number;
}

/**
 * Finds the marks that pair in Discord's reading, in the order of the text. A mark pairs with the first closing mark
 * after it that is in the same quote, within the style around it and not too far away. If both italics and bold or
 * underline could open at one position, the longer mark wins. An unpaired mark is text.
 */
export function pairStyles(text: string, runs: readonly DelimiterRun[], bound: PairBound): readonly Style[] {
  return new StylePairing(text, runs, bound).styles;
}

class StylePairing {
  readonly styles: Style[] = [];
  readonly #text: string;
  readonly #runs: readonly DelimiterRun[];
  readonly #bound: PairBound;
  readonly #next: NextRuns;
  /** From the outermost to the innermost. */
  readonly #open: OpenStyle[] = [];
  #run = 0;

  constructor(text: string, runs: readonly DelimiterRun[], bound: PairBound) {
    this.#text = text;
    this.#runs = runs;
    this.#bound = bound;
    this.#next = findNextRuns(runs);
    for (const [index, run] of runs.entries()) {
      this.#run = index;
      if (run.role !== 'inToken' && run.end - run.start <= RUN_MAX) this.#readRun(run);
    }
  }

  #readRun(run: DelimiterRun): void {
    let at = run.start;
    while (at < run.end) {
      const open = this.#open.at(-1);
      const isClosing = open?.run === this.#run;
      if (isClosing && at >= open.at) {
        at = open.at + open.length;
        this.#open.pop();
        continue;
      }
      const end = isClosing ? open.at : run.end;
      at += run.role === 'close' ? 1 : this.#readMark(run, at, end - at);
    }
  }

  /**
   * @param rest characters left in the run from `at` on
   * @returns the number of characters that were read
   */
  #readMark(run: DelimiterRun, at: number, rest: number): number {
    const { unit } = run;
    const double = rest >= 2 ? this.#findDouble(unit, at, run) : null;
    const isSingle = (unit === STAR || unit === UNDERSCORE) && rest % 2 === 1;
    const single = isSingle ? this.#findSingle(unit, at, run) : null;
    const takesSingle = single !== null && (double === null || single.at + 1 >= double.at + 2);
    const close = takesSingle ? single : double;
    if (close === null) return 1;
    const length = takesSingle ? 1 : 2;
    this.styles.push({ mark: MARKS[length]?.[unit] ?? '', start: at, close: close.at });
    this.#open.push({ ...close, length });
    return length;
  }

  /** The closing mark for a mark of two characters. */
  #findDouble(unit: number, at: number, run: DelimiterRun): Close | null {
    const close = this.#closingRun(run, this.#next.longRun[this.#run] ?? -1, false);
    if (close === null) return null;
    // Stars and underscores take the end of a longer run, pipes and tildes the start.
    const takesEnd = unit === STAR || unit === UNDERSCORE;
    const start = takesEnd ? close.end - 2 : close.start;
    if (!this.#bound.allows(at, start + 2)) return null;
    if (unit === TILDE && this.#text.charCodeAt(start + 2) === UNDERSCORE) return null;
    return { at: start, run: close.run };
  }

  /** The closing mark for a mark of one character. */
  #findSingle(unit: number, at: number, run: DelimiterRun): Close | null {
    const text = this.#text;
    if (unit === STAR && isWhiteSpace(text.charCodeAt(at + 1))) return null;
    const close = this.#closingRun(run, this.#next.oddRun[this.#run] ?? -1, true);
    if (close === null) return null;
    const { start, end } = close;
    if (!this.#bound.allows(at, end)) return null;
    if (unit === STAR && end - start === 1 && isWhiteSpace(text.charCodeAt(start - 1))) return null;
    if (unit === UNDERSCORE && end === this.#runs[close.run]?.end && isWordUnit(text.charCodeAt(end)))
      return null;
    const inside = this.#next.oddRunInToken[this.#run] ?? -1;
    if (inside >= 0 && inside < close.run) return null;
    // Clients read the underscore of a name such as `snake_case` as a mark. Authors rarely mean that, so accept it only
    // within a line.
    const isInName = unit === UNDERSCORE && isWordUnit(text.charCodeAt(at - 1));
    if (isInName && text.slice(at, end).includes('\n')) return null;
    return { at: end - 1, run: close.run };
  }

  /**
   * Returns the run that closes a style that `run` opens, without the part that the style around it needs.
   * @param next the first run after it that could close the style if no other style were open
   * @param isOdd true when the run must be of odd length, otherwise it must be of two and more
   */
  #closingRun(
    { unit, enclosingBlockEnd }: DelimiterRun,
    next: number,
    isOdd: boolean,
  ): { readonly run: number; readonly start: number; readonly end: number } | null {
    const open = this.#open.at(-1);
    const outer = open === undefined ? undefined : this.#runs[open.run];
    let found = next;
    if (open !== undefined && outer !== undefined && (found < 0 || found >= open.run)) {
      // The style around it ends earlier, but may leave enough of the run that closes that style.
      const left = open.at - outer.start;
      const fits = isOdd ? left % 2 === 1 : left >= 2;
      found = open.run > this.#run && outer.unit === unit && fits ? open.run : -1;
    }
    const run = this.#runs[found];
    if (run === undefined || run.start >= enclosingBlockEnd) return null;
    return { run: found, start: run.start, end: open?.run === found ? open.at : run.end };
  }
}
