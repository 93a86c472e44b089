import type {
  APIGuildMember,
  GatewayGuildCreateDispatchData,
  GatewayGuildMembersChunkDispatchData,
} from 'discord-api-types/v10';

import type { RoleChangeLogs } from '../changes/role-change-logs.ts';
import { MemberIndex } from '../index/member-index.ts';
import type { CompleteList } from '../member-directory.ts';

/**
 * `awaited`: READY named the guild, and nothing else is known yet. `loading`: the list was never complete. `complete`:
 * all rows have come, and every change reaches the list while its shard is connected. `stale`: it was complete, and
 * changes may have been missed. `outage`: Discord has taken the guild away for a while.
 */
export type ListState = 'awaited' | 'loading' | 'complete' | 'stale' | 'outage';

/** Discord omits `bot` for people. */
interface MemberPacket {
  readonly user: { readonly id: string; readonly bot?: boolean };
  readonly roles?: readonly string[];
}

/** A request for all members. */
interface Sync {
  readonly nonce: string;
  /** Indexes of the chunks that came. */
  readonly chunks: Set<number>;
  /** null before the first chunk. */
  chunkCount: number | null;
  rows: number;
  /** Members that the answer corrected. */
  corrected: number;
}

/** After a `mismatch` the list must be requested again. */
export type SyncOutcome =
  | {
      readonly kind: 'complete';
      /** Wrong members of a list that counted as complete. */
      readonly fixed: number;
    }
  | { readonly kind: 'mismatch'; readonly why: string };

/** Discord requires this pause between two requests for all members of a guild. */
export const REQUEST_INTERVAL_MS = 30_000;
/** Deleted roles that are remembered for each guild. */
const DELETED_ROLES_MAX = 500;
/** Pauses after mismatches double at most this often, from 30 s to 16 min. */
const PAUSE_DOUBLINGS_MAX = 5;

export type ChunkOutcome = 'unrelated' | 'more' | 'all';

/** The members of one guild as the gateway reports them. Only this class changes its own state. */
export class GuildMemberList implements CompleteList {
  readonly guildId: string;
  readonly index: MemberIndex;
  /** Shared by all guilds. */
  readonly changeLogs: RoleChangeLogs;
  #shardId: number;
  #state: ListState = 'awaited';
  /** Discord's count of members: sent with the guild, then changed by joins and leaves. null if unknown. */
  #statedCount: number | null = null;
  /**
   * Members in the last sync if it did not match Discord's count, with joins and leaves since. If the next sync
   * agrees, Discord's count is wrong. Otherwise null.
   */
  #previousCount: number | null = null;
  #mismatches = 0;
  /** Instant of the monotonic clock from which all members may be requested again. */
  #requestableAt = 0;
  /**
   * The last difference from Discord's counts by role that caused a resync. If it comes again, Discord's counts are
   * wrong. Empty without one.
   */
  #acceptedDifference = '';
  /** True while a sync is queued or under way to fix a difference. */
  #isResync = false;
  /** Deleted roles, so that member packets sent before the deletion do not bring them back. */
  readonly #deletedRoles = new Set<string>();
  readonly #now: () => number;
  #sync: Sync | null = null;

  constructor(guildId: string, shardId: number, changeLogs: RoleChangeLogs, now: () => number) {
    this.guildId = guildId;
    this.changeLogs = changeLogs;
    this.#shardId = shardId;
    this.#now = now;
    this.index = new MemberIndex({ guildId, now });
  }

  get shardId(): number {
    return this.#shardId;
  }

  get state(): ListState {
    return this.#state;
  }

  /** Discord's count of members; 0 if unknown. */
  get statedCount(): number {
    return this.#statedCount ?? 0;
  }

  get requestableAt(): number {
    return this.#requestableAt;
  }

  /** Rows of the sync under way, or null. */
  get syncedRows(): number | null {
    return this.#sync?.rows ?? null;
  }

  /** Call it when the bot's number of shards changes, so that the guild moves to another one. */
  moveTo(shardId: number): void {
    this.#shardId = shardId;
  }

