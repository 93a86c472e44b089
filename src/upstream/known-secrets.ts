import { createHmac, randomBytes } from 'node:crypto';

import { BoundedMap } from '../kernel/bounded-map.ts';

/** A secret that Discord does not know causes no further call for a day, as Discord asks. */
const UNKNOWN_MS = 24 * 3_600_000;
/** A secret that worked in the last hour is still trusted while others are paused. */
const WORKED_MS = 3_600_000;
/** The most secrets in each of the two memories, which take about 1 MB each. */
const ENTRIES_MAX = 10_000;

/** Remembers what Discord has said about secrets of callers. It holds digests, never a secret. */
export class KnownSecrets {
  /** Lives only as long as the process, so a digest is useless outside it. */
  readonly #key = randomBytes(32);
  readonly #unknown: BoundedMap<true>;
  readonly #worked: BoundedMap<true>;

  constructor(now: () => number) {
    this.#unknown = new BoundedMap({ ttlMs: UNKNOWN_MS, entriesMax: ENTRIES_MAX, now });
    this.#worked = new BoundedMap({ ttlMs: WORKED_MS, entriesMax: ENTRIES_MAX, now });
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
