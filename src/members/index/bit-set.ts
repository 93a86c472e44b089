/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */

/** Bits in 16-bit words of a pool: the bit of each ordinal that is in the set is 1. */
export interface BitSet {
  readonly pool: Uint16Array;
  /** Place of the first word. */
  readonly first: number;
  readonly words: number;
  /** Bits that are 1. */
  readonly count: number;
}

/** Sets with more bits per word than this are read bit by bit: then the processor has no jump to guess. */
const DENSE_BITS = 6;

/** Writes the ordinals of a set, ascending, from the place `start` on. */
export function copyBitOrdinals(
  { pool, first, words, count }: BitSet,
  out: Uint16Array,
  start: number,
): void {
  const end = start + count;
  let at = start;
  let word = 0;
  if (count > words * DENSE_BITS) {
    // Each ordinal is written, and the next one over it unless it counts; two at a time are a third faster.
    for (; at + 16 <= end; word += 1) {
      const bits = pool[first + word]!;
      const base = word << 4;
      for (let bit = 0; bit < 16; bit += 2) {
        out[at] = base | bit;
        at += (bits >>> bit) & 1;
        out[at] = base | (bit + 1);
        at += (bits >>> (bit + 1)) & 1;
      }
    }
  }
  for (; at < end; word += 1) {
    for (let bits = pool[first + word]!; bits !== 0; bits &= bits - 1) {
      out[at] = (word << 4) | (31 - Math.clz32(bits & -bits));
      at += 1;
    }
  }
}

/** Writes what `values` has for each ordinal of a set, ascending, from the place `start` on. */
export function copyBitValues(
  { pool, first, words, count }: BitSet,
  values: BigUint64Array,
  out: BigUint64Array,
  start: number,
): void {
  const end = start + count;
  let at = start;
  let word = 0;
  if (count > words * DENSE_BITS) {
    // As above. With 16 values still to come, none of the 16 places of this word is past the end of `values`.
    for (; at + 16 <= end; word += 1) {
      const bits = pool[first + word]!;
      const base = word << 4;
      for (let bit = 0; bit < 16; bit += 2) {
        out[at] = values[base + bit]!;
        at += (bits >>> bit) & 1;
        out[at] = values[base + bit + 1]!;
        at += (bits >>> (bit + 1)) & 1;
      }
    }
  }
  for (; at < end; word += 1) {
    for (let bits = pool[first + word]!; bits !== 0; bits &= bits - 1) {
      out[at] = values[(word << 4) | (31 - Math.clz32(bits & -bits))]!;
      at += 1;
    }
  }
}

/** The ordinal at a place of a set, counted from 0. */
export function nthBit({ pool, first }: Pick<BitSet, 'pool' | 'first'>, place: number): number {
  let left = place;
  for (let word = 0; ; word += 1) {
    let bits = pool[first + word]!;
    const count = countBits(bits);
    if (left >= count) {
      left -= count;
      continue;
    }
    for (; left > 0; left -= 1) bits &= bits - 1;
    return (word << 4) | (31 - Math.clz32(bits & -bits));
  }
}

/** How many of 32 bits are 1: they are added up in pairs, in fours, and in bytes. */
export function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
