import type {
  APIGuildMember,
  GatewayGuildCreateDispatchData,
  GatewayGuildMembersChunkDispatchData,
} from 'discord-api-types/v10';

import { MemberIndex } from '../index/member-index.ts';

/**
 * `awaited`: named by READY, nothing known yet. `loading`: the list was never whole. `complete`: it is whole, and
 * every change reaches it. `stale`: it was whole, and changes may have been missed. `outage`: Discord has taken the
 * guild away for a while.
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

/** Deleted roles that a guild remembers. */
const DELETED_ROLES_MAX = 500;

export type ChunkOutcome = 'foreign' | 'more' | 'all';

/** What the gateway has said about the members of one guild. */
export class GuildMemberList {
  readonly guildId: string;
  shardId: number;
  state: ListState = 'awaited';
  readonly index: MemberIndex;
  /** As Discord counts: told with the guild, then by joins and leaves. */
  memberCount = 0;
  /** All members may be requested again at this time. */
  requestableAt = 0;
  /** The last load ended with another number of members than Discord says. */
  countDisputed = false;
  /** A difference to Discord's counts by role that a load did not mend: it is Discord's. */
  acceptedDifference = '';
  /** Someone found a difference, and the load that is queued or under way is to mend it. */
  healing = false;
  /** Packets of members that were on their way when these were deleted must not bring them back. */
  readonly #deletedRoles = new Set<string>();
  readonly #now: () => number;
  #load: Load | null = null;

  constructor(guildId: string, shardId: number, now: () => number) {
    this.guildId = guildId;
    this.shardId = shardId;
    this.#now = now;
    this.index = new MemberIndex({ guildId, now });
  }

  /** Rows of the load under way; null when none is. */
  get loadedRows(): number | null {
    return this.#load?.rows ?? null;
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
    const told: number | undefined = guild.member_count;
    this.memberCount = told ?? 0;
    if (this.state === 'awaited') this.state = 'loading';
    else if (this.state !== 'loading') this.state = 'stale';
    this.#load = null;
    if (told === undefined || members.length < told) return false;
    this.beginLoad(nonce);
    this.#takeRows(members);
    return true;
  }

  /** From here on changes win over the rows of the answer. */
  beginLoad(nonce: string): void {
    this.index.beginReload();
    this.#load = { nonce, chunks: new Set(), chunkCount: null, rows: 0, corrected: 0 };
  }

  /** Forgets a load under way: its chunks are foreign from here on. */
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
   * One step towards a whole list, after all rows have come. Returns null while there is more to do, then the number
   * of members that the answer corrected.
   */
  finishStep(): number | null {
    const before = this.index.memberCount;
    const more = this.index.finishReloadStep();
    const dropped = before - this.index.memberCount;
    if (this.#load !== null) this.#load.corrected += dropped;
    if (more) return null;
    const corrected = this.#load?.corrected ?? dropped;
    this.#load = null;
    this.state = 'complete';
    return corrected;
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
    if (!this.index.has(member.user.id)) this.memberCount += 1;
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
    this.memberCount = Math.max(0, this.memberCount - 1);
    this.index.remove(id);
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
