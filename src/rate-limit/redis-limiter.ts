import type { Redis } from 'ioredis';

import { BoundedMap } from '../bounded-map.ts';
import type { BucketName, Buckets, Limiter, LimitResult } from './limiter.ts';
import { createMemoryLimiter } from './memory-limiter.ts';
import { ASIDE_MS, SetAside } from './set-aside.ts';

/*
 * A window is a hash: `used` counts its requests and those that processes have set aside, `aside` the latter alone.
 * KEYS: windows. ARGV, for each of them: the requests that wait, how many more to set aside, how many that were set
 * aside are so no longer, how many of these were not used, the limit, and the length in milliseconds. Returns for each:
 * the waiting requests that pass, how many were set aside, `used`, `aside` if the window is full, and the milliseconds
 * until it ends.
 */
const COUNT = `
local answer = {}
for place, key in ipairs(KEYS) do
  local at = (place - 1) * 6
  local passed, ahead = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local settled, unused = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local limit = tonumber(ARGV[at + 5])
  local used, aside, left = 0, 0, 0
  if settled > 0 and redis.call('EXISTS', key) == 1 then
    redis.call('HINCRBY', key, 'aside', 0 - settled)
    redis.call('HINCRBY', key, 'used', 0 - unused)
  end
  if passed > 0 then
    used = redis.call('HINCRBY', key, 'used', passed)
    left = redis.call('PTTL', key)
    if left < 0 then
      left = tonumber(ARGV[at + 6])
      redis.call('PEXPIRE', key, left)
    end
    if used > limit then
      local refused = math.min(passed, used - limit)
      passed = passed - refused
      used = redis.call('HINCRBY', key, 'used', 0 - refused)
    end
    ahead = math.min(ahead, math.floor((limit - used) / 128))
    if ahead > 0 then
      used = redis.call('HINCRBY', key, 'used', ahead)
      redis.call('HINCRBY', key, 'aside', ahead)
    end
    if used >= limit then aside = tonumber(redis.call('HGET', key, 'aside') or 0) end
  end
  for _, number in ipairs({ passed, math.max(ahead, 0), used, aside, left }) do
    table.insert(answer, number)
  end
end
return answer
`;

/** Windows that are known to be used up. */
const FULL_MAX = 10_000;

/** Before a request is refused for good, processes have had so many times `2 * ASIDE_MS` to give back what they hold. */
const REFUSALS_MAX = 3;

/** A request that waits for the next call. */
interface Waiting {
  readonly resolve: (result: LimitResult | Promise<LimitResult>) => void;
  /** How often Redis has refused it while processes held requests that they had set aside. */
  readonly refusals: number;
}

/** Requests that count in one window, and wait for the next call. */
interface Taking {
  readonly bucket: BucketName;
  readonly id: string;
  readonly waiting: Waiting[];
}

interface Counted {
  /** Of those that waited. */
  readonly passed: number;
  readonly usedBefore: number;
  /** The window is full, and processes hold requests in it that they have set aside. */
  readonly isHeld: boolean;
  readonly endsAt: number;
}

/**
 * For several processes, which count together: between them exactly the limit passes. Requests that arrive in one turn
 * of the event loop, or while Redis counts others, are counted with one call.
 *
 * Where the limit is far higher than the default, waiting for Redis is what a request costs most. So for a window that
 * one process gets many requests for, a call also sets as many aside as came lately, at most 1/128 of what is left, and
 * these pass without a call. What is not used within 10 ms is given back. A request that finds the window full while
 * processes hold some is counted again a little later before it is refused.
 *
 * While Redis is away each process counts for itself, so that callers get at most the limit from each of them and
 * nobody is refused for our failure. What a process has set aside when it dies is missing until the window ends.
 *
 * @param redis must fail quickly, see `connectRedis`; it stays the caller's to close
 */
