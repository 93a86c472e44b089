/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import type { OrdinalList } from './role-lists.ts';
import { SEGMENT_MEMBERS_MAX } from './sort-ordinals.ts';

/** In a list this many times as long as the pick, each ordinal is searched for; a shorter one is read as a whole. */
const SEARCHED_FROM = 48;

/** A bit for each ordinal of a segment; all zero between two calls. */
const bits = new Uint16Array(SEGMENT_MEMBERS_MAX / 16);

/**
 * A few ordinals of one segment, ascending, in memory that is used again and again. It starts as the list of a rare
 * role, which is shorter than a bit set; of the other lists only the places of these ordinals are looked at.
 */
export class OrdinalPick {
  readonly #ordinals = new Uint16Array(SEGMENT_MEMBERS_MAX / 16);
  /** For each ordinal 1 when it is in a marked list. */
  readonly #marks = new Uint8Array(this.#ordinals.length);
  #count = 0;

  /** @param list that is not a bit set */
  begin({ pool, first, count }: OrdinalList): void {
    const ordinals = this.#ordinals;
    for (let at = 0; at < count; at += 1) ordinals[at] = pool[first + at]!;
    this.#marks.fill(0, 0, count);
    this.#count = count;
  }

  /** Marks those that are in at least one of the lists. */
  mark(lists: readonly OrdinalList[]): void {
    let hasBits = false;
    for (const { pool, first, count, isBitSet } of lists) {
      if (isBitSet) {
        this.#markBits(pool, first);
      } else if (count > this.#count * SEARCHED_FROM) {
        this.#markFound(pool, first, first + count);
      } else {
        // To walk along two lists makes the processor guess at every step, and half of its guesses are wrong.
        for (let at = first; at < first + count; at += 1) bits[pool[at]! >>> 4]! |= 1 << (pool[at]! & 15);
        hasBits = true;
      }
    }
    if (!hasBits) return;
    this.#markBits(bits, 0);
    bits.fill(0);
  }

  #markBits(pool: Uint16Array, first: number): void {
    const ordinals = this.#ordinals;
    const marks = this.#marks;
    for (let at = 0; at < this.#count; at += 1) {
      const ordinal = ordinals[at]!;
      marks[at]! |= (pool[first + (ordinal >>> 4)]! >>> (ordinal & 15)) & 1;
    }
  }

  #markFound(pool: Uint16Array, first: number, end: number): void {
    let place = first;
    for (let at = 0; at < this.#count; at += 1) {
      const ordinal = this.#ordinals[at]!;
      place = lowerBound(pool, place, end, ordinal);
      if (place === end) return;
      if (pool[place] === ordinal) this.#marks[at] = 1;
    }
  }

  /** Keeps those that are marked, or those that are not, and takes the marks away. */
  keep(marked: 0 | 1): void {
    const ordinals = this.#ordinals;
    const marks = this.#marks;
    const picked = this.#count;
    let kept = 0;
    for (let at = 0; at < picked; at += 1) {
      ordinals[kept] = ordinals[at]!;
      kept += marks[at]! ^ marked ^ 1;
      marks[at] = 0;
    }
    this.#count = kept;
  }

  count(): number {
    return this.#count;
  }

  /** Writes the ordinals, ascending. */
  copyTo(out: Uint16Array): void {
    const ordinals = this.#ordinals;
    for (let at = 0; at < this.#count; at += 1) out[at] = ordinals[at]!;
  }

  /** Writes what `values` has for each ordinal, ascending, from the place `start` on. */
  copyValues(values: BigUint64Array, out: BigUint64Array, start: number): void {
    const ordinals = this.#ordinals;
    for (let at = 0; at < this.#count; at += 1) out[start + at] = values[ordinals[at]!]!;
  }

  /** The ordinal at a place, counted from 0; there must be one. */
  nth(place: number): number {
    return this.#ordinals[place]!;
  }
}

/** The first place from `low` up to `high` whose entry is not below `value`. */
function lowerBound(sorted: Uint16Array, low: number, high: number, value: number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
