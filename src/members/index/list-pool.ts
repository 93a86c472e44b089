/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */

/** Marks the place of a list that is a bit set. */
export const BIT_SET = 0x8000_0000;
/** The part of a list's second number that is its count; above it is how many entries of the pool it may fill. */
export const COUNT = 0xffff;
export const CAPACITY_SHIFT = 16;
/** A share is 16 bits and made from a product with these below it, so that the product stays in 32 bits. */
const SHARE_SHIFT = 14;

/** Twice the room where many more members are about to come, */
const GROWING_SHIFT = 0;
/** else an eighth on top of what grows, so that lists seldom move, */
const SPARE_SHIFT = 3;
/** and a sixty-fourth on top of what is filled at once. */
const FILL_SHIFT = 6;

/** For each place where a list may begin its slot. Shared by all pools: nothing is kept here between two calls. */
let slotsAt = new Uint16Array();

export interface ListPoolOptions {
  /** All ordinals are below it; at most 16,384. */
  readonly ordinalsMax: number;
  readonly slots: number;
  /** Entries of 16 bits to begin with. */
  readonly poolLength: number;
  /** Many more ordinals are about to come: room for them saves moving lists. */
  readonly growing: boolean;
}

/**
 * Room for the lists of a segment, all in one pool. A list that has outgrown its place moves to the end of the pool;
 * the space it leaves is reclaimed when the pool is next packed. RoleLists gives the lists their meaning.
 *
 * Every list takes an even number of entries, so that bit sets can be read 32 bits at a time.
 */
export class ListPool {
  protected readonly ordinalsMax: number;
  readonly #shareScale: number;
  /** A list or pool that has outgrown its place gets the 2^n-th part of its length on top. */
  protected readonly spareShift: number;
  /** The same for a list that is filled at once: few of them grow soon. */
  protected readonly fillShift: number;
  protected pool: Uint16Array;
  /**
   * Two numbers a slot, side by side as they are read together: the place in the pool, whose highest bit marks a bit
   * set; then in the low half the count, in the high half how many entries of the pool the list may fill.
   */
  protected directory: Uint32Array;
  #used = 0;

  constructor({ ordinalsMax, slots, poolLength, growing }: ListPoolOptions) {
    this.spareShift = growing ? GROWING_SHIFT : SPARE_SHIFT;
    this.fillShift = fillShiftOf(growing);
    this.ordinalsMax = ordinalsMax;
    this.#shareScale = Math.floor(2 ** (16 + SHARE_SHIFT) / ordinalsMax);
    this.pool = new Uint16Array(toEven(poolLength));
    this.directory = new Uint32Array(slots * 2);
  }

  get slots(): number {
    return this.directory.length >>> 1;
  }

  get byteLength(): number {
    return this.pool.byteLength + this.directory.byteLength;
  }

  /** Words of 16 bits that a bit set of all ordinals takes. */
  get bitSetWords(): number {
    return wordsOf(this.ordinalsMax);
  }

  /** Gives back what is free at the end of the pool, but for a little. */
  trim(): void {
    const length = toEven(this.#used + (this.#used >>> 5) + 8);
    if (length < this.pool.length) this.pool = this.pool.slice(0, length);
  }

  protected copyFrom(other: ListPool): void {
    this.pool = other.pool.slice();
    this.#used = other.#used;
    this.directory = other.directory.slice();
  }

  /** Takes room at the end of the pool, which is all zero there, for a list whose count is 0 from here on. */
  protected place(slot: number, capacity: number, bits: boolean): number {
    if (slot >= this.slots) this.growDirectory(slot + 1);
    this.makeRoom(capacity);
    const offset = this.#used;
    this.#used += capacity;
    this.directory[slot * 2] = bits ? offset + BIT_SET : offset;
    this.directory[slot * 2 + 1] = capacity << CAPACITY_SHIFT;
    return offset;
  }

  /** Packs the pool when its end has too little room for these entries. */
  protected makeRoom(entries: number): void {
    if (this.#used + entries <= this.pool.length) return;
    this.#pack();
    const used = this.#used;
    // Where the lists that moved have left enough, the same memory does: new memory takes ten times as long.
    if (used + entries + (used >>> 4) <= this.pool.length) return;
    const pool = new Uint16Array(toEven(used + entries + (used >>> this.spareShift) + 16));
    pool.set(this.pool.subarray(0, used));
    this.pool = pool;
  }

  /** Moves lists down over the gaps between them. Few lists have moved since the last time, so gaps are few. */
  #pack(): void {
    const { pool, directory } = this;
    if (slotsAt.length < pool.length >>> 1) slotsAt = new Uint16Array(pool.length >>> 1);
    for (let slot = 0; slot < this.slots; slot += 1) {
      if (this.#capacity(slot) > 0) slotsAt[this.#offset(slot) >>> 1] = slot;
    }
    let used = 0;
    // Lists side by side move together: from `first` up to `at`.
    let first = 0;
    for (let at = 0; at < this.#used;) {
      const slot = slotsAt[at >>> 1]!;
      // What earlier calls have left in `slotsAt` is no longer true.
      if (slot < this.slots && this.#capacity(slot) > 0 && this.#offset(slot) === at) {
        directory[slot * 2]! -= first - used;
        at += this.#capacity(slot);
        continue;
      }
      if (at > first) pool.copyWithin(used, first, at);
      used += at - first;
      at += 2;
      first = at;
    }
    pool.copyWithin(used, first, this.#used);
    used += this.#used - first;
    pool.fill(0, used);
    this.#used = used;
  }

  /** Entries of the pool that a list may fill. */
  #capacity(slot: number): number {
    return this.directory[slot * 2 + 1]! >>> CAPACITY_SHIFT;
  }

  /** Where a list begins in the pool. */
  #offset(slot: number): number {
    return this.directory[slot * 2]! & ~BIT_SET;
  }

  /** About the share of ordinals that are below one, in units of 2^-16; to divide each time would take longer. */
  protected share(ordinal: number): number {
    return Math.imul(ordinal, this.#shareScale) >>> SHARE_SHIFT;
  }

  protected growDirectory(slots: number): void {
    const directory = new Uint32Array((slots + (slots >>> 3) + 4) * 2);
    directory.set(this.directory);
    this.directory = directory;
  }
}

/** Entries of a bit set for ordinals below `ordinalsMax`. */
export function wordsOf(ordinalsMax: number): number {
  return ((ordinalsMax + 31) >>> 5) << 1;
}

export function toEven(entries: number): number {
  return (entries + 1) & ~1;
}

export function fillShiftOf(growing: boolean): number {
  return growing ? GROWING_SHIFT : FILL_SHIFT;
}
