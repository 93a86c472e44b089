/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { endianness } from 'node:os';

// The halves of ids are read in the byte order of nearly all machines. On others (s390x) wrong ids would be written.
if (endianness() !== 'LE') throw new Error('Quartermaster runs on little-endian processors only.');

/** Length of `"18446744073709551615",`. */
export const ID_JSON_BYTES_MAX = 23;

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const POWERS_OF_TEN = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power));

/** Digits of the decimal id, 1 to 20. Most ids have 17 to 19. */
export function countDigits(id: bigint): number {
  return 1 + POWERS_OF_TEN.findLastIndex((power) => power <= id);
}

/**
 * Writes ids as `"…","…",` (with a comma after the last one, too) and returns where it ended. There must be
 * ID_JSON_BYTES_MAX bytes of room for each. With arithmetic of BigInt it would take four times as long.
 */
export function writeIdsAsJson(ids: BigUint64Array, out: Uint8Array, start: number): number {
  const halves = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
  let end = start;
  for (let at = 0; at < halves.length; at += 2) {
    out[end] = QUOTE;
    end = writeId(halves[at + 1]!, halves[at]!, out, end + 1);
    out[end] = QUOTE;
    out[end + 1] = COMMA;
    end += 2;
  }
  return end;
}

/** In groups of 8 digits, as each of these is a small integer. */
function writeId(hi: number, lo: number, out: Uint8Array, start: number): number {
  // Long division by 10^8, 16 bits at a time: so every step is exact.
  const top = Math.floor(hi / 1e8);
  const upper = (hi - top * 1e8) * 65_536 + (lo >>> 16);
  const middle = Math.floor(upper / 1e8);
  const lower = (upper - middle * 1e8) * 65_536 + (lo & 0xffff);
  const bottom = Math.floor(lower / 1e8);
  const quotient = (top * 65_536 + middle) * 65_536 + bottom;
  const last = lower - bottom * 1e8;
  if (quotient === 0) return writeNumber(last, out, start);
  const first = Math.floor(quotient / 1e8);
  const second = quotient - first * 1e8;
  if (first === 0) return writeGroup(last, out, writeNumber(second, out, start));
  return writeGroup(last, out, writeGroup(second, out, writeNumber(first, out, start)));
}

/** Eight digits, zeros in front included. */
function writeGroup(number: number, out: Uint8Array, start: number): number {
  let rest = number | 0;
  for (let at = start + 7; at >= start; at -= 1) {
    out[at] = ZERO + (rest % 10);
    rest = (rest / 10) | 0;
  }
  return start + 8;
}

/** Without zeros in front. */
function writeNumber(number: number, out: Uint8Array, start: number): number {
  let length = 1;
  for (let bound = 10; bound <= number; bound *= 10) length += 1;
  let rest = number | 0;
  for (let at = start + length - 1; at >= start; at -= 1) {
    out[at] = ZERO + (rest % 10);
    rest = (rest / 10) | 0;
  }
  return start + length;
}