export function createRedisLimiter(redis: Redis, buckets: Buckets): Limiter {
  const alone = createMemoryLimiter(buckets);
  /** When each ends. Until then requests are refused without asking Redis. */
  const full = new BoundedMap<number>({ entriesMax: FULL_MAX });
  const setAside = new SetAside();
  let next = new Map<string, Taking>();
  let isCounting = false;
  let timer: NodeJS.Timeout | undefined;

  const toResult = (bucket: BucketName, used: number, leftMs: number): LimitResult => {
    const { limit, windowSeconds } = buckets[bucket];
    const resetSeconds = Math.max(1, Math.ceil(leftMs / 1_000));
    const remaining = Math.max(0, limit - used);
    return { bucket, allowed: used <= limit, limit, remaining, resetSeconds, windowSeconds };
  };

  const countSoon = () => {
    if (isCounting) return;
    isCounting = true;
    setImmediate(() => void countAll());
  };
  const wait = (key: string, bucket: BucketName, id: string, waiting: Waiting) => {
    const taking = next.get(key) ?? { bucket, id, waiting: [] };
    taking.waiting.push(waiting);
    next.set(key, taking);
    countSoon();
  };
  const countAll = async () => {
    while (next.size > 0 || setAside.hasSettlements) {
      const takings = next;
      next = new Map();
      useSetAside(takings);
      if (await countTogether(takings)) continue;
      // What has waited for a call that failed does not wait for another one.
      for (const { bucket, id, waiting } of [...takings.values(), ...next.values()]) {
        for (const { resolve } of waiting) resolve(alone.take(bucket, id));
      }
      next = new Map();
    }
    isCounting = false;
  };

  /** An earlier call may have set some aside meanwhile. What these are enough for waits no longer. */
  const useSetAside = (takings: Map<string, Taking>) => {
    const now = performance.now();
    for (const [key, { bucket, waiting }] of takings) {
      const passed = waiting.findIndex(({ resolve }) => {
        const window = setAside.use(key, now);
        if (window !== null) resolve(toResult(bucket, window.used, window.endsAt - now));
        return window === null;
      });
      if (passed === -1) takings.delete(key);
      else waiting.splice(0, passed);
    }
  };

  /** Whether Redis has counted them. */
  const countTogether = async (takings: ReadonlyMap<string, Taking>): Promise<boolean> => {
    const ahead = new Map([...takings].map(([key, { waiting }]) => [key, setAside.ask(key, waiting.length)]));
    const settlements = setAside.takeSettlements();
    const keys = [...new Set([...takings.keys(), ...settlements.keys()])];
    if (keys.length === 0) return true;
    const numbers = keys.flatMap((key) => {
      const { settled = 0, unused = 0 } = settlements.get(key) ?? {};
      const taking = takings.get(key);
      if (taking === undefined) return [0, 0, settled, unused, 0, 0];
      const { limit, windowSeconds } = buckets[taking.bucket];
      return [taking.waiting.length, ahead.get(key) ?? 0, settled, unused, limit, windowSeconds * 1_000];
    });
    const askedAt = performance.now();
    const counts = await redis.eval(COUNT, keys.length, ...keys, ...numbers).catch(() => null);
    if (!Array.isArray(counts)) return false;
    const answers = counts.map(Number);
    let at = 0;
    for (const [key, taking] of takings) {
      const [passed = 0, aside = 0, used = 0, held = 0, leftMs = 0] = answers.slice(at, at + 5);
      at += 5;
      const endsAt = askedAt + leftMs;
      setAside.counted(key, { used, endsAt }, aside);
      timer ??= setTimeout(endPeriod, ASIDE_MS).unref();
      answer(key, taking, { passed, usedBefore: used - aside - passed, isHeld: held > 0, endsAt });
    }
    return true;
  };
  const answer = (key: string, { bucket, id, waiting }: Taking, counted: Counted) => {
    const { passed, usedBefore, isHeld, endsAt } = counted;
    const leftMs = endsAt - performance.now();
    const again: Waiting[] = [];
    let isFull = !isHeld && usedBefore + waiting.length >= buckets[bucket].limit;
    for (const [place, { resolve, refusals }] of waiting.entries()) {
      if (place < passed) resolve(toResult(bucket, usedBefore + place + 1, leftMs));
      else if (isHeld && refusals < REFUSALS_MAX) again.push({ resolve, refusals: refusals + 1 });
      else {
        resolve(toResult(bucket, Infinity, leftMs));
        isFull = true;
      }
    }
    if (isFull) full.set(key, endsAt);
    if (again.length > 0) {
      setTimeout(() => again.forEach((one) => wait(key, bucket, id, one)), 2 * ASIDE_MS);
    }
  };

  const endPeriod = () => {
    setAside.endPeriod(performance.now());
    if (setAside.hasSettlements) countSoon();
    timer = setAside.size > 0 ? setTimeout(endPeriod, ASIDE_MS).unref() : undefined;
  };

  return {
    take(bucket, id) {
      const key = `quartermaster:window:${bucket}:${id}`;
      const now = performance.now();
      const fullMs = (full.get(key) ?? 0) - now;
      if (fullMs > 0) return toResult(bucket, Infinity, fullMs);
      const window = setAside.use(key, now);
      if (window !== null) return toResult(bucket, window.used, window.endsAt - now);
      return new Promise((resolve) => wait(key, bucket, id, { resolve, refusals: 0 }));
    },
  };
}
