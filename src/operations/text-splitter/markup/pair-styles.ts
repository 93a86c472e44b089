import { isWhiteSpace, isWordUnit, STAR, TILDE, UNDERSCORE } from '../chars/char-class.ts';
import { type DelimiterRuns, Doubts, Marks, RUN } from './markup.ts';
import type { PairBound } from './pair-bound.ts';

/** Longer runs are rules and decoration; Discord styles nothing with them. */
const RUN_MAX = 4;

/** So far a mark without a partner is kept together with what might close it. */
const LONE_DOUBT_MAX = 200;

/** A style that is open: `close` is where its closing mark starts. */
interface Open {
  readonly close: number;
  readonly closeRun: number;
  readonly length: number;
}

/**
 * Finds the marks that pair in Discord's reading: a mark pairs with the first closing mark behind it that is in
 * the same quote, within the style round it and not too far away; of italics and bold or underline that could open at one place
 * the longer one wins. Whatever finds no partner is text.
 */
export class StylePairing {
  readonly marks = new Marks();
  readonly doubts = new Doubts();
  readonly #text: string;
  readonly #runs: DelimiterRuns;
  readonly #bound: PairBound;
  /** For each run the next run of the same character of two and more, and of odd length. */
  readonly #nextLong: Int32Array;
  readonly #nextOdd: Int32Array;
  /** The same of those within tokens. */
  readonly #nextLongInside: Int32Array;
  readonly #nextOddInside: Int32Array;
  readonly #open: Open[] = [];
  #run = 0;

  constructor(text: string, runs: DelimiterRuns, bound: PairBound) {
    this.#text = text;
    this.#bound = bound;
    this.#runs = runs;
    const { count } = runs;
    this.#nextLong = new Int32Array(count);
    this.#nextOdd = new Int32Array(count);
    this.#nextLongInside = new Int32Array(count);
    this.#nextOddInside = new Int32Array(count);
    // Of each character, those in the text at its code, those within tokens 128 behind.
    const long = new Int32Array(256).fill(-1);
    const odd = new Int32Array(256).fill(-1);
    for (let run = count - 1; run >= 0; run -= 1) {
      const unit = runs.unit.at(run);
      const length = runs.length.at(run);
      this.#nextLong[run] = long[unit] ?? -1;
      this.#nextOdd[run] = odd[unit] ?? -1;
      this.#nextLongInside[run] = long[unit + 128] ?? -1;
      this.#nextOddInside[run] = odd[unit + 128] ?? -1;
      if (length > RUN_MAX) continue;
      const place = runs.role.at(run) >= RUN.inToken ? unit + 128 : unit;
      if (length >= 2) long[place] = run;
      if (length % 2 === 1) odd[place] = run;
    }
  }

  /** Reads the runs that start before `until`; true when there are no more. */
  advance(until: number): boolean {
    const { unit, start, length, role } = this.#runs;
    while (this.#run < this.#runs.count && start.at(this.#run) < until) {
      const run = this.#run;
      const isMark = length.at(run) <= RUN_MAX && role.at(run) <= RUN.close;
      if (isMark) this.#readRun(run, unit.at(run), start.at(run), role.at(run) === RUN.close);
      this.#run += 1;
    }
    return this.#run >= this.#runs.count;
  }

