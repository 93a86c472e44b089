import { endianness } from 'node:os';

const TWO_32 = 2 ** 32;

// Ids are written as a low and a high half and read as 64 bits, bit sets are written in 16 bits and read in 32. On other
// processors (s390x) both would silently give wrong members.
if (endianness() !== 'LE') throw new Error('Quartermaster runs on little-endian processors only.');

/** True for what can be an id: 1 to 20 digits, no sign, no leading zero, at most 2^64 - 1. */
export function isId(text: string): boolean {
  return new SnowflakeHalves().set(text);
}

/**
 * An unsigned 64-bit id as two 32-bit halves. Objects of this class are reused, so that reading an id allocates
 * nothing: a BigInt costs about 150 ns and a heap object, this about 20 ns.
 */
export class SnowflakeHalves {
  hi = 0;
  lo = 0;

  /** Reads a decimal id. Returns false, and leaves the halves as they were, when `text` is not an id. */
  set(text: string): boolean {
    const { length } = text;
    if (length === 0 || length > 20 || text.charCodeAt(0) === 48) return false;
    // Three groups of 2, 9 and 9 digits: each stays an integer of 32 bits, which is twice as fast as a double.
    const lowFrom = length > 9 ? length - 9 : 0;
    const middleFrom = length > 18 ? length - 18 : 0;
    let strange = 0;
    let top = 0;
    let at = 0;
    for (; at < middleFrom; at += 1) {
      const digit = text.charCodeAt(at) - 48;
      strange |= digit | (9 - digit);
      top = (top * 10 + digit) | 0;
    }
    let middle = 0;
    for (; at < lowFrom; at += 1) {
      const digit = text.charCodeAt(at) - 48;
      strange |= digit | (9 - digit);
      middle = (middle * 10 + digit) | 0;
    }
    let low = 0;
    for (; at < length; at += 1) {
      const digit = text.charCodeAt(at) - 48;
      strange |= digit | (9 - digit);
      low = (low * 10 + digit) | 0;
    }
    // A character that is no digit has made one of the two negative.
    if (strange < 0) return false;

    // (top * 10^9 + middle) * 10^9 + low, in parts that a double holds exactly.
    const upper = top * 1e9 + middle;
    const upper1 = Math.floor(upper / 65_536);
    const product1 = upper1 * 1e9;
    const carry1 = Math.floor(product1 / 65_536);
    const rest = (upper - upper1 * 65_536) * 1e9 + low + (product1 - carry1 * 65_536) * 65_536;
    const carry = Math.floor(rest / TWO_32);
    if (carry1 + carry >= TWO_32) return false;
    this.hi = carry1 + carry;
    this.lo = rest - carry * TWO_32;
    return true;
  }
}

/** Negative, zero or positive, as for Array#sort. */
export function compareIds(hiA: number, loA: number, hiB: number, loB: number): number {
  return hiA === hiB ? loA - loB : hiA - hiB;
}

/** Compares decimal ids, as for Array#sort. */
export function compareDigits(a: string, b: string): number {
  return a.length === b.length ? (a < b ? -1 : a === b ? 0 : 1) : a.length - b.length;
}

/** The decimal id. For text of many ids see `writeIds`. */
export function formatId(hi: number, lo: number): string {
  return ((BigInt(hi) << 32n) | BigInt(lo)).toString();
}
