import { parseSnowflake } from '../../kernel/snowflake.ts';
import { BOT_SLOT, EVERYONE_SLOT, CONFIRMED_SLOT, type RoleTable } from './role-table.ts';
import type { SegmentList } from './segment-list.ts';
import type { Segment } from './segment.ts';

/** What is known about a member besides the id. */
export interface MemberFacts {
  readonly roles: readonly string[];
  readonly isBot: boolean;
}

/** Called for each member who gets or loses a role. */
export interface RoleWatcher {
  /** @param isBot whether the member counted as a bot while they held the role */
  record(memberId: bigint, got: boolean, isBot: boolean): void;
  /** The role was deleted. This is the last call. */
  end(): void;
}

export interface MemberWriterOptions {
  readonly guildId: string;
  readonly roles: RoleTable;
  readonly segments: SegmentList;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Change {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the member counts as a bot. */
  readonly isBot: boolean;
}

/** Changes members and their roles everywhere they are stored. */
export class MemberWriter {
  readonly #guildId: string;
  readonly #roles: RoleTable;
  readonly #segments: SegmentList;
  readonly #now: () => number;
  /** By slot. */
  readonly #watchers = new Map<number, RoleWatcher>();

  constructor({ guildId, roles, segments, now }: MemberWriterOptions) {
    this.#guildId = guildId;
    this.#roles = roles;
    this.#segments = segments;
    this.#now = now;
  }

  /**
   * Returns the slot of a role, and adds the role if it is unknown.
   * @throws RangeError like `write`
   */
  addRole(roleId: string): number {
    const slot = this.#roles.findOrAdd(roleId);
    this.#roles.change(slot, 0, this.#now());
    return slot;
  }