  #readRun(run: number, unit: number, start: number, onlyCloses: boolean): void {
    const end = start + this.#runs.length.at(run);
    let at = start;
    while (at < end) {
      const top = this.#open[this.#open.length - 1];
      if (top !== undefined && top.closeRun === run && at >= top.close) {
        this.#add(top.close, -top.length, run);
        at = top.close + top.length;
        this.#open.pop();
        continue;
      }
      const limit = top !== undefined && top.closeRun === run ? top.close : end;
      const found = onlyCloses ? null : this.#findClose(run, unit, at, limit - at);
      if (found === null) {
        if (!onlyCloses) this.#doubtLone(run, at, limit - at);
        at += 1;
        continue;
      }
      this.#add(at, found.length, run);
      this.#open.push(found);
      at += found.length;
    }
  }

  #add(start: number, length: number, run: number): void {
    this.marks.push(start, length, this.#runs.isQuoted.at(run));
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
    const closeRun = this.#closingRun(run, this.#nextLong[run] ?? -1, false);
    if (closeRun < 0) return null;
    // Of a longer run stars and underscores take the end, bars and tildes the start.
    const takesEnd = unit === STAR || unit === UNDERSCORE;
    const close = takesEnd ? this.#endOfRun(closeRun) - 2 : this.#runs.start.at(closeRun);
    if (!this.#bound.allows(at, close + 2)) return null;
    this.#doubtInside(this.#nextLongInside[run] ?? -1, at, close, closeRun);
    if (unit === TILDE && this.#text.charCodeAt(close + 2) === UNDERSCORE) return null;
    return { close, closeRun, length: 2 };
  }

  /** Notes a style as doubtful when a run within a token would close it in another reading. */
  #doubtInside(inside: number, at: number, close: number, closeRun: number): boolean {
    if (inside < 0 || inside >= closeRun) return false;
    this.doubts.push(at, close + 2);
    return true;
  }

  /** A mark that nothing closes may be closed by what stands in code, for clients that do not read code first. */
  #doubtLone(run: number, at: number, rest: number): void {
    const inside = (rest >= 2 ? this.#nextLongInside[run] : this.#nextOddInside[run]) ?? -1;
    if (inside < 0 || this.#runs.role.at(inside) !== RUN.inCode) return;
    const end = this.#runs.start.at(inside) + this.#runs.length.at(inside);
    if (end - at <= LONE_DOUBT_MAX) this.doubts.push(at, end);
  }

  #findSingle(run: number, unit: number, at: number): Open | null {
    const text = this.#text;
    if (unit === STAR && isWhiteSpace(text.charCodeAt(at + 1))) return null;
    const closeRun = this.#closingRun(run, this.#nextOdd[run] ?? -1, true);
    if (closeRun < 0) return null;
    const end = this.#endOfRun(closeRun);
    if (!this.#bound.allows(at, end)) return null;
    const start = this.#runs.start.at(closeRun);
    if (unit === STAR && end - start === 1 && isWhiteSpace(text.charCodeAt(start - 1))) return null;
    const runEnd = start + this.#runs.length.at(closeRun);
    if (unit === UNDERSCORE && end === runEnd && isWordUnit(text.charCodeAt(end))) return null;
    const inside = this.#nextOddInside[run] ?? -1;
    if (this.#doubtInside(inside, at, end - 1, closeRun) && this.#runs.role.at(inside) === RUN.inToken)
      return null;
    // A name such as `snake_case` opens italics in clients, which nobody means: believed within a line only.
    if (unit === UNDERSCORE && isWordUnit(text.charCodeAt(at - 1))) {
      this.doubts.push(at, end);
      if (text.slice(at, end).includes('\n')) return null;
    }
    return { close: end - 1, closeRun, length: 1 };
  }

  /** The end of a run, or of what the style round it leaves of it. */
  #endOfRun(run: number): number {
    const top = this.#open[this.#open.length - 1];
    if (top !== undefined && top.closeRun === run) return top.close;
    return this.#runs.start.at(run) + this.#runs.length.at(run);
  }

  /**
   * The run that closes what `run` opens, or -1.
   * @param next the first run behind it that would do if no style were open
   * @param isOdd whether the run must be of odd length, else of two and more
   */
  #closingRun(run: number, next: number, isOdd: boolean): number {
    const { limit, start, unit } = this.#runs;
    const top = this.#open[this.#open.length - 1];
    let found = next;
    if (top !== undefined && (found < 0 || found >= top.closeRun)) {
      // The style round it ends before, but may leave enough of the run that closes it.
      const left = top.close - start.at(top.closeRun);
      const fits = isOdd ? left % 2 === 1 : left >= 2;
      const isOurs = top.closeRun > run && unit.at(top.closeRun) === unit.at(run);
      found = isOurs && fits ? top.closeRun : -1;
    }
    return found >= 0 && start.at(found) < limit.at(run) ? found : -1;
  }
}
