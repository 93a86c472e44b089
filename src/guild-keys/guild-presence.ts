import { setTimeout as wait } from 'node:timers/promises';

import { isDamagedRecord } from '../storage/namespace.ts';
import type { Log } from '../telemetry/log.ts';
import { shardOf } from '../snowflake.ts';
import type { GuildKeyStore } from './guild-key-store.ts';

/**
 * Where the bot is, according to the gateway. Keys of a guild stop when the bot leaves and work again when it
 * returns. An outage is not a leave and must not be reported here.
 */
export interface GuildPresence extends AsyncDisposable {
  /** GUILD_CREATE. */
  joined(guildId: string): void;
  /** GUILD_DELETE without `unavailable`. */
  left(guildId: string): void;
  /** READY of a shard: all its guilds, including those that are unavailable at the moment. */
  shardReady(shardId: number, shardCount: number, guildIds: Iterable<string>): void;
  /** Resolves when everything reported so far is stored, except for guilds whose record cannot be read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface GuildPresenceOptions {
  readonly log: Log;
  /** How long to wait after a failure of the storage. Default 5 s. */
  readonly retryMs?: number;
  /** How long to wait before retrying a guild whose record could not be read. Default 5 minutes. */
  readonly unreadableRetryMs?: number;
}

type Wish = 'joined' | 'left';

interface ReadyShard {
  readonly shardCount: number;
  readonly guildIds: Set<string>;
}

/**
 * Events only note what is wanted: at most one wish per guild and one list per shard. One worker brings the wishes to
 * the storage and does not give up. Shards that become ready meanwhile share the next pass over all records.
 */
export function createGuildPresence(
  keys: Pick<GuildKeyStore, 'suspend' | 'restore' | 'guilds'>,
  { log, retryMs = 5_000, unreadableRetryMs = 300_000 }: GuildPresenceOptions,
): GuildPresence {
  const wishes = new Map<string, Wish>();
  /** Wishes that the others need not wait for. */
  const unreadable = new Map<string, Wish>();
  let unreadableTimer: NodeJS.Timeout | undefined;
  const readyShards = new Map<number, ReadyShard>();
  const closing = new AbortController();
  let working: Promise<void> | undefined;
  const onDamaged = (guildId: string, err: unknown) =>
    log.error({ guild_id: guildId, err }, 'the keys of a server cannot be read');

  async function fulfil(guildId: string, wish: Wish): Promise<boolean> {
    try {
      return await (wish === 'left' ? keys.suspend(guildId) : keys.restore(guildId));
    } catch (error) {
      if (!isDamagedRecord(error)) throw error;
      onDamaged(guildId, error);
      unreadable.set(guildId, wish);
      unreadableTimer ??= setTimeout(retryUnreadable, unreadableRetryMs).unref();
      return false;
    }
  }

  function retryUnreadable(): void {
    unreadableTimer = undefined;
    for (const [guildId, wish] of unreadable) {
      if (!wishes.has(guildId)) wishes.set(guildId, wish);
    }
    unreadable.clear();
    work();
  }

  async function fulfilWishes(): Promise<void> {
    for (const [guildId, wish] of wishes) {
      if (closing.signal.aborted) return;
      const changed = await fulfil(guildId, wish);
      // A wish that came in meanwhile is newer and wins.
      if (wishes.get(guildId) === wish) wishes.delete(guildId);
      if (changed) log.info({ guild_id: guildId }, `the bot has ${wish} a server with keys`);
    }
  }

  async function compareWithShards(): Promise<void> {
    const shards = new Map(readyShards);
    if (shards.size === 0) return;
    for await (const { guildId, isSuspended } of keys.guilds(onDamaged)) {
      if (closing.signal.aborted) return;
      const isPresent = findShard(shards, guildId)?.guildIds.has(guildId);
      if (isPresent === undefined || isPresent !== isSuspended) continue;
      // Noted as a wish, so that a later event of the same guild overrides it.
      wishes.set(guildId, wishes.get(guildId) ?? (isPresent ? 'joined' : 'left'));
    }
    for (const [shardId, shard] of shards) {
      if (readyShards.get(shardId) === shard) readyShards.delete(shardId);
    }
  }

  async function workUntilDone(): Promise<void> {
    while ((wishes.size > 0 || readyShards.size > 0) && !closing.signal.aborted) {
      try {
        await fulfilWishes();
        await compareWithShards();
      } catch (err) {
        log.warn({ err }, 'keys of servers that the bot left or joined cannot be changed; trying again');
        await wait(retryMs, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  }

  function work(): void {
    working ??= workUntilDone().finally(() => (working = undefined));
  }

  /** Keeps lists that a pass uses, or waits for, in step with the events. */
  function wish(guildId: string, wanted: Wish): void {
    const shard = findShard(readyShards, guildId);
    if (wanted === 'joined') shard?.guildIds.add(guildId);
    else shard?.guildIds.delete(guildId);
    unreadable.delete(guildId);
    wishes.delete(guildId);
    wishes.set(guildId, wanted);
    work();
  }

  async function close(): Promise<void> {
    closing.abort();
    clearTimeout(unreadableTimer);
    await working;
  }

  return {
    joined: (guildId) => wish(guildId, 'joined'),
    left: (guildId) => wish(guildId, 'left'),
    shardReady(shardId, shardCount, guildIds) {
      readyShards.set(shardId, { shardCount, guildIds: new Set(guildIds) });
      work();
    },
    async settled() {
      await working;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function findShard(shards: ReadonlyMap<number, ReadyShard>, guildId: string): ReadyShard | undefined {
  for (const [shardId, shard] of shards) {
    if (shardOf(guildId, shard.shardCount) === shardId) return shard;
  }
  return undefined;
}
