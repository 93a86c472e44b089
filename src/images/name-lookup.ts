import { getServers, Resolver } from 'node:dns/promises';

import { Problem } from '../problem.ts';

export interface NameLookupOptions {
  /** `address` or `address:port`; default: the system's. */
  readonly nameServers?: readonly string[];
  /** Milliseconds for all servers together. */
  readonly timeoutMs: number;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** RFC 6761: never asked of a name server. */
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * All addresses of a name, IPv4 first (networks without IPv6 are more frequent than the other way round).
 * c-ares and not the system's resolver: that one has no deadline and takes a thread of the pool for each call.
 * @throws Problem `image_fetch_failed`, `image_timeout`, or the signal's reason
 */
export async function lookUpName(
  name: string,
  { nameServers, timeoutMs }: NameLookupOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACK;
  signal.throwIfAborted();

  // One resolver a lookup, so that cancelling it cancels nobody else's.
  // Each server is asked once; the period is shared out, so that one that is away does not use it up.
  const servers = nameServers?.length ?? getServers().length;
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / Math.max(1, servers)), tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(cancel, timeoutMs);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(timer);
  signal.removeEventListener('abort', cancel);
  signal.throwIfAborted();

  const addresses: ResolvedAddress[] = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 as const })),
    ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 as const })),
  ];
  if (addresses.length > 0) return addresses;

  const causes = [ipv4, ipv6].map((result) =>
    result.status === 'rejected' ? (result.reason as unknown) : null,
  );
  if (causes.some(isTimeout)) {
    throw new Problem('image_timeout', {
      error: 'The host name of the image was not resolved in time.',
      cause: causes,
    });
  }
  throw new Problem('image_fetch_failed', {
    error: 'The host name of the image could not be resolved.',
    cause: causes,
  });
}

function isTimeout(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return code === 'ETIMEOUT' || code === 'ECANCELLED';
}
