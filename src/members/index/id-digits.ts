/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { formatId } from './snowflake.ts';

/** Length of `"18446744073709551615",`. */
export const ID_JSON_BYTES_MAX = 23;

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const TWO_32 = 2 ** 32;
/** The four digits of each number below 10,000 in ASCII, as the big-endian number that these bytes are. */
const DIGITS = digitTable();
/** 10 to the power of 0 to 19, as pairs of a low and a high half. */
const POWERS = powerTable();

/**
 * Writes ids, given as pairs of a low and a high half, as `"…","…",` (with a comma after the last one, too) and returns where it ended. There must be
 * ID_JSON_BYTES_MAX bytes of room for each.
 */
export function writeIdsAsJson(
  ids: Uint32Array,
  from: number,
  to: number,
  out: Uint8Array,
  start: number,
): number {
  const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
  let end = start;
  for (let at = from; at < to; at += 1) {
    out[end] = QUOTE;
    end = writeId(ids[at * 2 + 1]!, ids[at * 2]!, out, view, end + 1);
    out[end] = QUOTE;
    out[end + 1] = COMMA;
    end += 2;
  }
  return end;
}

/** Digits of the decimal id, 1 to 20. */
export function countDigits(hi: number, lo: number): number {
  const bits = hi === 0 ? 32 - Math.clz32(lo) : 64 - Math.clz32(hi);
  // 1233 / 4096 is log10(2): it turns a number of bits into the number of digits, or one less.
  const digits = (bits * 1_233) >>> 12;
  const borderHi = POWERS[digits * 2 + 1]!;
  const isAbove = hi > borderHi || (hi === borderHi && lo >= POWERS[digits * 2]!);
  return isAbove ? digits + 1 : digits || 1;
}

function writeId(hi: number, lo: number, out: Uint8Array, view: DataView, start: number): number {
  // The quotient by 10^8 as a double is off by one at most, and the remainder modulo 2^32 shows it.
  let upper = Math.floor((hi * TWO_32 + lo) / 1e8);
  let lower = (lo - Math.imul(upper, 1e8)) | 0;
  if (lower < 0) {
    upper -= 1;
    lower = (lower + 1e8) | 0;
  } else if (lower >= 1e8) {
    upper += 1;
    lower = (lower - 1e8) | 0;
  }
  if (upper < 1e8) return writeText(formatId(hi, lo), out, start);

  const top = Math.floor(upper / 1e8) | 0;
  const middle = (upper - top * 1e8) | 0;
  const middleTop = (middle / 10_000) | 0;
  const lowerTop = (lower / 10_000) | 0;
  const end = writeTop(top, out, view, start);
  view.setUint32(end, DIGITS[middleTop]!);
  view.setUint32(end + 4, DIGITS[middle - middleTop * 10_000]!);
  view.setUint32(end + 8, DIGITS[lowerTop]!);
  view.setUint32(end + 12, DIGITS[lower - lowerTop * 10_000]!);
  return end + 16;
}

/** The first one to four digits, without leading zeros. */
function writeTop(top: number, out: Uint8Array, view: DataView, start: number): number {
  const digits = DIGITS[top]!;
  if (top >= 1_000) {
    view.setUint32(start, digits);
    return start + 4;
  }
  let at = start;
  if (top >= 100) {
    out[at] = (digits >>> 16) & 0xff;
    at += 1;
  }
  if (top >= 10) {
    out[at] = (digits >>> 8) & 0xff;
    at += 1;
  }
  out[at] = digits & 0xff;
  return at + 1;
}

function writeText(text: string, out: Uint8Array, start: number): number {
  for (let at = 0; at < text.length; at += 1) out[start + at] = text.charCodeAt(at);
  return start + text.length;
}

function powerTable(): Uint32Array {
  return new Uint32Array(BigUint64Array.from({ length: 20 }, (_, digits) => 10n ** BigInt(digits)).buffer);
}

function digitTable(): Uint32Array {
  return Uint32Array.from({ length: 10_000 }, (_, number) =>
    [1_000, 100, 10, 1].reduce((bytes, place) => bytes * 256 + ZERO + (Math.floor(number / place) % 10), 0),
  );
}
