import type { IncomingMessage } from 'node:http';

import { Problem } from '../../problem.ts';
import { holdsEncodedSecret } from '../../secrets.ts';
import type { Method } from './endpoint.ts';

/** Headers that decide who calls and where the request ends: twice, they could be read in two ways. */
const SINGLE_HEADERS = new Set(['authorization', 'token', 'content-type', 'content-length', 'host']);
/** A bit for each of their lengths. */
const SINGLE_LENGTHS = [...SINGLE_HEADERS].reduce((bits, { length }) => bits | (1 << length), 0);

/**
 * What is wrong with a request whatever it asks for.
 * @param url as in the request line
 * @param methods those that are taken; empty for any
 */
export function refuseRequest(
  request: IncomingMessage,
  url: string,
  methods: readonly Method[],
): Problem | null {
  const doubled = findDoubledHeader(request.rawHeaders);
  if (doubled !== null) {
    return new Problem('bad_request', { error: `The header ${doubled} appears twice in this request.` });
  }
  // Addresses end up in the logs of everything between the caller and us: a secret in one is refused, not used.
  if (holdsEncodedSecret(url)) return new Problem('secret_in_url');
  const { method } = request;
  const isTaken =
    methods.length === 0 ||
    method === 'OPTIONS' ||
    methods.some((taken) => taken === method || (taken === 'GET' && method === 'HEAD'));
  return isTaken ? null : new Problem('method_not_allowed', { hint: `Use ${methods.join(' or ')}.` });
}

function findDoubledHeader(rawHeaders: readonly string[]): string | null {
  // No two of them have one length, so mostly nothing has to be compared.
  let lengths = 0;
  let isSuspicious = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] ?? '';
    const bit = length < 32 ? SINGLE_LENGTHS & (1 << length) : 0;
    isSuspicious ||= (lengths & bit) !== 0;
    lengths |= bit;
  }
  if (!isSuspicious) return null;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** The key of the Authorization header, with or without `Bearer`; undefined when there is none. */
export function readPresentedKey(request: IncomingMessage): string | undefined {
  return request.headers.authorization?.trim().replace(/^bearer(?:\s+|$)/i, '');
}
