import { RateLimiterMemory } from 'rate-limiter-flexible';

import { createFlexibleLimiters, toLimiter } from './flexible-limiter.ts';
import type { Buckets, Limiter } from './limiter.ts';

/**
 * For one process. A window begins with the first request in it. An id takes memory for one window, and only
 * ids with a valid key, or of Discord users, come here.
 */
export function createMemoryLimiter(buckets: Buckets): Limiter {
  return toLimiter(
    buckets,
    createFlexibleLimiters(buckets, (_, bucket) => new RateLimiterMemory(bucket)),
  );
}
