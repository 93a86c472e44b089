/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { copyBitOrdinals, copyBitValues } from './bit-set.ts';

const BIT_SET = 0x8000_0000;
const COUNT = 0xffff;
const CAPACITY_SHIFT = 16;

export interface RoleListsOptions {
  /** Ordinals lie below it; at most 16,384. */
  readonly ordinalsMax: number;
  readonly slots: number;
  /** Entries of 16 bits to begin with. */
  readonly poolLength: number;
  /** Many more ordinals are about to come: room for them saves moving lists. */
  readonly growing: boolean;
}

/**
 * For each role slot a sorted list of 16-bit ordinals, or a bit set where that is smaller, all in one pool.
 *
 * A list that has outgrown its place moves to the end of the pool; what it leaves is reclaimed when the pool is
 * packed again. Memory is 2 bytes a membership in rare roles, and 1/8 byte a member in roles that more than one
 * member in 16 holds.
 */
export class RoleLists {
  readonly #ordinalsMax: number;
  /** A list or pool that has outgrown its place gets the 2^n-th part of its length on top. */
  readonly #spareShift: number;
  #pool: Uint16Array;
  #used = 0;
  /**
   * Two numbers a slot, side by side as they are read together: the place in the pool, whose highest bit marks a bit
   * set; then in the low half the count, in the high half how many entries of the pool the list may fill.
   */
  #directory: Uint32Array;

  constructor({ ordinalsMax, slots, poolLength, growing }: RoleListsOptions) {
    this.#spareShift = spareShiftOf(growing);
    this.#ordinalsMax = ordinalsMax;
    this.#pool = new Uint16Array(poolLength);
    this.#directory = new Uint32Array(slots * 2);
  }

  get slots(): number {
    return this.#directory.length >>> 1;
  }

  get byteLength(): number {
    return this.#pool.byteLength + this.#directory.byteLength;
  }

  count(slot: number): number {
    const place = slot * 2;
    return place < this.#directory.length ? this.#directory[place + 1]! & COUNT : 0;
  }

