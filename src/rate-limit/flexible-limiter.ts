import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

import type { BucketName, Buckets, Limiter, LimitResult } from './limiter.ts';

export type FlexibleLimiters = Readonly<Record<BucketName, RateLimiterAbstract>>;

/** One limiter of the library for each bucket. */
export function createFlexibleLimiters(
  buckets: Buckets,
  create: (name: BucketName, bucket: { points: number; duration: number }) => RateLimiterAbstract,
): FlexibleLimiters {
  const of = (name: BucketName) =>
    create(name, { points: buckets[name].limit, duration: buckets[name].windowSeconds });
  return {
    guild: of('guild'),
    image: of('image'),
    command: of('command'),
    command_image: of('command_image'),
  };
}

export function toLimiter(buckets: Buckets, limiters: FlexibleLimiters): Limiter {
  return {
    async take(bucket, id) {
      try {
        return toResult(bucket, buckets, await limiters[bucket].consume(id), true);
      } catch (refusal) {
        // The library rejects with its result when the limit is reached; anything else is a failure.
        if (refusal instanceof RateLimiterRes) return toResult(bucket, buckets, refusal, false);
        throw refusal;
      }
    },
  };
}

function toResult(
  name: BucketName,
  buckets: Buckets,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
  allowed: boolean,
): LimitResult {
  const { limit, windowSeconds } = buckets[name];
  const resetSeconds = Math.ceil(msBeforeNext / 1000);
  return {
    bucket: name,
    allowed,
    limit,
    remaining: allowed ? remainingPoints : 0,
    resetSeconds: Math.max(allowed ? 0 : 1, resetSeconds),
    windowSeconds,
  };
}
