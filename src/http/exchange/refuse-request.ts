import type { IncomingMessage } from 'node:http';

import { Problem } from '../../problem.ts';
import { holdsEncodedSecret } from '../../secrets.ts';
import type { Method } from './endpoint.ts';

/** Headers that decide who calls and where the request ends: twice, they could be read in two ways. */
const SINGLE_HEADERS = new Set(['authorization', 'token', 'content-type', 'content-length', 'host']);
/** Most headers are sorted out by their length, which costs nothing. */
const SINGLE_LENGTHS = new Set([...SINGLE_HEADERS].map(({ length }) => length));

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
    return new Problem('bad_request', { error: `The header ${doubled} stands twice in this request.` });
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
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? '';
    if (!SINGLE_LENGTHS.has(given.length)) continue;
    const name = given.toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.includes(`${name};`)) return name;
    seen += `${name};`;
  }
  return null;
}

/** The key of the Authorization header, with or without `Bearer`; undefined when there is none. */
export function readPresentedKey(request: IncomingMessage): string | undefined {
  return request.headers.authorization?.trim().replace(/^bearer(?:\s+|$)/i, '');
}