  /**
   * A role has at most one watcher.
   * @returns a function that ends it
   */
  watch(slot: number, watcher: RoleWatcher): () => void {
    this.#watchers.set(slot, watcher);
    return () => {
      if (this.#watchers.get(slot) === watcher) this.#watchers.delete(slot);
    };
  }

  /** Takes a role from all its holders and forgets it. */
  deleteRole(slot: number): void {
    for (let at = 0; at < this.#segments.all.length; at += 1) {
      const segment = this.#segments.at(at);
      if (segment.roleHolders.count(slot) === 0) continue;
      for (const ordinal of segment.roleHolders.ordinals(slot)) segment.addToSum(ordinal, -slot);
      segment.roleHolders.clear(slot);
    }
    this.#roles.delete(slot, this.#now());
    this.#watchers.get(slot)?.end();
    this.#watchers.delete(slot);
  }

  /**
   * Returns each slot once. Adds unknown roles.
   * @throws RangeError like `write`
   */
  slotsOf({ roles, isBot }: MemberFacts): number[] {
    const slots: number[] = isBot ? [BOT_SLOT] : [];
    for (const roleId of roles) {
      if (roleId === this.#guildId) continue;
      const known = this.#roles.find(roleId);
      const slot = known === -1 ? this.addRole(roleId) : known;
      if (!slots.includes(slot)) slots.push(slot);
    }
    return slots;
  }

  /**
   * Sets what is known about a member, old or new. Returns whether anything changed.
   * @param sync a sync in progress, to mark the member as confirmed; `unconfirmed` skips members that already are
   * @param readAt milliseconds since 1970; null to read the clock
   * @throws RangeError the id is no snowflake, or the guild has too many roles
   */
  write(
    memberId: string,
    row: MemberFacts,
    sync: 'none' | 'all' | 'unconfirmed',
    readAt: number | null,
  ): boolean {
    const id = parseSnowflake(memberId);
    if (id === null) throw new RangeError('A member id is no snowflake.');
    const at = this.#segments.indexFor(id);
    const before = this.#segments.at(at);
    const found = before.find(id);
    const present = before.isLive(found);
    const unconfirmed = sync !== 'none' && !(present && before.roleHolders.has(CONFIRMED_SLOT, found));
    if (sync === 'unconfirmed' && !unconfirmed) return false;

    const wanted = this.slotsOf(row);
    const missing: number[] = [];
    // At the end, the rest is the sum of the roles to remove.
    let rest = present ? before.sumOf(found) : 0;
    for (const slot of wanted) {
      if (present && before.roleHolders.has(slot, found)) rest -= slot;
      else missing.push(slot);
    }
    const changed = !present || rest > 0 || missing.length > 0;
    if (!changed && !unconfirmed) return false;

    const segment = found < 0 ? this.#withSpace(id, at) : before;
    const ordinal = found < 0 ? segment.append(id) : found;
    const change = { now: readAt ?? this.#now(), isBot: row.isBot };
    if (present) this.#recordBotChange(segment, ordinal, row.isBot);
    else this.#give(segment, ordinal, EVERYONE_SLOT, change);
    if (unconfirmed) segment.roleHolders.add(CONFIRMED_SLOT, ordinal);
    this.#removeRoles(segment, ordinal, rest, wanted, change);
    for (const slot of missing) this.#give(segment, ordinal, slot, change);
    return changed;
  }

  /** Returns the segment for a new member. */
  #withSpace(id: bigint, at: number): Segment {
    if (!this.#segments.at(at).full) return this.#segments.at(at);
    this.#segments.remakeFull(at);
    return this.#segments.at(this.#segments.indexFor(id));
  }

  #give(segment: Segment, ordinal: number, slot: number, { now, isBot }: Change): void {
    segment.roleHolders.add(slot, ordinal);
    segment.addToSum(ordinal, slot);
    this.#roles.change(slot, 1, now);
    this.#watchers.get(slot)?.record(segment.ids[ordinal]!, true, isBot);
  }

  /**
   * Records it if Discord now calls a member a bot, or no longer does: the member leaves the lists of people and joins
   * those of bots, or the other way round.
   */
  #recordBotChange({ ids, roleHolders }: Segment, ordinal: number, isBot: boolean): void {
    if (roleHolders.has(BOT_SLOT, ordinal) === isBot) return;
    for (const [slot, watcher] of this.#watchers) {
      if (!roleHolders.has(slot, ordinal)) continue;
      watcher.record(ids[ordinal]!, false, !isBot);
      watcher.record(ids[ordinal]!, true, isBot);
    }
  }

  /** Takes all roles from a member but those in `kept`. The slots of the others add up to `rest`. */
  #removeRoles(
    segment: Segment,
    ordinal: number,
    rest: number,
    kept: readonly number[],
    { now, isBot }: Change,
  ): void {
    const { slots } = this.#roles;
    let left = rest;
    for (let slot = BOT_SLOT; left > 0; slot += 1) {
      // Usually a single role is left, and the rest is its slot.
      const isLast = left < slots && !kept.includes(left) && segment.roleHolders.delete(left, ordinal);
      if (!isLast && (kept.includes(slot) || !segment.roleHolders.delete(slot, ordinal))) continue;
      const gone = isLast ? left : slot;
      this.#roles.change(gone, -1, now);
      this.#watchers.get(gone)?.record(segment.ids[ordinal]!, false, isBot);
      left -= gone;
    }
    segment.addToSum(ordinal, -rest);
  }

  /** Replaces all segments by those of a first sync. */
  replaceSegments(segments: readonly Segment[]): void {
    this.#segments.replace(segments);
    const now = this.#now();
    for (let slot = 0; slot < this.#roles.slots; slot += 1) {
      const count = segments.reduce((sum, { roleHolders }) => sum + roleHolders.count(slot), 0);
      const difference = count - this.#roles.count(slot);
      if (slot !== CONFIRMED_SLOT && (count > 0 || difference !== 0))
        this.#roles.change(slot, difference, now);
    }
  }

  remove(segment: Segment, ordinal: number): void {
    const now = this.#now();
    const isBot = segment.roleHolders.has(BOT_SLOT, ordinal);
    this.#removeRoles(segment, ordinal, segment.sumOf(ordinal), [], { now, isBot });
    segment.roleHolders.delete(CONFIRMED_SLOT, ordinal);
    segment.roleHolders.delete(EVERYONE_SLOT, ordinal);
    this.#roles.change(EVERYONE_SLOT, -1, now);
    this.#watchers.get(EVERYONE_SLOT)?.record(segment.ids[ordinal]!, false, isBot);
  }
}
