import { parseSnowflake } from '../../kernel/snowflake.ts';
import { FirstSync } from './first-sync.ts';
import { FoundHolders, NamedHolders, type Holders } from './holders.ts';
import { MemberWriter, type MemberFacts, type RoleWatcher } from './member-writer.ts';
import { BOT_SLOT, EVERYONE_SLOT, RoleTable, CONFIRMED_SLOT } from './role-table.ts';
import { SegmentList } from './segment-list.ts';
import { SEGMENT_MEMBERS_MAX } from './segment.ts';
import { selectionOf, type Selection } from './selection.ts';

/**
 * Stands for all bots in conditions and versions, like a role that they hold. Lists and counts of roles leave it out,
 * and `roles` of a member cannot name it.
 */
export const BOTS_PSEUDO_ROLE = 'bots';

/** By role id or pseudo role: a member holds each of `all`, one of `any` unless it is empty, and none of `none`. */
export interface RoleCondition {
  readonly all: readonly string[];
  readonly any: readonly string[];
  readonly none: readonly string[];
}

export interface RoleCount {
  readonly roleId: string;
  readonly count: number;
}

export interface MemberIndexOptions {
  /** Snowflake; as a role it means all members, and among a member's roles it is ignored. */
  readonly guildId: string;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
  /** Members of a segment: 16,384, the default, or fewer for tests. */
  readonly segmentMembersMax?: number;
}

/**
 * The members of a guild and the roles they hold, in about 16 bytes a member. A count is one lookup, the ids of a role
 * come out ascending without a sort, and an update takes about a microsecond.
 *
 * Members are divided into segments by ranges of ids. See Segment and RoleLists.
 */
export class MemberIndex {
  readonly guildId: string;
  readonly #roles = new RoleTable();
  readonly #segments: SegmentList;
  readonly #writer: MemberWriter;
  /** Members who left, and roles that were deleted, since the sync under way began. */
  #sync: { readonly left: Set<string>; readonly deletedRoles: Set<string> } | null = null;
  /** The rows and changes of a first sync while it is under way. */
  #first: FirstSync | null = null;
  /** True after the first sync has ended. */
  #isSynced = false;

  constructor({ guildId, now = Date.now, segmentMembersMax = SEGMENT_MEMBERS_MAX }: MemberIndexOptions) {
    this.guildId = guildId;
    this.#segments = new SegmentList(segmentMembersMax);
    this.#writer = new MemberWriter({ guildId, roles: this.#roles, segments: this.#segments, now });
  }

  /**
   * Adds a member, or sets the roles of one, and adds unknown roles. Returns whether anything changed.
   * @param isBot false for people
   * @throws RangeError an id is no snowflake, or the guild has over 65,000 roles
   */
  upsert(id: string, roles: readonly string[], isBot = false): boolean {
    return this.#upsert(id, { roles, isBot });
  }

  /** Returns whether the member was there. */
  remove(id: string): boolean {
    const memberId = parseSnowflake(id);
    if (memberId === null) return false;
    if (this.#first !== null) {
      const wasThere = this.has(id);
      this.#first.changes.set(id, null);
      return wasThere;
    }
    this.#sync?.left.add(id);
    const at = this.#segments.indexFor(memberId);
    const segment = this.#segments.at(at);
    const found = segment.find(memberId);
    if (!segment.isLive(found)) return false;
    this.#writer.remove(segment, found);
    this.#segments.tidy(at);
    return true;
  }

