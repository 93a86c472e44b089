import type { IncomingMessage } from 'node:http';

/** Many times the largest body that is taken. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Takes in what is left of a request for a while, then cuts it. Closing at once would reset the connection before its
 * sender, who may write everything first, has read the answer.
 * @param lingerMs the rest is cut after this
 */
export function discardRest(request: IncomingMessage, lingerMs: number): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(() => request.destroy(), lingerMs).unref();
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > DISCARDED_BYTES_MAX) request.destroy();
    });
    request.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    request.on('error', () => request.destroy());
    request.resume();
  });
}
