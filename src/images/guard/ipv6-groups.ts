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
