import { createHmac, randomBytes } from 'node:crypto';

import { BoundedMap } from '../bounded-map.ts';

export interface KnownSecretsOptions {
  /** One that Discord does not know causes no further call for this long: Discord asks for that. Default a day. */
  readonly unknownMs?: number;
  /** One that worked this lately is trusted while others are not. Default an hour. */
  readonly workedMs?: number;
  readonly now?: () => number;
}

/** Most secrets in each of the memories, which take about 1 MB each. */
const ENTRIES_MAX = 10_000;

/** Remembers what Discord has said about secrets of callers. It holds digests, never a secret. */
export class KnownSecrets {
  /** It is lost with the process, so a digest is of no use outside it. */
  readonly #key = randomBytes(32);
  readonly #unknown: BoundedMap<true>;
  readonly #worked: BoundedMap<true>;

  constructor({ unknownMs = 24 * 3_600_000, workedMs = 3_600_000, now = Date.now }: KnownSecretsOptions) {
    this.#unknown = new BoundedMap({ ttlMs: unknownMs, entriesMax: ENTRIES_MAX, now });
    this.#worked = new BoundedMap({ ttlMs: workedMs, entriesMax: ENTRIES_MAX, now });
  }

  /** The name under which things about a secret are remembered. */
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

  /** Discord does not know it. When that is remembered already, it is not remembered for longer. */
  noteUnknown(digest: string): void {
    this.#worked.delete(digest);
    if (!this.#unknown.has(digest)) this.#unknown.set(digest, true);
  }
}
