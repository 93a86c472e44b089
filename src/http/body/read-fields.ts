import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import querystring from 'node:querystring';

import { isCompressed } from '../../kernel/content-coding.ts';
import { Problem, type ProblemTextKey } from '../../kernel/problem.ts';
import type { FieldNames } from '../../operations/field-names.ts';
import type { Fields } from '../locals.ts';
import { breaksByCurlyQuotes } from './curly-quotes.ts';

/** `unknown` when the request names no type. */
export type BodyKind = 'json' | 'form' | 'text' | 'unknown';

/** The most values of a JSON body. No request of ours needs more, and 1 MiB of `[` would block the event loop. */
const VALUES_MAX = 25_000;
/** JSON inside JSON. No request of ours is as deep. */
const LEVELS_MAX = 64;
/** Fields of a form, those of a list included. No request of ours needs more. */
const PAIRS_MAX = 1_000;

/** Language models write JSON as a Markdown code block. */
const CODE_MARK = /^(?:`|~~~)/;

const SPACE = 0x20;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const PLUS = 0x2b;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * @param takesText true when plain text fills a field
 * @throws Problem `unsupported_media_type`
 */
export function bodyKind({ headers }: IncomingMessage, takesText: boolean): BodyKind {
  // Either header can say that a body is compressed.
  const { 'transfer-encoding': transfer = 'chunked' } = headers;
  if (isCompressed(headers['content-encoding']) || transfer.toLowerCase() !== 'chunked') {
    throw new Problem('unsupported_media_type/compressed');
  }
  const { type, charsets } = readContentType(headers['content-type'] ?? '');
  if (!charsets.every((charset) => /^"?utf-?8"?$/.test(charset))) {
    throw new Problem('unsupported_media_type/charset');
  }
  if (type === '') return 'unknown';
  if (type === 'application/json' || type === 'text/json' || /^application\/[\w.-]+\+json$/.test(type)) {
    return 'json';
  }
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) throw new Problem('unsupported_media_type/multipart');
  if (type !== 'text/plain') throw new Problem('unsupported_media_type');
  if (takesText) return 'text';
  throw new Problem('unsupported_media_type/plain_text');
}

/** Some clients send the header twice, and proxies merge the two into one with a comma. */
function readContentType(header: string): { readonly type: string; readonly charsets: readonly string[] } {
  const types = new Set<string>();
  const charsets: string[] = [];
  for (const written of header.toLowerCase().split(/[;,]/)) {
    const part = written.trim();
    if (part.startsWith('charset=')) charsets.push(part.slice('charset='.length));
    else if (part !== '' && !part.includes('=')) types.add(part);
  }
  return { type: [...types].join(','), charsets };
}

export interface BodyFormat {
  readonly kind: BodyKind;
  /** The field that plain text fills. */
  readonly textField: string | null;
  /** Names that a JSON object sent as plain text may have. Default null: all of it is text. */
  readonly jsonNames?: FieldNames | null;
  /** Such an object must have a string in `textField`. Default true. */
  readonly needsText?: boolean;
}

/**
 * The fields of a body by name. It takes time linear in the number of bytes, whatever they are.
 * @param bytes may be changed
 * @throws Problem `invalid_json`, `bad_request`, `unsupported_media_type`
 */
export function readFields(
  bytes: Buffer,
  { kind, textField, jsonNames = null, needsText = true }: BodyFormat,
): Fields {
  if (!isUtf8(bytes)) {
    throw new Problem(kind === 'json' ? 'invalid_json/utf8' : 'bad_request/utf8');
  }
  if (kind === 'text' && textField !== null) {
    const text = bytes.toString();
    return (
      (jsonNames === null ? null : readCall(text, needsText ? textField : null, jsonNames)) ?? {
        [textField]: text,
      }
    );
  }
  const start = findStart(bytes);
  // Several builders send JSON labelled as a form, or without a type.
  if (kind === 'json' || bytes[start] === OPEN_BRACE) return readJson(bytes, start);
  if (start === bytes.length) return {};
  if (kind === 'form') return readEncodedJson(bytes, start) ?? readForm(bytes);
  const hasText = textField !== null;
  throw new Problem(hasText ? 'unsupported_media_type/none_or_text' : 'unsupported_media_type/none');
}

/**
 * The fields of a query string by name; a field that is given twice is a list.
 * @param url as in the request line; the limit for all headers bounds its length
 */
export function readQuery(url: string): Fields {
  const start = url.indexOf('?');
  return start === -1 ? {} : parseForm(url.slice(start + 1));
}

/** The fields of JSON that arrives as plain text, as `fetch` sends a string without a header; null for other text. */
function readCall(text: string, textField: string | null, names: FieldNames): Fields | null {
  // This also removes byte order marks.
  const fields = tryJson(text.trim());
  const given = Object.keys(fields ?? {});
  // An object without names has no fields, so it is the text.
  if (fields === null || given.length === 0 || !given.every((name) => names.knows(name))) return null;
  if (textField === null) return fields;
  return typeof names.read(fields, {})[textField] === 'string' ? fields : null;
}

/** The fields of JSON that was encoded as a form, as Unity's `UnityWebRequest.Post` does; null for a form. */
function readEncodedJson(bytes: Buffer, start: number): Fields | null {
  if (!/^%7b$/i.test(bytes.toString('latin1', start, start + 3))) return null;
  return tryJson(decode(bytes.toString('utf8', start).replaceAll('+', ' ')));
}

/** Null for a text that is not a JSON object. */
function tryJson(text: string): Fields | null {
  if (!text.startsWith('{')) return null;
  try {
    return readJson(Buffer.from(text), 0);
  } catch {
    return null;
  }
}

/** @throws Problem `invalid_json` */
function readJson(bytes: Buffer, start: number): Fields {
  refuseManyValues(bytes, start);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8', start));
  } catch {
    // The parser's message quotes the body, so callers do not get it.
    throw new Problem(explainBrokenJson(bytes.toString('utf8', start)), { cause: 'syntax' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('invalid_json/object');
  }
  return value as Fields;
}

function explainBrokenJson(text: string): ProblemTextKey {
  if (CODE_MARK.test(text)) return 'invalid_json/fence';
  return breaksByCurlyQuotes(text) ? 'invalid_json/quotes' : 'invalid_json';
}

/** @throws Problem `invalid_json` */
function refuseManyValues(bytes: Buffer, start: number): void {
  let values = 1;
  let level = 0;
  let isInString = false;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isInString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) {
      isInString = true;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      values += 1;
      level += 1;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      level -= 1;
    }
    if (values > VALUES_MAX || level > LEVELS_MAX) {
      throw new Problem('invalid_json/size');
    }
  }
}

/** @throws Problem `bad_request` for too many pairs */
function readForm(bytes: Buffer): Fields {
  let pairs = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    // Replaced in place, because the parser below would build a new string for each plus sign.
    if (bytes[at] === PLUS) bytes[at] = SPACE;
    else if (bytes[at] === AMPERSAND) pairs += 1;
  }
  if (pairs > PAIRS_MAX) throw new Problem('bad_request/form');
  return parseForm(bytes.toString());
}

/** A form or a query string, decoded as `URLSearchParams` does it. */
function parseForm(text: string): Fields {
  return querystring.parse(text, '&', '=', { maxKeys: 0, decodeURIComponent: decode });
}

/**
 * Broken escapes stay as they are, and bytes that are not UTF-8 become U+FFFD. Node's own decoders, URLSearchParams
 * included, garble letters outside ASCII next to a broken escape unless they are given as raw bytes.
 */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return querystring.unescape(Buffer.from(text).toString('latin1'));
  }
}

/** The position of the first character that is not white space. Some editors put a byte order mark before a text. */
function findStart(bytes: Buffer): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === SPACE || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}
