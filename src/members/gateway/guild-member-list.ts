import type {
  APIGuildMember,
  GatewayGuildCreateDispatchData,
  GatewayGuildMembersChunkDispatchData,
} from 'discord-api-types/v10';

import { MemberIndex } from '../index/member-index.ts';

/**
 * `awaited`: named by READY, nothing known yet. `loading`: the list was never whole. `complete`: all rows have come,
 * and every change reaches it while its shard is connected. `stale`: it was whole, and changes may have been missed.
 * `outage`: Discord has taken the guild away for a while.
 */
export type ListState = 'awaited' | 'loading' | 'complete' | 'stale' | 'outage';

/** A request for all members that was sent. */
interface Load {
  readonly nonce: string;
  /** Chunks that came, by index. */
  readonly chunks: Set<number>;
  /** Known from the first chunk on. */
  chunkCount: number | null;
  rows: number;
  /** Members whom the answer corrected. */
  corrected: number;
}

/** How a reading ended: the list is complete, or there is a reason to read it again. */
export type ReadingOutcome =
  | {
      readonly kind: 'whole';
      /** Members that were wrong in a list that was called whole. */
      readonly healed: number;
    }
  | { readonly kind: 'doubtful'; readonly why: string };

/** Deleted roles that a guild remembers. */
const DELETED_ROLES_MAX = 500;
/** Pauses between doubtful readings are doubled this often at most: from 30 s to 16 min. */
const PAUSE_DOUBLINGS_MAX = 5;

export type ChunkOutcome = 'foreign' | 'more' | 'all';

/** What the gateway has said about the members of one guild. Only it changes its own state. */
export class GuildMemberList {
  readonly guildId: string;
  readonly index: MemberIndex;
  #shardId: number;
  #state: ListState = 'awaited';
  /** Members as Discord counts them: sent with the guild, then changed by joins and leaves. Null when unknown. */
  #statedCount: number | null = null;
  /** Members of a reading that did not fit, with joins and leaves since: a second one may agree with it. */
  #firstReading: number | null = null;
  #doubtfulReadings = 0;
  /** All members may be requested again at this instant of the monotonic clock. */
  #requestableAt = 0;
  /** A difference from Discord's counts by role that reading again did not fix. Discord's counts are off. */
  #acceptedDifference = '';
  /** The load that is queued or under way is there to fix a difference. */
  #isHealing = false;
  /** Member packets that were on their way when these roles were deleted must not bring them back. */
  readonly #deletedRoles = new Set<string>();
  readonly #now: () => number;
  #load: Load | null = null;

