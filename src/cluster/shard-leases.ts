import type { Redis } from 'ioredis';

import type { Log } from '../telemetry/log.ts';

export interface ShardLeasesOptions {
  readonly redis: Redis;
  readonly processId: string;
  readonly log: Log;
  /** From one renewal to the next. */
  readonly renewMs: number;
  /** So long after the last renewal a process counts as gone. */
  readonly leaseMs: number;
}

const COUNTS_KEY = 'quartermaster:shard_counts';

// KEYS: the counts, then one set of owners for each shard. ARGV: owner, milliseconds of a lease, shard count, and for
// each shard the time of the first lease or 0. Redis's own clock, as those of machines differ.
// Gives the time, and for each shard how many others have renewed their lease since this one began: who is gone for
// good never does, so the process that this one replaces is not taken for a second owner.
const RENEW = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local lease = tonumber(ARGV[2])
local answer = { now }
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - lease)
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('PEXPIRE', KEYS[1], lease)
for i = 2, #KEYS do
  local since = tonumber(ARGV[i + 2])
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - lease)
  redis.call('ZREM', KEYS[i], ARGV[1])
  answer[i] = since == 0 and 0 or redis.call('ZCOUNT', KEYS[i], '(' .. since, '+inf')
  redis.call('ZADD', KEYS[i], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[i], lease)
end
return answer
`;

const LIST_COUNTS = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[1], '+inf')
`;

/**
 * Which shards this process holds, told to the others: so they know into how many shards the guilds are divided, and
 * two processes with the same shard find out about one another.
 */
export class ShardLeases {
  readonly #options: ShardLeasesOptions;
  /** Shard to the time of its first lease in Redis; 0 before that. */
  readonly #held = new Map<number, number>();
  #shardCount = 1;
  #heldTwice: readonly number[] = [];
  #counts: { readonly values: readonly number[]; readonly readAt: number } = {
    values: [],
    readAt: -Infinity,
  };
  #renewing: Promise<void> = Promise.resolve();

  constructor(options: ShardLeasesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Shards that another process holds, too. */
  get heldTwice(): readonly number[] {
    return this.#heldTwice;
  }

  /** With another count than before, all shards of before are gone. */
  hold(shardId: number, shardCount: number): void {
    if (shardCount !== this.#shardCount) this.#held.clear();
    this.#shardCount = shardCount;
    if (!this.#held.has(shardId)) this.#held.set(shardId, 0);
  }

  holds(shardId: number, shardCount: number): boolean {
    return shardCount === this.#shardCount && this.#held.has(shardId);
  }

  /** One after the other. @throws Error when Redis is away */
  renew(): Promise<void> {
    const renewing = this.#renewing.then(() => this.#renew());
    this.#renewing = renewing.catch(() => undefined);
    return renewing;
  }

  /** @throws Error when Redis is away: then the leases end by themselves */
  async release(): Promise<void> {
    await this.#renewing;
    const keys = [...this.#held.keys()].map((shardId) => this.#ownersKey(shardId));
    this.#held.clear();
    this.#heldTwice = [];
    const pipeline = this.#options.redis.pipeline();
    for (const key of keys) pipeline.zrem(key, this.#options.processId);
    await pipeline.exec();
  }

  /**
   * Into how many shards the guilds are divided, as the owners of shards told not longer ago than a lease. Two numbers
   * while the bot is being sharded anew, the larger one first; none when nobody holds a shard.
   * @param ageMsMax how long ago Redis may have been asked; default a fifth of the time between renewals
   * @throws Error when Redis is away
   */
  async shardCounts(ageMsMax = this.#options.renewMs / 5): Promise<readonly number[]> {
    const { redis, leaseMs } = this.#options;
    const now = performance.now();
    if (now - this.#counts.readAt < ageMsMax) return this.#counts.values;
    const found = (await redis.eval(LIST_COUNTS, 1, COUNTS_KEY, leaseMs)) as string[];
    const values = found.map(Number).toSorted((a, b) => b - a);
    this.#counts = { values, readAt: now };
    return values;
  }

  async #renew(): Promise<void> {
    const { redis, processId, leaseMs } = this.#options;
    const held = [...this.#held];
    if (held.length === 0) return;
    const keys = [COUNTS_KEY, ...held.map(([shardId]) => this.#ownersKey(shardId))];
    const since = held.map(([, firstAt]) => firstAt);
    const answer = await redis.eval(
      RENEW,
      keys.length,
      ...keys,
      processId,
      leaseMs,
      this.#shardCount,
      ...since,
    );
    const [now = 0, ...others] = answer as number[];
    for (const [shardId, firstAt] of held) {
      if (firstAt === 0 && this.#held.get(shardId) === 0) this.#held.set(shardId, now);
    }
    this.#tell(held.map(([shardId]) => shardId).filter((_, index) => (others[index] ?? 0) > 0));
  }

  #tell(heldTwice: readonly number[]): void {
    const { log } = this.#options;
    const before = this.#heldTwice;
    this.#heldTwice = heldTwice;
    if (heldTwice.some((shardId) => !before.includes(shardId))) {
      log.warn(
        { shards: heldTwice },
        'another process holds these shards, too; give each shard to one process (GATEWAY_SHARDS)',
      );
    } else if (before.length > 0 && heldTwice.length === 0) {
      log.info('each shard of this process is held by it alone again');
    }
  }

  #ownersKey(shardId: number): string {
    return `quartermaster:shard_owners:${this.#shardCount}:${shardId}`;
  }
}
