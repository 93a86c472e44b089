import { setTimeout as delay } from 'node:timers/promises';

import type { Redis } from 'ioredis';

import type { Log } from '../telemetry/log.ts';

export interface IdentifyThrottlerOptions {
  readonly redis: Redis;
  readonly log: Log;
  /** Time between two identifies in a bucket: Discord's 5 s, and 0.25 s more for clocks and networks. */
  readonly windowMs: number;
}

/** The identifies that Discord allows, as it last told one process. */
export interface IdentifiesLeft {
  /** Identifies left until Discord's day ends. */
  readonly left: number;
  /** How many of these are reserved for other shards. */
  readonly reserve: number;
}

/** After this long, Discord's own count is newer than ours. */
const COUNT_MS = 60_000;

// KEYS: the lock of a bucket, and the identifies that are left. ARGV: how long the lock lasts in milliseconds, how many
// identifies Discord says are left, how many of them are reserved, and how long our count is kept in milliseconds.
// Returns -1 when none is left, 0 when this process may identify now, else the milliseconds to wait. If a lock has
// no expiry, which nothing here creates, the script sets one; otherwise every process would wait forever.
const RESERVE_IDENTIFY = `
local left = tonumber(ARGV[2])
local known = redis.call('GET', KEYS[2])
if known and tonumber(known) < left then left = tonumber(known) end
if left <= tonumber(ARGV[3]) then return -1 end
if redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1]) then
  redis.call('SET', KEYS[2], left - 1, 'PX', ARGV[4])
  return 0
end
local wait = redis.call('PTTL', KEYS[1])
if wait < 0 or wait > tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  wait = tonumber(ARGV[1])
end
return math.max(wait, 1)
`;

/**
 * Lets the processes of a bot identify one after the other in each bucket. See Cluster.waitForIdentify. While Redis is
 * unreachable, an identify may come too early. Discord then refuses it, and it is tried again.
 * https://docs.discord.com/developers/events/gateway#rate-limiting
 */
export function identifyThrottler({ redis, log, windowMs }: IdentifyThrottlerOptions) {
  return async (bucket: number, signal: AbortSignal, identifiesLeft: IdentifiesLeft): Promise<boolean> => {
    const { left, reserve } = identifiesLeft;
    const keys = [`quartermaster:identify:${bucket}`, 'quartermaster:identifies_left'];
    for (;;) {
      signal.throwIfAborted();
      const reply = redis.eval(RESERVE_IDENTIFY, keys.length, ...keys, windowMs, left, reserve, COUNT_MS);
      const waitMs = await reply.then(Number, (cause: unknown) => {
        log.warn({ cause, bucket }, 'Redis is away: this process identifies at its own pace');
        return 0;
      });
      if (waitMs <= 0) return waitMs === 0;
      await delay(waitMs, undefined, { signal, ref: false });
    }
  };
}
