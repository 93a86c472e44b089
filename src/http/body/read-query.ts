import { readForm } from './read-form.ts';
import { runAtOnce } from './turns.ts';

/**
 * The fields of the query string by name; a field that is given twice is a list.
 * @param url as in the request line, a character for each byte; its length is bounded by that of all headers
 */
export function readQuery(url: string): Readonly<Record<string, unknown>> {
  const queryAt = url.indexOf('?');
  if (queryAt === -1) return {};
  return runAtOnce(readForm(Buffer.from(url.slice(queryAt + 1), 'latin1'), Infinity));
}
