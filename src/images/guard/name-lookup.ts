import { getServers, Resolver } from 'node:dns/promises';

import { errorCodeOf } from '../../kernel/error-code.ts';
import { Problem } from '../../kernel/problem.ts';

export interface NameLookupOptions {
  /** `address` or `address:port`. Default: the system's. */
  readonly nameServers?: readonly string[];
  /** Milliseconds for all servers together. */
  readonly timeoutMs: number;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** RFC 6761: name servers are never asked for it. */
const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * All addresses of a name, IPv4 first, because networks without IPv6 are more common than networks without IPv4. It
 * uses c-ares, because the system's resolver has no deadline and takes a thread of the pool for each call.
 * @throws Problem `image_fetch_failed`, `image_timeout`, or the signal's reason
 */
export async function lookUpName(
  name: string,
  { nameServers = getServers(), timeoutMs }: NameLookupOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  if (name === 'localhost' || name.endsWith('.localhost')) return LOOPBACK;
  signal.throwIfAborted();

  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const { addresses, codes } = await askServers(name, nameServers, {
    // Each server gets half of the deadline, so that all may be asked a second time when packets get lost.
    timeout: Math.ceil(timeoutMs / (2 * Math.max(1, nameServers.length))),
    signal: AbortSignal.any([signal, deadline.signal]),
  });
  clearTimeout(timer);
  signal.throwIfAborted();
  if (addresses.length > 0) return addresses;

  const cause = new Error(`A name was not resolved: ${codes.join(', ')}`);
  if (codes.includes('ETIMEOUT') || codes.includes('ECANCELLED')) {
    throw new Problem('image_timeout/name', { cause });
  }
  throw new Problem('image_fetch_failed/name', { cause });
}

interface NameAnswer {
  readonly addresses: readonly ResolvedAddress[];
  /** For each kind of address, the reason why there are none. */
  readonly codes: readonly string[];
}

/** c-ares asks the next server after a silent one, but takes an error as final. */
async function askServers(
  name: string,
  servers: readonly string[],
  { timeout, signal }: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<NameAnswer> {
  // Used for this lookup only, so that cancelling it cancels no others.
  const resolver = new Resolver({ timeout, tries: 2 });
  resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  signal.removeEventListener('abort', cancel);

  const addresses = results.flatMap((result, at) =>
    result.status === 'fulfilled'
      ? result.value.map((address): ResolvedAddress => ({ address, family: at === 0 ? 4 : 6 }))
      : [],
  );
  const codes = results.map((result) =>
    result.status === 'rejected' ? (errorCodeOf(result.reason) ?? 'unknown') : 'none',
  );
  const others = servers.slice(1);
  const isSettled = addresses.length > 0 || codes.every((code) => FINAL.has(code)) || signal.aborted;
  return isSettled || others.length === 0
    ? { addresses, codes }
    : askServers(name, others, { timeout, signal });
}

/** The name or address does not exist, so other servers would say the same. */
const FINAL: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);
