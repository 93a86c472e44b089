import { Problem } from '../kernel/problem.ts';

export interface InvalidRequestBreakerOptions {
  /** From this number of invalid answers on, only tokens that worked recently are used. Default 1,000. */
  readonly cautiousFrom?: number;
  /** From this number on, no token is used. Default 3,000. */
  readonly pausedFrom?: number;
  readonly now?: () => number;
}

/** The window in which Discord counts. */
const WINDOW_MS = 600_000;

/**
 * Discord bans an IP address for a while after 10,000 invalid answers (401, 403, 429) in 10 minutes, and with it
 * everything else that runs there. So one breaker counts for the whole process and stops far below that.
 * https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
export class InvalidRequestBreaker {
  readonly #answers: SlidingWindow;
  readonly #cautiousFrom: number;
  readonly #pausedFrom: number;

  constructor({
    cautiousFrom = 1_000,
    pausedFrom = 3_000,
    now = Date.now,
  }: InvalidRequestBreakerOptions = {}) {
    this.#answers = new SlidingWindow({ windowMs: WINDOW_MS, eventsMax: pausedFrom, now });
    this.#cautiousFrom = cautiousFrom;
    this.#pausedFrom = pausedFrom;
  }

  /** Call it for every 401, 403 and 429 from Discord, with any token. */
  record(): void {
    this.#answers.record();
  }

  /**
   * @param hasWorked true when this secret worked recently
   * @param paused what the problem says is paused
   * @throws Problem `discord_paused`
   */
  check(hasWorked: boolean, paused: 'lookups' | 'sending' = 'lookups'): void {
    const limit = hasWorked ? this.#pausedFrom : this.#cautiousFrom;
    if (this.#answers.count < limit) return;
    throw new Problem(`discord_paused/${paused}`, {
      retryAfterSeconds: this.#answers.msUntilBelow(limit) / 1_000,
    });
  }
}

/** Counts the events of the last `windowMs`. Remembers at most `eventsMax` of them, the newest. */
export class SlidingWindow {
  readonly #instants: number[] = [];
  readonly #windowMs: number;
  readonly #eventsMax: number;
  readonly #now: () => number;

  constructor(options: { windowMs: number; eventsMax: number; now: () => number }) {
    this.#windowMs = options.windowMs;
    this.#eventsMax = options.eventsMax;
    this.#now = options.now;
  }

  record(): void {
    this.#instants.push(this.#now());
    if (this.#instants.length > this.#eventsMax) this.#instants.shift();
  }

  get count(): number {
    const from = this.#now() - this.#windowMs;
    const first = this.#instants.findIndex((instant) => instant > from);
    this.#instants.splice(0, first === -1 ? this.#instants.length : first);
    return this.#instants.length;
  }

  /** Milliseconds until there are fewer than `limit` again, if nothing more happens. */
  msUntilBelow(limit: number): number {
    const blocking = this.#instants[this.count - limit];
    return blocking === undefined ? 0 : blocking + this.#windowMs - this.#now();
  }
}