  /** Call it when changes may have been missed: after a new session, or a dispatch that could not be understood. */
  markStale(): void {
    this.#sync = null;
    if (this.#state === 'complete') this.#state = 'stale';
  }

  /** Call it when Discord has taken the guild away for a while. */
  markOutage(): void {
    this.#sync = null;
    this.#state = 'outage';
  }

  /**
   * Takes roles and count from GUILD_CREATE. If the packet has all members, takes them too, as a sync with this nonce.
   * Returns whether it has all.
   */
  create(guild: GatewayGuildCreateDispatchData, nonce: string): boolean {
    const roleIds = new Set(guild.roles.map(({ id }) => id));
    for (const roleId of this.index.roleIds()) if (!roleIds.has(roleId)) this.deleteRole(roleId);
    for (const roleId of roleIds) this.addRole(roleId);

    const members = guild.members ?? [];
    // Servers other than Discord omit it, or send null or 0. The bot itself is a member, so 0 cannot be right.
    const stated: number | null | undefined = guild.member_count;
    this.#statedCount = typeof stated === 'number' && stated >= 1 ? stated : null;
    this.#previousCount = null;
    this.#mismatches = 0;
    if (this.#state === 'awaited') this.#state = 'loading';
    else if (this.#state !== 'loading') this.#state = 'stale';
    this.#sync = null;
    if (this.#statedCount === null || members.length < this.#statedCount) return false;
    this.#beginSync(nonce);
    this.#takeRows(members);
    return true;
  }

  /** Call it before a request is sent. From here on changes win over the rows of the answer. */
  request(nonce: string, requestableAt: number): void {
    this.#beginSync(nonce);
    this.#requestableAt = requestableAt;
  }

  /** Call it when the request could not be sent. Returns whether it was the one in progress. */
  requestFailed(nonce: string): boolean {
    if (!this.isSyncing(nonce)) return false;
    this.#sync = null;
    this.#requestableAt = 0;
    return true;
  }

  /** Call it when Discord refused the request under way. */
  requestRefused(requestableAt: number): void {
    this.#sync = null;
    this.#requestableAt = requestableAt;
  }

  /** Delays the next request until this instant of the monotonic clock. */
  delayRequest(requestableAt: number): void {
    this.#requestableAt = Math.max(this.#requestableAt, requestableAt);
  }

  /** Forgets the sync under way. Chunks that still come for it are ignored. */
  cancelSync(): void {
    this.#sync = null;
  }

  /** @param nonce undefined for any sync */
  isSyncing(nonce?: string): boolean {
    return this.#sync !== null && (nonce === undefined || this.#sync.nonce === nonce);
  }

  takeChunk(chunk: GatewayGuildMembersChunkDispatchData): ChunkOutcome {
    const sync = this.#sync;
    if (sync === null || sync.nonce !== chunk.nonce) return 'unrelated';
    sync.chunkCount = chunk.chunk_count;
    if (!sync.chunks.has(chunk.chunk_index)) {
      sync.chunks.add(chunk.chunk_index);
      sync.corrected += this.#takeRows(chunk.members);
      sync.rows += chunk.members.length;
    }
    return sync.chunks.size === sync.chunkCount ? 'all' : 'more';
  }

  /**
   * Takes one step towards a complete list, after all rows have come. Returns null while more steps follow.
   * @param botId the bot itself, which is a member; null if unknown
   */
  finishSyncStep(botId: string | null): SyncOutcome | null {
    const before = this.index.memberCount;
    const more = this.index.finishSyncStep();
    // A first sync only adds members here.
    const dropped = Math.max(0, before - this.index.memberCount);
    if (this.#sync !== null) this.#sync.corrected += dropped;
    if (more) return null;
    const corrected = this.#sync?.corrected ?? dropped;
    this.#sync = null;
    const why = this.#findMismatch(botId);
    return why === null ? this.#accept(corrected) : this.#syncAgain(why);
  }

  /**
   * Returns whether to request the list again because of this difference from Discord's counts. Returns true only once
   * for the same difference, because another sync would not fix it either.
   */
  shouldResync(difference: string): boolean {
    if (this.#state !== 'complete' || this.#sync !== null) return false;
    if (this.#acceptedDifference === difference) return false;
    this.#acceptedDifference = difference;
    this.#isResync = true;
    return true;
  }

  addRole(id: string): void {
    this.#deletedRoles.delete(id);
    this.index.addRole(id);
  }

  deleteRole(id: string): void {
    this.index.deleteRole(id);
    this.#deletedRoles.add(id);
    if (this.#deletedRoles.size <= DELETED_ROLES_MAX) return;
    for (const oldest of this.#deletedRoles) {
      this.#deletedRoles.delete(oldest);
      return;
    }
  }

  addMember(member: APIGuildMember): void {
    if (!this.index.has(member.user.id)) this.#count(1);
    this.updateMember(member);
  }

  /** Ignores partial members, which have no roles. */
  updateMember(member: MemberPacket): void {
    const { roles, user } = member;
    if (roles === undefined) return;
    const deleted = this.#deletedRoles;
    const held = deleted.size === 0 ? roles : roles.filter((role) => !deleted.has(role));
    this.index.upsert(user.id, held, user.bot ?? false);
  }

  removeMember(id: string): void {
    this.#count(-1);
    this.index.remove(id);
  }

  #count(by: 1 | -1): void {
    if (this.#statedCount !== null) this.#statedCount = Math.max(0, this.#statedCount + by);
    if (this.#previousCount !== null) this.#previousCount += by;
  }

  #beginSync(nonce: string): void {
    this.index.beginSync();
    this.#sync = { nonce, chunks: new Set(), chunkCount: null, rows: 0, corrected: 0 };
  }

  /** Returns the reason not to accept a sync, or null. Rows can be missing without any error from Discord. */
  #findMismatch(botId: string | null): string | null {
    const { memberCount } = this.index;
    const hasBot = botId === null ? memberCount > 0 : this.index.has(botId);
    if (!hasBot) return `${memberCount} members without the bot itself`;
    // When two syncs agree, Discord's count is wrong.
    if (memberCount === this.#statedCount || memberCount === this.#previousCount) return null;
    return `${memberCount} members instead of ${this.#statedCount ?? 'a number that Discord has said'}`;
  }

  #accept(corrected: number): SyncOutcome {
    const fixed = this.#isResync ? corrected : 0;
    if (corrected > 0) this.#acceptedDifference = '';
    this.#isResync = false;
    this.#statedCount = this.index.memberCount;
    this.#previousCount = null;
    this.#mismatches = 0;
    this.#state = 'complete';
    return { kind: 'complete', fixed };
  }

  #syncAgain(why: string): SyncOutcome {
    const doublings = Math.min(this.#mismatches, PAUSE_DOUBLINGS_MAX);
    this.#requestableAt += REQUEST_INTERVAL_MS * (2 ** doublings - 1);
    this.#mismatches += 1;
    this.#previousCount = this.index.memberCount;
    if (this.#state === 'complete') this.#state = 'stale';
    return { kind: 'mismatch', why };
  }

  /** Returns the number of members that the rows corrected. */
  #takeRows(members: readonly APIGuildMember[]): number {
    const now = this.#now();
    let corrected = 0;
    for (const { user, roles } of members) {
      if (this.index.upsertSynced(user.id, roles, user.bot ?? false, now)) corrected += 1;
    }
    return corrected;
  }
}
