/**
 * Waits for a step of the start, but no longer than until the start is to stop. What the step opens after that is left
 * to the end of the process.
 * @throws the reason of the signal
 */
export async function unlessStopped<T>(stop: AbortSignal | undefined, step: Promise<T>): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(stop?.reason);
  if (stop?.aborted) onAbort();
  stop?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([step, stopped]);
  } finally {
    stop?.removeEventListener('abort', onAbort);
  }
}
