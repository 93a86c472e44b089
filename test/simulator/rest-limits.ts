import { createHash } from 'node:crypto';
import { rateLimited } from './rest-faults.ts';
import type { RestAnswer, RouteName } from './rest-route.ts';

export interface RouteLimit {
  readonly count: number;
  readonly windowMs: number;
}

interface Bucket {
  left: number;
  resetAt: number;
}

export interface LimitedCall {
  readonly route: RouteName;
  readonly params: Readonly<Record<string, string>>;
  readonly token: string;
}

/** Buckets by token, route and the guild or webhook in the address, as on Discord. Without a limit, no headers. */
export class RestLimits {
  readonly #limits = new Map<RouteName, RouteLimit>();
  readonly #buckets = new Map<string, Bucket>();
  #global: RouteLimit | null = null;

  /** Null lifts the limit. */
  set(route: RouteName, limit: RouteLimit | null): void {
    if (limit) this.#limits.set(route, limit);
    else this.#limits.delete(route);
    for (const key of this.#buckets.keys()) if (key.startsWith(`${route}|`)) this.#buckets.delete(key);
  }

  /** For all calls of a token together; 50 in 1000 ms on Discord. */
  setGlobal(limit: RouteLimit | null): void {
    this.#global = limit;
  }

  /** Counts a call. `refusal` is set when it is one too many; `headers` belong on every answer. */
  count(call: LimitedCall): { refusal: RestAnswer | null; headers: Record<string, string> } {
    const now = Date.now();
    if (this.#global) {
      const bucket = this.#take(`global|${call.token}`, this.#global, now);
      if (bucket.left < 0)
        return { refusal: rateLimited((bucket.resetAt - now) / 1000, 'global'), headers: {} };
    }
    const limit = this.#limits.get(call.route);
    if (!limit) return { refusal: null, headers: {} };
    const major = call.params['guild'] ?? call.params['application'] ?? '';
    const bucket = this.#take(`${call.route}|${major}|${call.token}`, limit, now);
    const headers = {
      'X-RateLimit-Limit': String(limit.count),
      'X-RateLimit-Remaining': String(Math.max(0, bucket.left)),
      'X-RateLimit-Reset': String(bucket.resetAt / 1000),
      'X-RateLimit-Reset-After': String((bucket.resetAt - now) / 1000),
      'X-RateLimit-Bucket': createHash('md5').update(call.route).digest('hex'),
    };
    const refusal = bucket.left < 0 ? rateLimited((bucket.resetAt - now) / 1000, 'user', headers) : null;
    return { refusal, headers };
  }

  #take(key: string, limit: RouteLimit, now: number): Bucket {
    let bucket = this.#buckets.get(key);
    if (!bucket || now >= bucket.resetAt) {
      bucket = { left: limit.count, resetAt: now + limit.windowMs };
      this.#buckets.set(key, bucket);
    }
    bucket.left -= 1;
    return bucket;
  }
}
