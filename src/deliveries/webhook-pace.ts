import { BoundedMap } from '../bounded-map.ts';

/** Limits of webhooks that are remembered: most last a few seconds. */
const WEBHOOKS_MAX = 10_000;
/** Longest that a limit is remembered after it was named. */
const NAMED_MS_MAX = 3_600_000;
/** Added to each wait that Discord names, so that a message does not arrive a moment too early. */
const MARGIN_MS = 50;

/** When Discord takes the next call: of one limit, and of all of them. */
export class WebhookPace {
  readonly #until = new BoundedMap<number>({ entriesMax: WEBHOOKS_MAX, ttlMs: NAMED_MS_MAX });
  #allUntil = -Infinity;

  /** Milliseconds to wait before the next call; 0 when it may be made. */
  waitMs(limitId: string): number {
    const until = Math.max(this.#allUntil, this.#until.get(limitId) ?? -Infinity);
    return Math.max(0, until - performance.now());
  }

  hold(limitId: string, ms: number): void {
    this.#until.set(limitId, performance.now() + ms + MARGIN_MS);
  }

  holdAll(ms: number): void {
    this.#allUntil = Math.max(this.#allUntil, performance.now() + ms + MARGIN_MS);
  }
}
