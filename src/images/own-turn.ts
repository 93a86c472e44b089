const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, in which no other step of image work begins. Without it a child's result
 * starts the child's next job, its answer and the next fetch in one go, and other requests wait for all three.
 * @throws the signal's reason
 */
export async function ownTurn(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    // One immediate alone would still run in the turn of whoever asks.
    if (waiting.push(resolve) === 1) setImmediate(() => setImmediate(takeTurn));
  });
  signal.throwIfAborted();
}

function takeTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(takeTurn);
}
