import type { MemberFacts } from './member-writer.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import { indexOfId, indexOfRange } from './search.ts';
import { segmentsOf } from './segment-list.ts';
import type { OrderedMembers, Segment } from './segment.ts';

/**
 * The rows of a guild's first sync. They are collected in ranges of ids that split as they grow. Each range becomes
 * a segment when all rows are here, which is far faster than inserting rows one by one in order.
 */
export class FirstSync {
  /** By id: members who have changed since the sync began; null for one who left. They win over rows. */
  readonly changes = new Map<string, MemberFacts | null>();
  readonly #membersMax: number;
  /** In id order; the first begins at id 0. */
  readonly #ranges = [new RowRange(0n)];
  #built: Segment[] = [];
  #nextRange = 0;

  constructor(membersMax: number) {
    this.#membersMax = membersMax;
  }

  get byteLength(): number {
    return this.#ranges.reduce((bytes, range) => bytes + range.byteLength, 0);
  }

  /** Of repeated rows, the first counts. */
  add(id: bigint, slots: readonly number[]): void {
    const at = indexOfRange(this.#ranges, id);
    const range = this.#ranges[at]!;
    range.add(id, slots);
    if (range.count % this.#membersMax === 0) this.#ranges.splice(at, 1, ...range.split());
  }

  deleteRole(roleId: string, slot: number): void {
    for (const [id, row] of this.changes) {
      if (row === null) continue;
      this.changes.set(id, { ...row, roles: row.roles.filter((role) => role !== roleId) });
    }
    for (const range of this.#ranges) range.deleteSlot(slot);
    this.#built = [];
    this.#nextRange = 0;
  }

  /** Makes the segments of one range. Returns false when all are made. */
  buildStep(slotCount: number): boolean {
    const range = this.#ranges[this.#nextRange];
    if (range === undefined) return false;
    this.#nextRange += 1;
    const members = range.members(slotCount);
    // One member's repeated rows cannot be split, so a range may hold too many for one segment.
    const parts = Math.max(1, Math.ceil(members.ids.length / this.#membersMax));
    this.#built.push(...segmentsOf(members, parts, range.min, this.#membersMax));
    return true;
  }

  /** In id order. Complete after the last step. */
  get segments(): readonly Segment[] {
    return this.#built;
  }
}

/** Rows of members whose ids are in one range, in the order of their arrival. */
class RowRange {
  /** The lowest id of the range. */
  readonly min: bigint;
  #ids = new BigUint64Array(64);
  /** Start of each row's slots, and the end of the last one. */
  #starts = new Uint32Array(65);
  /** Role slots of all rows. A deleted role becomes EVERYONE_SLOT. */
  #slots = new Uint16Array(256);
  #count = 0;

  constructor(min: bigint) {
    this.min = min;
  }

  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#ids.byteLength + this.#starts.byteLength + this.#slots.byteLength;
  }

  /** Adds a row with `slots` from `first` to before `last`. */
  add(id: bigint, slots: ArrayLike<number>, first = 0, last = slots.length): void {
    const row = this.#count;
    if (row === this.#ids.length) {
      const [ids, starts] = [this.#ids, this.#starts];
      this.#ids = new BigUint64Array(row * 2);
      this.#ids.set(ids);
      this.#starts = new Uint32Array(row * 2 + 1);
      this.#starts.set(starts);
    }
    const start = this.#starts[row]!;
    const end = start + last - first;
    if (end > this.#slots.length) {
      const slotsOfOthers = this.#slots;
      this.#slots = new Uint16Array(end * 2);
      this.#slots.set(slotsOfOthers);
    }
    this.#ids[row] = id;
    for (let at = first; at < last; at += 1) this.#slots[start + at - first] = slots[at]!;
    this.#starts[row + 1] = end;
    this.#count = row + 1;
  }

  deleteSlot(slot: number): void {
    this.#slots.forEach((other, at) => {
      if (other === slot) this.#slots[at] = EVERYONE_SLOT;
    });
  }

  /** Splits the rows in two ranges of about equal size. Returns one range if too many rows belong to one member. */
  split(): RowRange[] {
    const ascending = this.#ids.slice(0, this.#count).sort();
    const middle = ascending[this.#count >>> 1]!;
    if (middle === ascending[0]) return [this];
    const lower = new RowRange(this.min);
    const upper = new RowRange(middle);
    for (let row = 0; row < this.#count; row += 1) {
      const id = this.#ids[row]!;
      const range = id < middle ? lower : upper;
      range.add(id, this.#slots, this.#starts[row], this.#starts[row + 1]);
    }
    return [lower, upper];
  }

  /**
   * The members in id order. Of repeated rows, the first counts.
   * @param slotCount role slots of the guild
   */
  members(slotCount: number): OrderedMembers {
    const ids = distinct(this.#ids.slice(0, this.#count).sort());
    const rows = new Uint32Array(ids.length);
    for (let row = this.#count - 1; row >= 0; row -= 1) {
      rows[indexOfId(ids, ids.length, this.#ids[row]!)] = row;
    }
    const sums = new Uint32Array(ids.length);
    const holders = Array.from({ length: slotCount }, (): number[] => []);
    rows.forEach((row, index) => {
      holders[EVERYONE_SLOT]!.push(index);
      const end = this.#starts[row + 1]!;
      for (let at = this.#starts[row]!; at < end; at += 1) {
        const slot = this.#slots[at]!;
        if (slot === EVERYONE_SLOT) continue;
        holders[slot]!.push(index);
        sums[index]! += slot;
      }
    });
    return { ids, sums, holders };
  }
}

/** @param ids ascending; they are overwritten */
function distinct(ids: BigUint64Array): BigUint64Array {
  let count = 0;
  for (let at = 0; at < ids.length; at += 1) {
    if (count > 0 && ids[at] === ids[count - 1]) continue;
    ids[count] = ids[at]!;
    count += 1;
  }
  return ids.subarray(0, count);
}
