/**
 * A string that is read unit by unit, with the parts of its interface that the readers need.
 *
 * V8 knows a dozen kinds of strings (one-byte, two-byte, sliced, joined ...), and where a place in the code has met
 * more than four of them it looks up each method and `length` anew at every use, several times slower. Hence the
 * units are copied into an array once, and methods are called by way of the prototype, which needs no look-up.
 */
export class LineText {
  readonly string: string;
  readonly units: readonly number[];
  readonly length: number;
  /** The largest unit, 0 when there is none. */
  readonly unitMax: number;

  constructor(string: string) {
    const { length } = string;
    const units = Array<number>(length);
    let unitMax = 0;
    for (let at = 0; at < length; at += 1) {
      const unit = String.prototype.charCodeAt.call(string, at);
      units[at] = unit;
      if (unit > unitMax) unitMax = unit;
    }
    this.string = string;
    this.units = units;
    this.length = length;
    this.unitMax = unitMax;
  }

  /** The unit at `at`, -1 beyond the end. */
  unitAt(at: number): number {
    return this.units[at] ?? -1;
  }

  slice(start: number, end: number): string {
    return String.prototype.slice.call(this.string, start, end);
  }

  indexOf(search: string, from: number): number {
    return String.prototype.indexOf.call(this.string, search, from);
  }
}
