import { isIP, type LookupFunction, type Socket } from 'node:net';
import { callbackify } from 'node:util';

import type { buildConnector } from 'undici';

import { isProxyFakeIp } from '../../kernel/addresses.ts';
import { Problem } from '../../kernel/problem.ts';
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
  /** Called with the error that broke an open connection, unless this side did. */
  readonly onBroken: (error: Error) => void;
}

/** A name may have any number of addresses, and at most this many are tried. */
const ADDRESSES_TRIED_MAX = 8;

/**
 * Every connection goes through here, from a literal, a name or a redirect. It checks the address and connects to
 * exactly that one, so that a second answer of a name server cannot replace it.
 */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const connectOrThrow = callbackify((target: buildConnector.Options) => connect(target, options));
  return (target, callback) =>
    connectOrThrow(target, (error, socket) =>
      error === null ? callback(null, socket) : callback(error, null),
    );
}

async function connect(
  target: buildConnector.Options,
  { rule, names, connectTimeoutMs, signal, onBroken }: GuardedConnectorOptions,
): Promise<Socket> {
  const family = isIP(target.hostname);
  if (family === 0 && !rule.allowsName(target.hostname)) throw addressNotAllowed();
  const addresses: readonly ResolvedAddress[] =
    family === 0
      ? await lookUpName(target.hostname, names, signal)
      : [{ address: target.hostname, family: family === 4 ? 4 : 6 }];
  // One private address is enough to refuse a name, because only an attacker would add a public one to it.
  if (!addresses.every(({ address }) => rule.allowsAddress(address))) {
    throw addressNotAllowed(family === 0 && addresses.every(({ address }) => isProxyFakeIp(address)));
  }

  const undici = await import('undici');
  const judged = addresses.slice(0, ADDRESSES_TRIED_MAX);
  const lookup: LookupFunction = (_hostname, { all }, done) => {
    const [first] = judged;
    if (all === true) done(null, [...judged]);
    else done(null, first?.address ?? '', first?.family ?? 4);
  };
  const connectTo = undici.buildConnector({
    // The connector's own timeout is rounded up by half a second and more.
    timeout: 0,
    allowH2: false,
    maxCachedSessions: 0,
    autoSelectFamily: true,
    rejectUnauthorized: true,
    lookup,
  });

  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // undici's type omits that a connector returns its socket.
    const socket = connectTo(target, (error, connected) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (error === null) resolve(connected);
      else reject(error);
    }) as unknown as Socket;
    socket.on('error', (error) => {
      if ('syscall' in error) onBroken(error);
    });
    const onAbort = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => socket.destroy(unreachable()), connectTimeoutMs);
  });
}

function unreachable(): Problem {
  return new Problem('image_timeout/connect');
}
