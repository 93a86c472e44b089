/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { pageOf, type RolePage } from './role-page.ts';
import { EVERYONE_SLOT, FIRST_ROLE_SLOT, RoleTable, SEEN_SLOT, SLOTS_OF_SHORT_SUMS } from './role-table.ts';
import { SegmentList } from './segment-list.ts';
import type { Segment } from './segment.ts';
import { SEGMENT_MEMBERS_MAX } from './sort-ordinals.ts';
import { SlotSet } from './slot-set.ts';
import { SnowflakeHalves } from './snowflake.ts';

export interface MemberIndexOptions {
  /** Snowflake; as a role it means all members, and among a member's roles it is ignored. */
  readonly guildId: string;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
  /** Members of a segment: 16,384, the default, or fewer for tests. */
  readonly segmentMembersMax?: number;
}

// The member at hand. Nothing is kept here between two calls.
const wanted = new SlotSet();
const added = new SlotSet();
const ordinals = new Uint16Array(SEGMENT_MEMBERS_MAX);

/**
 * Who is in a guild and which roles they hold, in about 16 bytes a member. A count is one look, the ids of a role
 * come out ascending without a sort, and an update takes about a microsecond.
 *
 * Members lie in segments by ranges of ids, see Segment and RoleLists. A list that `page` hands out stays as it is:
 * it shares segments with the index until the index changes one.
 */
export class MemberIndex {
  readonly guildId: string;
  readonly #now: () => number;
  readonly #id = new SnowflakeHalves();
  readonly #roles = new RoleTable();
  readonly #segments: SegmentList;
  #wideSums = false;
  /** Who left and which roles were deleted since a reload began. */
  #reload: { readonly left: Set<string>; readonly deletedRoles: Set<string> } | null = null;

  constructor({ guildId, now = Date.now, segmentMembersMax = SEGMENT_MEMBERS_MAX }: MemberIndexOptions) {
    this.guildId = guildId;
    this.#now = now;
    this.#segments = new SegmentList(segmentMembersMax, this.#roles);
  }

  get memberCount(): number {
    return this.#roles.count(EVERYONE_SLOT);
  }

  get segmentCount(): number {
    return this.#segments.all.length;
  }

  /** Bytes in typed arrays, which is all that grows with members and roles. */
  get byteLength(): number {
    return this.#roles.byteLength + this.#segments.byteLength;
  }

