import { isWhiteSpace, isWordUnit, STAR, TILDE, UNDERSCORE } from '../chars/char-class.ts';
import { type DelimiterRuns, type Doubts, type Marks, RUN } from './markup.ts';
import type { MarkupMemory } from './markup-memory.ts';
import { type NextRuns, RUN_MAX } from './next-runs.ts';
import type { OpenStyles } from './open-styles.ts';
import type { PairBound } from './pair-bound.ts';

/** A mark without a partner is kept together with what might close it, up to this distance. */
const LONE_DOUBT_MAX = 200;

/**
 * Finds the marks that pair in Discord's reading: a mark pairs with the first closing mark after it that is in
 * the same quote, within the style round it and not too far away; of italics and bold or underline that could open at one place
 * the longer one wins. Whatever finds no partner is text.
 */
export class StylePairing {
  readonly #marks: Marks;
  readonly #doubts: Doubts;
  readonly #text: string;
  readonly #runs: DelimiterRuns;
  readonly #bound: PairBound;
  readonly #next: NextRuns;
  readonly #open: OpenStyles;
  #run = 0;
  /** The closing marks that were found last: where they start, and in which run. */
  #double = 0;
  #doubleRun = 0;
  #single = 0;
  #singleRun = 0;

  constructor(text: string, memory: MarkupMemory, bound: PairBound) {
    this.#text = text;
    this.#bound = bound;
    this.#runs = memory.runs;
    this.#next = memory.nextRuns;
    this.#next.read(memory.runs);
    this.#marks = memory.marks;
    this.#doubts = memory.doubts;
    this.#open = memory.openStyles;
  }

  /** Reads the runs that start before `until`; true when there are no more. */
  advance(until: number): boolean {
    const runs = this.#runs;
    while (this.#run < runs.count && runs.start(this.#run) < until) {
      const run = this.#run;
      const role = runs.role(run);
      if (role <= RUN.close && runs.length(run) <= RUN_MAX) this.#readRun(run, role === RUN.close);
      this.#run += 1;
    }
    return this.#run >= runs.count;
  }

  #readRun(run: number, onlyCloses: boolean): void {
    const unit = this.#runs.unit(run);
    let at = this.#runs.start(run);
    const end = at + this.#runs.length(run);
    const open = this.#open;
    while (at < end) {
      const isClosing = open.closeRun === run;
      if (isClosing && at >= open.close) {
        this.#add(open.close, -open.length, run);
        at = open.close + open.length;
        open.pop();
        continue;
      }
      const length = onlyCloses ? 0 : this.#findClose(run, unit, at, (isClosing ? open.close : end) - at);
      if (length === 0) {
        if (!onlyCloses) this.#doubtLone(run, at, (isClosing ? open.close : end) - at);
        at += 1;
        continue;
      }
      this.#add(at, length, run);
      if (length === 1) open.push(this.#single, this.#singleRun, 1);
      else open.push(this.#double, this.#doubleRun, 2);
      at += length;
    }
  }

  #add(start: number, length: number, run: number): void {
    this.#marks.push(start, length, this.#runs.isQuoted(run));
  }

  /**
   * Looks for what closes a mark at `at`.
   * @param rest how much of the run is left from there on
   * @returns the length of the mark, 0 when nothing closes it
   */
  #findClose(run: number, unit: number, at: number, rest: number): number {
    const hasDouble = rest >= 2 && this.#findDouble(run, unit, at);
    if (unit !== STAR && unit !== UNDERSCORE) return hasDouble ? 2 : 0;
    const hasSingle = rest % 2 === 1 && this.#findSingle(run, unit, at);
    if (hasDouble && hasSingle) return this.#single + 1 >= this.#double + 2 ? 1 : 2;
    return hasDouble ? 2 : hasSingle ? 1 : 0;
  }

  /** Whether a mark of two characters is closed: then #double and #doubleRun say where. */
  #findDouble(run: number, unit: number, at: number): boolean {
    const closeRun = this.#closingRun(run, this.#next.long(run), false);
    if (closeRun < 0) return false;
    // Of a longer run stars and underscores take the end, bars and tildes the start.
    const takesEnd = unit === STAR || unit === UNDERSCORE;
    const close = takesEnd ? this.#endOfRun(closeRun) - 2 : this.#runs.start(closeRun);
    if (!this.#bound.allows(at, close + 2)) return false;
    this.#doubtInside(this.#next.longInside(run), at, close, closeRun);
    if (unit === TILDE && this.#text.charCodeAt(close + 2) === UNDERSCORE) return false;
    this.#double = close;
    this.#doubleRun = closeRun;
    return true;
  }

  /** Notes a style as doubtful when a run within a token would close it in another reading. */
  #doubtInside(inside: number, at: number, close: number, closeRun: number): boolean {
    if (inside < 0 || inside >= closeRun) return false;
    this.#doubts.push(at, close + 2);
    return true;
  }

  /** A mark that nothing closes may be closed by what is in code, for clients that do not read code first. */
  #doubtLone(run: number, at: number, rest: number): void {
    const inside = rest >= 2 ? this.#next.longInside(run) : this.#next.oddInside(run);
    if (inside < 0 || this.#runs.role(inside) !== RUN.inCode) return;
    const end = this.#runs.end(inside);
    if (end - at <= LONE_DOUBT_MAX) this.#doubts.push(at, end);
  }

  /** The same for a mark of one. */
  #findSingle(run: number, unit: number, at: number): boolean {
    const text = this.#text;
    if (unit === STAR && isWhiteSpace(text.charCodeAt(at + 1))) return false;
    const closeRun = this.#closingRun(run, this.#next.odd(run), true);
    if (closeRun < 0) return false;
    const end = this.#endOfRun(closeRun);
    if (!this.#bound.allows(at, end)) return false;
    const start = this.#runs.start(closeRun);
    if (unit === STAR && end - start === 1 && isWhiteSpace(text.charCodeAt(start - 1))) return false;
    if (unit === UNDERSCORE && end === this.#runs.end(closeRun) && isWordUnit(text.charCodeAt(end)))
      return false;
    const inside = this.#next.oddInside(run);
    if (this.#doubtInside(inside, at, end - 1, closeRun) && this.#runs.role(inside) === RUN.inToken)
      return false;
    // A name such as `snake_case` opens italics in clients, which nobody means: believed within a line only.
    if (unit === UNDERSCORE && isWordUnit(text.charCodeAt(at - 1))) {
      this.#doubts.push(at, end);
      if (text.slice(at, end).includes('\n')) return false;
    }
    this.#single = end - 1;
    this.#singleRun = closeRun;
    return true;
  }

  /** The end of a run, or of what the style round it leaves of it. */
  #endOfRun(run: number): number {
    return this.#open.closeRun === run ? this.#open.close : this.#runs.end(run);
  }

  /**
   * The run that closes what `run` opens, or -1.
   * @param next the first run after it that would do if no style were open
   * @param isOdd whether the run must be of odd length, else of two and more
   */
  #closingRun(run: number, next: number, isOdd: boolean): number {
    const runs = this.#runs;
    const { close, closeRun } = this.#open;
    let found = next;
    if (closeRun >= 0 && (found < 0 || found >= closeRun)) {
      // The style round it ends before, but may leave enough of the run that closes it.
      const left = close - runs.start(closeRun);
      const fits = isOdd ? left % 2 === 1 : left >= 2;
      const isOurs = closeRun > run && runs.unit(closeRun) === runs.unit(run);
      found = isOurs && fits ? closeRun : -1;
    }
    return found >= 0 && runs.start(found) < runs.limit(run) ? found : -1;
  }
}
