import type { ServerResponse } from 'node:http';

/**
 * Writes pieces as fast as the reader takes them. The first piece is taken before the first `await`. Writing stops
 * when the reader is gone; the socket's time-out makes sure that this happens.
 */
export async function writePieces(
  response: ServerResponse,
  pieces: Iterable<string | Uint8Array>,
): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
}

/**
 * Resolves when there is room again, or when the reader is gone. Other work gets its turn first: otherwise a fast
 * reader, which makes room at once, would keep the event loop until its answer ends.
 */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn);
      response.off('close', goOn);
      setImmediate(resolve);
    };
    response.on('drain', goOn);
    response.on('close', goOn);
  });
}
