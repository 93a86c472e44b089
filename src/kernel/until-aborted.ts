/**
 * Waits for work that cannot be stopped, until the caller leaves. The work itself goes on.
 * @param leave called synchronously when the signal aborts, to release what the caller held
 * @throws the signal's reason if that comes first
 */
export async function untilAborted<Value>(
  signal: AbortSignal,
  work: Promise<Value>,
  leave?: () => void,
): Promise<Value> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  const onAbort = () => {
    leave?.();
    reject(signal.reason as Error);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
