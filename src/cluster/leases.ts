import type { Redis } from 'ioredis';

import { shardOf } from '../kernel/snowflake.ts';
import { readLease, type Lease } from './wire.ts';

export interface LeasesOptions {
  readonly redis: Redis;
  readonly processId: string;
  /** A lease ends this long after its last renewal. */
  readonly leaseMs: number;
}

/** Another process, as its lease says. */
export interface OtherProcess {
  readonly id: string;
  readonly shardCount: number;
  readonly shards: ReadonlyMap<number, number>;
  /** On Redis's clock. */
  readonly renewedAt: number;
  /** On the clock of this process. */
  readonly endsAt: number;
}

const TIMES_KEY = 'quartermaster:processes';
const LEASES_KEY = 'quartermaster:leases';

// KEYS: the times of the last renewals, and the leases. ARGV: a process, the length of a lease in milliseconds, and its
// lease. All times come from Redis's clock, because the clocks of machines differ. Returns the time, and for each
// process its last renewal and its lease.
const RENEW = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local ended = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
for _, id in ipairs(ended) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
local all = {}
local times = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for at = 1, #times, 2 do
  table.insert(all, { times[at], times[at + 1], redis.call('HGET', KEYS[2], times[at]) or '' })
end
return { now, all }
`;

/** The lease of this process, which names the shards that it holds, and the leases of the others. */
export class Leases {
  readonly #options: LeasesOptions;
  /** When Discord accepted each shard, on Redis's clock. */
  readonly #held = new Map<number, number>();
  #shardCount = 1;
  /** Milliseconds by which Redis's clock is ahead of ours. */
  #clockLead = 0;
  #others: readonly OtherProcess[] = [];
  #renewing = Promise.resolve();
  #following: Promise<void> | null = null;
  #hasLeft = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  get shards(): number {
    return this.#held.size;
  }

  /**
   * Shards that another process claims as well. A claim counts only if that process has renewed its lease since we got
   * the shard, so a dead process that this one replaced does not count.
   */
  get heldTwice(): number[] {
    const rivals = this.others.filter(({ shardCount }) => shardCount === this.#shardCount);
    return [...this.#held]
      .filter(([id, since]) => rivals.some(({ shards, renewedAt }) => shards.has(id) && renewedAt > since))
      .map(([id]) => id);
  }

  /** The other processes with a valid lease. */
  get others(): OtherProcess[] {
    const now = performance.now();
    return this.#others.filter(({ endsAt }) => endsAt > now);
  }

  /** A new shard count drops all shards of the old one. */
  hold(shardId: number, shardCount: number): void {
    if (shardCount !== this.#shardCount) this.#held.clear();
    this.#shardCount = shardCount;
    if (!this.#held.has(shardId)) this.#held.set(shardId, performance.now() + this.#clockLead);
  }

  /** Releases the shards. This process can still ask the others. */
  release(): void {
    this.#held.clear();
  }

  /** True when this process holds the shard of a guild. */
  holds(guildId: string): boolean {
    return this.#held.has(shardOf(guildId, this.#shardCount));
  }

  /** The other processes that hold the shard of a guild, the most recent one first. */
  shardHoldersOf(guildId: string): OtherProcess[] {
    const sinceOf = ({ shards, shardCount }: OtherProcess) => shards.get(shardOf(guildId, shardCount));
    return this.others
      .filter((other) => sinceOf(other) !== undefined)
      .toSorted((a, b) => (sinceOf(b) ?? 0) - (sinceOf(a) ?? 0));
  }

  /** Renews the lease and reads the others. @throws Error when Redis is away */
  renew(): Promise<void> {
    // The renewal in progress may miss later changes. One more follows, which all calls until then share.
    this.#following ??= this.#renewing
      .catch(() => undefined)
      .then(() => {
        this.#following = null;
        this.#renewing = this.#renew();
        return this.#renewing;
      });
    return this.#following;
  }

  /** @throws Error when Redis is away: the lease then expires by itself */
  async leave(): Promise<void> {
    const { redis, processId } = this.#options;
    this.#hasLeft = true;
    await this.#renewing.catch(() => undefined);
    await redis.multi().zrem(TIMES_KEY, processId).hdel(LEASES_KEY, processId).exec();
  }

  async #renew(): Promise<void> {
    const { redis, processId, leaseMs } = this.#options;
    if (this.#hasLeft) return;
    const sentAt = performance.now();
    const lease: Lease = {
      asked: 'by channel',
      shardCount: this.#shardCount,
      shards: [...this.#held],
    };
    const text = JSON.stringify(lease);
    const answer = await redis.eval(RENEW, 2, TIMES_KEY, LEASES_KEY, processId, leaseMs, text);
    const [redisNow, all] = answer as [number, [id: string, time: string, json: string][]];
    this.#clockLead = redisNow - sentAt;
    this.#others = all.flatMap(([id, time, json]) => {
      const other = id === processId ? null : readLease(json);
      const endsAt = sentAt + leaseMs - (redisNow - Number(time));
      return other === null
        ? []
        : {
            id,
            shardCount: other.shardCount,
            shards: new Map(other.shards),
            renewedAt: Number(time),
            endsAt,
          };
    });
  }
}
