import { BoundedMap } from '../bounded-map.ts';
import type { BucketName, Buckets, Limiter } from './limiter.ts';

interface Window {
  requests: number;
  readonly endsAt: number;
}

/**
 * For one process. A window begins with the first request in it. An id takes memory for one window, and only
 * ids with a valid key, or of Discord users, come here.
 * @param now milliseconds that only go forward; default `performance.now`
 */
export function createMemoryLimiter(buckets: Buckets, now = () => performance.now()): Limiter {
  const windowsOf = (name: BucketName) =>
    new BoundedMap<Window>({ entriesMax: Infinity, ttlMs: buckets[name].windowSeconds * 1000, now });
  const windows: Readonly<Record<BucketName, BoundedMap<Window>>> = {
    guild: windowsOf('guild'),
    image: windowsOf('image'),
    command: windowsOf('command'),
    command_image: windowsOf('command_image'),
  };
  return {
    take(bucket, id) {
      const { limit, windowSeconds } = buckets[bucket];
      const at = now();
      let window = windows[bucket].get(id);
      if (window === undefined) {
        window = { requests: 0, endsAt: at + windowSeconds * 1000 };
        windows[bucket].set(id, window);
      }
      window.requests += 1;
      return {
        bucket,
        allowed: window.requests <= limit,
        limit,
        remaining: Math.max(0, limit - window.requests),
        resetSeconds: Math.max(1, Math.ceil((window.endsAt - at) / 1000)),
        windowSeconds,
      };
    },
  };
}
