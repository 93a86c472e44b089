import { endianness } from 'node:os';

import { placeOfId } from './snowflake.ts';

// The halves of ids are read in the byte order of nearly all machines. On others (s390x) wrong ids would be written.
if (endianness() !== 'LE') throw new Error('Quartermaster runs on little-endian processors only.');

/** Length of `"18446744073709551615",`. */
export const ID_JSON_BYTES_MAX = 23;

const QUOTE = 0x22;
const COMMA = 0x2c;
/** The first and the second digit of 0 to 99. */
const TENS = Uint8Array.from({ length: 100 }, (_, pair) => 0x30 + Math.floor(pair / 10));
const ONES = Uint8Array.from({ length: 100 }, (_, pair) => 0x30 + (pair % 10));
const POWERS_OF_TEN = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power));

/** Digits of all decimal ids together. @param ids ascending */
export function countDigits(ids: BigUint64Array): number {
  return POWERS_OF_TEN.reduce((sum, power) => sum + ids.length - placeOfId(ids, ids.length, power), 0);
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
  // The quotient by 10^8 as a double is off by one at most, and the remainder, which is exact modulo 2^32, shows it.
  // To multiply is quicker than to divide.
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
  if (first === 0) return writeDigits(last, 8, out, writeNumber(second, out, start));
  return writeDigits(last, 8, out, writeDigits(second, 8, out, writeNumber(first, out, start)));
}

/** Without zeros in front. */
function writeNumber(number: number, out: Uint8Array, start: number): number {
  let count = 1;
  for (let bound = 10; bound <= number; bound *= 10) count += 1;
  return writeDigits(number, count, out, start);
}

/** The last `count` digits of a number below 2^31; returns where they end. Two at a time: a division takes longest. */
function writeDigits(number: number, count: number, out: Uint8Array, start: number): number {
  let left = number | 0;
  let at = start + count - 1;
  for (; at > start; at -= 2) {
    const upper = (left / 100) | 0;
    const pair = left - upper * 100;
    out[at - 1] = TENS[pair]!;
    out[at] = ONES[pair]!;
    left = upper;
  }
  if (at === start) out[at] = ONES[left]!;
  return start + count;
}
