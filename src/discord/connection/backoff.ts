import type { Timers } from '../../members/timers.ts';

export interface BackoffOptions {
  readonly timers: Timers;
  /** From 0 to 1. Default Math.random. */
  readonly random?: (() => number) | undefined;
  /**
   * The first pause before a shard connects again (default 500 ms) and the longest (1 min). Each is twice the one
   * before.
   */
  readonly retryMs?: number | undefined;
  readonly retryMaxMs?: number | undefined;
  /** The same, from the third IDENTIFY in a row without a lasting session. Default 10 s and 5 min. */
  readonly refusedMs?: number | undefined;
  readonly refusedMaxMs?: number | undefined;
}

/** A session that lasted this long counts as a success. */
const LASTING_MS = 60_000;
/** This many identifies in a row without a lasting session get the usual pause. */
const QUICK_IDENTIFIES = 2;

/** Exponential backoff: the pauses of a shard before it connects again. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;
  #identifies = 0;
  #readyAt: number | null = null;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Connections in a row that were refused or did not last. */
  get failures(): number {
    return this.#failures;
  }

  recordIdentify(): void {
    this.#identifies += 1;
  }

  markReady(): void {
    this.#readyAt = this.#options.timers.monotonic();
  }

  /**
   * Milliseconds until the next try.
   * @param identifies true when the shard will have to identify
   */
  next(identifies: boolean): number {
    const {
      timers,
      random = Math.random,
      retryMs = 500,
      retryMaxMs = 60_000,
      refusedMs = 10_000,
      refusedMaxMs = 300_000,
    } = this.#options;
    const lasted = this.#readyAt !== null && timers.monotonic() - this.#readyAt >= LASTING_MS;
    this.#readyAt = null;
    if (lasted) {
      this.#failures = 0;
      this.#identifies = 0;
    }
    const failures = this.#failures;
    this.#failures += 1;
    // A random part spreads shards that lost their connections together, so that they do not all connect together.
    const pauseMs = Math.min(retryMs * 2 ** failures, retryMaxMs) * (0.5 + random() / 2);
    const refusals = this.#identifies - QUICK_IDENTIFIES;
    if (!identifies || refusals <= 0) return pauseMs;
    return Math.max(pauseMs, Math.min(refusedMs * 2 ** (refusals - 1), refusedMaxMs));
  }
}
