const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop in which no other step of image work begins. Other requests wait for one such
 * step at most, and not for all that one piece of news can set going: an answer to send, the next job of a child, and
 * the next fetch.
 * @throws the signal's reason
 */
export async function ownTurn(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    // The first one still belongs to the turn that asked.
    if (waiting.push(resolve) === 1) setImmediate(() => setImmediate(takeTurn));
  });
  signal.throwIfAborted();
}

function takeTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(takeTurn);
}
