import { setTimeout as delay } from 'node:timers/promises';

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
