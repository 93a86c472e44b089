import { Problem } from '../../problem.ts';
import { NAME_BYTES_MAX } from './read-json.ts';
import type { Sliced } from './turns.ts';
import { decodeUtf8, SLICE_BYTES } from './utf8.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const FIELD_COST = 64;

/**
 * The fields of a form or a query string, decoded as `URLSearchParams` does it; a field that is given twice is a
 * list. Names that are longer than any of ours are left out, as in JSON.
 * @param bytes are decoded where they are, which needs no further memory
 * @throws Problem `bad_request` for too many fields: they are refused, not dropped
 */
export function* readForm(bytes: Buffer, fieldsMax: number): Sliced<Readonly<Record<string, unknown>>> {
  const fields = new Map<string, string | string[]>();
  let count = 1;
  let costLeft = SLICE_BYTES;
  let start = 0;
  let valueStart: number | null = null;
  // Decoded bytes are at most as many as those that were read.
  let to = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at] ?? AMPERSAND;
    costLeft -= 1;
    if (byte === AMPERSAND) {
      if (at > start) {
        const nameEnd = valueStart ?? to;
        if (nameEnd - start <= NAME_BYTES_MAX) {
          const name = bytes.toString('utf8', start, nameEnd);
          // A generator for each of many small fields would cost more than they do.
          const isSmall = to - nameEnd <= SLICE_BYTES;
          const value = isSmall ? bytes.toString('utf8', nameEnd, to) : yield* decodeUtf8(bytes, nameEnd, to);
          addField(fields, name, value);
        }
        costLeft -= FIELD_COST;
      }
      if (at < bytes.length) count += 1;
      if (count > fieldsMax) throw new Problem('bad_request', { error: 'The form has too many fields.' });
      start = at + 1;
      to = start;
      valueStart = null;
    } else if (byte === EQUALS && valueStart === null) {
      valueStart = to;
    } else {
      const decoded = byte === PERCENT ? toByte(bytes, at) : null;
      if (decoded !== null) {
        at += 2;
        costLeft -= 2;
      }
      bytes[to] = decoded ?? (byte === PLUS ? SPACE : byte);
      to += 1;
    }
    if (costLeft <= 0) {
      yield;
      costLeft = SLICE_BYTES;
    }
  }
  return Object.fromEntries(fields);
}

export function addField(fields: Map<string, string | string[]>, name: string, value: string): void {
  const known = fields.get(name);
  if (known === undefined) fields.set(name, value);
  else if (typeof known === 'string') fields.set(name, [known, value]);
  else known.push(value);
}

/** The byte of a percent sign and two hexadecimal digits; null when it is a mere percent sign. */
function toByte(bytes: Uint8Array, at: number): number | null {
  const high = toDigit(bytes[at + 1]);
  const low = toDigit(bytes[at + 2]);
  return high === null || low === null ? null : high * 16 + low;
}

function toDigit(byte = 0): number | null {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : null;
}
