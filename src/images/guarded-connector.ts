import { connect as connectTcp, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { Problem } from '../problem.ts';
import type { AddressRule } from './address-rule.ts';
import { addressNotAllowed } from './image-url.ts';
import { lookUpName, type NameLookupOptions, type ResolvedAddress } from './name-lookup.ts';

export interface GuardedConnectorOptions {
  readonly rule: AddressRule;
  readonly names: NameLookupOptions;
  /** Milliseconds for TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** Ends lookups and half-open connections. */
  readonly signal: AbortSignal;
}

/**
 * Connects to the server of an address, http or https.
 * @param onread takes all that comes in
 * @returns a socket whose errors are heard, whoever else hears them
 */
export type GuardedConnector = (url: URL, onread: OnReadOpts) => Promise<Socket>;

/** A name may have any number of addresses; at most this many are tried. */
const ADDRESSES_TRIED_MAX = 8;

/**
 * The one place through which every connection goes, whatever led to it: a literal, a name, a redirect. It judges
 * what will be connected to and then connects to exactly that, so that a second answer of a name server changes
 * nothing.
 */
export function createGuardedConnector({
  rule,
  names,
  connectTimeoutMs,
  signal,
}: GuardedConnectorOptions): GuardedConnector {
  async function judge(host: string): Promise<ResolvedAddress[]> {
    const family = isIP(host);
    if (family === 0 && !rule.allowsName(host)) throw addressNotAllowed();
    const addresses: readonly ResolvedAddress[] =
      family === 0
        ? await lookUpName(host, names, signal)
        : [{ address: host, family: family === 4 ? 4 : 6 }];
    // One private address is enough to refuse a name: only a test of this guard has a public one beside it.
    if (!addresses.every(({ address }) => rule.allowsAddress(address))) throw addressNotAllowed();
    return addresses.slice(0, ADDRESSES_TRIED_MAX);
  }

  return async (url, onread) => {
    const host = hostOf(url);
    const judged = await judge(host);
    const lookup: LookupFunction = (_hostname, { all }, done) => {
      const [first] = judged;
      if (all === true) done(null, judged);
      else done(null, first?.address ?? '', first?.family ?? 4);
    };
    signal.throwIfAborted();
    const socket = open(url, host, lookup, onread);
    await established(socket, url, connectTimeoutMs, signal);
    return socket;
  };
}

/** IPv6 without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function isTls({ protocol }: URL): boolean {
  return protocol === 'https:';
}

function open(url: URL, host: string, lookup: LookupFunction, onread: OnReadOpts): Socket {
  const port = Number(url.port) || (isTls(url) ? 443 : 80);
  const options = { host, port, lookup, onread, autoSelectFamily: true, noDelay: true };
  if (!isTls(url)) return connectTcp(options);
  return connectTls({
    ...options,
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  });
}

function established(socket: Socket, url: URL, timeoutMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      action();
    };
    const onAbort = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => socket.destroy(unreachable()), timeoutMs);
    socket.once(isTls(url) ? 'secureConnect' : 'connect', () => settle(resolve));
    socket.on('error', (error) => settle(() => reject(error)));
  });
}

function unreachable(): Problem {
  return new Problem('image_timeout', { error: 'The server of the image could not be reached in time.' });
}
