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
const lacking = new SlotSet();
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

  /** Takes a role from all its holders and forgets it. */
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

  /** The slots of roles, until the next call; roles not known yet are added. @throws RangeError like `write` */
  slotsOf(roles: readonly string[]): SlotSet {
    wanted.clear();
    for (const roleId of roles) {
      const slot = this.#roles.find(roleId);
      if (slot !== -1) wanted.add(slot);
      else if (roleId !== this.#guildId) wanted.add(this.addRole(roleId));
    }
    wanted.settle();
    return wanted;
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
    const guess = before.guess(hi);
    if (reload !== 'unseen') {
      this.slotsOf(roles);
      // All that is far away comes at once: the id, the sum and the lists.
      before.lists.prefetch(wanted, guess, before.ids[guess * 2]! | before.sums[guess]!);
    }
    let ordinal = before.find(hi, lo, guess);
    const present = before.isLive(ordinal);
    const unseen = reload !== 'none' && !(present && before.lists.has(SEEN_SLOT, ordinal));
    if (reload === 'unseen') {
      if (!unseen) return false;
      this.slotsOf(roles);
    }

    const missing = present ? lacking : wanted;
    const rest = present ? before.sums[ordinal]! - before.lists.sumHeld(wanted, ordinal, lacking) : 0;
    const changed = !present || rest > 0 || missing.count > 0;
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
    for (let index = 0; index < missing.count; index += 1) {
      const slot = missing.at(index);
      segment.lists.add(slot, ordinal);
      segment.sums[ordinal]! += slot;
      this.#roles.change(slot, 1, now);
    }
    return changed;
  }

  /** Takes those roles from a member that are not to be kept; their slots sum up to `rest`. */
  #removeRoles(segment: Segment, ordinal: number, rest: number, kept: SlotSet, now: number): void {
    const { slots } = this.#roles;
    const { lists } = segment;
    let left = rest;
    for (let slot = FIRST_ROLE_SLOT; left > 0 && slot < slots; slot += 1) {
      // Slots are positive: when the rest is itself the slot of a role that is gone, it is the only one.
      const isOnly = left < slots && !kept.has(left) && lists.delete(left, ordinal);
      if (!isOnly && (kept.has(slot) || !lists.delete(slot, ordinal))) continue;
      const gone = isOnly ? left : slot;
      this.#roles.change(gone, -1, now);
      left -= gone;
    }
    segment.sums[ordinal]! -= rest;
  }

  /** Puts segments of a first reading in the place of all others. */
  replaceSegments(segments: readonly Segment[]): void {
    this.#segments.replace(segments);
    if (this.#wideSums) this.#segments.widenSums();
    const now = this.#now();
    for (let slot = 0; slot < this.#roles.slots; slot += 1) {
      const count = segments.reduce((sum, { lists }) => sum + lists.count(slot), 0);
      const difference = count - this.#roles.count(slot);
      if (slot !== SEEN_SLOT && (count > 0 || difference !== 0)) this.#roles.change(slot, difference, now);
    }
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
