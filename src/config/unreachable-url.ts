import { isIP } from 'node:net';

import { isInternalName, isPrivateAddress } from '../kernel/addresses.ts';

/**
 * Returns why bot builders on the internet cannot call this URL, as the end of a sentence, or null if they probably
 * can.
 * @param publicUrl http or https
 */
export function whyUnreachable(publicUrl: string): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isPrivate = isIP(host) === 0 ? isInternalName(host) : isPrivateAddress(host);
  if (isPrivate) return `${host} is a name or an IP address of this machine or network`;
  return protocol === 'https:' ? null : 'it is not https';
}
