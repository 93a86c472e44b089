import { setTimeout as wait } from 'node:timers/promises';

import { isDamagedRecord } from '../storage/namespace.ts';
import type { Log } from '../telemetry/log.ts';
import { shardOf } from '../kernel/snowflake.ts';
import type { GuildKeyStore } from './guild-key-store.ts';

export interface GuildMembershipOptions {
  readonly log: Log;
  /** Pause after a failure of the storage. Default 5 s. */
  readonly retryMs?: number;
  /** Pause before retrying a guild whose record could not be read. Default 5 minutes. */
  readonly unreadableRetryMs?: number;
}

type PendingChange = 'joined' | 'left';

interface ReadyShard {
  readonly shardCount: number;
  readonly guildIds: Set<string>;
}

/**
 * Follows which guilds the bot is in, as the gateway says. Keys of a guild stop when the bot leaves and work again when
 * it returns. An outage does not count as leaving and must not be reported here.
 *
 * Events are only queued: at most one change per guild and one list per shard. One worker stores the changes and
 * retries until it succeeds. Shards that become ready meanwhile share the next pass over all records.
 */
export class GuildMembership {
  readonly #keys: Pick<GuildKeyStore, 'suspend' | 'restore' | 'guilds'>;
  readonly #options: Required<GuildMembershipOptions>;
  readonly #pending = new Map<string, PendingChange>();
  /** Changes of guilds with unreadable records, apart so that they do not delay the others. */
  readonly #unreadable = new Map<string, PendingChange>();
  readonly #readyShards = new Map<number, ReadyShard>();
  readonly #closing = new AbortController();
  #unreadableTimer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;

  constructor(keys: Pick<GuildKeyStore, 'suspend' | 'restore' | 'guilds'>, options: GuildMembershipOptions) {
    this.#keys = keys;
    this.#options = { retryMs: 5_000, unreadableRetryMs: 300_000, ...options };
  }

  /** GUILD_CREATE. */
  joined(guildId: string): void {
    this.#queue(guildId, 'joined');
  }

  /** GUILD_DELETE without `unavailable`. */
  left(guildId: string): void {
    this.#queue(guildId, 'left');
  }

  /** READY of a shard: all its guilds, including those that are unavailable at the moment. */
  shardReady(shardId: number, shardCount: number, guildIds: Iterable<string>): void {
    this.#readyShards.set(shardId, { shardCount, guildIds: new Set(guildIds) });
    this.#work();
  }

  /** Resolves when everything reported so far is stored, except for guilds whose record cannot be read. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#unreadableTimer);
    await this.#working;
  }

  /** Applies an event to the lists of READY that are not compared yet. */
  #queue(guildId: string, change: PendingChange): void {
    const shard = findShard(this.#readyShards, guildId);
    if (change === 'joined') shard?.guildIds.add(guildId);
    else shard?.guildIds.delete(guildId);
    this.#unreadable.delete(guildId);
    this.#pending.delete(guildId);
    this.#pending.set(guildId, change);
    this.#work();
  }

  #work(): void {
    this.#working ??= this.#workUntilDone().finally(() => (this.#working = undefined));
  }

  async #workUntilDone(): Promise<void> {
    const { log, retryMs } = this.#options;
    const { signal } = this.#closing;
    while ((this.#pending.size > 0 || this.#readyShards.size > 0) && !signal.aborted) {
      try {
        await this.#applyChanges();
        await this.#compareWithShards();
      } catch (cause) {
        log.warn({ cause }, 'keys of servers that the bot left or joined cannot be changed; trying again');
        await wait(retryMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #applyChanges(): Promise<void> {
    for (const [guildId, change] of this.#pending) {
      if (this.#closing.signal.aborted) return;
      const changed = await this.#apply(guildId, change);
      // A change that came in since is newer and wins.
      if (this.#pending.get(guildId) === change) this.#pending.delete(guildId);
      if (changed) this.#options.log.info({ guild_id: guildId }, `the bot has ${change} a server with keys`);
    }
  }

  async #apply(guildId: string, change: PendingChange): Promise<boolean> {
    try {
      return await (change === 'left' ? this.#keys.suspend(guildId) : this.#keys.restore(guildId));
    } catch (error) {
      if (!isDamagedRecord(error)) throw error;
      this.#reportDamage(guildId, error);
      this.#unreadable.set(guildId, change);
      this.#unreadableTimer ??= setTimeout(
        () => this.#retryUnreadable(),
        this.#options.unreadableRetryMs,
      ).unref();
      return false;
    }
  }

  #retryUnreadable(): void {
    this.#unreadableTimer = undefined;
    for (const [guildId, change] of this.#unreadable) {
      if (!this.#pending.has(guildId)) this.#pending.set(guildId, change);
    }
    this.#unreadable.clear();
    this.#work();
  }

  async #compareWithShards(): Promise<void> {
    const shards = new Map(this.#readyShards);
    if (shards.size === 0) return;
    const guilds = this.#keys.guilds((guildId, error) => this.#reportDamage(guildId, error));
    for await (const { guildId, isSuspended } of guilds) {
      if (this.#closing.signal.aborted) return;
      const isInGuild = findShard(shards, guildId)?.guildIds.has(guildId);
      if (isInGuild === undefined || isInGuild !== isSuspended) continue;
      // Queue it as a change, so that a later event of the same guild overrides it.
      this.#pending.set(guildId, this.#pending.get(guildId) ?? (isInGuild ? 'joined' : 'left'));
    }
    for (const [shardId, shard] of shards) {
      if (this.#readyShards.get(shardId) === shard) this.#readyShards.delete(shardId);
    }
  }

  #reportDamage(guildId: string, err: unknown): void {
    this.#options.log.error({ guild_id: guildId, err }, 'the keys of a server cannot be read');
  }
}

function findShard(shards: ReadonlyMap<number, ReadyShard>, guildId: string): ReadyShard | undefined {
  for (const [shardId, shard] of shards) {
    if (shardOf(guildId, shard.shardCount) === shardId) return shard;
  }
  return undefined;
}
