import type { ServerResponse } from 'node:http';

/**
 * Writes pieces as fast as the reader takes them. The first piece is taken before the first `await`. Each piece of
 * bytes is taken when the one before it has left, so they may share their memory. Writing stops when the reader is
 * gone; the socket's time-out makes sure that this happens.
 */
export async function writePieces(
  response: ServerResponse,
  pieces: Iterable<string | Uint8Array>,
): Promise<void> {
  let goOn: (() => void) | null = null;
  response.once('close', () => goOn?.());
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (typeof piece === 'string') {
      response.write(piece);
      continue;
    }
    await new Promise<void>((resolve) => {
      goOn = resolve;
      // Others get their turn first: a fast reader takes piece after piece within one turn of the event loop.
      response.write(piece, () => setImmediate(resolve));
    });
  }
}
