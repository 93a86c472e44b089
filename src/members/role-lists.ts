/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
const BIT_SET = 0x8000_0000;

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
  /** Place in the pool; the highest bit marks a bit set. */
  #offsets: Uint32Array;
  #counts: Uint16Array;
  /** Entries of the pool that the list may fill. */
  #capacities: Uint16Array;

  constructor({ ordinalsMax, slots, poolLength, growing }: RoleListsOptions) {
    this.#spareShift = growing ? 1 : 3;
    this.#ordinalsMax = ordinalsMax;
    this.#pool = new Uint16Array(poolLength);
    this.#offsets = new Uint32Array(slots);
    this.#counts = new Uint16Array(slots);
    this.#capacities = new Uint16Array(slots);
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
    if (slot >= this.#counts.length) return false;
    const offset = this.#offsets[slot]!;
    if (offset >= BIT_SET) {
      return ((this.#pool[offset - BIT_SET + (ordinal >>> 4)]! >>> (ordinal & 15)) & 1) === 1;
    }
    const at = this.#lowerBound(offset, this.#counts[slot]!, ordinal);
    return at < offset + this.#counts[slot]! && this.#pool[at] === ordinal;
  }

  /** Returns false when the ordinal was in the list already. */
  add(slot: number, ordinal: number): boolean {
    if (slot >= this.#counts.length) this.#growDirectory(slot + 1);
    const count = this.#counts[slot]!;
    const offset = this.#offsets[slot]!;
    if (offset >= BIT_SET) {
      const word = offset - BIT_SET + (ordinal >>> 4);
      const bit = 1 << (ordinal & 15);
      if ((this.#pool[word]! & bit) !== 0) return false;
      this.#pool[word]! |= bit;
      this.#counts[slot] = count + 1;
      return true;
    }
    const at = this.#lowerBound(offset, count, ordinal);
    if (at < offset + count && this.#pool[at] === ordinal) return false;
    if (count === this.#capacities[slot]!) {
      this.#enlarge(slot);
      return this.add(slot, ordinal);
    }
    const pool = this.#pool;
    for (let to = offset + count; to > at; to -= 1) pool[to] = pool[to - 1]!;
    pool[at] = ordinal;
    this.#counts[slot] = count + 1;
    return true;
  }

  /** Returns false when the ordinal was not in the list. */
  delete(slot: number, ordinal: number): boolean {
    if (slot >= this.#counts.length) return false;
    const count = this.#counts[slot]!;
    const offset = this.#offsets[slot]!;
    if (offset >= BIT_SET) {
      const word = offset - BIT_SET + (ordinal >>> 4);
      const bit = 1 << (ordinal & 15);
      if ((this.#pool[word]! & bit) === 0) return false;
      this.#pool[word]! &= ~bit;
      this.#counts[slot] = count - 1;
      return true;
    }
    const at = this.#lowerBound(offset, count, ordinal);
    if (at === offset + count || this.#pool[at] !== ordinal) return false;
    const pool = this.#pool;
    for (let to = at; to < offset + count - 1; to += 1) pool[to] = pool[to + 1]!;
    this.#counts[slot] = count - 1;
    return true;
  }

  /** Empties a list; its place is reclaimed with the next packing. */
  clear(slot: number): void {
    if (slot >= this.#counts.length) return;
    this.#offsets[slot] = 0;
    this.#counts[slot] = 0;
    this.#capacities[slot] = 0;
  }

  /** Writes the ordinals of a list in ascending order and returns how many there are. */
  copyTo(slot: number, out: Uint16Array): number {
    const count = this.count(slot);
    if (count === 0) return 0;
    const offset = this.#offsets[slot]!;
    if (offset < BIT_SET) {
      const pool = this.#pool;
      for (let at = 0; at < count; at += 1) out[at] = pool[offset + at]!;
      return count;
    }
    return this.#copyBits(offset - BIT_SET, count, out);
  }

  /** Fills an empty list with ascending ordinals, from `ordinals[from]` up to `to`, each less `base`. */
  fill(slot: number, ordinals: Uint16Array, from: number, to: number, base: number): void {
    const count = to - from;
    if (count === 0) return;
    const bits = count > this.#bitSetWords;
    const offset = this.#place(slot, bits ? this.#bitSetWords : withSlack(count), bits);
    const pool = this.#pool;
    if (bits) {
      for (let at = from; at < to; at += 1) {
        const ordinal = ordinals[at]! - base;
        pool[offset + (ordinal >>> 4)]! |= 1 << (ordinal & 15);
      }
    } else {
      for (let at = from; at < to; at += 1) pool[offset + at - from] = ordinals[at]! - base;
    }
    this.#counts[slot] = count;
  }

  clone(): RoleLists {
    const copy = new RoleLists({ ordinalsMax: this.#ordinalsMax, slots: 0, poolLength: 0, growing: false });
    copy.#pool = this.#pool.slice();
    copy.#used = this.#used;
    copy.#offsets = this.#offsets.slice();
    copy.#counts = this.#counts.slice();
    copy.#capacities = this.#capacities.slice();
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

  #copyBits(first: number, count: number, out: Uint16Array): number {
    const pool = this.#pool;
    const words = this.#bitSetWords;
    let at = 0;
    if (count > words * 6) {
      // Most bits are set: to write each ordinal and step on only past those that count needs no jump.
      for (let word = 0; word < words; word += 1) {
        const bits = pool[first + word]!;
        for (let bit = 0; bit < 16; bit += 1) {
          out[at] = (word << 4) | bit;
          at += (bits >>> bit) & 1;
        }
      }
      return count;
    }
    for (let word = 0; at < count; word += 1) {
      let bits = pool[first + word]!;
      while (bits !== 0) {
        out[at] = (word << 4) | (31 - Math.clz32(bits & -bits));
        at += 1;
        bits &= bits - 1;
      }
    }
    return count;
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
    const count = this.#counts[slot]!;
    const capacity = count + (count >>> this.#spareShift) + 2;
    const bits = capacity >= this.#bitSetWords;
    this.#makeRoom(capacity);
    const from = this.#offsets[slot]!;
    const to = this.#place(slot, bits ? this.#bitSetWords : capacity, bits);
    const pool = this.#pool;
    if (!bits) {
      for (let at = 0; at < count; at += 1) pool[to + at] = pool[from + at]!;
      return;
    }
    for (let at = from; at < from + count; at += 1) {
      pool[to + (pool[at]! >>> 4)]! |= 1 << (pool[at]! & 15);
    }
  }

  /** Takes room at the end of the pool, which is all zero there. */
  #place(slot: number, capacity: number, bits: boolean): number {
    if (slot >= this.#counts.length) this.#growDirectory(slot + 1);
    this.#makeRoom(capacity);
    const offset = this.#used;
    this.#used += capacity;
    this.#offsets[slot] = bits ? offset + BIT_SET : offset;
    this.#capacities[slot] = capacity;
    return offset;
  }

  /** Packs the pool when its end has no room for so many entries. */
  #makeRoom(entries: number): void {
    if (this.#used + entries <= this.#pool.length) return;
    let live = 0;
    for (const capacity of this.#capacities) live += capacity;
    const old = this.#pool;
    const pool = new Uint16Array(live + entries + (live >>> this.#spareShift) + 16);
    let used = 0;
    for (let slot = 0; slot < this.#counts.length; slot += 1) {
      const capacity = this.#capacities[slot]!;
      if (capacity === 0) continue;
      const offset = this.#offsets[slot]!;
      const from = offset >= BIT_SET ? offset - BIT_SET : offset;
      const length = offset >= BIT_SET ? capacity : this.#counts[slot]!;
      for (let at = 0; at < length; at += 1) pool[used + at] = old[from + at]!;
      this.#offsets[slot] = offset >= BIT_SET ? used + BIT_SET : used;
      used += capacity;
    }
    this.#pool = pool;
    this.#used = used;
  }

  #growDirectory(slots: number): void {
    const length = slots + (slots >>> 3) + 4;
    const offsets = new Uint32Array(length);
    offsets.set(this.#offsets);
    const counts = new Uint16Array(length);
    counts.set(this.#counts);
    const capacities = new Uint16Array(length);
    capacities.set(this.#capacities);
    this.#offsets = offsets;
    this.#counts = counts;
    this.#capacities = capacities;
  }
}

/** Entries to reserve for a list, so that its next members find room without a move. */
function withSlack(count: number): number {
  return count + (count >>> 3) + 1;
}

/** Entries that a list of so many ordinals below `ordinalsMax` takes when it is filled. */
export function poolEntries(count: number, ordinalsMax: number): number {
  if (count === 0) return 0;
  const words = (ordinalsMax + 15) >>> 4;
  return count > words ? words : withSlack(count);
}