  constructor(guildId: string, shardId: number, now: () => number) {
    this.guildId = guildId;
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

  /** Members as Discord counts them; 0 while it has not said so. */
  get statedCount(): number {
    return this.#statedCount ?? 0;
  }

  get requestableAt(): number {
    return this.#requestableAt;
  }

  /** Rows of the load under way; null when none is. */
  get loadedRows(): number | null {
    return this.#load?.rows ?? null;
  }

  /** The bot has been divided into shards in another way. */
  moveTo(shardId: number): void {
    this.#shardId = shardId;
  }

  /** Changes may have been missed: a new session, or a dispatch that could not be understood. */
  doubt(): void {
    this.#load = null;
    if (this.#state === 'complete') this.#state = 'stale';
  }

  /** Discord has taken the guild away for a while. */
  goOut(): void {
    this.#load = null;
    this.#state = 'outage';
  }

  /**
   * Takes roles and count from GUILD_CREATE, and the members when it carries all of them: then the load `nonce` has
   * all its rows. Returns whether it does.
   */
  create(guild: GatewayGuildCreateDispatchData, nonce: string): boolean {
    const roleIds = new Set(guild.roles.map(({ id }) => id));
    for (const roleId of this.index.roleIds()) if (!roleIds.has(roleId)) this.deleteRole(roleId);
    for (const roleId of roleIds) this.addRole(roleId);

    const members = guild.members ?? [];
    // Other servers than Discord leave it out, or send null or 0. The bot itself is a member, so 0 cannot be right.
    const stated: number | null | undefined = guild.member_count;
    this.#statedCount = typeof stated === 'number' && stated >= 1 ? stated : null;
    this.#firstReading = null;
    this.#doubtfulReadings = 0;
    if (this.#state === 'awaited') this.#state = 'loading';
    else if (this.#state !== 'loading') this.#state = 'stale';
    this.#load = null;
    if (this.#statedCount === null || members.length < this.#statedCount) return false;
    this.#beginLoad(nonce);
    this.#takeRows(members);
    return true;
  }

  /** A request is sent: from here on changes win over the rows of the answer. */
  request(nonce: string, requestableAt: number): void {
    this.#beginLoad(nonce);
    this.#requestableAt = requestableAt;
  }

  /** The request could not be sent. Returns whether it was the one under way. */
  requestFailed(nonce: string): boolean {
    if (!this.isLoading(nonce)) return false;
    this.#load = null;
    this.#requestableAt = 0;
    return true;
  }

  /** Discord refused the request under way. */
  requestRefused(requestableAt: number): void {
    this.#load = null;
    this.#requestableAt = requestableAt;
  }

  /** Do not ask before this instant. */
  delayRequest(requestableAt: number): void {
    this.#requestableAt = Math.max(this.#requestableAt, requestableAt);
  }

  /** Forgets the load under way. Chunks that still come for it are ignored. */
  cancelLoad(): void {
    this.#load = null;
  }

  /** @param nonce undefined for any load */
  isLoading(nonce?: string): boolean {
    return this.#load !== null && (nonce === undefined || this.#load.nonce === nonce);
  }

  takeChunk(chunk: GatewayGuildMembersChunkDispatchData): ChunkOutcome {
    const load = this.#load;
    if (load === null || load.nonce !== chunk.nonce) return 'foreign';
    load.chunkCount = chunk.chunk_count;
    if (!load.chunks.has(chunk.chunk_index)) {
      load.chunks.add(chunk.chunk_index);
      load.corrected += this.#takeRows(chunk.members);
      load.rows += chunk.members.length;
    }
    return load.chunks.size === load.chunkCount ? 'all' : 'more';
  }

  /**
   * One step towards a whole list, after all rows have come. Returns null while there is more to do.
   * @param botId the bot itself, which is a member; null when it is not known
   * @param intervalMs from one request for all members to the next
   */
  finishStep(botId: string | null, intervalMs: number): ReadingOutcome | null {
    const before = this.index.memberCount;
    const more = this.index.finishReloadStep();
    // A first reading only adds members here.
    const dropped = Math.max(0, before - this.index.memberCount);
    if (this.#load !== null) this.#load.corrected += dropped;
    if (more) return null;
    const corrected = this.#load?.corrected ?? dropped;
    this.#load = null;
    const why = this.#whyDoubtful(botId);
    return why === null ? this.#believe(corrected) : this.#readAgain(why, intervalMs);
  }

  /**
   * A comparison with Discord found this difference. Returns whether to read the list again. The same difference is
   * read for only once: if reading did not fix it, it will not.
   */
  dispute(difference: string): boolean {
    if (this.#state !== 'complete' || this.#load !== null) return false;
    if (this.#acceptedDifference === difference) return false;
    this.#acceptedDifference = difference;
    this.#isHealing = true;
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

  /** Partial members, without roles, change nothing. */
  updateMember(member: { readonly user: { readonly id: string }; readonly roles?: readonly string[] }): void {
    const { roles, user } = member;
    if (roles === undefined) return;
    const deleted = this.#deletedRoles;
    this.index.upsert(user.id, deleted.size === 0 ? roles : roles.filter((role) => !deleted.has(role)));
  }

  removeMember(id: string): void {
    this.#count(-1);
    this.index.remove(id);
  }

  #count(by: 1 | -1): void {
    if (this.#statedCount !== null) this.#statedCount = Math.max(0, this.#statedCount + by);
    if (this.#firstReading !== null) this.#firstReading += by;
  }

  #beginLoad(nonce: string): void {
    this.index.beginReload();
    this.#load = { nonce, chunks: new Set(), chunkCount: null, rows: 0, corrected: 0 };
  }

  /** Why we do not believe a reading; null when we do. Rows can be missing without any error from Discord. */
  #whyDoubtful(botId: string | null): string | null {
    const { memberCount } = this.index;
    const hasBot = botId === null ? memberCount > 0 : this.index.has(botId);
    if (!hasBot) return `${memberCount} members without the bot itself`;
    // Two readings agree, so Discord's own count is off.
    if (memberCount === this.#statedCount || memberCount === this.#firstReading) return null;
    return `${memberCount} members instead of ${this.#statedCount ?? 'a number that Discord has said'}`;
  }

  #believe(corrected: number): ReadingOutcome {
    const healed = this.#isHealing ? corrected : 0;
    if (corrected > 0) this.#acceptedDifference = '';
    this.#isHealing = false;
    this.#statedCount = this.index.memberCount;
    this.#firstReading = null;
    this.#doubtfulReadings = 0;
    this.#state = 'complete';
    return { kind: 'whole', healed };
  }

  #readAgain(why: string, intervalMs: number): ReadingOutcome {
    const doublings = Math.min(this.#doubtfulReadings, PAUSE_DOUBLINGS_MAX);
    this.#requestableAt += intervalMs * (2 ** doublings - 1);
    this.#doubtfulReadings += 1;
    this.#firstReading = this.index.memberCount;
    if (this.#state === 'complete') this.#state = 'stale';
    return { kind: 'doubtful', why };
  }

  /** Returns how many members they corrected. */
  #takeRows(members: readonly APIGuildMember[]): number {
    const now = this.#now();
    let corrected = 0;
    for (const { user, roles } of members) {
      if (this.index.upsertReloaded(user.id, roles, now)) corrected += 1;
    }
    return corrected;
  }
}
