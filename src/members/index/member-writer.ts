/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import {
  EVERYONE_SLOT,
  FIRST_ROLE_SLOT,
  SEEN_SLOT,
  SLOTS_OF_SHORT_SUMS,
  type RoleTable,
} from './role-table.ts';
import type { SegmentList } from './segment-list.ts';
import type { Segment } from './segment.ts';
import { SlotSet } from './slot-set.ts';
import { SnowflakeHalves } from './snowflake.ts';
import { SEGMENT_MEMBERS_MAX } from './sort-ordinals.ts';

// The member at hand. Nothing is kept here between two calls.
const wanted = new SlotSet();
const added = new SlotSet();
const ordinals = new Uint16Array(SEGMENT_MEMBERS_MAX);

export interface MemberWriterOptions {
  readonly guildId: string;
  readonly roles: RoleTable;
  readonly segments: SegmentList;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Changes who is in a guild and which roles they hold, in all places where that is written down. */
export class MemberWriter {
  readonly #guildId: string;
  readonly #roles: RoleTable;
  readonly #segments: SegmentList;
  readonly #now: () => number;
  readonly #id = new SnowflakeHalves();
  #wideSums = false;

  constructor({ guildId, roles, segments, now }: MemberWriterOptions) {
    this.#guildId = guildId;
    this.#roles = roles;
    this.#segments = segments;
    this.#now = now;
  }

  /** The slot of a role, a new one where it is not known yet. @throws RangeError like `write` */
  addRole(roleId: string): number {
    const slot = this.#roles.findOrAdd(roleId);
    this.#roles.change(slot, 0, this.#now());
    if (!this.#wideSums && this.#roles.slots > SLOTS_OF_SHORT_SUMS) {
      this.#wideSums = true;
      this.#segments.widenSums();
    }
    return slot;
  }

  /** Takes a role from all who hold it and forgets it. */
  deleteRole(slot: number): void {
    for (let at = 0; at < this.#segments.all.length; at += 1) {
      if (this.#segments.at(at).lists.count(slot) === 0) continue;
      const segment = this.#segments.own(at);
      const count = segment.lists.copyTo(slot, ordinals);
      for (let index = 0; index < count; index += 1) segment.sums[ordinals[index]!]! -= slot;
      segment.lists.clear(slot);
    }
    this.#roles.delete(slot, this.#now());
  }

  #setWanted(roles: readonly string[]): void {
    wanted.clear();
    for (const roleId of roles) {
      if (roleId === this.#guildId) continue;
      const slot = this.#roles.find(roleId);
      wanted.add(slot === -1 ? this.addRole(roleId) : slot);
    }
    wanted.settle();
  }

  /**
   * Sets the roles of a member, old or new. Returns whether anything changed.
   * @param reload whether one is under way, which then has seen this member; `unseen` leaves those alone whom it has
   * seen already
   * @param readAt milliseconds since 1970 where they are known
   * @throws RangeError the id is no snowflake, or the guild has too many roles
   */
  write(
    id: string,
    roles: readonly string[],
    reload: 'none' | 'all' | 'unseen',
    readAt: number | null,
  ): boolean {
    if (!this.#id.set(id)) throw new RangeError('A member id is no snowflake.');
    const { hi, lo } = this.#id;
    let at = this.#segments.placeOf(hi, lo);
    const before = this.#segments.at(at);
    let ordinal = before.find(hi, lo);
    const present = before.isLive(ordinal);
    const unseen = reload !== 'none' && !(present && before.lists.has(SEEN_SLOT, ordinal));
    if (reload === 'unseen' && !unseen) return false;

    this.#setWanted(roles);
    added.clear();
    let rest = present ? before.sums[ordinal]! : 0;
    for (let index = 0; index < wanted.count; index += 1) {
      const slot = wanted.at(index);
      if (present && before.lists.has(slot, ordinal)) rest -= slot;
      else added.add(slot);
    }
    const changed = !present || rest > 0 || added.count > 0;
    if (!changed && !unseen) return false;

    if (ordinal < 0 && before.full) {
      this.#segments.makeRoom(at, reload !== 'none');
      at = this.#segments.placeOf(hi, lo);
      ordinal = this.#segments.at(at).find(hi, lo);
    }
    const segment = this.#segments.own(at);
    if (ordinal < 0) ordinal = segment.append(hi, lo, ordinal);
    const now = readAt ?? this.#now();
    if (!present) {
      segment.lists.add(EVERYONE_SLOT, ordinal);
      this.#roles.change(EVERYONE_SLOT, 1, now);
    }
    if (unseen) segment.lists.add(SEEN_SLOT, ordinal);
    if (rest > 0) this.#removeRoles(segment, ordinal, rest, wanted, now);
    for (let index = 0; index < added.count; index += 1) {
      const slot = added.at(index);
      segment.lists.add(slot, ordinal);
      segment.sums[ordinal]! += slot;
      this.#roles.change(slot, 1, now);
    }
    return changed;
  }

  /** Takes those roles from a member that are not to be kept; their slots sum up to `rest`. */
  #removeRoles(segment: Segment, ordinal: number, rest: number, kept: SlotSet, now: number): void {
    const { slots } = this.#roles;
    const isGone = (slot: number) => segment.lists.has(slot, ordinal) && !kept.has(slot);
    let left = rest;
    for (let slot = FIRST_ROLE_SLOT; left > 0 && slot < slots; slot += 1) {
      // Slots are positive: when the rest is itself the slot of a role that is gone, it is the only one.
      const gone = left < slots && isGone(left) ? left : slot;
      if (gone === slot && !isGone(slot)) continue;
      segment.lists.delete(gone, ordinal);
      this.#roles.change(gone, -1, now);
      left -= gone;
    }
    segment.sums[ordinal]! -= rest;
  }

  /** Takes a member out of all lists. */
  remove(segment: Segment, ordinal: number): void {
    const now = this.#now();
    wanted.clear();
    this.#removeRoles(segment, ordinal, segment.sums[ordinal]!, wanted, now);
    segment.lists.delete(SEEN_SLOT, ordinal);
    segment.lists.delete(EVERYONE_SLOT, ordinal);
    this.#roles.change(EVERYONE_SLOT, -1, now);
  }
}
