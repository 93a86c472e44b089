/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { copyBitOrdinals, copyBitValues, nthBit, type BitSet } from './bit-set.ts';
import type { SlotSet } from './slot-set.ts';
import { BIT_SET, CAPACITY_SHIFT, COUNT, fillShiftOf, ListPool, toEven, wordsOf } from './list-pool.ts';

/** Entries of a list from which on a search begins with a guess. */
const GUESS_FROM = 16;
/** Entries from one look to the next, away from the guess. */
const GUESS_STEP = 16;

/** What was read ahead is written here, so that reading it cannot be left out. */
const readAhead = new Uint16Array(1);

/** Sorted ordinals in a pool, from `first` on, or a bit set. */
export interface OrdinalList extends BitSet {
  readonly isBitSet: boolean;
}

/**
 * For each role slot a sorted list of 16-bit ordinals, or a bit set where that is smaller, all in one pool.
 * Memory is 2 bytes a membership in rare roles, and 1/8 byte a member in roles that more than one
 * member in 16 holds.
 */
export class RoleLists extends ListPool {
  count(slot: number): number {
    const place = slot * 2;
    return place < this.directory.length ? this.directory[place + 1]! & COUNT : 0;
  }

  has(slot: number, ordinal: number): boolean {
    return this.#has(slot, ordinal, this.share(ordinal));
  }

  /** The sum of those slots whose lists have an ordinal; `missing` becomes the others. */
  sumHeld(slots: SlotSet, ordinal: number, missing: SlotSet): number {
    const share = this.share(ordinal);
    let sum = 0;
    missing.clear();
    for (let index = 0; index < slots.count; index += 1) {
      const slot = slots.at(index);
      if (this.#has(slot, ordinal, share)) sum += slot;
      else missing.add(slot);
    }
    return sum;
  }

  /**
   * Reads where an ordinal is, or nearly is, in several lists, and does nothing with it: memory that is far away is
   * brought near for all of them at once, where `has` would wait for each.
   * @param also something else that was read only to bring it near
   */
  prefetch(slots: SlotSet, ordinal: number, also: number): void {
    const { directory, pool } = this;
    const word = ordinal >>> 4;
    const share = this.share(ordinal);
    const count = slots.count;
    let read = also;
    for (let index = 0; index < count; index += 1) {
      const place = slots.at(index) * 2;
      if (place >= directory.length) continue;
      const offset = directory[place]! | 0;
      const guess = guessPlace(directory[place + 1]! & COUNT, share);
      // No jump here, as one that is guessed wrong would end what is read ahead.
      read |= pool[(offset & 0x7fff_ffff) + guess + ((word - guess) & (offset >> 31))]!;
    }
    readAhead[0] = read;
  }

  /** Returns false when the ordinal was in the list already. */
  add(slot: number, ordinal: number): boolean {
    const place = slot * 2;
    if (place >= this.directory.length) this.growDirectory(slot + 1);
    const directory = this.directory;
    const offset = directory[place]!;
    const size = directory[place + 1]!;
    const count = size & COUNT;
    if (offset >= BIT_SET) {
      const word = offset - BIT_SET + (ordinal >>> 4);
      const bit = 1 << (ordinal & 15);
      if ((this.pool[word]! & bit) !== 0) return false;
      this.pool[word]! |= bit;
      directory[place + 1] = size + 1;
      return true;
    }
    const at = this.#lowerBound(offset, count, ordinal, this.share(ordinal));
    if (at < offset + count && this.pool[at] === ordinal) return false;
    if (count === size >>> CAPACITY_SHIFT) {
      this.#enlarge(slot);
      return this.add(slot, ordinal);
    }
    const pool = this.pool;
    for (let to = offset + count; to > at; to -= 1) pool[to] = pool[to - 1]!;
    pool[at] = ordinal;
    directory[place + 1] = size + 1;
    return true;
  }

  /** Returns false when the ordinal was not in the list. */
  delete(slot: number, ordinal: number): boolean {
    const place = slot * 2;
    const directory = this.directory;
    if (place >= directory.length) return false;
    const offset = directory[place]!;
    const size = directory[place + 1]!;
    const count = size & COUNT;
    if (offset >= BIT_SET) {
      const word = offset - BIT_SET + (ordinal >>> 4);
      const bit = 1 << (ordinal & 15);
      if ((this.pool[word]! & bit) === 0) return false;
      this.pool[word]! &= ~bit;
      directory[place + 1] = size - 1;
      return true;
    }
    const at = this.#lowerBound(offset, count, ordinal, this.share(ordinal));
    if (at === offset + count || this.pool[at] !== ordinal) return false;
    const pool = this.pool;
    for (let to = at; to < offset + count - 1; to += 1) pool[to] = pool[to + 1]!;
    directory[place + 1] = size - 1;
    return true;
  }

  /** Empties a list; its place is reclaimed with the next packing. */
  clear(slot: number): void {
    this.directory.fill(0, slot * 2, slot * 2 + 2);
  }

  /** A list as it is now, to be read before anything changes. */
  list(slot: number): OrdinalList {
    const count = this.count(slot);
    const offset = count === 0 ? 0 : this.directory[slot * 2]!;
    const isBitSet = offset >= BIT_SET;
    const { pool, bitSetWords: words } = this;
    return { pool, first: isBitSet ? offset - BIT_SET : offset, words, count, isBitSet };
  }

  /**
   * The pool, 32 bits at a time: bit sets begin at even places. It is made for each question, as one that were kept
   * would cost every segment an object.
   */
  pairs(): Int32Array {
    return new Int32Array(this.pool.buffer);
  }

  /** The ordinal at a place of a list, counted from 0. */
  nth(slot: number, place: number): number {
    const list = this.list(slot);
    return list.isBitSet ? nthBit(list, place) : list.pool[list.first + place]!;
  }

  /** Writes the ordinals of a list in ascending order and returns how many there are. */
  copyTo(slot: number, out: Uint16Array): number {
    const count = this.count(slot);
    if (count === 0) return 0;
    const offset = this.directory[slot * 2]!;
    if (offset < BIT_SET) {
      const pool = this.pool;
      for (let at = 0; at < count; at += 1) out[at] = pool[offset + at]!;
      return count;
    }
    copyBitOrdinals({ pool: this.pool, first: offset - BIT_SET, words: this.bitSetWords, count }, out, 0);
    return count;
  }

  /** Writes for each ordinal of a list, ascending, what `values` has for it, from the place `start` on. */
  copyValues(slot: number, values: BigUint64Array, out: BigUint64Array, start: number): void {
    const count = this.count(slot);
    const offset = this.directory[slot * 2]!;
    const pool = this.pool;
    if (offset < BIT_SET) {
      for (let at = 0; at < count; at += 1) out[start + at] = values[pool[offset + at]!]!;
      return;
    }
    copyBitValues({ pool, first: offset - BIT_SET, words: this.bitSetWords, count }, values, out, start);
  }

  clone(): RoleLists {
    const copy = new RoleLists({ ordinalsMax: this.ordinalsMax, slots: 0, poolLength: 0, growing: false });
    copy.copyFrom(this);
    return copy;
  }

  /** Fills an empty list with ascending ordinals, from `ordinals[from]` up to `to`, each less `base`. */
  fill(slot: number, ordinals: Uint16Array, from: number, to: number, base: number): void {
    const count = to - from;
    if (count === 0) return;
    const { offset, bits } = this.#placeFilled(slot, count);
    const pool = this.pool;
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
    const pool = this.pool;
    if (bits) {
      const word = offset + (count >>> 4);
      pool.fill(0xffff, offset, word);
      if ((count & 15) > 0) pool[word] = (1 << (count & 15)) - 1;
    } else {
      for (let ordinal = 0; ordinal < count; ordinal += 1) pool[offset + ordinal] = ordinal;
    }
  }

  #has(slot: number, ordinal: number, share: number): boolean {
    const place = slot * 2;
    if (place >= this.directory.length) return false;
    const offset = this.directory[place]!;
    if (offset >= BIT_SET) {
      return ((this.pool[offset - BIT_SET + (ordinal >>> 4)]! >>> (ordinal & 15)) & 1) === 1;
    }
    const count = this.directory[place + 1]! & COUNT;
    const at = this.#lowerBound(offset, count, ordinal, share);
    return at < offset + count && this.pool[at] === ordinal;
  }

