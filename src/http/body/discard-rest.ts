import type { IncomingMessage } from 'node:http';

export interface DiscardOptions {
  /** How long the rest of a request may go on after its answer. */
  readonly lingerMs: number;
}

/** Many times the largest body that is taken. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Takes in what is left of an answered request for a while, then cuts it. Closing at once would reset the connection
 * before its sender, who may write everything first, has read the answer.
 */
export function discardRest(request: IncomingMessage, { lingerMs }: DiscardOptions): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const timer = setTimeout(() => request.destroy(), lingerMs).unref();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARDED_BYTES_MAX) request.destroy();
  });
  request.once('close', () => clearTimeout(timer));
  request.on('error', () => request.destroy());
  request.resume();
}
