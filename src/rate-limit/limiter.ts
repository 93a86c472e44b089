import type { Redis } from 'ioredis';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';

import { Problem } from '../kernel/problem.ts';

/** Requests are counted per guild over HTTP, and per user in slash commands. */
export const BUCKET_NAMES = ['guild', 'image', 'send', 'command', 'command_image'] as const;
export type BucketName = (typeof BUCKET_NAMES)[number];

/** Requests that each guild may make per minute, as callers learn them. Settings, with their defaults in config/. */
export interface Limits {
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
  readonly sendsPerMinute: number;
}

interface Bucket {
  /** Requests in a window. */
  readonly limit: number;
  /** A whole number: windows in Redis have no fractions of a second. */
  readonly windowSeconds: number;
}

export type Buckets = Readonly<Record<BucketName, Bucket>>;

/** The state of a bucket after one request. */
export interface LimitResult {
  readonly bucket: BucketName;
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again; at least 1. */
  readonly resetSeconds: number;
  readonly windowSeconds: number;
}

/**
 * Counts requests in windows that begin with the first request. With Redis, all processes share one count, at one call
 * per request; while Redis is away, each process counts by itself.
 */
export class Limiter {
  readonly #buckets: Buckets;
  readonly #counters: ReadonlyMap<BucketName, RateLimiterMemory | RateLimiterRedis>;

  constructor(buckets: Buckets, redis: Redis | null = null) {
    this.#buckets = buckets;
    this.#counters = new Map(BUCKET_NAMES.map((name) => [name, createCounter(name, buckets[name], redis)]));
  }

  /** @param id guild of the key, or user of the command */
  async take(bucket: BucketName, id: string): Promise<LimitResult> {
    const { limit, windowSeconds } = this.#buckets[bucket];
    const { consumedPoints, msBeforeNext } = await this.#count(bucket, id);
    return {
      bucket,
      isAllowed: consumedPoints <= limit,
      limit,
      remaining: Math.max(0, limit - consumedPoints),
      resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
      windowSeconds,
    };
  }

  async #count(bucket: BucketName, id: string): Promise<RateLimiterRes> {
    const counter = this.#counters.get(bucket);
    if (counter === undefined) throw new Error(`There is no bucket "${bucket}".`);
    try {
      return await counter.consume(id);
    } catch (refusal) {
      // The library rejects with this when the limit is exceeded.
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    }
  }
}

function createCounter(name: BucketName, { limit, windowSeconds }: Bucket, redis: Redis | null) {
  const options = { keyPrefix: `quartermaster:limit:${name}`, points: limit, duration: windowSeconds };
  const alone = new RateLimiterMemory(options);
  if (redis === null) return alone;
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: alone,
  });
}

const DEFAULTS = {
  /** Per user, and more than a person can use. */
  commandsPerMinute: 20,
  /** Per user. */
  commandImagesPerMinute: 5,
  windowSeconds: 60,
};

export type BucketOptions = Limits & Readonly<Partial<typeof DEFAULTS>>;

export function toBuckets(options: BucketOptions): Buckets {
  const { windowSeconds, ...limits } = { ...DEFAULTS, ...options };
  return {
    guild: { limit: limits.requestsPerMinute, windowSeconds },
    image: { limit: limits.imagesPerMinute, windowSeconds },
    send: { limit: limits.sendsPerMinute, windowSeconds },
    command: { limit: limits.commandsPerMinute, windowSeconds },
    command_image: { limit: limits.commandImagesPerMinute, windowSeconds },
  };
}

/** The problem `rate_limited` of a request that is not allowed. */
export function overLimitProblem({ bucket, resetSeconds }: LimitResult): Problem {
  const isCommand = bucket === 'command' || bucket === 'command_image';
  return new Problem(isCommand ? 'rate_limited/command' : 'rate_limited/requests', {
    retryAfterSeconds: resetSeconds,
    values: { n: resetSeconds },
  });
}

/**
 * Quota `q` and window `w` in seconds; remaining requests `r` and seconds until the reset `t`, as structured fields.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function toLimitHeaders(
  result: LimitResult,
): Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>> {
  const { bucket, limit, remaining, resetSeconds, windowSeconds } = result;
  return {
    'RateLimit-Policy': `"${bucket}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${bucket}";r=${remaining};t=${resetSeconds}`,
  };
}
