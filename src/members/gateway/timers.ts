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

/** Resolves after this long. Rejects with the signal's reason. */
export function wait(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason as Error);
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = timers.after(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
