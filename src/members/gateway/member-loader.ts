import { randomBytes } from 'node:crypto';

import {
  GatewayOpcodes,
  type GatewayGuildMembersChunkDispatchData,
  type GatewayRequestGuildMembers,
} from 'discord-api-types/v10';

import type { Log } from '../../telemetry/log.ts';
import type { GuildMemberList } from './guild-member-list.ts';
import { MemberRequestQueue } from './member-request-queue.ts';
import type { Timers } from './timers.ts';

export interface MemberLoaderOptions {
  /** By guild id; a guild that is no longer in it is not asked for. */
  readonly lists: ReadonlyMap<string, GuildMemberList>;
  readonly requestMembers: (shardId: number, payload: GatewayRequestGuildMembers) => void | Promise<void>;
  readonly log: Log;
  readonly timers: Timers;
  readonly requestsPerMinuteMax: number;
  readonly requestIntervalMs: number;
  readonly silenceMs: number;
}

/** Steps of about half a millisecond that a list takes towards its end before others get a turn. */
const FINISH_STEPS = 10;

/** Brings lists to completeness: asks for members, takes the chunks, asks again when they stay away. */
export class MemberLoader {
  readonly #options: MemberLoaderOptions;
  readonly #queues = new Map<number, MemberRequestQueue>();
  /** By guild: what ends the wait for its next chunk. */
  readonly #cancelSilence = new Map<string, () => void>();
  #requestsSent = 0;
  #healed = 0;

  constructor(options: MemberLoaderOptions) {
    this.#options = options;
  }

  get requestsSent(): number {
    return this.#requestsSent;
  }

  /** Lists that differed from Discord's and were mended. */
  get healed(): number {
    return this.#healed;
  }

  connect(shardId: number): void {
    this.#queue(shardId).connect();
  }

  disconnect(shardId: number): void {
    this.#queue(shardId).disconnect();
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.close();
    for (const cancel of this.#cancelSilence.values()) cancel();
    this.#cancelSilence.clear();
  }

  /** Asks for all members as soon as Discord allows. */
  load(list: GuildMemberList): void {
    this.cancel(list);
    this.#queue(list.shardId).add(list.guildId, list.requestableAt);
  }

  /** Somebody waits for this list: it goes before those for which nobody does. */
  prefer(list: GuildMemberList): void {
    this.#queue(list.shardId).prefer(list.guildId);
  }

  /** Forgets a request that waits or is under way. */
  cancel(list: GuildMemberList): void {
    this.#queue(list.shardId).remove(list.guildId);
    this.#endSilence(list.guildId);
    list.cancelLoad();
  }

  /** The difference was found by a comparison with Discord. */
  heal(list: GuildMemberList, difference: string): void {
    list.healing = true;
    this.#options.log.debug(
      { guild: list.guildId, difference },
      'a member list differs from Discord and is read anew',
    );
    this.load(list);
  }

  takeChunk(list: GuildMemberList, chunk: GatewayGuildMembersChunkDispatchData): void {
    const outcome = list.takeChunk(chunk);
    if (outcome === 'foreign') return;
    this.#endSilence(list.guildId);
    if (outcome === 'all') this.finish(list, chunk.nonce ?? '');
    else this.#awaitChunk(list);
  }

  /** Ends a load whose rows have all come; with other work in between when the list is large. */
  finish(list: GuildMemberList, nonce: string): void {
    for (let step = 0; step < FINISH_STEPS; step += 1) {
      const corrected = list.finishStep();
      if (corrected === null) continue;
      this.#completed(list, corrected);
      return;
    }
    this.#options.timers.after(0, () => {
      if (list.isLoading(nonce)) this.finish(list, nonce);
    });
  }

  /** Discord refused the request under way and says when to ask again. */
  takeRateLimit(list: GuildMemberList, nonce: string | undefined, retryAfterSeconds: number): void {
    if (!list.isLoading(nonce)) return;
    list.requestableAt = this.#options.timers.now() + Math.ceil(retryAfterSeconds * 1000);
    this.load(list);
  }

  /** When asking for the list again makes sense: a guess from the queue and the members still to come. */
  retryAfterSeconds(list: GuildMemberList): number {
    const rows = list.loadedRows;
    const waitMs = rows === null ? this.#queue(list.shardId).waitMs(list.guildId) : 0;
    const readMs = Math.max(0, list.memberCount - (rows ?? 0)) / 20;
    return Math.min(60, 1 + Math.ceil((waitMs + readMs) / 1000));
  }

  #completed(list: GuildMemberList, corrected: number): void {
    const { log } = this.#options;
    const guild = list.guildId;
    if (list.healing && corrected > 0) {
      this.#healed += 1;
      log.info({ guild, members: corrected }, 'a member list differed from Discord and was mended');
    }
    if (corrected > 0) list.acceptedDifference = '';
    list.healing = false;
    const { memberCount } = list.index;
    if (memberCount === list.memberCount || list.countDisputed) {
      // Asked twice: it is Discord's own count that is off.
      list.countDisputed = false;
      list.memberCount = memberCount;
      return;
    }
    list.countDisputed = true;
    this.heal(list, `${memberCount} members instead of ${list.memberCount}`);
  }

  #queue(shardId: number): MemberRequestQueue {
    let queue = this.#queues.get(shardId);
    if (queue === undefined) {
      queue = new MemberRequestQueue({
        timers: this.#options.timers,
        sendsMax: this.#options.requestsPerMinuteMax,
        windowMs: 60_000,
        send: (guildId) => this.#request(guildId),
      });
      this.#queues.set(shardId, queue);
    }
    return queue;
  }

  #request(guildId: string): void | Promise<void> {
    const { lists, timers, requestIntervalMs, requestMembers } = this.#options;
    const list = lists.get(guildId);
    if (list === undefined) return undefined;
    const nonce = newNonce();
    // Before the request is sent, so that no change falls between it and the answer.
    list.beginLoad(nonce);
    list.requestableAt = timers.now() + requestIntervalMs;
    this.#awaitChunk(list);
    this.#requestsSent += 1;
    const notSent = (error: unknown): never => {
      if (list.isLoading(nonce)) {
        this.#endSilence(guildId);
        list.cancelLoad();
        list.requestableAt = 0;
      }
      throw error;
    };
    try {
      const sent = requestMembers(list.shardId, {
        op: GatewayOpcodes.RequestGuildMembers,
        d: { guild_id: guildId, query: '', limit: 0, nonce },
      });
      return sent instanceof Promise ? sent.catch(notSent) : undefined;
    } catch (error) {
      return notSent(error);
    }
  }

  #awaitChunk(list: GuildMemberList): void {
    const { timers, silenceMs, log } = this.#options;
    this.#endSilence(list.guildId);
    const cancel = timers.after(silenceMs, () => {
      log.debug({ guild: list.guildId }, 'Discord has not answered a request for members; it is asked again');
      this.load(list);
    });
    this.#cancelSilence.set(list.guildId, cancel);
  }

  #endSilence(guildId: string): void {
    this.#cancelSilence.get(guildId)?.();
    this.#cancelSilence.delete(guildId);
  }
}

/** Discord ignores a nonce of more than 32 bytes. */
export function newNonce(): string {
  return randomBytes(12).toString('base64url');
}
