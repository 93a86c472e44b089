import { Problem } from '../problem.ts';

/** Requests that count together: of a guild over HTTP, of a user in slash commands. */
export type BucketName = 'guild' | 'image' | 'command' | 'command_image';

interface Bucket {
  /** Requests in a window. */
  readonly limit: number;
  readonly windowSeconds: number;
}

export type Buckets = Readonly<Record<BucketName, Bucket>>;

/** How full a bucket is after one request. */
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
   * Counts one request, and answers without a promise where Redis need not be asked. Never rejects.
   * @param id guild of the key, or user of the command
   */
  take(bucket: BucketName, id: string): LimitResult | Promise<LimitResult>;
}

export interface BucketOptions {
  /** Default 120. */
  readonly requestsPerMinute?: number;
  /** Default 20. */
  readonly imagesPerMinute?: number;
  /** Of one user. Default 20, which is more than a person can use. */
  readonly commandsPerMinute?: number;
  /** Of one user. Default 5. */
  readonly commandImagesPerMinute?: number;
  /** Default 60. */
  readonly windowSeconds?: number;
}

export function toBuckets({
  requestsPerMinute = 120,
  imagesPerMinute = 20,
  commandsPerMinute = 20,
  commandImagesPerMinute = 5,
  windowSeconds = 60,
}: BucketOptions = {}): Buckets {
  return {
    guild: { limit: requestsPerMinute, windowSeconds },
    image: { limit: imagesPerMinute, windowSeconds },
    command: { limit: commandsPerMinute, windowSeconds },
    command_image: { limit: commandImagesPerMinute, windowSeconds },
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

/**
 * Quota `q` and window `w` in seconds; what is left `r` and seconds until the reset `t`, as structured fields.
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
