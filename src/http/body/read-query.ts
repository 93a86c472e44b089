import type { BodyOwner } from './body-room.ts';
import { addField, readForm } from './read-form.ts';
import { NAME_BYTES_MAX } from './read-json.ts';
import { runAtOnce } from './turns.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A query of this length takes no time, whatever it holds. */
const AT_ONCE_LENGTH_MAX = 2048;
const NEEDS_DECODING = /[^\u0021-\u007e]|[%+]/;

/**
 * The fields of the query string by name; a field that is given twice is a list. A short query is read at once, a
 * long one in turns with all other bodies.
 * @param url as in the request line, a character for each byte; its length is bounded by that of all headers
 * @param owner whose turn a long query takes
 */
export function readQuery(url: string, owner: () => BodyOwner): Fields | Promise<Fields> {
  const queryAt = url.indexOf('?');
  if (queryAt === -1) return {};
  const query = url.slice(queryAt + 1);
  if (query.length > AT_ONCE_LENGTH_MAX) {
    const { id, turns } = owner();
    return turns.run(id, readForm(Buffer.from(query, 'latin1'), Infinity));
  }
  if (NEEDS_DECODING.test(query)) return runAtOnce(readForm(Buffer.from(query, 'latin1'), Infinity));
  return readPlain(query);
}

/** What `readForm` makes of it, where nothing is encoded: most queries are a few ids. */
function readPlain(query: string): Fields {
  const fields = new Map<string, string | string[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const nameEnd = equals === -1 ? pair.length : equals;
    if (nameEnd <= NAME_BYTES_MAX) addField(fields, pair.slice(0, nameEnd), pair.slice(nameEnd + 1));
  }
  return Object.fromEntries(fields);
}
