import { createHmac, randomBytes } from 'node:crypto';

import { BoundedMap } from '../bounded-map.ts';

export interface KnownSecretsOptions {
  /** A secret that Discord does not know causes no further call for this long, as Discord asks. Default a day. */
  readonly unknownMs?: number;
  /** A secret that worked this recently is still trusted while others are paused. Default an hour. */
  readonly workedMs?: number;
  readonly now?: () => number;
}

/** The most secrets in each of the two memories, which take about 1 MB each. */
const ENTRIES_MAX = 10_000;

/** Remembers what Discord has said about secrets of callers. It holds digests, never a secret. */
export class KnownSecrets {
  /** Lives only as long as the process, so a digest is useless outside it. */
  readonly #key = randomBytes(32);
  readonly #unknown: BoundedMap<true>;
  readonly #worked: BoundedMap<true>;

  constructor({ unknownMs = 24 * 3_600_000, workedMs = 3_600_000, now = Date.now }: KnownSecretsOptions) {
    this.#unknown = new BoundedMap({ ttlMs: unknownMs, entriesMax: ENTRIES_MAX, now });
    this.#worked = new BoundedMap({ ttlMs: workedMs, entriesMax: ENTRIES_MAX, now });
  }

  /** The name under which a secret is remembered. */
  digestOf(secret: string): string {
    return createHmac('sha256', this.#key).update(secret).digest('base64url');
  }

  hasWorked(digest: string): boolean {
    return this.#worked.has(digest);
  }

  isUnknown(digest: string): boolean {
    return this.#unknown.has(digest);
  }

  noteWorked(digest: string): void {
    this.#worked.set(digest, true);
  }

  /** Discord does not know the secret. If that is already remembered, the time is not extended. */
  noteUnknown(digest: string): void {
    this.#worked.delete(digest);
    if (!this.#unknown.has(digest)) this.#unknown.set(digest, true);
  }
}
