import { systemTimers, type Timers } from '../timers.ts';

export interface ProcessPauseDetectorOptions {
  readonly timers?: Timers;
  /** A longer time between two checks means that the process was paused. Default 3 s. */
  readonly thresholdMs?: number;
}

/** Time between two checks of the clocks. */
const TICK_MS = 1_000;

/**
 * Notices that this process was paused: stopped by a signal, put to sleep with its machine, or moved to another one.
 * Its data is then old, although no connection is lost and no timer has run yet. So code that needs up-to-date data
 * calls `check` first. A timer also checks regularly.
 *
 * The monotonic clock shows that a process was stopped. On a sleeping machine that clock stops too, and the wall clock
 * jumps ahead instead. Setting the wall clock forward looks the same, and costs one heartbeat.
 */
export class ProcessPauseDetector {
  readonly #timers: Timers;
  readonly #thresholdMs: number;
  readonly #listeners = new Set<() => void>();
  #checkedAt: number;
  #wallCheckedAt: number;
  #lastPauseAt = -Infinity;
  #cancelTick: () => void = () => {};

  constructor({ timers = systemTimers, thresholdMs = 3_000 }: ProcessPauseDetectorOptions = {}) {
    this.#timers = timers;
    this.#thresholdMs = thresholdMs;
    this.#checkedAt = this.#timers.monotonic();
    this.#wallCheckedAt = this.#timers.now();
    this.#schedule();
  }

  /** An instant of the monotonic clock, or -Infinity. Checks first. */
  get lastPauseAt(): number {
    this.check();
    return this.#lastPauseAt;
  }

  /** True when the process was paused at any time after this instant of the monotonic clock. Checks first. */
  pausedSince(instant: number): boolean {
    return this.lastPauseAt > instant;
  }

  /** Compares the clocks with the last check, and calls the listeners immediately when time is missing. */
  check(): void {
    const now = this.#timers.monotonic();
    const wallNow = this.#timers.now();
    const passedMs = Math.max(now - this.#checkedAt, wallNow - this.#wallCheckedAt);
    this.#checkedAt = now;
    this.#wallCheckedAt = wallNow;
    if (passedMs <= this.#thresholdMs) return;
    this.#lastPauseAt = now;
    for (const listener of this.#listeners) listener();
  }

  /** The listener must not throw. Returns a function that removes it. */
  onPause(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#cancelTick();
    this.#listeners.clear();
  }

  #schedule(): void {
    this.#cancelTick = this.#timers.after(TICK_MS, () => {
      this.check();
      this.#schedule();
    });
  }
}
