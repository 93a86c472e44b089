/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { copyBitOrdinals, copyBitValues } from './bit-set.ts';
import type { OrdinalList } from './role-lists.ts';
import { SEGMENT_MEMBERS_MAX } from './sort-ordinals.ts';

const WORDS_MAX = SEGMENT_MEMBERS_MAX / 16;

/** The ordinals of a list that stay; a list that is no bit set is shorter than one. */
const kept = new Uint16Array(WORDS_MAX);

/**
 * Some ordinals of one segment as bits, in memory that is used again and again: lists are united, intersected and
 * subtracted here. Two kilobytes, however many members there are.
 */
export class OrdinalSet {
  readonly #words = new Uint16Array(WORDS_MAX);
  /** The same memory, two words at a time. */
  readonly #pairs = new Uint32Array(this.#words.buffer);
  #length = 0;

  /** Empties the set. @param words that a bit set of the segment takes */
  begin(words: number): void {
    this.#length = words;
    this.#words.fill(0, 0, (words + 1) & ~1);
  }

  unite({ pool, first, count, isBitSet }: OrdinalList): void {
    const words = this.#words;
    if (isBitSet) {
      for (let at = 0; at < this.#length; at += 1) words[at]! |= pool[first + at]!;
      return;
    }
    for (let at = first; at < first + count; at += 1) words[pool[at]! >>> 4]! |= 1 << (pool[at]! & 15);
  }

  intersect({ pool, first, count, isBitSet }: OrdinalList): void {
    const words = this.#words;
    if (isBitSet) {
      for (let at = 0; at < this.#length; at += 1) words[at]! &= pool[first + at]!;
      return;
    }
    let staying = 0;
    for (let at = first; at < first + count; at += 1) {
      const ordinal = pool[at]!;
      kept[staying] = ordinal;
      staying += (words[ordinal >>> 4]! >>> (ordinal & 15)) & 1;
    }
    words.fill(0, 0, this.#length);
    for (let at = 0; at < staying; at += 1) words[kept[at]! >>> 4]! |= 1 << (kept[at]! & 15);
  }

  intersectSet(other: OrdinalSet): void {
    const words = this.#words;
    const others = other.#words;
    for (let at = 0; at < this.#length; at += 1) words[at]! &= others[at]!;
  }

  subtract({ pool, first, count, isBitSet }: OrdinalList): void {
    const words = this.#words;
    if (isBitSet) {
      for (let at = 0; at < this.#length; at += 1) words[at]! &= ~pool[first + at]!;
      return;
    }
    for (let at = first; at < first + count; at += 1) words[pool[at]! >>> 4]! &= ~(1 << (pool[at]! & 15));
  }

  count(): number {
    const pairs = this.#pairs;
    const length = (this.#length + 1) >>> 1;
    let count = 0;
    for (let at = 0; at < length; at += 1) {
      // Bits are added up in pairs, in fours, and in bytes.
      let bits = pairs[at]!;
      bits -= (bits >>> 1) & 0x5555_5555;
      bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
      count += Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
    }
    return count;
  }

  /** Writes the ordinals, ascending. @param count what `count` said */
  copyTo(out: Uint16Array, count: number): void {
    copyBitOrdinals({ pool: this.#words, first: 0, words: this.#length, count }, out, 0);
  }

  /** Writes what `values` has for each ordinal, ascending, from the place `start` on. */
  copyValues(values: BigUint64Array, out: BigUint64Array, start: number, count: number): void {
    copyBitValues({ pool: this.#words, first: 0, words: this.#length, count }, values, out, start);
  }
}
