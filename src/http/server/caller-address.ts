import type { Request } from 'express';

/**
 * The caller's address, as the trusted proxies report it: the setting `trust proxy` of Express. Empty when the caller
 * is gone. A closed connection has no address, and Express would fail on it.
 */
export function callerAddress(request: Request): string {
  return request.socket.remoteAddress === undefined ? '' : (request.ip ?? '');
}
