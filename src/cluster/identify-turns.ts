import { setTimeout as delay } from 'node:timers/promises';

import type { Redis } from 'ioredis';

import type { Log } from '../telemetry/log.ts';

export interface IdentifyTurnsOptions {
  readonly redis: Redis;
  readonly log: Log;
  /** From one identify in a bucket to the next: Discord's 5 s and a quarter for clocks and networks. */
  readonly windowMs: number;
}

// A turn without an end, which nobody here makes, would keep all others waiting for good.
const TAKE_TURN = `
if redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1]) then return 0 end
local left = redis.call('PTTL', KEYS[1])
if left < 0 or left > tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return math.max(left, 1)
`;

/**
 * Whose turn it is to identify, for all processes of a bot: one in a bucket at a time.
 * https://docs.discord.com/developers/events/gateway#rate-limiting
 */
export class IdentifyTurns {
  readonly #options: IdentifyTurnsOptions;

  constructor(options: IdentifyTurnsOptions) {
    this.#options = options;
  }

  /**
   * Resolves when it is this process's turn, or when Redis is away: an identify that comes too early is refused by
   * Discord and tried again.
   * @throws the signal's reason
   */
  async take(bucket: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const leftMs = await this.#tryTake(bucket);
      if (leftMs === 0) return;
      await delay(leftMs, undefined, { signal, ref: false });
    }
  }

  /** Milliseconds until the turn of another ends; 0 when it is ours. */
  async #tryTake(bucket: number): Promise<number> {
    const { redis, log, windowMs } = this.#options;
    try {
      return Number(await redis.eval(TAKE_TURN, 1, `quartermaster:identify:${bucket}`, windowMs));
    } catch (err) {
      log.warn({ err, bucket }, 'Redis is away: this process identifies at its own pace');
      return 0;
    }
  }
}
