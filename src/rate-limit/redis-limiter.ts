import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import { createFlexibleLimiters, toLimiter } from './flexible-limiter.ts';
import type { Buckets, Limiter } from './limiter.ts';

/**
 * For several processes, which count together. While Redis is away each process counts for itself, so that
 * callers get at most the limit from each of them and nobody is refused for our failure.
 *
 * @param redis must fail quickly, see `connectRedis`; it stays the caller's to close
 */
export function createRedisLimiter(redis: Redis, buckets: Buckets): Limiter {
  return toLimiter(
    buckets,
    createFlexibleLimiters(
      buckets,
      (name, bucket) =>
        new RateLimiterRedis({
          ...bucket,
          storeClient: redis,
          keyPrefix: `quartermaster:limit:${name}`,
          rejectIfRedisNotReady: true,
          // Who has used up the window is refused without asking Redis again.
          inMemoryBlockOnConsumed: bucket.points,
          insuranceLimiter: new RateLimiterMemory(bucket),
        }),
    ),
  );
}
