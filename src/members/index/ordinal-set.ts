/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { copyBitOrdinals, copyBitValues, countBits, nthBit } from './bit-set.ts';
import type { OrdinalList } from './role-lists.ts';
import { SEGMENT_MEMBERS_MAX } from './sort-ordinals.ts';

const WORDS_MAX = SEGMENT_MEMBERS_MAX / 16;

/** The ordinals of a list that stay; a list that is not a bit set is shorter than one. */
const kept = new Uint16Array(WORDS_MAX);

/**
 * Many ordinals of one segment, a bit each, in memory that is used again and again: lists are united, intersected
 * and subtracted here. It takes two kilobytes, however many members there are.
 *
 * Bit sets are read from `pairs`, see `RoleLists.pairs`.
 */
export class OrdinalSet {
  readonly #words = new Uint16Array(WORDS_MAX);
  /** The same memory, two words at a time. */
  readonly #pairs = new Int32Array(this.#words.buffer);
  #length = 0;

  /** Empties the set. @param words that a bit set of the segment takes */
  begin(words: number): void {
    this.#length = words >>> 1;
    this.#pairs.fill(0, 0, this.#length);
  }

  unite({ pool, first, count, isBitSet }: OrdinalList, pairs: Int32Array): void {
    if (isBitSet) {
      const own = this.#pairs;
      const length = this.#length;
      const from = first >>> 1;
      for (let at = 0; at < length; at += 1) own[at]! |= pairs[from + at]!;
      return;
    }
    const words = this.#words;
    for (let at = first; at < first + count; at += 1) words[pool[at]! >>> 4]! |= 1 << (pool[at]! & 15);
  }

  intersect({ pool, first, count, isBitSet }: OrdinalList, pairs: Int32Array): void {
    if (isBitSet) {
      const own = this.#pairs;
      const length = this.#length;
      const from = first >>> 1;
      for (let at = 0; at < length; at += 1) own[at]! &= pairs[from + at]!;
      return;
    }
    const words = this.#words;
    let staying = 0;
    for (let at = first; at < first + count; at += 1) {
      const ordinal = pool[at]!;
      kept[staying] = ordinal;
      staying += (words[ordinal >>> 4]! >>> (ordinal & 15)) & 1;
    }
    this.#pairs.fill(0, 0, this.#length);
    for (let at = 0; at < staying; at += 1) words[kept[at]! >>> 4]! |= 1 << (kept[at]! & 15);
  }

  intersectSet(other: OrdinalSet): void {
    const own = this.#pairs;
    const others = other.#pairs;
    const length = this.#length;
    for (let at = 0; at < length; at += 1) own[at]! &= others[at]!;
  }

  subtract({ pool, first, count, isBitSet }: OrdinalList, pairs: Int32Array): void {
    if (isBitSet) {
      const own = this.#pairs;
      const length = this.#length;
      const from = first >>> 1;
      for (let at = 0; at < length; at += 1) own[at]! &= ~pairs[from + at]!;
      return;
    }
    const words = this.#words;
    for (let at = first; at < first + count; at += 1) words[pool[at]! >>> 4]! &= ~(1 << (pool[at]! & 15));
  }

  count(): number {
    const pairs = this.#pairs;
    const length = this.#length;
    let count = 0;
    for (let at = 0; at < length; at += 1) count += countBits(pairs[at]!);
    return count;
  }

  /** Writes the ordinals, ascending. @param count what `count` said */
  copyTo(out: Uint16Array, count: number): void {
    copyBitOrdinals({ pool: this.#words, first: 0, words: this.#length * 2, count }, out, 0);
  }

  /** Writes what `values` has for each ordinal, ascending, from the place `start` on. */
  copyValues(values: BigUint64Array, out: BigUint64Array, start: number, count: number): void {
    copyBitValues({ pool: this.#words, first: 0, words: this.#length * 2, count }, values, out, start);
  }

  /** The ordinal at a place, counted from 0; there must be one. */
  nth(place: number): number {
    return nthBit({ pool: this.#words, first: 0 }, place);
  }
}
