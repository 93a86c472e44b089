import { isIPv4, isIPv6 } from 'node:net';

import { ipv6Groups } from '../kernel/addresses.ts';

/** Some proxies write this into X-Forwarded-For: an address with the caller's port. */
const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([0-9A-Fa-f:.]{2,45})\]):\d{1,5}$/;
/** How the groups of an IPv4 address in IPv6 begin: `::ffff:1.2.3.4`. */
const MAPPED_IPV4 = '0,0,0,0,0,ffff';

/**
 * Groups addresses that one person may have: an IPv4 address alone, an IPv6 address with its /56, the usual share of a
 * household (https://www.rfc-editor.org/rfc/rfc6177). Anything else is one group, because
 * behind a trusted proxy it may be any text of the caller.
 */
export function toAddressGroup(given: string): string {
  const withPort = WITH_PORT.exec(given);
  const address = withPort?.[1] ?? withPort?.[2] ?? given;
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'none';
  const [bare = ''] = address.split('%');
  const groups = ipv6Groups(bare);
  const [a, b, c, d = '0', , , high = '0', low = '0'] = groups;
  if (groups.slice(0, 6).join() === MAPPED_IPV4) return toIPv4(high, low);
  return `${a}:${b}:${c}:${(Number.parseInt(d, 16) >> 8).toString(16)}/56`;
}

function toIPv4(high: string, low: string): string {
  return [high, low]
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 0xff])
    .join('.');
}
