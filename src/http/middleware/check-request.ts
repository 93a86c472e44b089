import type { IncomingMessage } from 'node:http';

import { Problem } from '../../problem.ts';
import { holdsEncodedSecret } from '../../secrets.ts';

/**
 * Refuses what is wrong with a request whatever it asks for.
 * @param decisive headers that decide who calls and what is read, in lower case: sent twice, they could be read in two
 *   ways
 * @throws Problem `bad_request`, `expectation_failed`, `secret_in_url`
 */
export function checkRequest(
  { headers, httpVersion, rawHeaders, url = '' }: IncomingMessage,
  decisive: ReadonlySet<string>,
): void {
  // Node would answer a missing Host with an empty body.
  if (headers.host === undefined && httpVersion !== '1.0') {
    throw new Problem('bad_request', { error: 'The request has no Host header.' });
  }
  const { expect } = headers;
  if (expect !== undefined && !/100-continue/i.test(expect)) throw new Problem('expectation_failed');
  const doubled = findDoubled(rawHeaders, decisive);
  if (doubled !== null) {
    throw new Problem('bad_request', { error: `The header ${doubled} appears twice in this request.` });
  }
  // Addresses end up in the logs of everything between the caller and us: a secret in one is refused, not used.
  if (holdsEncodedSecret(url)) throw new Problem('secret_in_url');
}

function findDoubled(rawHeaders: readonly string[], decisive: ReadonlySet<string>): string | null {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!decisive.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}