  /** Adds a role without holders. Returns false when it is known. */
  addRole(roleId: string): boolean {
    this.#sync?.deletedRoles.delete(roleId);
    if (roleId === this.guildId || this.#roles.find(roleId) !== -1) return false;
    this.#writer.addRole(roleId);
    return true;
  }

  /** Takes a role from all its holders and forgets it. Returns false when it is not known. */
  deleteRole(roleId: string): boolean {
    this.#sync?.deletedRoles.add(roleId);
    const slot = this.#roles.find(roleId);
    if (slot === -1) return false;
    this.#writer.deleteRole(slot);
    this.#first?.deleteRole(roleId, slot);
    return true;
  }

  /**
   * Reports each member who gets or loses a role from now on, including what a sync corrects. A role has at most one
   * watcher. Call it after the first sync.
   * @param roleId must be known
   * @returns a function that ends it
   */
  watch(roleId: string, watcher: RoleWatcher): () => void {
    return this.#writer.watch(this.#slotOf(roleId), watcher);
  }

  /**
   * Begins a sync. Every member that is upserted from now on counts as confirmed, and the last step drops the others.
   * Other changes during the sync win over rows of `upsertSynced`, which are older.
   *
   * The rows and changes of the first sync are kept apart until it ends. Until then the index is not read, and
   * sorting all members together takes far less time.
   */
  beginSync(): void {
    this.#segments.forgetConfirmed();
    this.#sync = { left: new Set(), deletedRoles: new Set() };
    if (!this.#isSynced) this.#first = new FirstSync(this.#segments.membersMax);
  }

  /**
   * Adds a row of the sync. Ignores members who were upserted or removed since the sync began.
   * @param isBot false for people
   * @param now milliseconds since 1970; null reads the clock for each row, which costs a twentieth of a call
   * @throws RangeError like `upsert`
   */
  upsertSynced(id: string, roles: readonly string[], isBot = false, now: number | null = null): boolean {
    const sync = this.#sync;
    if (sync === null) throw new RangeError('No sync is under way.');
    if (sync.left.size > 0 && sync.left.has(id)) return false;
    const gone = sync.deletedRoles;
    const row = { roles: gone.size === 0 ? roles : roles.filter((role) => !gone.has(role)), isBot };
    if (this.#first === null) return this.#writer.write(id, row, 'unconfirmed', now);
    const memberId = parseSnowflake(id);
    if (memberId === null) throw new RangeError('A member id is no snowflake.');
    this.#first.add(memberId, this.#writer.slotsOf(row));
    return true;
  }

  /**
   * Takes one step towards the end of a sync, mostly in under a millisecond: drops members who were not confirmed and
   * frees memory. Returns false when the sync has ended. Changes may come between steps.
   */
  finishSyncStep(): boolean {
    if (this.#sync === null) return false;
    if (this.#first !== null) {
      if (this.#first.buildStep(this.#roles.slots)) return true;
      this.#endFirst(this.#first);
      return false;
    }
    for (let at = 0; at < this.#segments.all.length; at += 1) {
      const segment = this.#segments.at(at);
      if (segment.live !== segment.roleHolders.count(CONFIRMED_SLOT)) {
        this.#removeUnconfirmed(at);
        return true;
      }
    }
    this.#segments.forgetConfirmed();
    this.#sync = null;
    this.#isSynced = true;
    return false;
  }

  get memberCount(): number {
    return this.#roles.count(EVERYONE_SLOT);
  }

  has(id: string): boolean {
    const changed = this.#first?.changes.get(id);
    if (changed !== undefined) return changed !== null;
    const memberId = parseSnowflake(id);
    if (memberId === null) return false;
    const segment = this.#segments.at(this.#segments.indexFor(memberId));
    return segment.isLive(segment.find(memberId));
  }

  /** All roles known, without @everyone, in no order. */
  roleIds(): string[] {
    return this.#roles.ids();
  }

  hasRole(roleId: string): boolean {
    return this.#slotOf(roleId) !== -1;
  }

  /** 0 when the role is not known. */
  count(roleId: string): number {
    const slot = this.#slotOf(roleId);
    return slot === -1 ? 0 : this.#roles.count(slot);
  }

  /** Ascending by id, without @everyone. */
  roleCounts(): RoleCount[] {
    return this.#roles.allCounts();
  }

  /**
   * Finds the members that match a condition. All of its roles must be known.
   * @param among only these members, in any order; null for all
   */
  holders({ all, any, none }: RoleCondition, among: readonly string[] | null = null): Holders {
    const selection = selectionOf({
      all: this.#slotsOf(all),
      any: this.#slotsOf(any),
      none: this.#slotsOf(none),
    });
    if (among !== null) return new NamedHolders(this.#named(among, selection));
    return new FoundHolders(this.#segments.all, selection);
  }

  /**
   * An opaque version of the holders of these roles. It differs whenever they may differ, also between processes and
   * indexes. Empty if all these roles are unknown.
   */
  version(...roleIds: readonly string[]): string {
    return this.#roles.version(this.#slotsOf(roleIds));
  }

  /** Unix seconds of the last change among the holders of these roles; 0 if all these roles are unknown. */
  asOf(...roleIds: readonly string[]): number {
    const changedAt = this.#slotsOf(roleIds).map((slot) => this.#roles.changedAt(slot));
    return Math.floor(Math.max(0, ...changedAt) / 1000);
  }

  /** Like `version`, for all members and roles together. */
  get wholeVersion(): string {
    return this.#roles.wholeVersion;
  }

  /** Unix seconds of the last change of anything. */
  get wholeAsOf(): number {
    return Math.floor(this.#roles.lastChangedAt / 1000);
  }

  get segmentCount(): number {
    return this.#segments.all.length;
  }

  /** Bytes of everything that grows with members and roles. The share of the roles is estimated. */
  get byteLength(): number {
    return this.#roles.byteLength + this.#segments.byteLength + (this.#first?.byteLength ?? 0);
  }

  #upsert(id: string, row: MemberFacts): boolean {
    this.#sync?.left.delete(id);
    if (this.#first !== null) {
      if (parseSnowflake(id) === null) throw new RangeError('A member id is no snowflake.');
      this.#writer.slotsOf(row);
      this.#first.changes.set(id, row);
      return true;
    }
    return this.#writer.write(id, row, this.#sync === null ? 'none' : 'all', null);
  }

  /** Adds the rows of a first sync, then the changes since. */
  #endFirst({ segments, changes }: FirstSync): void {
    this.#first = null;
    this.#sync = null;
    this.#isSynced = true;
    this.#writer.replaceSegments(segments);
    for (const [id, row] of changes) {
      if (row === null) this.remove(id);
      else this.#upsert(id, row);
    }
  }

  #slotOf(roleId: string): number {
    if (roleId === this.guildId) return EVERYONE_SLOT;
    return roleId === BOTS_PSEUDO_ROLE ? BOT_SLOT : this.#roles.find(roleId);
  }

  #slotsOf(roleIds: readonly string[]): number[] {
    return [...new Set(roleIds.map((roleId) => this.#slotOf(roleId)))].filter((slot) => slot !== -1);
  }

  /** The matching ids among a few members, ascending. */
  #named(ids: readonly string[], selection: Selection): BigUint64Array {
    const named = [...new Set(ids)].map(parseSnowflake).filter((id) => {
      if (id === null) return false;
      const segment = this.#segments.at(this.#segments.indexFor(id));
      const ordinal = segment.find(id);
      return segment.isLive(ordinal) && selection.has(segment.roleHolders, ordinal);
    });
    return BigUint64Array.from(named.filter((id) => id !== null)).sort();
  }

  #removeUnconfirmed(at: number): void {
    const segment = this.#segments.at(at);
    const { roleHolders } = segment;
    const unconfirmed = roleHolders
      .ordinals(EVERYONE_SLOT)
      .filter((ordinal) => !roleHolders.has(CONFIRMED_SLOT, ordinal));
    for (const ordinal of unconfirmed) this.#writer.remove(segment, ordinal);
    this.#segments.tidy(at);
  }
}
