import { setTimeout as delay } from 'node:timers/promises';

/**
 * The result of `work`, or undefined when it takes longer than `patienceMs`. The work then goes on, and its result is
 * dropped.
 * @throws the reason of `signal`, or what `work` throws in time
 */
export async function withinPatience<T>(
  work: Promise<T>,
  patienceMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(patienceMs, undefined, { signal: AbortSignal.any([signal, timer.signal]) }),
    ]);
  } finally {
    timer.abort();
  }
}
