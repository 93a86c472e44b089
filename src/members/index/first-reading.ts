/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { poolEntries, RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT, FIRST_ROLE_SLOT } from './role-table.ts';
import { RowRange } from './row-range.ts';
import { Segment } from './segment.ts';
import type { SlotSet } from './slot-set.ts';
import { compareIds } from './snowflake.ts';

/**
 * The rows of a guild's first reading. They are only kept, in ranges of ids that split as they grow, and each range
 * becomes a segment when all rows are here: to put one row after the other in order would take far longer.
 */
export class FirstReading {
  /** The roles of members who have changed since it began, by member id; null for one who left. They win over rows. */
  readonly changes = new Map<string, readonly string[] | null>();
  readonly #membersMax: number;
  /** In id order, the first from id 0 on. */
  readonly #ranges: RowRange[] = [new RowRange(0, 0)];
  #built: Segment[] = [];
  #nextRange = 0;

  constructor(membersMax: number) {
    this.#membersMax = membersMax;
  }

  get byteLength(): number {
    return this.#ranges.reduce((bytes, range) => bytes + range.byteLength, 0);
  }

  /** Of repeated rows the first one counts. */
  add(hi: number, lo: number, slots: SlotSet): void {
    let low = 0;
    let high = this.#ranges.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const { minHi, minLo } = this.#ranges[middle]!;
      if (compareIds(minHi, minLo, hi, lo) <= 0) low = middle;
      else high = middle - 1;
    }
    const range = this.#ranges[low]!;
    range.add(hi, lo, slots);
    if (range.count % this.#membersMax !== 0) return;
    const upper = range.split();
    if (upper !== null) this.#ranges.splice(low + 1, 0, upper);
  }

  /** Takes a role from all members. */
  deleteRole(roleId: string, slot: number): void {
    for (const [id, roles] of this.changes) {
      if (roles !== null) {
        this.changes.set(
          id,
          roles.filter((role) => role !== roleId),
        );
      }
    }
    for (const range of this.#ranges) range.deleteSlot(slot);
    this.#built = [];
    this.#nextRange = 0;
  }

  /** Makes the segments of one range. Returns false when all are made. */
  buildStep(slots: number): boolean {
    const range = this.#ranges[this.#nextRange];
    if (range === undefined) return false;
    this.#nextRange += 1;
    const order = range.ordered();
    // A range that could not be split may hold too many rows for one segment.
    const parts = Math.max(1, Math.ceil(order.length / this.#membersMax));
    for (let part = 0; part < parts; part += 1) {
      const from = Math.floor((order.length * part) / parts);
      const to = Math.floor((order.length * (part + 1)) / parts);
      this.#built.push(segmentOf(range, order.subarray(from, to), slots, this.#membersMax));
    }
    return true;
  }

  /** All segments, after the last step. The first one begins at id 0. */
  get segments(): Segment[] {
    const [first] = this.#built;
    if (first !== undefined) first.minHi = first.minLo = 0;
    return this.#built;
  }
}

/** @param order rows in id order, each id once */
function segmentOf(range: RowRange, order: Uint32Array, slots: number, membersMax: number): Segment {
  const size = order.length;
  const capacity = Math.min(membersMax, size + (size >>> 5) + 8);
  const counts = new Uint32Array(slots);
  let memberships = 0;
  for (const row of order) {
    const end = range.starts[row + 1]!;
    for (let at = range.starts[row]!; at < end; at += 1) counts[range.slots[at]!]! += 1;
    memberships += end - range.starts[row]!;
  }
  counts[EVERYONE_SLOT] = size;
  let poolLength = 0;
  // Where the holders of each role end, once they are all in.
  const ends = new Uint32Array(slots);
  for (let slot = 0, end = 0; slot < slots; slot += 1) {
    poolLength += poolEntries(counts[slot]!, capacity, false);
    ends[slot] = end;
    if (slot >= FIRST_ROLE_SLOT) end += counts[slot]!;
  }

  const lists = new RoleLists({ ordinalsMax: capacity, slots, poolLength, growing: false });
  const [first = 0] = order;
  const minHi = range.ids[first * 2 + 1]!;
  const minLo = range.ids[first * 2]!;
  const segment = new Segment({ minHi, minLo, capacity, size, slots, lists, loose: false });
  const holders = new Uint16Array(memberships);
  for (let ordinal = 0; ordinal < size; ordinal += 1) {
    const row = order[ordinal]!;
    const end = range.starts[row + 1]!;
    let sum = 0;
    for (let at = range.starts[row]!; at < end; at += 1) {
      const slot = range.slots[at]!;
      if (slot === EVERYONE_SLOT) continue;
      holders[ends[slot]!] = ordinal;
      ends[slot]! += 1;
      sum += slot;
    }
    segment.set(ordinal, range.ids[row * 2 + 1]!, range.ids[row * 2]!, sum);
  }
  lists.fillAll(EVERYONE_SLOT, size);
  for (let slot = FIRST_ROLE_SLOT; slot < slots; slot += 1) {
    lists.fill(slot, holders, ends[slot]! - counts[slot]!, ends[slot]!, 0);
  }
  lists.trim();
  return segment;
}