  /** The first place of a list whose ordinal is not below; its end when all are below. */
  #lowerBound(offset: number, count: number, ordinal: number, share: number): number {
    const pool = this.pool;
    let low = offset;
    let length = count;
    if (count > GUESS_FROM) {
      // Holders are spread evenly enough: to halve the whole list would read far more memory.
      let guess = offset + guessPlace(count, share);
      if (pool[guess]! < ordinal) {
        const end = offset + count;
        while (guess + GUESS_STEP < end && pool[guess + GUESS_STEP]! < ordinal) guess += GUESS_STEP;
        low = guess + 1;
        length = Math.min(GUESS_STEP, end - low);
      } else {
        while (guess - GUESS_STEP >= offset && pool[guess - GUESS_STEP]! >= ordinal) guess -= GUESS_STEP;
        low = Math.max(offset, guess - GUESS_STEP);
        length = guess - low;
      }
    }
    // Without a jump to be guessed: the sign of the difference says whether the lower half is skipped.
    while (length > 0) {
      const half = (length + 1) >>> 1;
      low += ((pool[low + half - 1]! - ordinal) >> 31) & half;
      length -= half;
    }
    return low;
  }

  /** Gives a full list more room at the end of the pool, as a bit set once that is smaller. */
  #enlarge(slot: number): void {
    const count = this.count(slot);
    const capacity = withSlack(count, this.spareShift);
    const bits = capacity >= this.bitSetWords;
    this.makeRoom(capacity);
    const from = this.directory[slot * 2]!;
    const to = this.place(slot, bits ? this.bitSetWords : capacity, bits);
    this.directory[slot * 2 + 1]! += count;
    const pool = this.pool;
    if (!bits) {
      for (let at = 0; at < count; at += 1) pool[to + at] = pool[from + at]!;
      return;
    }
    for (let at = from; at < from + count; at += 1) {
      pool[to + (pool[at]! >>> 4)]! |= 1 << (pool[at]! & 15);
    }
  }

  /** Takes room for a list that is about to be filled with this number of ordinals, and counts them. */
  #placeFilled(slot: number, count: number): { readonly offset: number; readonly bits: boolean } {
    const capacity = withSlack(count, this.fillShift);
    const bits = capacity >= this.bitSetWords;
    const offset = this.place(slot, bits ? this.bitSetWords : capacity, bits);
    this.directory[slot * 2 + 1]! += count;
    return { offset, bits };
  }
}

/** About where in a list an ordinal is that has this share of all below it. */
function guessPlace(count: number, share: number): number {
  return Math.imul(count, share) >>> 16;
}

/** Entries to reserve for a list, so that its next members find room without a move. */
function withSlack(count: number, spareShift: number): number {
  return toEven(count + (count >>> spareShift) + 1);
}

/** The most entries that a list takes when it is filled with `count` ordinals below `ordinalsMax`. */
export function poolEntries(count: number, ordinalsMax: number, growing: boolean): number {
  if (count === 0) return 0;
  return Math.min(withSlack(count, fillShiftOf(growing)), wordsOf(ordinalsMax));
}
