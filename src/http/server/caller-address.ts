import type { IncomingMessage } from 'node:http';

import proxyAddress from 'proxy-addr';

/** Which proxies in front of us to trust: none, this number of them, or those at these addresses. */
export type TrustProxy = false | number | readonly string[];

/** The caller's address as the trusted proxies report it; without proxies, the other end of the connection. */
export function createAddressReader(trustProxy: TrustProxy): (request: IncomingMessage) => string {
  if (trustProxy === false) return (request) => request.socket.remoteAddress ?? '';
  const isTrusted =
    typeof trustProxy === 'number'
      ? (_address: string, hops: number) => hops < trustProxy
      : proxyAddress.compile([...trustProxy]);
  // A connection that is closed already has no address, and the library would fail on it.
  return (request) => (request.socket.remoteAddress === undefined ? '' : proxyAddress(request, isTrusted));
}
