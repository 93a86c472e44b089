import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  type GatewayDispatchPayload,
  type GatewayGuildCreateDispatchData,
  type GatewayReadyDispatchData,
} from 'discord-api-types/v10';

import type { Log } from '../../telemetry/log.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ReaderOffset } from '../changes/reader.ts';
import { RoleChangeLogs } from '../changes/role-change-logs.ts';
import { EventLoopQueue } from '../../kernel/event-loop-queue.ts';
import type { Caller, GuildQuestion, MemberQuery, MemberDirectory } from '../member-directory.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { GatewayMembersOptions, GatewayMembersStats } from './gateway-members-options.ts';
import { GuildMemberList, REQUEST_INTERVAL_MS } from './guild-member-list.ts';
import { MemberSync, newNonce } from './member-sync.ts';
import { MEMBER_REQUESTS } from './member-request-queue.ts';
import { SelfCheck } from './self-check.ts';
import type { UnreadyReason, ShardStates } from './shard-states.ts';
import { systemTimers, type Timers } from '../timers.ts';

/** For waits of unknown length. */
const SOON = { retryAfterSeconds: 5 };
/** If a guild of READY has not arrived after this long, it is in an outage. */
const AWAITED_MS = 15_000;

/**
 * The member lists of all guilds of this process, fed with raw dispatches. A list is answered only while it is known to
 * be complete. Before that, and after a lost session, the answer is a problem that says why.
 *
 * It starts empty. Feed it every dispatch but interactions, from the first READY on.
 */
export class GatewayMembers implements MemberDirectory {
  readonly #timers: Timers;
  readonly #log: Log;
  readonly #shardStates: ShardStates;
  readonly #lists = new Map<string, GuildMemberList>();
  readonly #memberSync: MemberSync;
  readonly #selfCheck: SelfCheck | null;
  readonly #changeLogs: RoleChangeLogs;
  readonly #answers: EventLoopQueue;
  #botId: string | null = null;
  #hasMembersIntent = true;

