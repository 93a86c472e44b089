import type { Request } from 'express';

/**
 * The caller's address as the trusted proxies report it (Express's setting `trust proxy`). It is empty when the caller
 * has left, because a closed connection has no address. Express would throw an error then.
 */
export function callerAddress(request: Request): string {
  return request.socket.remoteAddress === undefined ? '' : (request.ip ?? '');
}
