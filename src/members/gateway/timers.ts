/** The clocks and what waits for them, so that tests turn them by hand. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some fixed instant, on a clock that nobody sets. */
  monotonic(): number;
  /** Runs `run` once, after `delayMs` at the earliest. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

/** Does not keep the process alive. */
export const systemTimers: Timers = {
  now: Date.now,
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
