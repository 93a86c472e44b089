import { BlockList, isIP } from 'node:net';

/**
 * Names that are valid only inside a network: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), RFC 7686
 * (onion), ICANN's reservation of internal.
 */
const INTERNAL_SUFFIXES = ['.local', '.internal', '.localhost', '.home.arpa', '.onion'];

/** @param name lower-case host name in ASCII, without a trailing dot */
export function isInternalName(name: string): boolean {
  return !name.includes('.') || INTERNAL_SUFFIXES.some((suffix) => `.${name}`.endsWith(suffix));
}

type Range = readonly [address: string, prefixBits: number];

/**
 * Only addresses delegated for the public internet are accepted. This is an allow-list, because lists of private
 * addresses are never complete. For IPv6 that is global unicast (RFC 4291, IANA assigns nothing else), without the
 * ranges below.
 */
const IPV6_GLOBAL_UNICAST: Range = ['2000::', 3];

const IPV6_SPECIAL: readonly Range[] = [
  ['2001::', 23], // RFC 2928: protocol assignments, among them Teredo (RFC 4380), ORCHID (RFC 7343), benchmarks (RFC 5180)
  ['2001:db8::', 32], // RFC 3849: documentation
  ['2002::', 16], // RFC 3056: 6to4, carries an IPv4 address
  ['3fff::', 20], // RFC 9637: documentation
];

/** This machine and the networks that it may be in. */
const IPV4_PRIVATE: readonly Range[] = [
  ['10.0.0.0', 8], // RFC 1918: private
  ['127.0.0.0', 8], // RFC 1122: loopback
  ['169.254.0.0', 16], // RFC 3927: link-local; most clouds' metadata services
  ['172.16.0.0', 12], // RFC 1918: private
  ['192.168.0.0', 16], // RFC 1918: private
];

const IPV6_PRIVATE: readonly Range[] = [
  ['::1', 128], // RFC 4291: loopback
  ['fc00::', 7], // RFC 4193: private
  ['fe80::', 10], // RFC 4291: link-local
];

const IPV4_SPECIAL: readonly Range[] = [
  ...IPV4_PRIVATE,
  ['0.0.0.0', 8], // RFC 791: this network; Linux connects 0.0.0.0 to itself
  ['100.64.0.0', 10], // RFC 6598: carrier-grade NAT; also a cloud's metadata service (100.100.100.200)
  ['168.63.129.16', 32], // a public address by range, but inside Azure the host's own service
  ['192.0.0.0', 24], // RFC 6890: protocol assignments
  ['192.0.2.0', 24], // RFC 5737: documentation
  ['192.88.99.0', 24], // RFC 7526: former 6to4 relays
  ['198.18.0.0', 15], // RFC 2544: benchmarks
  ['198.51.100.0', 24], // RFC 5737: documentation
  ['203.0.113.0', 24], // RFC 5737: documentation
  ['224.0.0.0', 3], // RFC 5771 multicast, RFC 1112 reserved, RFC 919 broadcast
];

/**
 * Resolvers of Clash, mihomo and sing-box answer with these in place of real addresses. Their proxy connects to the
 * real address itself, so the guard never sees it.
 */
const proxyFakeIps = blockListOf([['198.18.0.0', 15]], 'ipv4');

export function isProxyFakeIp(address: string): boolean {
  return isIP(address) === 4 && proxyFakeIps.check(address, 'ipv4');
}

const ipv6GlobalUnicast = blockListOf([IPV6_GLOBAL_UNICAST], 'ipv6');
const ipv6Special = blockListOf(IPV6_SPECIAL, 'ipv6');
const ipv4Special = blockListOf(IPV4_SPECIAL, 'ipv4');
// One list for both, because an IPv4 address may be written as IPv6: `::ffff:10.0.0.1`.
const privateNetworks = blockListOf(IPV6_PRIVATE, 'ipv6', blockListOf(IPV4_PRIVATE, 'ipv4'));

/**
 * True for an IP address on the public internet.
 * @param address IPv4 in four decimal parts, or IPv6 without brackets; false for anything else, zone ids included
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !ipv4Special.check(address, 'ipv4');
    case 6:
      return (
        !address.includes('%') &&
        ipv6GlobalUnicast.check(address, 'ipv6') &&
        !ipv6Special.check(address, 'ipv6') &&
        !hasIsatapTail(address)
      );
    default:
      return false;
  }
}

/**
 * True for an IP address of this machine or of a private network. Other addresses may still not be public.
 * @param address IPv4 in four decimal parts, or IPv6 without brackets; false for anything else
 */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && privateNetworks.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** RFC 5214: an interface id of 0:5efe or 200:5efe carries an IPv4 address, under any prefix. */
function hasIsatapTail(address: string): boolean {
  const groups = ipv6Groups(address);
  return groups[5] === '5efe' && (groups[4] === '0' || groups[4] === '200');
}

function blockListOf(
  ranges: readonly Range[],
  family: 'ipv4' | 'ipv6',
  list: BlockList = new BlockList(),
): BlockList {
  for (const [address, prefixBits] of ranges) list.addSubnet(address, prefixBits, family);
  return list;
}

/**
 * The eight groups of an IPv6 address, in lower-case hexadecimal without leading zeros.
 * @param address in any spelling, without brackets and without a zone id
 */
export function ipv6Groups(address: string): string[] {
  // The URL parser writes every spelling, a dotted tail included, in one way, with "::" for the longest run of zeros.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = written.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}
