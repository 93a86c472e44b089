import { randomBytes } from 'node:crypto';

import {
  GatewayOpcodes,
  type GatewayGuildMembersChunkDispatchData,
  type GatewayRequestGuildMembers,
} from 'discord-api-types/v10';

import type { Log } from '../../telemetry/log.ts';
import { REQUEST_INTERVAL_MS, type GuildMemberList, type SyncOutcome } from './guild-member-list.ts';
import { MEMBER_REQUESTS, MemberRequestQueue } from './member-request-queue.ts';
import type { Timers } from '../timers.ts';

export interface MemberSyncOptions {
  /** By guild id. Only guilds in this map are requested. */
  readonly lists: ReadonlyMap<string, GuildMemberList>;
  /** True when payloads can be sent on the shard. */
  readonly isConnected: (shardId: number) => boolean;
  /** The bot's id, or null if unknown. */
  readonly botId: () => string | null;
  readonly requestMembers: (shardId: number, payload: GatewayRequestGuildMembers) => void;
  readonly log: Log;
  readonly timers: Timers;
  readonly sendsMax: number;
}

/** If no chunk arrives for this long, the guild is requested again. */
const CHUNK_TIMEOUT_MS = 30_000;

/**
 * Steps towards a complete list in one iteration of the event loop. The longest sorts 16,384 rows in a few
 * milliseconds.
 */
const FINISH_STEPS = 2;

/** Syncs lists: requests members, takes the chunks, and requests again if none arrive. */
export class MemberSync {
  readonly #options: MemberSyncOptions;
  readonly #queues = new Map<number, MemberRequestQueue>();
  /** By guild: a function that cancels the timeout of its next chunk. */
  readonly #cancelChunkTimeout = new Map<string, () => void>();
  #resynced = 0;

  constructor(options: MemberSyncOptions) {
    this.#options = options;
  }

  /** Lists that differed from Discord and were fixed. */
  get resynced(): number {
    return this.#resynced;
  }

  /** Call it when a shard is connected. Sends its waiting requests. */
  connected(shardId: number): void {
    this.#queue(shardId).run();
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.close();
    for (const cancel of this.#cancelChunkTimeout.values()) cancel();
    this.#cancelChunkTimeout.clear();
  }

  /** Requests all members as soon as Discord allows. */
  sync(list: GuildMemberList): void {
    this.cancel(list);
    this.#queue(list.shardId).add(list.guildId, list.requestableAt);
  }

  /** Moves a list to the front, because a caller waits for it. */
  prefer(list: GuildMemberList): void {
    this.#queue(list.shardId).prefer(list.guildId);
  }

  /** Forgets a request, waiting or under way. */
  cancel(list: GuildMemberList): void {
    this.#queue(list.shardId).remove(list.guildId);
    this.#clearChunkTimeout(list.guildId);
    list.cancelSync();
  }

  /** Requests a list that differs from Discord's counts. */
  resync(list: GuildMemberList, difference: string): void {
    if (!list.shouldResync(difference)) return;
    this.#options.log.debug(
      { guild_id: list.guildId, difference },
      'a member list differs from Discord and is requested again',
    );
    this.sync(list);
  }

  takeChunk(list: GuildMemberList, chunk: GatewayGuildMembersChunkDispatchData): void {
    const outcome = list.takeChunk(chunk);
    if (outcome === 'unrelated') return;
    this.#clearChunkTimeout(list.guildId);
    if (outcome === 'all') this.finish(list, chunk.nonce ?? '');
    else this.#awaitChunk(list);
  }

  /** Finishes a sync when all rows are here. A large list takes several iterations of the event loop. */
  finish(list: GuildMemberList, nonce: string): void {
    for (let step = 0; step < FINISH_STEPS; step += 1) {
      const outcome = list.finishSyncStep(this.#options.botId());
      if (outcome === null) continue;
      this.#finished(list, outcome);
      return;
    }
    this.#options.timers.after(0, () => {
      if (list.isSyncing(nonce)) this.finish(list, nonce);
    });
  }

  /** Call it when Discord refused the request under way. */
  takeRateLimit(list: GuildMemberList, nonce: string | undefined, retryAfterSeconds: number): void {
    if (!list.isSyncing(nonce)) return;
    list.requestRefused(this.#options.timers.monotonic() + Math.ceil(retryAfterSeconds * 1000));
    this.sync(list);
  }

  /** Estimates the wait from the queue and from the members still to come. */
  retryAfterSeconds(list: GuildMemberList): number {
    const rows = list.syncedRows;
    const waitMs = rows === null ? this.#queue(list.shardId).waitMs(list.guildId) : 0;
    const readMs = Math.max(0, list.statedCount - (rows ?? 0)) / 20;
    return Math.min(60, 1 + Math.ceil((waitMs + readMs) / 1000));
  }

  #finished(list: GuildMemberList, outcome: SyncOutcome): void {
    const { log } = this.#options;
    if (outcome.kind === 'mismatch') {
      log.debug(
        { guild_id: list.guildId, difference: outcome.why },
        'a member list does not match the count of Discord and is requested again',
      );
      this.sync(list);
    } else if (outcome.fixed > 0) {
      this.#resynced += 1;
      log.info(
        { guild_id: list.guildId, members: outcome.fixed },
        'a member list differed from Discord and was fixed',
      );
    }
  }

  #queue(shardId: number): MemberRequestQueue {
    let queue = this.#queues.get(shardId);
    if (queue === undefined) {
      queue = new MemberRequestQueue({
        ...MEMBER_REQUESTS,
        timers: this.#options.timers,
        sendsMax: this.#options.sendsMax,
        isOpen: () => this.#options.isConnected(shardId),
        send: (guildId) => this.#request(guildId),
      });
      this.#queues.set(shardId, queue);
    }
    return queue;
  }

  #request(guildId: string): void {
    const { lists, timers, requestMembers } = this.#options;
    const list = lists.get(guildId);
    if (list === undefined) return;
    const nonce = newNonce();
    // Begin the sync before sending, so that changes between the request and its answer win.
    list.request(nonce, timers.monotonic() + REQUEST_INTERVAL_MS);
    this.#awaitChunk(list);
    try {
      requestMembers(list.shardId, {
        op: GatewayOpcodes.RequestGuildMembers,
        d: { guild_id: guildId, query: '', limit: 0, nonce },
      });
    } catch (error) {
      if (list.requestFailed(nonce)) this.#clearChunkTimeout(guildId);
      throw error;
    }
  }

  #awaitChunk(list: GuildMemberList): void {
    const { timers, log } = this.#options;
    this.#clearChunkTimeout(list.guildId);
    const cancel = timers.after(CHUNK_TIMEOUT_MS, () => {
      log.debug(
        { guild_id: list.guildId },
        'Discord has not answered a request for members; it is asked again',
      );
      this.sync(list);
    });
    this.#cancelChunkTimeout.set(list.guildId, cancel);
  }

  #clearChunkTimeout(guildId: string): void {
    this.#cancelChunkTimeout.get(guildId)?.();
    this.#cancelChunkTimeout.delete(guildId);
  }
}

/** Discord ignores a nonce of more than 32 bytes. */
export function newNonce(): string {
  return randomBytes(12).toString('base64url');
}
