import { untilAborted } from '../kernel/until-aborted.ts';

/** Both clocks and the timer, so that tests can control them. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds of a clock that only goes forward. */
  monotonic(): number;
  /** Calls `run` once, after `delayMs` at the earliest. Returns a function that cancels it. */
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

/** Resolves after `ms` milliseconds. Rejects with the signal's reason when that aborts. */
export async function wait(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  await untilAborted(signal, promise, timers.after(ms, resolve));
}
