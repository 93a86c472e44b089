import { setTimeout as wait } from 'node:timers/promises';

/**
 * Tries work again, with a pause in between, until it succeeds or the time is over.
 * @param pauseMs the pause before the next try
 * @param isWorthIt false for an error after which another try is useless
 * @throws the error of the last try
 */
export async function retry<Result>(
  work: () => Result | Promise<Result>,
  timeoutMs: number,
  pauseMs: () => number,
  isWorthIt: (error: unknown) => boolean = () => true,
): Promise<Result> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isWorthIt(error) || performance.now() >= giveUpAt) throw error;
      await wait(pauseMs());
    }
  }
}
