import { bitOf, ordinalsOf, setBits, type OrdinalList } from './bit-set.ts';

/** A list in a new segment gets a sixty-fourth of its length as spare capacity, because few lists grow soon. */
const FILL_SHIFT = 6;
/** A list that is moved gets an eighth of its length as spare capacity, so that it seldom moves again. */
const GROW_SHIFT = 3;

/**
 * For each role slot the ordinals of its holders in one segment: a sorted list of 16-bit numbers, or a bit set where
 * that is smaller. That takes 2 bytes per membership in rare roles, and 1/8 byte per member in roles that more than one
 * member in 16 holds.
 *
 * All lists share one pool, because an array for each of them would take more memory than the lists. A full list moves
 * to the end of the pool. When the pool is full, all lists are copied to a new one, without the gaps.
 */
export class RoleLists {
  /** Words of a bit set. A list with this capacity is a bit set, and every other list has a smaller one. */
  readonly #words: number;
  #pool: Uint16Array;
  /** The pool is free from here on, and all zero. */
  #used = 0;
  // By slot: where the list starts in the pool, its capacity, and the number of its ordinals.
  #starts: Uint32Array;
  #capacities: Uint16Array;
  #counts: Uint16Array;

  /**
   * @param ordinalsMax all ordinals are below it
   * @param holders the ordinals of each slot, ascending
   */
  constructor(ordinalsMax: number, holders: readonly ArrayLike<number>[]) {
    this.#words = Math.ceil(ordinalsMax / 16);
    this.#starts = new Uint32Array(holders.length);
    this.#counts = new Uint16Array(holders.length);
    this.#capacities = Uint16Array.from(holders, ({ length }) =>
      length === 0 ? 0 : this.#withSpare(length, FILL_SHIFT),
    );
    const entries = this.#capacities.reduce((sum, capacity) => sum + capacity, 0);
    this.#pool = new Uint16Array(entries + (entries >>> 5) + 8);
    holders.forEach((ordinals, slot) => {
      this.#starts[slot] = this.#used;
      this.#counts[slot] = ordinals.length;
      const reserved = this.#reservedFor(slot);
      if (this.#isBitSet(slot)) setBits(reserved, ordinals);
      else reserved.set(ordinals);
      this.#used += reserved.length;
    });
  }

  get slots(): number {
    return this.#counts.length;
  }

  get byteLength(): number {
    return this.#pool.byteLength + this.#counts.length * 8;
  }

  count(slot: number): number {
    return slot < this.#counts.length ? this.#counts[slot]! : 0;
  }

