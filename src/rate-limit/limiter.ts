import { Problem } from '../problem.ts';

/** Requests that count together: of a guild over HTTP, of a user in slash commands. */
export type BucketName = 'guild' | 'image' | 'command' | 'command_image';

interface Bucket {
  /** Requests in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
}

export type Buckets = Readonly<Record<BucketName, Bucket>>;

/** How a bucket stands after one request. */
export interface LimitResult {
  readonly bucket: BucketName;
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again; at least 1 when the request is not allowed. */
  readonly resetSeconds: number;
  readonly windowSeconds: number;
}

export interface Limiter {
  /**
   * Takes one request. Never rejects.
   * @param id guild of the key, or user of the command
   */
  take(bucket: BucketName, id: string): Promise<LimitResult>;
}

export interface BucketOptions {
  /** Default 120. */
  readonly requestsPerMinute?: number;
  /** Default 20. */
  readonly imagesPerMinute?: number;
  /** Default 60. */
  readonly windowSeconds?: number;
}

/** Twenty commands and five images a minute are more than a person can use. */
export function toBuckets({
  requestsPerMinute = 120,
  imagesPerMinute = 20,
  windowSeconds = 60,
}: BucketOptions = {}): Buckets {
  return {
    guild: { limit: requestsPerMinute, windowSeconds },
    image: { limit: imagesPerMinute, windowSeconds },
    command: { limit: 20, windowSeconds },
    command_image: { limit: 5, windowSeconds },
  };
}

/** `rate_limited`; null when the request is allowed. */
export function overLimitProblem(result: LimitResult): Problem | null {
  if (result.allowed) return null;
  const isCommand = result.bucket === 'command' || result.bucket === 'command_image';
  return new Problem('rate_limited', {
    retryAfterSeconds: result.resetSeconds,
    hint: `Wait ${result.resetSeconds} ${result.resetSeconds === 1 ? 'second' : 'seconds'}.`,
    ...(isCommand ? { error: 'You have used this command very often in the last minute.' } : {}),
  });
}

export interface LimitHeaders {
  readonly 'RateLimit-Policy': string;
  readonly RateLimit: string;
}

/**
 * Quota `q` and window `w` in seconds; what is left `r` and seconds until the reset `t`, as structured fields.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function toLimitHeaders(result: LimitResult): LimitHeaders {
  return {
    'RateLimit-Policy': `"${result.bucket}";q=${result.limit};w=${result.windowSeconds}`,
    RateLimit: `"${result.bucket}";r=${result.remaining};t=${result.resetSeconds}`,
  };
}
