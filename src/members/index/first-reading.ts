import { segmentsOf } from './remake-segments.ts';
import { RowRange } from './row-range.ts';
import type { Segment } from './segment.ts';
import { placeOfRange } from './snowflake.ts';

/**
 * The rows of a guild's first reading. They are only collected, in ranges of ids that split as they grow, and each
 * range becomes a segment when all rows are here: inserting rows one by one in order would take far longer.
 */
export class FirstReading {
  /** By member id: the roles of members who have changed since it began; null for one who left. They win over rows. */
  readonly changes = new Map<string, readonly string[] | null>();
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

  /** The first of repeated rows counts. */
  add(id: bigint, slots: readonly number[]): void {
    const at = placeOfRange(this.#ranges, id);
    const range = this.#ranges[at]!;
    range.add(id, slots);
    if (range.count % this.#membersMax === 0) this.#ranges.splice(at, 1, ...range.split());
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
  buildStep(slotCount: number): boolean {
    const range = this.#ranges[this.#nextRange];
    if (range === undefined) return false;
    this.#nextRange += 1;
    const members = range.members(slotCount);
    // A range that could not be split may hold too many rows for one segment.
    const parts = Math.max(1, Math.ceil(members.ids.length / this.#membersMax));
    this.#built.push(...segmentsOf(members, parts, range.min, this.#membersMax));
    return true;
  }

  /** In id order. Complete after the last step. */
  get segments(): readonly Segment[] {
    return this.#built;
  }
}