  has(slot: number, ordinal: number): boolean {
    const place = slot * 2;
    if (place >= this.#directory.length) return false;
    const offset = this.#directory[place]!;
    if (offset >= BIT_SET) {
      return ((this.#pool[offset - BIT_SET + (ordinal >>> 4)]! >>> (ordinal & 15)) & 1) === 1;
    }
    const count = this.#directory[place + 1]! & COUNT;
    const at = this.#lowerBound(offset, count, ordinal);
    return at < offset + count && this.#pool[at] === ordinal;
  }

  /** Returns false when the ordinal was in the list already. */
  add(slot: number, ordinal: number): boolean {
    const place = slot * 2;
    if (place >= this.#directory.length) this.#growDirectory(slot + 1);
    const directory = this.#directory;
    const offset = directory[place]!;
    const size = directory[place + 1]!;
    const count = size & COUNT;
    if (offset >= BIT_SET) {
      const word = offset - BIT_SET + (ordinal >>> 4);
      const bit = 1 << (ordinal & 15);
      if ((this.#pool[word]! & bit) !== 0) return false;
      this.#pool[word]! |= bit;
      directory[place + 1] = size + 1;
      return true;
    }
    const at = this.#lowerBound(offset, count, ordinal);
    if (at < offset + count && this.#pool[at] === ordinal) return false;
    if (count === size >>> CAPACITY_SHIFT) {
      this.#enlarge(slot);
      return this.add(slot, ordinal);
    }
    const pool = this.#pool;
    for (let to = offset + count; to > at; to -= 1) pool[to] = pool[to - 1]!;
    pool[at] = ordinal;
    directory[place + 1] = size + 1;
    return true;
  }

  /** Returns false when the ordinal was not in the list. */
  delete(slot: number, ordinal: number): boolean {
    const place = slot * 2;
    const directory = this.#directory;
    if (place >= directory.length) return false;
    const offset = directory[place]!;
    const size = directory[place + 1]!;
    const count = size & COUNT;
    if (offset >= BIT_SET) {
      const word = offset - BIT_SET + (ordinal >>> 4);
      const bit = 1 << (ordinal & 15);
      if ((this.#pool[word]! & bit) === 0) return false;
      this.#pool[word]! &= ~bit;
      directory[place + 1] = size - 1;
      return true;
    }
    const at = this.#lowerBound(offset, count, ordinal);
    if (at === offset + count || this.#pool[at] !== ordinal) return false;
    const pool = this.#pool;
    for (let to = at; to < offset + count - 1; to += 1) pool[to] = pool[to + 1]!;
    directory[place + 1] = size - 1;
    return true;
  }

  /** Empties a list; its place is reclaimed with the next packing. */
  clear(slot: number): void {
    this.#directory.fill(0, slot * 2, slot * 2 + 2);
  }

  /** Writes the ordinals of a list in ascending order and returns how many there are. */
  copyTo(slot: number, out: Uint16Array): number {
    const count = this.count(slot);
    if (count === 0) return 0;
    const offset = this.#directory[slot * 2]!;
    if (offset < BIT_SET) {
      const pool = this.#pool;
      for (let at = 0; at < count; at += 1) out[at] = pool[offset + at]!;
      return count;
    }
    copyBitOrdinals({ pool: this.#pool, first: offset - BIT_SET, words: this.#bitSetWords, count }, out, 0);
    return count;
  }

  /** Writes for each ordinal of a list, ascending, what `values` has for it, from the place `start` on. */
  copyValues(slot: number, values: BigUint64Array, out: BigUint64Array, start: number): void {
    const count = this.count(slot);
    const offset = this.#directory[slot * 2]!;
    const pool = this.#pool;
    if (offset < BIT_SET) {
      for (let at = 0; at < count; at += 1) out[start + at] = values[pool[offset + at]!]!;
      return;
    }
    copyBitValues({ pool, first: offset - BIT_SET, words: this.#bitSetWords, count }, values, out, start);
  }

  /** Fills an empty list with ascending ordinals, from `ordinals[from]` up to `to`, each less `base`. */
  fill(slot: number, ordinals: Uint16Array, from: number, to: number, base: number): void {
    const count = to - from;
    if (count === 0) return;
    const { offset, bits } = this.#placeFilled(slot, count);
    const pool = this.#pool;
    if (bits) {
      for (let at = from; at < to; at += 1) {
        const ordinal = ordinals[at]! - base;
        pool[offset + (ordinal >>> 4)]! |= 1 << (ordinal & 15);
      }
    } else {
      for (let at = from; at < to; at += 1) pool[offset + at - from] = ordinals[at]! - base;
    }
  }

  /** Fills an empty list with all ordinals below `count`. */
  fillAll(slot: number, count: number): void {
    if (count === 0) return;
    const { offset, bits } = this.#placeFilled(slot, count);
    const pool = this.#pool;
    if (bits) {
      const word = offset + (count >>> 4);
      pool.fill(0xffff, offset, word);
      if ((count & 15) > 0) pool[word] = (1 << (count & 15)) - 1;
    } else {
      for (let ordinal = 0; ordinal < count; ordinal += 1) pool[offset + ordinal] = ordinal;
    }
  }

  clone(): RoleLists {
    const copy = new RoleLists({ ordinalsMax: this.#ordinalsMax, slots: 0, poolLength: 0, growing: false });
    copy.#pool = this.#pool.slice();
    copy.#used = this.#used;
    copy.#directory = this.#directory.slice();
    return copy;
  }

  /** Gives back what is free at the end of the pool, but for a little. */
  trim(): void {
    const length = this.#used + (this.#used >>> 5) + 8;
    if (length < this.#pool.length) this.#pool = this.#pool.slice(0, length);
  }

  get #bitSetWords(): number {
    return (this.#ordinalsMax + 15) >>> 4;
  }

  /** The first place of a list whose ordinal is not below; its end when there is none. */
  #lowerBound(offset: number, count: number, ordinal: number): number {
    const pool = this.#pool;
    let low = offset;
    let high = offset + count;
    // Most additions are of the newest member, whose ordinal is the highest.
    if (count > 0 && pool[high - 1]! < ordinal) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (pool[middle]! < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Gives a full list more room at the end of the pool, as a bit set once that is smaller. */
  #enlarge(slot: number): void {
    const count = this.count(slot);
    const capacity = withSlack(count, this.#spareShift) + 1;
    const bits = capacity >= this.#bitSetWords;
    this.#makeRoom(capacity);
    const from = this.#directory[slot * 2]!;
    const to = this.#place(slot, bits ? this.#bitSetWords : capacity, bits);
    this.#directory[slot * 2 + 1]! += count;
    const pool = this.#pool;
    if (!bits) {
      for (let at = 0; at < count; at += 1) pool[to + at] = pool[from + at]!;
      return;
    }
    for (let at = from; at < from + count; at += 1) {
      pool[to + (pool[at]! >>> 4)]! |= 1 << (pool[at]! & 15);
    }
  }

  /** Takes room at the end of the pool, which is all zero there, for a list whose count is 0 from here on. */
  #place(slot: number, capacity: number, bits: boolean): number {
    if (slot >= this.slots) this.#growDirectory(slot + 1);
    this.#makeRoom(capacity);
    const offset = this.#used;
    this.#used += capacity;
    this.#directory[slot * 2] = bits ? offset + BIT_SET : offset;
    this.#directory[slot * 2 + 1] = capacity << CAPACITY_SHIFT;
    return offset;
  }

  /** Takes room for a list that is about to be filled with so many ordinals, and counts them. */
  #placeFilled(slot: number, count: number): { readonly offset: number; readonly bits: boolean } {
    const capacity = withSlack(count, this.#spareShift);
    const bits = capacity >= this.#bitSetWords;
    const offset = this.#place(slot, bits ? this.#bitSetWords : capacity, bits);
    this.#directory[slot * 2 + 1]! += count;
    return { offset, bits };
  }

  /** Packs the pool when its end has no room for so many entries. */
  #makeRoom(entries: number): void {
    if (this.#used + entries <= this.#pool.length) return;
    const directory = this.#directory;
    let live = 0;
    for (let place = 1; place < directory.length; place += 2) live += directory[place]! >>> CAPACITY_SHIFT;
    const old = this.#pool;
    const pool = new Uint16Array(live + entries + (live >>> this.#spareShift) + 16);
    let used = 0;
    for (let place = 0; place < directory.length; place += 2) {
      const capacity = directory[place + 1]! >>> CAPACITY_SHIFT;
      if (capacity === 0) continue;
      const offset = directory[place]!;
      const isBitSet = offset >= BIT_SET;
      const from = isBitSet ? offset - BIT_SET : offset;
      const length = isBitSet ? capacity : directory[place + 1]! & COUNT;
      for (let at = 0; at < length; at += 1) pool[used + at] = old[from + at]!;
      directory[place] = isBitSet ? used + BIT_SET : used;
      used += capacity;
    }
    this.#pool = pool;
    this.#used = used;
  }

  #growDirectory(slots: number): void {
    const directory = new Uint32Array((slots + (slots >>> 3) + 4) * 2);
    directory.set(this.#directory);
    this.#directory = directory;
  }
}

/** Twice the room where many more are about to come, else an eighth on top. */
function spareShiftOf(growing: boolean): number {
  return growing ? 0 : 3;
}

/** Entries to reserve for a list, so that its next members find room without a move. */
function withSlack(count: number, spareShift: number): number {
  return count + (count >>> spareShift) + 1;
}

/** Entries that a list of so many ordinals below `ordinalsMax` takes when it is filled, at most. */
export function poolEntries(count: number, ordinalsMax: number, growing: boolean): number {
  if (count === 0) return 0;
  return Math.min(withSlack(count, spareShiftOf(growing)), (ordinalsMax + 15) >>> 4);
}
