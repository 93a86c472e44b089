import { setTimeout as delay } from 'node:timers/promises';

import type { Redis } from 'ioredis';

import type { Log } from '../telemetry/log.ts';

export interface IdentifyTurnsOptions {
  readonly redis: Redis;
  readonly log: Log;
  /** From one identify in a bucket to the next: Discord's 5 s and a quarter for clocks and networks. */
  readonly windowMs: number;
}

/** What Discord allows, as one process has heard it. */
export interface IdentifyAllowance {
  /** Identifies that are left of this day. */
  readonly left: number;
  /** How many of them are not for this shard. */
  readonly kept: number;
}

/** After that, what Discord says it has counted is newer than our count. */
const COUNT_MS = 60_000;

// KEYS: the turn, what is left. ARGV: milliseconds of a turn, what Discord says is left and kept, and milliseconds of
// our count. Gives -1 when nothing is left, 0 when it is our turn, else the wait.
// A turn without an end, which nobody here makes, would keep all others waiting for good.
const TAKE_TURN = `
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
 * Whose turn it is to identify, for all processes of a bot: one in a bucket at a time. See Cluster.takeIdentifyTurn.
 * An identify that comes too early, while Redis is away, is refused by Discord and tried again.
 * https://docs.discord.com/developers/events/gateway#rate-limiting
 */
export function identifyTurns({ redis, log, windowMs }: IdentifyTurnsOptions) {
  return async (bucket: number, signal: AbortSignal, allowance: IdentifyAllowance): Promise<boolean> => {
    const { left, kept } = allowance;
    const keys = [`quartermaster:identify:${bucket}`, 'quartermaster:identifies_left'];
    for (;;) {
      signal.throwIfAborted();
      const turn = redis.eval(TAKE_TURN, keys.length, ...keys, windowMs, left, kept, COUNT_MS);
      const waitMs = await turn.then(Number, (err: unknown) => {
        log.warn({ err, bucket }, 'Redis is away: this process identifies at its own pace');
        return 0;
      });
      if (waitMs <= 0) return waitMs === 0;
      await delay(waitMs, undefined, { signal, ref: false });
    }
  };
}
