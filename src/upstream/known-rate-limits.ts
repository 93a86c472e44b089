import { BoundedMap } from '../kernel/bounded-map.ts';

/** Limits remembered. Most last a few seconds. */
const LIMITS_MAX = 10_000;
/** A limit is remembered for at most this long. */
const NAMED_MS_MAX = 3_600_000;
/** Added to each wait that Discord asks for, so that a call does not arrive a moment too early. */
export const WAIT_MARGIN_MS = 50;

/** Limits that Discord has named, by route. */
export class KnownRateLimits {
  /** When Discord accepts the next call, by route and for all routes, on the clock of `performance.now()`. */
  readonly #heldUntil = new BoundedMap<number>({ entriesMax: LIMITS_MAX, ttlMs: NAMED_MS_MAX });
  #allHeldUntil = -Infinity;

  /** Milliseconds until Discord accepts a call; 0 or less for now. */
  timeToResetMs(route: string): number {
    return Math.max(this.#allHeldUntil, this.#heldUntil.get(route) ?? -Infinity) - performance.now();
  }

  /** @param route null for all routes */
  hold(route: string | null, ms: number): void {
    const until = performance.now() + ms + WAIT_MARGIN_MS;
    if (route === null) this.#allHeldUntil = Math.max(this.#allHeldUntil, until);
    else this.#heldUntil.set(route, until);
  }
}
