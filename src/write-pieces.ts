import type { ServerResponse } from 'node:http';

/**
 * Writes pieces as fast as the reader takes them. The first one is taken before the first `await`; writing stops when
 * the reader is gone, which its socket's time-out sees to.
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
 * Resolves when there is room again, or when the reader is gone. Others get their turn first: a fast reader makes room
 * within the same turn of the event loop, up to the end of the answer.
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
