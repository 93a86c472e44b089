import type { LimitResult } from './limiter.ts';

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
