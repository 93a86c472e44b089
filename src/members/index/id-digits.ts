import { endianness } from 'node:os';

import { placeOfId } from './snowflake.ts';

// The halves of ids are read in the byte order of nearly all machines. Others (s390x) would write wrong ids.
if (endianness() !== 'LE') throw new Error('Quartermaster runs on little-endian processors only.');

/** Length of `"18446744073709551615",`. */
export const ID_JSON_BYTES_MAX = 23;

const QUOTE = 0x22;
const COMMA = 0x2c;
/** The characters of 0000 to 9999, four bytes each. */
const FOUR_DIGITS = Uint32Array.from({ length: 10_000 }, (_, number) =>
  Buffer.from(String(number).padStart(4, '0')).readUInt32BE(),
);
const POWERS_OF_TEN = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power));

/**
 * Decimal digits of all ids together.
 * @param ids ascending
 */
export function countDigits(ids: BigUint64Array): number {
  return POWERS_OF_TEN.reduce((sum, power) => sum + ids.length - placeOfId(ids, ids.length, power), 0);
}

/**
 * Writes ids as `"…","…",` (with a comma after the last one, too) and returns the end. There must be room for
 * ID_JSON_BYTES_MAX bytes per id. Arithmetic with BigInt would take four times as long.
 */
export function writeIdsAsJson(ids: BigUint64Array, out: Uint8Array, start: number): number {
  const halves = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
  const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
  let end = start;
  for (let at = 0; at < halves.length; at += 2) {
    out[end] = QUOTE;
    end = writeId(halves[at + 1]!, halves[at]!, view, end + 1);
    out[end] = QUOTE;
    out[end + 1] = COMMA;
    end += 2;
  }
  return end;
}

/** Works in groups of 8 digits, because each of these is a small integer. */
function writeId(hi: number, lo: number, out: DataView, start: number): number {
  // The quotient by 10^8 as a double is off by one at most, and the remainder, which is exact modulo 2^32, shows it.
  // Multiplying is quicker than dividing.
  let upper = Math.floor((hi * 2 ** 32 + lo) * 1e-8);
  let last = (lo - Math.imul(upper, 1e8)) | 0;
  if (last < 0) {
    upper -= 1;
    last += 1e8;
  } else if (last >= 1e8) {
    upper += 1;
    last -= 1e8;
  }
  if (upper === 0) return writeNumber(last, out, start);
  const first = Math.floor(upper / 1e8);
  const second = upper - first * 1e8;
  if (first === 0) return writeEight(last, out, writeNumber(second, out, start));
  return writeEight(last, out, writeEight(second, out, writeNumber(first, out, start)));
}

/** Without leading zeros; returns the end. */
function writeNumber(number: number, out: DataView, start: number): number {
  let end = start + 1;
  for (let bound = 10; bound <= number; bound *= 10) end += 1;
  for (let at = end - 1, left = number; at >= start; at -= 1, left = (left / 10) | 0) {
    out.setUint8(at, 0x30 + (left % 10));
  }
  return end;
}

/** With leading zeros. */
function writeEight(number: number, out: DataView, start: number): number {
  const upper = (number / 10_000) | 0;
  out.setUint32(start, FOUR_DIGITS[upper]!);
  out.setUint32(start + 4, FOUR_DIGITS[number - upper * 10_000]!);
  return start + 8;
}
