import type { Redis } from 'ioredis';

import { BoundedMap } from '../bounded-map.ts';
import type { BucketName, Buckets, Limiter, LimitResult } from './limiter.ts';
import { createMemoryLimiter } from './memory-limiter.ts';

// KEYS: windows. ARGV: for each the requests to add, and its length in milliseconds. Returns for each the requests in
// it, and the milliseconds until it ends.
const COUNT = `
local answer = {}
for at, key in ipairs(KEYS) do
  answer[at * 2 - 1] = redis.call('INCRBY', key, ARGV[at * 2 - 1])
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = tonumber(ARGV[at * 2])
    redis.call('PEXPIRE', key, left)
  end
  answer[at * 2] = left
end
return answer
`;

/** Windows that are known to be used up. */
const FULL_MAX = 10_000;

/** Requests of this turn of the event loop that count in one window. */
interface Taking {
  readonly bucket: BucketName;
  readonly id: string;
  readonly resolves: ((result: LimitResult | Promise<LimitResult>) => void)[];
}

/**
 * For several processes, which count together. All requests of one turn of the event loop are counted with one call,
 * so the busier a process is, the less a request costs it and Redis.
 *
 * While Redis is away each process counts for itself, so that callers get at most the limit from each of them and
 * nobody is refused for our failure.
 *
 * @param redis must fail quickly, see `connectRedis`; it stays the caller's to close
 */
export function createRedisLimiter(redis: Redis, buckets: Buckets): Limiter {
  const alone = createMemoryLimiter(buckets);
  /** When each ends. Until then requests are refused without asking Redis. */
  const full = new BoundedMap<number>({ entriesMax: FULL_MAX });
  let next = new Map<string, Taking>();

  const toResult = (bucket: BucketName, used: number, leftMs: number): LimitResult => {
    const { limit, windowSeconds } = buckets[bucket];
    const resetSeconds = Math.max(1, Math.ceil(leftMs / 1_000));
    const remaining = Math.max(0, limit - used);
    return { bucket, allowed: used <= limit, limit, remaining, resetSeconds, windowSeconds };
  };

  const countAll = async (takings: ReadonlyMap<string, Taking>) => {
    const added = [...takings.values()].flatMap(({ bucket, resolves }) => [
      resolves.length,
      buckets[bucket].windowSeconds * 1_000,
    ]);
    const counts = await redis.eval(COUNT, takings.size, ...takings.keys(), ...added).catch(() => null);
    const rows = Array.isArray(counts) ? counts.map(Number) : null;
    for (const [place, [key, { bucket, id, resolves }]] of [...takings].entries()) {
      const [used = NaN, leftMs = NaN] = rows?.slice(place * 2, place * 2 + 2) ?? [];
      if (used >= buckets[bucket].limit) full.set(key, performance.now() + leftMs);
      for (const [index, resolve] of resolves.entries()) {
        resolve(
          rows === null
            ? alone.take(bucket, id)
            : toResult(bucket, used - resolves.length + index + 1, leftMs),
        );
      }
    }
  };

  return {
    take(bucket, id) {
      const key = `quartermaster:limit:${bucket}:${id}`;
      const leftMs = (full.get(key) ?? 0) - performance.now();
      if (leftMs > 0) return Promise.resolve(toResult(bucket, Infinity, leftMs));
      if (next.size === 0) {
        setImmediate(() => {
          const takings = next;
          next = new Map();
          void countAll(takings);
        });
      }
      return new Promise((resolve) => {
        const taking = next.get(key) ?? { bucket, id, resolves: [] };
        taking.resolves.push(resolve);
        next.set(key, taking);
      });
    },
  };
}
