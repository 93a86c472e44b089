import { isIPv4, isIPv6 } from 'node:net';

/** Some proxies write this into X-Forwarded-For: an address with the caller's port. */
const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([0-9A-Fa-f:.]{2,45})\]):\d{1,5}$/;
const MAPPED_IPV4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * Groups addresses that one person may have: an IPv4 address alone, an IPv6 address with its /56, the usual share of a
 * household (https://www.rfc-editor.org/rfc/rfc6177). Everything that is not an address is one group: behind a trusted
 * proxy it is any text that the caller wrote.
 */
export function toAddressGroup(given: string): string {
  const withPort = WITH_PORT.exec(given);
  const address = withPort?.[1] ?? withPort?.[2] ?? given;
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'none';
  // The URL parser writes every form of an address in one way, with "::" for the longest run of zeros.
  const [bare = ''] = address.split('%');
  const written = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED_IPV4.exec(written) ?? [];
  if (high !== undefined && low !== undefined) return toIPv4(high, low);
  const [head = '', tail] = written.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const [a, b, c, d = '0'] = [...first, ...zeros, ...last];
  return `${a}:${b}:${c}:${(Number.parseInt(d, 16) >> 8).toString(16)}/56`;
}

function toIPv4(high: string, low: string): string {
  return [high, low]
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 0xff])
    .join('.');
}