  has(id: string): boolean {
    if (!this.#id.set(id)) return false;
    const segment = this.#segments.at(this.#segments.placeOf(this.#id.hi, this.#id.lo));
    return segment.isLive(segment.find(this.#id.hi, this.#id.lo));
  }

  /**
   * Adds a member or sets the roles of one; roles not known yet are added. Returns whether anything changed.
   * @throws RangeError an id is no snowflake, or the guild has over 65,000 roles
   */
  upsert(id: string, roles: readonly string[]): boolean {
    this.#reload?.left.delete(id);
    return this.#write(id, roles, false, null);
  }

  /** Returns whether the member was there. */
  remove(id: string): boolean {
    if (!this.#id.set(id)) return false;
    this.#reload?.left.add(id);
    const at = this.#segments.placeOf(this.#id.hi, this.#id.lo);
    const found = this.#segments.at(at).find(this.#id.hi, this.#id.lo);
    if (!this.#segments.at(at).isLive(found)) return false;
    this.#removeOrdinal(this.#segments.own(at), found);
    this.#segments.tidy(at);
    return true;
  }

  /** Adds a role that nobody holds yet. Returns false when it is known. */
  addRole(roleId: string): boolean {
    this.#reload?.deletedRoles.delete(roleId);
    if (roleId === this.guildId || this.#roles.find(roleId) !== -1) return false;
    this.#addRole(roleId);
    return true;
  }

  /** Takes a role from all who hold it and forgets it. Returns false when it is not known. */
  deleteRole(roleId: string): boolean {
    this.#reload?.deletedRoles.add(roleId);
    const slot = this.#roles.find(roleId);
    if (slot === -1) return false;
    for (let at = 0; at < this.#segments.all.length; at += 1) {
      if (this.#segments.at(at).lists.count(slot) === 0) continue;
      const segment = this.#segments.own(at);
      const count = segment.lists.copyTo(slot, ordinals);
      for (let index = 0; index < count; index += 1) segment.sums[ordinals[index]!]! -= slot;
      segment.lists.clear(slot);
    }
    this.#roles.delete(slot);
    return true;
  }

  hasRole(roleId: string): boolean {
    return this.#slotOf(roleId) !== -1;
  }

  /** All roles known, without @everyone, in no order. */
  roleIds(): string[] {
    return this.#roles.ids();
  }

  /** How many hold a role; 0 when it is not known. */
  count(roleId: string): number {
    const slot = this.#slotOf(roleId);
    return slot === -1 ? 0 : this.#roles.count(slot);
  }

  /**
   * Opaque; differs whenever the holders of the role may differ, between processes and indexes too. '' when the role
   * is not known.
   */
  version(roleId: string): string {
    const slot = this.#slotOf(roleId);
    return slot === -1 ? '' : this.#roles.version(slot);
  }

  /** Unix seconds at which the holders of the role last changed; 0 when it is not known. */
  asOf(roleId: string): number {
    const slot = this.#slotOf(roleId);
    return slot === -1 ? 0 : Math.floor(this.#roles.changedAt(slot) / 1000);
  }

  /**
   * Holders of a role, ascending. The list stays as it is, whatever happens to the index later.
   * @param limit length of the page; null for all
   * @param after snowflake: only ids above it; null from the start
   */
  page(roleId: string, limit: number | null, after: string | null): RolePage {
    const slot = this.#slotOf(roleId);
    if (after !== null && !this.#id.set(after)) throw new RangeError('`after` is no snowflake.');
    return pageOf(slot === -1 ? [] : this.#segments.all, slot, limit, after === null ? null : this.#id);
  }

  /**
   * From here on every member that is upserted counts as confirmed, and `finishReload` drops the others. What
   * `upsertReloaded` brings is older than any other call since, so it loses against them.
   */
  beginReload(): void {
    this.#segments.forgetSeen();
    this.#reload = { left: new Set(), deletedRoles: new Set() };
  }

  /**
   * A row of the reload. Members whom an upsert or a removal has named since it began stay as these left them.
   * @param now milliseconds since 1970 where they are known: a look at the clock is a twentieth of the work
   * @throws RangeError like `upsert`
   */
  upsertReloaded(id: string, roles: readonly string[], now: number | null = null): boolean {
    const reload = this.#reload;
    if (reload === null) throw new RangeError('No reload is under way.');
    if (reload.left.size > 0 && reload.left.has(id)) return false;
    const gone = reload.deletedRoles;
    return this.#write(id, gone.size === 0 ? roles : roles.filter((role) => !gone.has(role)), true, now);
  }

  /** Ends a reload at once; for large guilds see `finishReloadStep`. */
  finishReload(): void {
    while (this.finishReloadStep());
  }

  /**
   * One step, of under a millisecond mostly, towards the end of a reload: drops members who were not confirmed and
   * gives room back. Returns false when the reload has ended; changes may come in between.
   */
  finishReloadStep(): boolean {
    if (this.#reload === null) return false;
    for (let at = 0; at < this.#segments.all.length; at += 1) {
      const segment = this.#segments.at(at);
      if (segment.live !== segment.lists.count(SEEN_SLOT)) {
        this.#removeUnseen(at);
        return true;
      }
      if (this.#segments.shrink(at)) return true;
    }
    this.#segments.forgetSeen();
    this.#reload = null;
    return false;
  }

  #slotOf(roleId: string): number {
    return roleId === this.guildId ? EVERYONE_SLOT : this.#roles.find(roleId);
  }

  #addRole(roleId: string): number {
    const slot = this.#roles.findOrAdd(roleId);
    this.#roles.change(slot, 0, this.#now());
    if (!this.#wideSums && this.#roles.slots > SLOTS_OF_SHORT_SUMS) {
      this.#wideSums = true;
      this.#segments.widenSums();
    }
    return slot;
  }

  #setWanted(roles: readonly string[]): void {
    wanted.clear();
    for (const roleId of roles) {
      if (roleId === this.guildId) continue;
      const slot = this.#roles.find(roleId);
      wanted.add(slot === -1 ? this.#addRole(roleId) : slot);
    }
    wanted.settle();
  }

  #write(id: string, roles: readonly string[], onlyUnseen: boolean, readAt: number | null): boolean {
    if (!this.#id.set(id)) throw new RangeError('A member id is no snowflake.');
    const { hi, lo } = this.#id;
    let at = this.#segments.placeOf(hi, lo);
    const before = this.#segments.at(at);
    let ordinal = before.find(hi, lo);
    const present = before.isLive(ordinal);
    const unseen = this.#reload !== null && !(present && before.lists.has(SEEN_SLOT, ordinal));
    if (onlyUnseen && !unseen) return false;

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
      this.#segments.makeRoom(at, this.#reload !== null);
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

  #removeOrdinal(segment: Segment, ordinal: number): void {
    const now = this.#now();
    wanted.clear();
    this.#removeRoles(segment, ordinal, segment.sums[ordinal]!, wanted, now);
    segment.lists.delete(SEEN_SLOT, ordinal);
    segment.lists.delete(EVERYONE_SLOT, ordinal);
    this.#roles.change(EVERYONE_SLOT, -1, now);
  }

  #removeUnseen(at: number): void {
    const segment = this.#segments.own(at);
    const count = segment.lists.copyTo(EVERYONE_SLOT, ordinals);
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!;
      if (!segment.lists.has(SEEN_SLOT, ordinal)) this.#removeOrdinal(segment, ordinal);
    }
    this.#segments.tidy(at);
  }
}