  constructor(options: GatewayMembersOptions) {
    const { shardStates, requestMembers, fetchRoleCounts, log, timers = systemTimers } = options;
    const { sendsMax = MEMBER_REQUESTS.sendsMax, selfCheckMs = 15_000 } = options;
    this.#timers = timers;
    this.#changeLogs = new RoleChangeLogs(timers, options.changeLogs);
    this.#answers = new EventLoopQueue(() => timers.monotonic());
    this.#log = log;
    this.#shardStates = shardStates;
    this.#memberSync = new MemberSync({
      lists: this.#lists,
      isConnected: (shardId) => this.#shardStates.isConnected(shardId),
      botId: () => this.#botId,
      requestMembers,
      log,
      timers,
      sendsMax,
    });
    this.#selfCheck =
      fetchRoleCounts === null
        ? null
        : new SelfCheck({
            lists: this.#lists,
            fetchRoleCounts,
            isAnswerable: (list) => this.#problemOf(list.guildId, list) === null,
            resync: (list, difference) => this.#memberSync.resync(list, difference),
            timers,
            log,
            intervalMs: selfCheckMs,
          });
  }

  /** @throws Problem `member_list_unavailable`, or those of the query; the signal's reason */
  async ask<Question extends GuildQuestion, Answer>(
    query: Pick<MemberQuery<Question, Answer>, 'answer'>,
    question: Question,
    { signal }: Pick<Caller, 'signal'>,
  ): Promise<Answer> {
    if (!this.#answers.hasTime()) await this.#answers.next(signal);
    return query.answer(this.#answerableList(question.guildId), question);
  }

  commitReaderOffset(commit: ReaderOffset): void {
    this.#changeLogs.commitReaderOffset(commit);
  }

  /** @throws Problem `member_list_unavailable` */
  #answerableList(guildId: string): GuildMemberList {
    const list = this.#lists.get(guildId);
    const problem = this.#problemOf(guildId, list);
    if (list !== undefined && problem === null) return list;
    if (list === undefined || problem === null)
      throw problem ?? new Problem('member_list_unavailable/not_in_guild');
    this.#memberSync.prefer(list);
    // The list is now ahead in the queue, so the wait may be shorter.
    throw this.#problemOf(guildId, list) ?? problem;
  }

  /**
   * Returns a guild's members, or null unless the list is known to be complete. Only read it, and in the same iteration
   * of the event loop.
   */
  completeIndex(guildId: string): MemberIndex | null {
    const list = this.#lists.get(guildId);
    return list === undefined || this.#problemOf(guildId, list) !== null ? null : list.index;
  }

  get stats(): GatewayMembersStats {
    const guilds = { complete: 0, loading: 0, stale: 0 };
    let members = 0;
    let indexBytes = 0;
    const reasons = new Map<number, UnreadyReason | null>();
    for (const { state, index, shardId } of this.#lists.values()) {
      if (!reasons.has(shardId)) reasons.set(shardId, this.#shardStates.unreadyReason(shardId));
      const isReady = reasons.get(shardId) === null;
      if (state === 'complete') guilds[isReady ? 'complete' : 'stale'] += 1;
      else if (state === 'stale' || state === 'outage') guilds.stale += 1;
      else guilds.loading += 1;
      members += index.memberCount;
      indexBytes += index.byteLength;
    }
    const { resynced } = this.#memberSync;
    return { guilds, members, indexBytes, resynced, changes: this.#changeLogs.stats };
  }

  /** Handles packets about members, guilds and roles, and ignores all others. Never throws. */
  handleDispatch(shardId: number, packet: GatewayDispatchPayload): void {
    try {
      this.#takeDispatch(shardId, packet);
    } catch (error) {
      // We may have missed a change, so request the guild again.
      const guildId = guildIdOf(packet);
      this.#log.error(
        { err: error, guild_id: guildId, event: packet.t },
        'a dispatch could not be understood',
      );
      const list = guildId === null ? undefined : this.#lists.get(guildId);
      if (list === undefined) return;
      list.markStale();
      list.delayRequest(this.#timers.monotonic() + REQUEST_INTERVAL_MS);
      this.#sync(list);
    }
  }

  /** Call it when the gateway accepts an IDENTIFY with or without the Server Members intent. True until then. */
  setMembersIntent(isOn: boolean): void {
    this.#hasMembersIntent = isOn;
  }

  /** Call it when the connection is over for good, so no more changes of these guilds will come. */
  drop(): void {
    for (const list of this.#lists.values()) this.#forget(list);
  }

  close(): void {
    this.#selfCheck?.close();
    this.#memberSync.close();
  }

  #takeDispatch(shardId: number, packet: GatewayDispatchPayload): void {
    switch (packet.t) {
      case GatewayDispatchEvents.Ready:
        this.#takeReady(shardId, packet.d);
        break;
      case GatewayDispatchEvents.Resumed:
        this.#memberSync.connected(shardId);
        break;
      case GatewayDispatchEvents.GuildCreate:
        this.#takeGuild(shardId, packet.d);
        break;
      case GatewayDispatchEvents.GuildDelete:
        this.#loseGuild(packet.d.id, packet.d.unavailable === true);
        break;
      case GatewayDispatchEvents.GuildMembersChunk: {
        const list = this.#lists.get(packet.d.guild_id);
        if (list !== undefined) this.#memberSync.takeChunk(list, packet.d);
        break;
      }
      case GatewayDispatchEvents.RateLimited: {
        if (packet.d.opcode !== GatewayOpcodes.RequestGuildMembers) break;
        const { guild_id: guildId, nonce } = packet.d.meta;
        const list = this.#lists.get(guildId);
        if (list !== undefined) this.#memberSync.takeRateLimit(list, nonce, packet.d.retry_after);
        break;
      }
      case GatewayDispatchEvents.GuildMemberAdd:
        this.#lists.get(packet.d.guild_id)?.addMember(packet.d);
        break;
      case GatewayDispatchEvents.GuildMemberUpdate:
        this.#lists.get(packet.d.guild_id)?.updateMember(packet.d);
        break;
      case GatewayDispatchEvents.GuildMemberRemove:
        this.#lists.get(packet.d.guild_id)?.removeMember(packet.d.user.id);
        break;
      case GatewayDispatchEvents.GuildRoleCreate:
      case GatewayDispatchEvents.GuildRoleUpdate:
        this.#lists.get(packet.d.guild_id)?.addRole(packet.d.role.id);
        break;
      case GatewayDispatchEvents.GuildRoleDelete:
        this.#lists.get(packet.d.guild_id)?.deleteRole(packet.d.role_id);
        break;
      default:
    }
  }

  /**
   * A new session. Discord does not send what happened since the last one, and does not name guilds that the bot left.
   */
  #takeReady(shardId: number, ready: GatewayReadyDispatchData): void {
    this.#botId = ready.user.id;
    const guildIds = new Set(ready.guilds.map(({ id }) => id));
    for (const list of this.#lists.values()) {
      if (list.shardId !== shardId) continue;
      this.#memberSync.cancel(list);
      list.markStale();
      if (!guildIds.has(list.guildId)) this.#forget(list);
    }
    for (const guildId of guildIds) this.#listOf(guildId, shardId);
    this.#memberSync.connected(shardId);
  }

  #takeGuild(shardId: number, guild: GatewayGuildCreateDispatchData): void {
    // Other servers than Discord leave `unavailable` out when a guild is available.
    if (guild.unavailable === true) {
      this.#listOf(guild.id, shardId);
      this.#loseGuild(guild.id, true);
      return;
    }
    const list = this.#listOf(guild.id, shardId);
    this.#memberSync.cancel(list);
    const nonce = newNonce();
    const hasAll = list.create(guild, nonce);
    if (hasAll && this.#hasMembersIntent) this.#memberSync.finish(list, nonce);
    else this.#sync(list);
  }

  #loseGuild(guildId: string, isOutage: boolean): void {
    const list = this.#lists.get(guildId);
    if (list === undefined) return;
    this.#memberSync.cancel(list);
    if (isOutage) list.markOutage();
    else this.#forget(list);
  }

  #forget(list: GuildMemberList): void {
    this.#memberSync.cancel(list);
    this.#changeLogs.dropGuild(list.guildId);
    this.#lists.delete(list.guildId);
  }

  #sync(list: GuildMemberList): void {
    if (this.#hasMembersIntent) this.#memberSync.sync(list);
  }

  #listOf(guildId: string, shardId: number): GuildMemberList {
    let list = this.#lists.get(guildId);
    if (list === undefined) {
      list = new GuildMemberList(guildId, shardId, this.#changeLogs, () => this.#timers.now());
      this.#lists.set(guildId, list);
    }
    list.moveTo(shardId);
    return list;
  }

  /** Returns the problem that keeps us from answering from a list, or null. */
  #problemOf(guildId: string, list: GuildMemberList | undefined): Problem | null {
    const { endReason } = this.#shardStates;
    // Callers need to know only that waiting does not help.
    if (endReason !== null) return new Problem('member_list_unavailable/ended', { cause: endReason });
    if (!this.#hasMembersIntent) return new Problem('member_list_unavailable/intent_off');
    const shardId = list?.shardId ?? this.#shardStates.shardOfGuild(guildId);
    const reason = shardId === null ? 'connecting' : this.#shardStates.unreadyReason(shardId);
    if (shardId === null || reason === 'connecting') {
      return new Problem('member_list_unavailable/connecting', SOON);
    }
    if (list === undefined) return new Problem('member_list_unavailable/not_in_guild');
    if (reason !== null) {
      return new Problem(`member_list_unavailable/${reason === 'paused' ? 'paused' : 'lost'}`, SOON);
    }
    if (list.state === 'complete') return null;
    if (list.state === 'outage') return new Problem('member_list_unavailable/outage', SOON);
    if (list.state === 'awaited') {
      const isLate = (this.#shardStates.connectedMs(shardId) ?? 0) >= AWAITED_MS;
      return new Problem(`member_list_unavailable/${isLate ? 'outage' : 'connecting'}`, SOON);
    }
    const rows = list.syncedRows ?? 0;
    return new Problem(`member_list_unavailable/${list.state === 'stale' ? 'rereading' : 'loading'}`, {
      values: { rows, total: Math.max(rows, list.statedCount) },
      retryAfterSeconds: this.#memberSync.retryAfterSeconds(list),
    });
  }
}

function guildIdOf(packet: GatewayDispatchPayload): string | null {
  const data: unknown = packet.d;
  if (typeof data !== 'object' || data === null) return null;
  const { id, guild_id: guildId = id }: { id?: unknown; guild_id?: unknown } = data;
  return typeof guildId === 'string' ? guildId : null;
}
