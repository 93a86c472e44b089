/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { EVERYONE_SLOT } from './role-table.ts';
import type { SlotSet } from './slot-set.ts';

/** Rows whose ids are looked at to find the middle one. */
const SAMPLE = 256;
/** Bits of an id that one pass of the sort goes by. */
const DIGIT_BITS = 11;

// Nothing is kept here between two calls.
const digitEnds = new Uint32Array(1 << DIGIT_BITS);

/** Rows of members whose ids are in one range, in the order of their arrival. */
export class RowRange {
  /** Ids are at or above it. */
  readonly minHi: number;
  readonly minLo: number;
  /** The low and the high half of each id: read as 64 bits, these are the id (see snowflake.ts). */
  ids = new Uint32Array(128);
  /** Where the slots of each row begin, and at the end of them all. */
  starts = new Uint32Array(65);
  /** Role slots of all rows; EVERYONE_SLOT for a role that was deleted. */
  slots = new Uint16Array(256);
  #count = 0;

  constructor(minHi: number, minLo: number) {
    this.minHi = minHi;
    this.minLo = minLo;
  }

  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.ids.byteLength + this.starts.byteLength + this.slots.byteLength;
  }

  add(hi: number, lo: number, slots: SlotSet): void {
    let to = this.#makeRoom(hi, lo, slots.count);
    for (let index = 0; index < slots.count; index += 1, to += 1) this.slots[to] = slots.at(index);
  }

  deleteSlot(slot: number): void {
    const end = this.starts[this.#count]!;
    for (let at = 0; at < end; at += 1) if (this.slots[at] === slot) this.slots[at] = EVERYONE_SLOT;
  }

  /** Moves about the upper half of the rows into a range of their own; null where that would leave none here. */
  split(): RowRange | null {
    const wholeIds = new BigUint64Array(this.ids.buffer);
    const step = this.#count / SAMPLE;
    const sample = BigUint64Array.from({ length: SAMPLE }, (_, at) => wholeIds[Math.floor(at * step)]!);
    const middle = sample.sort()[SAMPLE >>> 1]!;
    const hi = Number(middle >> 32n);
    const lo = Number(middle & 0xffff_ffffn);
    if (middle === sample[0]) return null;
    const upper = new RowRange(hi, lo);
    const count = this.#count;
    this.#count = 0;
    for (let row = 0; row < count; row += 1) {
      const ownHi = this.ids[row * 2 + 1]!;
      const ownLo = this.ids[row * 2]!;
      const end = this.starts[row + 1]!;
      const from = this.starts[row]!;
      const range = ownHi < hi || (ownHi === hi && ownLo < lo) ? this : upper;
      let to = range.#makeRoom(ownHi, ownLo, end - from);
      for (let at = from; at < end; at += 1, to += 1) range.slots[to] = this.slots[at]!;
    }
    return upper;
  }

  /** The rows in id order, without repeated ones. Sorted by one digit of all ids after the other, the lowest first. */
  ordered(): Uint32Array {
    const count = this.#count;
    let order = Uint32Array.from({ length: count }, (_, row) => row);
    let sorted = new Uint32Array(count);
    for (let bit = 0; bit < 64; bit = bit === 22 ? 32 : bit + DIGIT_BITS) {
      if (this.#sortByDigit(order, sorted, bit >>> 5, bit & 31)) [order, sorted] = [sorted, order];
    }
    let unique = 0;
    for (const row of order) {
      const last = order[unique - 1];
      if (last !== undefined && this.#hasSameId(last, row)) continue;
      order[unique] = row;
      unique += 1;
    }
    return order.subarray(0, unique);
  }

  /** Writes rows in the order of one digit into `to`. Returns false, and writes nothing, where all have the same. */
  #sortByDigit(from: Uint32Array, to: Uint32Array, half: number, shift: number): boolean {
    const { ids } = this;
    const mask = (1 << DIGIT_BITS) - 1;
    digitEnds.fill(0);
    for (const row of from) digitEnds[(ids[row * 2 + half]! >>> shift) & mask]! += 1;
    for (let digit = 0, end = 0; digit <= mask; digit += 1) {
      const rows = digitEnds[digit]!;
      if (rows === from.length) return false;
      digitEnds[digit] = end;
      end += rows;
    }
    for (const row of from) {
      const digit = (ids[row * 2 + half]! >>> shift) & mask;
      to[digitEnds[digit]!] = row;
      digitEnds[digit]! += 1;
    }
    return true;
  }

  #hasSameId(row: number, other: number): boolean {
    return this.ids[row * 2] === this.ids[other * 2] && this.ids[row * 2 + 1] === this.ids[other * 2 + 1];
  }

  /** Adds a row and returns where its slots go. */
  #makeRoom(hi: number, lo: number, slotCount: number): number {
    const row = this.#count;
    if (row * 2 === this.ids.length) {
      this.ids = enlarged(this.ids, new Uint32Array(row * 4));
      this.starts = enlarged(this.starts, new Uint32Array(row * 2 + 1));
    }
    const start = this.starts[row]!;
    const end = start + slotCount;
    if (end > this.slots.length) this.slots = enlarged(this.slots, new Uint16Array(end * 2));
    this.ids[row * 2] = lo;
    this.ids[row * 2 + 1] = hi;
    this.starts[row + 1] = end;
    this.#count = row + 1;
    return start;
  }
}

function enlarged<T extends Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(from: T, to: T): T {
  to.set(from);
  return to;
}
