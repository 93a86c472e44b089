import querystring from 'node:querystring';

/**
 * The fields of the query string by name; a field that is given twice is a list.
 * @param url as in the request line; its length is bounded by that of all headers
 */
export function readQuery(url: string): Readonly<Record<string, unknown>> {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? {} : querystring.parse(url.slice(queryAt + 1), '&', '=', { maxKeys: 0 });
}
