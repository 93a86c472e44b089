import type { Request } from 'express';

/**
 * The caller's address as the trusted proxies report it (Express's setting `trust proxy`). It is empty when the caller
 * is gone: a closed connection has no address, and Express would fail on it.
 */
export function callerAddress(request: Request): string {
  return request.socket.remoteAddress === undefined ? '' : (request.ip ?? '');
}
