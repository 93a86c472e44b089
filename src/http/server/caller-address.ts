import type { Request } from 'express';

import { isPrivateAddress } from '../../kernel/addresses.ts';
import type { Log } from '../../telemetry/log.ts';

/**
 * The caller's address as the trusted proxies report it (Express's setting `trust proxy`). It is empty when the caller
 * has left, because a closed connection has no address. Express would throw an error then.
 */
export function callerAddress(request: Request): string {
  return request.socket.remoteAddress === undefined ? '' : (request.ip ?? '');
}

/**
 * Trusts no proxy, and warns once when a request seems to come through one. Express asks it for the address of a
 * caller, and only about requests with `X-Forwarded-For`.
 */
export function trustNoProxy(log: Log): (peer: string) => false {
  let hasWarned = false;
  return (peer) => {
    if (!hasWarned && isPrivateAddress(peer)) {
      hasWarned = true;
      log.warn(
        { proxy: peer },
        'requests come through a proxy, so all callers have its address: set TRUST_PROXY to the number of proxies, usually 1',
      );
    }
    return false;
  };
}
