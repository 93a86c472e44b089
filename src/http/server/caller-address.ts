import type { IncomingMessage } from 'node:http';

import proxyAddress from 'proxy-addr';

/** Which proxies in front are believed: none, so many, or those at these addresses. */
export type TrustProxy = false | number | readonly string[];

/** Who calls, as the proxies that are trusted tell it; without them the other end of the connection. */
export function createAddressReader(trustProxy: TrustProxy): (request: IncomingMessage) => string {
  if (trustProxy === false) return (request) => request.socket.remoteAddress ?? '';
  const isTrusted =
    typeof trustProxy === 'number'
      ? (_address: string, hops: number) => hops < trustProxy
      : proxyAddress.compile([...trustProxy]);
  // A connection that is closed already has no address, and the library would fail on it.
  return (request) => (request.socket.remoteAddress === undefined ? '' : proxyAddress(request, isTrusted));
}
