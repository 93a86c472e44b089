import { BlockList, isIP } from 'node:net';

/** Addresses of this machine and of private networks (RFC 1918, RFC 3927, RFC 4193, RFC 4291). */
const PRIVATE = new BlockList();
for (const [address, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const) {
  PRIVATE.addSubnet(address, prefix, 'ipv4');
}
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/**
 * Why bot builders on the internet cannot call this address, as the end of a sentence; null when they probably can.
 * @param publicUrl http or https
 */
export function whyUnreachable(publicUrl: string): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  const isPrivate =
    version === 0
      ? !host.includes('.') || /\.(?:localhost|local|internal)$/.test(host)
      : PRIVATE.check(host, version === 6 ? 'ipv6' : 'ipv4');
  if (isPrivate) return `${host} is a name or an address of this machine or network`;
  return protocol === 'https:' ? null : 'it is not https';
}
