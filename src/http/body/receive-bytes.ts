import type { IncomingMessage } from 'node:http';

import { Problem } from '../../problem.ts';
import type { BodyHold } from './body-budget.ts';
import { onBodyBroken } from './broken-body.ts';

export interface ReceiveOptions {
  readonly bytesMax: number;
  /** How long a caller may take to send the body. */
  readonly bodyTimeoutMs: number;
}

/**
 * All bytes of a body, in the pieces in which they come: joining many bodies in one turn would hold up others.
 * @param signal aborts when the body has lost its room
 * @throws Problem `body_too_large`, `request_timeout`, `busy`, `bad_request`
 */
export function receiveBytes(
  request: IncomingMessage,
  { bytesMax, bodyTimeoutMs }: ReceiveOptions,
  hold: BodyHold,
  signal: AbortSignal,
): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => finish(new Problem('request_timeout')), bodyTimeoutMs);
    const finish = (problem?: Problem) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onEarlyEnd).off('error', onEarlyEnd);
      signal.removeEventListener('abort', onEvicted);
      stopWaiting();
      if (problem !== undefined) reject(problem);
      else resolve(chunks);
    };
    const onData = (chunk: Buffer) => {
      if (bytes + chunk.length > bytesMax) return finish(tooLarge(bytesMax));
      if (!hold.take(chunk.length)) return finish(noRoom());
      bytes += chunk.length;
      chunks.push(chunk);
    };
    const onEnd = () => finish();
    const onEvicted = () => finish(noRoom());
    const onEarlyEnd = () =>
      finish(new Problem('bad_request', { error: 'The body is broken or ended early.' }));
    signal.addEventListener('abort', onEvicted);
    request.on('data', onData).on('end', onEnd).on('close', onEarlyEnd).on('error', onEarlyEnd);
    const stopWaiting = onBodyBroken(request, () => setImmediate(onEarlyEnd));
  });
}

export function tooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large', {
    error: `The body is larger than ${Math.floor(bytesMax / 1024)} KiB.`,
  });
}

/** Others hold less than this caller does. */
export function noRoom(): Problem {
  return new Problem('busy', { retryAfterSeconds: 1 });
}
