import type { IncomingMessage } from 'node:http';

import { Problem } from '../../kernel/problem.ts';
import { bodyMemoryFull, type BodyReservation, type BodyTenant } from './body-memory.ts';

/** Many times the size of the largest body that we accept. */
const DISCARDED_BYTES_MAX = 64 * 1024 * 1024;

/** Emitted by a request whose body Node's parser could not read, with the problem. */
const BROKEN = 'brokenBody';
const broken = new WeakMap<IncomingMessage, Problem>();

/**
 * All bytes of a body, within its tenant's share of the memory.
 * @param timeoutMs default: as long as the server waits for the whole request
 * @throws Problem `body_too_large`, `request_timeout`, `busy`, `bad_request`
 */
export function receiveBytes(
  request: IncomingMessage,
  bytesMax: number,
  tenant: BodyTenant,
  timeoutMs?: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const length = Number(request.headers['content-length']);
    let bytes = 0;
    let reservation: BodyReservation | null = null;
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => finish(new Problem('request_timeout')), timeoutMs);
    const finish = (problem?: Problem) => {
      clearTimeout(timer);
      reservation?.release();
      request.off('data', onData).off('end', finish).off(BROKEN, finish);
      request.off('close', onEarlyEnd).off('error', onEarlyEnd);
      if (problem === undefined) return resolve(Buffer.concat(chunks));
      // The rest waits until the answer is written.
      request.pause();
      return reject(problem);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) return finish(tooLarge(bytesMax));
      // Most bodies arrive in one piece, and are read immediately. Only a body that arrives in several takes memory.
      if (chunk.length !== length) {
        reservation ??= tenant.budget.open(tenant.id, () => finish(bodyMemoryFull()));
        if (!reservation.reserve(chunk.length)) return finish(bodyMemoryFull());
      }
      chunks.push(chunk);
    };
    const onEarlyEnd = () => finish(bodyBroken());
    request.on('data', onData).on('end', finish).on(BROKEN, finish);
    request.on('close', onEarlyEnd).on('error', onEarlyEnd);
    const known = broken.get(request);
    if (known !== undefined) finish(known);
  });
}

/**
 * Reads the rest of a request for a while, then closes the connection. A sender may write the whole body before it reads
 * the answer, and closing immediately would reset the connection first.
 * @param lingerMs the connection is closed after this time
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

export function tooLarge(bytesMax: number): Problem {
  return new Problem('body_too_large/bytes', { values: { kib: Math.floor(bytesMax / 1024) } });
}

export function bodyBroken(): Problem {
  return new Problem('bad_request/body');
}

/** Call it when Node's parser could not read the body of a request. */
export function markBodyBroken(request: IncomingMessage, problem: Problem): void {
  broken.set(request, problem);
  request.emit(BROKEN, problem);
}
