import {
  isStreamedIds,
  isStreamedValue,
  type StreamedIds,
  type StreamedValue,
} from '../../kernel/streamed-value.ts';

/** Lists of bodies for Discord. Each entry stays JSON text that is ready to send. */
const PAYLOADS = 'payloads';
/** A single body: the repaired message of message-check. */
const BODY = 'fixed';

type FlatValue = string | number | boolean | StreamedValue;
type FlatEntry = readonly [key: string, value: FlatValue];

/** Lists of objects that no text can show: each object gets keys of its own, and there is no `_text` of them all. */
const UNJOINED: ReadonlySet<string> = new Set(['roles', PAYLOADS]);

/** How many entries of a list get numbered keys. Chunks always do. */
const NUMBERED_MAX = 100;
/** A list entry with an id of 20 digits: the id, its quotes and its comma. */
const ID_JSON_LENGTH_MAX = 23;

/**
 * The same answer with one level of keys, for builders that read arrays and nested objects poorly: `null` becomes
 * `""` and so does an empty object, `a: {b}` becomes `a_b`, a list becomes `list_1 …` for its first 100 entries and
 * `list_text` for all.
 * @param separator between the entries of `_text`; null for `, `, a blank line for chunks, or a line break for entries
 * with a `text`
 */
export function flatten(
  body: Readonly<Record<string, unknown>>,
  separator: string | null,
): Record<string, FlatValue> {
  const entries = Object.entries(body).flatMap(([key, value]) => [...flatValue(key, value, separator)]);
  // No two keys of an answer become the same flat key.
  return Object.fromEntries(entries);
}

function* flatValue(key: string, given: unknown, separator: string | null): Generator<FlatEntry> {
  if (isStreamedValue(given) && given.isText === true) {
    yield [key, given];
    return;
  }
  if (isStreamedValue(given) && isStreamedIds(given)) {
    for (const [index, id] of firstIds(given).entries()) yield [`${key}_${index + 1}`, id];
    yield [`${key}_text`, joinIds(given, separator ?? ', ')];
    return;
  }
  const value = isStreamedValue(given) ? given.toJSON() : given;
  if (value === null || value === undefined) {
    yield [key, ''];
  } else if (Array.isArray(value)) {
    yield* flatList(key, value, separator);
  } else if (typeof value === 'object' && key === BODY) {
    yield [key, JSON.stringify(value)];
  } else if (typeof value === 'object') {
    const inner = Object.entries(value);
    if (inner.length === 0) yield [key, ''];
    for (const [name, each] of inner) yield* flatValue(`${key}_${name}`, each, separator);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    yield [key, value];
  }
}

function* flatList(key: string, list: readonly unknown[], separator: string | null): Generator<FlatEntry> {
  const chunks = key === 'chunks';
  const isJoined = !UNJOINED.has(key);
  const numbered = chunks || !isJoined ? list.length : Math.min(list.length, NUMBERED_MAX);
  for (let index = 0; index < numbered; index += 1) {
    const entry = key === PAYLOADS ? toText(list[index]) : list[index];
    yield* flatValue(`${key}_${index + 1}`, entry, separator);
  }
  if (!isJoined) return;
  const texts = list.map((entry) => textOf(entry));
  const areTexts = texts.every((text) => text !== null);
  const usual = areTexts && list.length > 0 ? '\n' : ', ';
  const between = separator ?? (chunks ? '\n\n' : usual);
  yield [`${key}_text`, areTexts ? texts.join(between) : list.map(toText).join(between)];
}

/** The `text` of an entry, such as of a problem or notice of message-check; null when it has none. */
function textOf(entry: unknown): string | null {
  const hasText = typeof entry === 'object' && entry !== null && 'text' in entry;
  return hasText && typeof entry.text === 'string' ? entry.text : null;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The first ids of a list, as many as are numbered. */
function firstIds(ids: StreamedIds): string[] {
  let text = '';
  for (const piece of ids.jsonBytes()) {
    text += toLatin1(piece);
    if (text.length > NUMBERED_MAX * ID_JSON_LENGTH_MAX) break;
  }
  return (text.match(/\d+/g) ?? []).slice(0, NUMBERED_MAX);
}

/**
 * A list of ids as one text. A server may have millions of members, so it is made from the list's JSON while that is
 * being written.
 */
function joinIds(ids: StreamedIds, separator: string): StreamedValue {
  const between = JSON.stringify(separator).slice(1, -1);
  // Some lists count their ids only when `length` is read.
  const { idCount } = ids;
  const gaps = Math.max(0, idCount - 1);
  return {
    isText: true,
    // Each id loses its two quotes, each comma becomes a separator, and the two brackets become quotes.
    get jsonByteLength() {
      return ids.jsonByteLength - 2 * idCount + gaps * (Buffer.byteLength(between) - 1);
    },
    toJSON: () => Array.from(ids.jsonBytes(), (piece) => toJoined(piece, separator)).join(''),
    *jsonBytes() {
      yield Buffer.from('"');
      for (const piece of ids.jsonBytes()) yield Buffer.from(toJoined(piece, between));
      yield Buffer.from('"');
    },
  };
}

/** Keeps the digits, writes the separator for each comma, and drops quotes and brackets. */
function toJoined(piece: Uint8Array, separator: string): string {
  return toLatin1(piece)
    .replace(/["[\]]/g, '')
    .replaceAll(',', () => separator);
}

function toLatin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}
