import type { RequestHandler } from 'express';

import type { Operation } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { holdsEncodedSecret } from '../../kernel/secrets.ts';

/**
 * These headers decide who the caller is and where a request ends. If one is sent twice, a proxy and this service could
 * use different values.
 */
const SINGLETON_HEADERS = ['authorization', 'content-type', 'content-length', 'host'];

/**
 * Refuses requests that no path accepts.
 * @throws Problem `bad_request`, `expectation_failed`, `secret_in_url`
 */
export function checkRequest(operations: readonly Operation[]): RequestHandler {
  const singletons = [...new Set([...SINGLETON_HEADERS, ...operations.flatMap(headersOf)])];
  const refuseDoubled = (distinct: NodeJS.Dict<string[]>) => {
    const header = singletons.find((name) => (distinct[name]?.length ?? 0) > 1);
    if (header !== undefined) throw new Problem('bad_request/header', { values: { header } });
  };
  return (request, _response, next) => {
    const { headers, rawHeaders, httpVersion, url } = request;
    // Node itself would answer a missing Host with an empty body.
    if (headers.host === undefined && httpVersion !== '1.0') {
      throw new Problem('bad_request/host');
    }
    const { expect } = headers;
    if (expect !== undefined && !/100-continue/i.test(expect)) throw new Problem('expectation_failed');
    // `rawHeaders` has two entries for each line. If it has more than two for each name, a name was sent twice.
    if (rawHeaders.length > 2 * Object.keys(headers).length) refuseDoubled(request.headersDistinct);
    // Proxies log URLs, so a secret in a URL is refused.
    if (holdsEncodedSecret(url)) throw new Problem('secret_in_url');
    next();
  };
}

/** Headers that decide what an operation does, in lower case. */
function headersOf({ secretHeader, takesIdempotencyKey }: Operation): string[] {
  return [
    ...(secretHeader === null ? [] : [secretHeader.toLowerCase()]),
    ...(takesIdempotencyKey ? ['idempotency-key'] : []),
  ];
}
