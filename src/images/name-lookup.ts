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
 * Uses c-ares: the system's resolver has no deadline, and takes a thread of the pool for each call.
 * @throws Problem `image_fetch_failed`, `image_timeout`, or the signal's reason
 */
export async function lookUpName(
  name: string,
  { nameServers, timeoutMs }: NameLookupOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACK;
  signal.throwIfAborted();

  // Resolvers of one lookup alone, so that cancelling it cancels nobody else's.
  const resolvers = (nameServers ?? getServers()).map((server) => createResolver(server, timeoutMs));
  const everyMs = timeoutMs / (2 * resolvers.length);
  const cancel = () => {
    for (const resolver of resolvers) resolver.cancel();
  };
  signal.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(cancel, timeoutMs);
  const [ipv4, ipv6] = await Promise.allSettled([
    askServers(resolvers, (resolver) => resolver.resolve4(name), everyMs),
    askServers(resolvers, (resolver) => resolver.resolve6(name), everyMs),
  ]);
  clearTimeout(timer);
  signal.removeEventListener('abort', cancel);
  cancel();
  signal.throwIfAborted();

  const addresses: ResolvedAddress[] = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value : []).map((address) => ({ address, family: 4 as const })),
    ...(ipv6.status === 'fulfilled' ? ipv6.value : []).map((address) => ({ address, family: 6 as const })),
  ];
  if (addresses.length > 0) return addresses;

  const codes = [ipv4, ipv6].map((result) => (result.status === 'rejected' ? codeOf(result.reason) : 'none'));
  const cause = new Error(`A name was not resolved: ${codes.join(', ')}`);
  if (codes.some((code) => code === 'ETIMEOUT' || code === CANCELLED)) {
    throw new Problem('image_timeout', {
      error: 'The host name of the image was not resolved in time.',
      cause,
    });
  }
  throw new Problem('image_fetch_failed', {
    error: 'The host name of the image could not be resolved.',
    cause,
  });
}

/**
 * Asks one server only. It asks again when nothing comes, as packets get lost; c-ares looks at its clock once in a
 * period and doubles it, so the period is short.
 */
function createResolver(server: string, timeoutMs: number): Resolver {
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 4), tries: 3 });
  resolver.setServers([server]);
  return resolver;
}

/**
 * The answer of the first server that gives one. The next is asked when the one before it fails, or is silent for
 * a while, and may still answer later: so the last of them has half of the period at least.
 */
function askServers(
  resolvers: readonly Resolver[],
  ask: (resolver: Resolver) => Promise<string[]>,
  everyMs: number,
): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  return new Promise<string[]>((resolve, reject) => {
    let asked = 0;
    let failed = 0;
    const askNext = () => {
      clearTimeout(timer);
      const resolver = resolvers[asked];
      if (resolver === undefined) return;
      asked += 1;
      timer = setTimeout(askNext, everyMs);
      const answered = ask(resolver).catch((error: unknown) => {
        failed += 1;
        if (isFinal(codeOf(error)) || failed === resolvers.length) throw error;
        if (failed === asked) askNext();
        return null;
      });
      // A server that fails leaves the answer to the others.
      answered.then((addresses) => addresses !== null && resolve(addresses), reject);
    };
    askNext();
  }).finally(() => clearTimeout(timer));
}

const CANCELLED = 'ECANCELLED';

/** The name has no such address, which other servers would say too; or nobody waits any more. */
function isFinal(code: string): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA' || code === CANCELLED;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
