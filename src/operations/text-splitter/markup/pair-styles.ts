import { isWhiteSpace, isWordUnit, STAR, TILDE, UNDERSCORE } from '../chars/char-class.ts';
import { type DelimiterRuns, type Doubts, type Marks, RUN } from './markup.ts';
import type { MarkupMemory } from './markup-memory.ts';
import { type NextRuns, RUN_MAX } from './next-runs.ts';
import type { PairBound } from './pair-bound.ts';

/** So far a mark without a partner is kept together with what might close it. */
const LONE_DOUBT_MAX = 200;

/** A style that is open: `close` is where its closing mark starts. */
interface Open {
  readonly close: number;
  readonly closeRun: number;
  readonly length: number;
  readonly outer: Open | null;
}

/**
 * Finds the marks that pair in Discord's reading: a mark pairs with the first closing mark behind it that is in
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
  /** The innermost style that is open. */
  #top: Open | null = null;
  #run = 0;

  constructor(text: string, memory: MarkupMemory, bound: PairBound) {
    this.#text = text;
    this.#bound = bound;
    this.#runs = memory.runs;
    this.#next = memory.nextRuns;
    this.#next.read(memory.runs);
    this.#marks = memory.marks;
    this.#doubts = memory.doubts;
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
    while (at < end) {
      const top = this.#top;
      if (top !== null && top.closeRun === run && at >= top.close) {
        this.#add(top.close, -top.length, run);
        at = top.close + top.length;
        this.#top = top.outer;
        continue;
      }
      const limit = top !== null && top.closeRun === run ? top.close : end;
      const found = onlyCloses ? null : this.#findClose(run, unit, at, limit - at);
      if (found === null) {
        if (!onlyCloses) this.#doubtLone(run, at, limit - at);
        at += 1;
        continue;
      }
      this.#add(at, found.length, run);
      this.#top = found;
      at += found.length;
    }
  }

  #add(start: number, length: number, run: number): void {
    this.#marks.push(start, length, this.#runs.isQuoted(run));
  }

  /** @param rest how much of the run is left from `at` on */
  #findClose(run: number, unit: number, at: number, rest: number): Open | null {
    const double = rest >= 2 ? this.#findDouble(run, unit, at) : null;
    if (unit !== STAR && unit !== UNDERSCORE) return double;
    const single = rest % 2 === 1 ? this.#findSingle(run, unit, at) : null;
    if (double === null || single === null) return double ?? single;
    return single.close + 1 >= double.close + 2 ? single : double;
  }

  #findDouble(run: number, unit: number, at: number): Open | null {
    const closeRun = this.#closingRun(run, this.#next.long(run), false);
    if (closeRun < 0) return null;
    // Of a longer run stars and underscores take the end, bars and tildes the start.
    const takesEnd = unit === STAR || unit === UNDERSCORE;
    const close = takesEnd ? this.#endOfRun(closeRun) - 2 : this.#runs.start(closeRun);
    if (!this.#bound.allows(at, close + 2)) return null;
    this.#doubtInside(this.#next.longInside(run), at, close, closeRun);
    if (unit === TILDE && this.#text.charCodeAt(close + 2) === UNDERSCORE) return null;
    return { close, closeRun, length: 2, outer: this.#top };
  }

  /** Notes a style as doubtful when a run within a token would close it in another reading. */
  #doubtInside(inside: number, at: number, close: number, closeRun: number): boolean {
    if (inside < 0 || inside >= closeRun) return false;
    this.#doubts.push(at, close + 2);
    return true;
  }

  /** A mark that nothing closes may be closed by what stands in code, for clients that do not read code first. */
  #doubtLone(run: number, at: number, rest: number): void {
    const inside = rest >= 2 ? this.#next.longInside(run) : this.#next.oddInside(run);
    if (inside < 0 || this.#runs.role(inside) !== RUN.inCode) return;
    const end = this.#runs.end(inside);
    if (end - at <= LONE_DOUBT_MAX) this.#doubts.push(at, end);
  }

  #findSingle(run: number, unit: number, at: number): Open | null {
    const text = this.#text;
    if (unit === STAR && isWhiteSpace(text.charCodeAt(at + 1))) return null;
    const closeRun = this.#closingRun(run, this.#next.odd(run), true);
    if (closeRun < 0) return null;
    const end = this.#endOfRun(closeRun);
    if (!this.#bound.allows(at, end)) return null;
    const start = this.#runs.start(closeRun);
    if (unit === STAR && end - start === 1 && isWhiteSpace(text.charCodeAt(start - 1))) return null;
    if (unit === UNDERSCORE && end === this.#runs.end(closeRun) && isWordUnit(text.charCodeAt(end)))
      return null;
    const inside = this.#next.oddInside(run);
    if (this.#doubtInside(inside, at, end - 1, closeRun) && this.#runs.role(inside) === RUN.inToken)
      return null;
    // A name such as `snake_case` opens italics in clients, which nobody means: believed within a line only.
    if (unit === UNDERSCORE && isWordUnit(text.charCodeAt(at - 1))) {
      this.#doubts.push(at, end);
      if (text.slice(at, end).includes('\n')) return null;
    }
    return { close: end - 1, closeRun, length: 1, outer: this.#top };
  }

  /** The end of a run, or of what the style round it leaves of it. */
  #endOfRun(run: number): number {
    const top = this.#top;
    return top !== null && top.closeRun === run ? top.close : this.#runs.end(run);
  }

  /**
   * The run that closes what `run` opens, or -1.
   * @param next the first run behind it that would do if no style were open
   * @param isOdd whether the run must be of odd length, else of two and more
   */
  #closingRun(run: number, next: number, isOdd: boolean): number {
    const runs = this.#runs;
    const top = this.#top;
    let found = next;
    if (top !== null && (found < 0 || found >= top.closeRun)) {
      // The style round it ends before, but may leave enough of the run that closes it.
      const left = top.close - runs.start(top.closeRun);
      const fits = isOdd ? left % 2 === 1 : left >= 2;
      const isOurs = top.closeRun > run && runs.unit(top.closeRun) === runs.unit(run);
      found = isOurs && fits ? top.closeRun : -1;
    }
    return found >= 0 && runs.start(found) < runs.limit(run) ? found : -1;
  }
}
