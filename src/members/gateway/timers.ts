/** The clock and what waits for it, so that tests turn it by hand. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `run` once, after `delayMs` at the earliest. Returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

/** Does not keep the process alive. */
export const systemTimers: Timers = {
  now: Date.now,
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