  has(slot: number, ordinal: number): boolean {
    if (this.count(slot) === 0) return false;
    if (this.#isBitSet(slot)) return (this.#pool[this.#wordOf(slot, ordinal)]! & bitOf(ordinal)) !== 0;
    return this.#search(slot, ordinal) >= 0;
  }

  /** Adds an ordinal that is not in the list. */
  add(slot: number, ordinal: number): void {
    if (slot >= this.slots) this.#addSlots(slot + 1);
    const count = this.#counts[slot]!;
    if (count === this.#capacities[slot] && !this.#isBitSet(slot)) this.#enlarge(slot);
    if (this.#isBitSet(slot)) {
      this.#pool[this.#wordOf(slot, ordinal)]! |= bitOf(ordinal);
    } else {
      const at = -1 - this.#search(slot, ordinal);
      this.#pool.copyWithin(at + 1, at, this.#starts[slot]! + count);
      this.#pool[at] = ordinal;
    }
    this.#counts[slot] = count + 1;
  }

  /** Returns false when the ordinal was not in the list. */
  delete(slot: number, ordinal: number): boolean {
    const count = this.count(slot);
    if (count === 0) return false;
    if (this.#isBitSet(slot)) {
      const word = this.#wordOf(slot, ordinal);
      if ((this.#pool[word]! & bitOf(ordinal)) === 0) return false;
      this.#pool[word]! &= ~bitOf(ordinal);
    } else {
      const at = this.#search(slot, ordinal);
      if (at < 0) return false;
      this.#pool.copyWithin(at, at + 1, this.#starts[slot]! + count);
    }
    this.#counts[slot] = count - 1;
    return true;
  }

  /** Empties a list. Its part of the pool is free after the next move to a new pool. */
  clear(slot: number): void {
    if (slot >= this.slots) return;
    this.#counts[slot] = 0;
    this.#capacities[slot] = 0;
  }

  list(slot: number): OrdinalList {
    const count = this.count(slot);
    if (count === 0) return { isBitSet: false, entries: new Uint16Array() };
    const isBitSet = this.#isBitSet(slot);
    const reserved = this.#reservedFor(slot);
    return { isBitSet, entries: isBitSet ? reserved : reserved.subarray(0, count) };
  }

  /** Ascending. Read them before the next change. */
  ordinals(slot: number): Uint16Array {
    const { isBitSet, entries } = this.list(slot);
    return isBitSet ? ordinalsOf(entries) : entries;
  }

  /** A set of ordinals of this segment. */
  bitsOf(ordinals: ArrayLike<number>): Uint16Array {
    const words = new Uint16Array(this.#words);
    setBits(words, ordinals);
    return words;
  }

  #isBitSet(slot: number): boolean {
    return this.#capacities[slot] === this.#words;
  }

  #reservedFor(slot: number): Uint16Array {
    const start = this.#starts[slot]!;
    return this.#pool.subarray(start, start + this.#capacities[slot]!);
  }

  #wordOf(slot: number, ordinal: number): number {
    return this.#starts[slot]! + (ordinal >>> 4);
  }

  /** Returns where an ordinal of a sorted list is in the pool, or -1 minus where it would be. */
  #search(slot: number, ordinal: number): number {
    const pool = this.#pool;
    let low = this.#starts[slot]!;
    const end = low + this.#counts[slot]!;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (pool[middle]! < ordinal) low = middle + 1;
      else high = middle;
    }
    return low < end && pool[low] === ordinal ? low : -1 - low;
  }

  #withSpare(count: number, shift: number): number {
    return Math.min(this.#words, count + (count >>> shift) + 1);
  }

  /** Moves a full list to the end of the pool with more capacity, as a bit set once that is smaller. */
  #enlarge(slot: number): void {
    const ordinals = this.ordinals(slot);
    // A new pool must not reserve its old capacity.
    this.#capacities[slot] = 0;
    const capacity = this.#withSpare(ordinals.length, GROW_SHIFT);
    if (this.#used + capacity > this.#pool.length) this.#moveAll(capacity);
    this.#starts[slot] = this.#used;
    this.#capacities[slot] = capacity;
    this.#used += capacity;
    const reserved = this.#reservedFor(slot).fill(0);
    if (this.#isBitSet(slot)) setBits(reserved, ordinals);
    else reserved.set(ordinals);
  }

  /** Copies all lists to a new pool with free space for `entries` more. */
  #moveAll(entries: number): void {
    const used = this.#capacities.reduce((sum, capacity) => sum + capacity, 0);
    const pool = new Uint16Array(used + (used >>> GROW_SHIFT) + entries + 16);
    let to = 0;
    for (let slot = 0; slot < this.slots; slot += 1) {
      const reserved = this.#reservedFor(slot);
      pool.set(reserved, to);
      this.#starts[slot] = to;
      to += reserved.length;
    }
    this.#pool = pool;
    this.#used = to;
  }

  #addSlots(slots: number): void {
    const added = slots + (slots >>> 3) + 4 - this.slots;
    this.#starts = Uint32Array.of(...this.#starts, ...new Uint32Array(added));
    this.#capacities = Uint16Array.of(...this.#capacities, ...new Uint16Array(added));
    this.#counts = Uint16Array.of(...this.#counts, ...new Uint16Array(added));
  }
}
