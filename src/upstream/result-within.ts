import { setTimeout as delay } from 'node:timers/promises';

/** A caller waits this long for an answer before it is asked to come back, in milliseconds. Bot builders give up at 10 s. */
export const CALLER_WAIT_MS = 8_000;

/**
 * Waits for `work`, but returns undefined after `callerWaitMs`. The work then goes on, and its result is dropped.
 * @throws the reason of `signal`, or the error of `work` if it fails in time
 */
export async function resultWithin<T>(
  work: Promise<T>,
  callerWaitMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(callerWaitMs, undefined, { signal: AbortSignal.any([signal, timer.signal]) }),
    ]);
  } finally {
    timer.abort();
  }
}
