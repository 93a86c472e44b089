/** The most units that a line of the operation may have. */
const BUFFER_UNITS = 4096;

/** Room for the units of one line at a time. Making it again for each line costs more than filling it. */
export function createUnitBuffer(): Uint16Array {
  return new Uint16Array(BUFFER_UNITS);
}

/**
 * A string that is read unit by unit, with the parts of its interface that the readers need.
 *
 * V8 knows a dozen kinds of strings (one-byte, two-byte, sliced, joined ...), and where a place in the code has met
 * more than four of them it looks up each method and `length` again at every use, several times slower. Hence the
 * units are copied into an array once, and methods are called by way of the prototype, which needs no look-up.
 */
export class LineText {
  readonly string: string;
  readonly units: Uint16Array;
  readonly length: number;
  readonly isAscii: boolean;

  /** @param buffer lent until the next line is read into it; a line that does not fit gets its own */
  constructor(string: string, buffer: Uint16Array | null) {
    const { length } = string;
    const units = buffer !== null && length <= buffer.length ? buffer : new Uint16Array(length);
    let bits = 0;
    for (let at = 0; at < length; at += 1) {
      const unit = String.prototype.charCodeAt.call(string, at);
      units[at] = unit;
      bits |= unit;
    }
    this.string = string;
    this.units = units;
    this.length = length;
    this.isAscii = bits < 0x80;
  }

  /** The unit at `at`, -1 before the beginning and beyond the end. */
  unitAt(at: number): number {
    return at < this.length && at >= 0 ? (this.units[at] ?? -1) : -1;
  }

  slice(start: number, end: number): string {
    return String.prototype.slice.call(this.string, start, end);
  }

  /** The same in lower case, which most words are in already. */
  sliceLowerCase(start: number, end: number): string {
    const slice = this.slice(start, end);
    for (let at = start; at < end; at += 1) {
      const unit = this.unitAt(at);
      if (unit >= 0x80 || (unit >= 65 && unit <= 90)) return slice.toLowerCase();
    }
    return slice;
  }

  indexOf(search: string, from: number): number {
    return String.prototype.indexOf.call(this.string, search, from);
  }

  /** The first place at or after `from` where these two units follow one another, or -1. */
  indexOfPair(first: number, second: number, from: number): number {
    const { units } = this;
    const last = this.length - 1;
    for (let at = from; at < last; at += 1) {
      if (units[at] === first && units[at + 1] === second) return at;
    }
    return -1;
  }
}
