import { endianness } from 'node:os';

import type { LargeValue } from '../../large-value.ts';
import { placeOfId } from './snowflake.ts';

// The halves of ids are read in the byte order of nearly all machines. Others (s390x) would write wrong ids.
if (endianness() !== 'LE') throw new Error('Quartermaster runs on little-endian processors only.');

/** Ids that do not change any more, at most as many as in a segment. */
export interface IdRange {
  readonly count: number;
  /** Digits of all ids together. */
  readonly digitCount: number;
  /** Do not change it. */
  ids(): BigUint64Array;
  /** @param target as long as the range */
  copyTo(target: BigUint64Array): void;
}

/** Length of `"18446744073709551615",`. */
const ID_JSON_BYTES_MAX = 23;
const PIECE_BYTES = 65_536;
const OPENED = 0x5b;
const CLOSED = 0x5d;
const QUOTE = 0x22;
const COMMA = 0x2c;
/** The characters of 0000 to 9999, four bytes each. */
const FOUR_DIGITS = Uint32Array.from({ length: 10_000 }, (_, number) =>
  Buffer.from(String(number).padStart(4, '0')).readUInt32BE(),
);
const POWERS_OF_TEN = Array.from({ length: 20 }, (_, power) => 10n ** BigInt(power));

/** Ids as a JSON array of strings, written from digits straight into buffers. */
export class IdList implements LargeValue {
  readonly length: number;
  readonly #ranges: readonly IdRange[];
  #jsonByteLength: number | null;

  /** @param jsonByteLength null when it is not known yet */
  constructor(ranges: readonly IdRange[], jsonByteLength: number | null = null) {
    this.#ranges = ranges;
    this.#jsonByteLength = jsonByteLength;
    this.length = ranges.reduce((sum, range) => sum + range.count, 0);
  }

  get idCount(): number {
    return this.length;
  }

  /** All strings at once, for shells that need them. */
  toJSON(): string[] {
    return Array.from(this.toBigUint64Array(), String);
  }

  /** Do not change it. */
  toBigUint64Array(): BigUint64Array {
    const [only] = this.#ranges;
    if (only?.count === this.length) return only.ids();
    const ids = new BigUint64Array(this.length);
    let at = 0;
    for (const range of this.#ranges) {
      range.copyTo(ids.subarray(at, at + range.count));
      at += range.count;
    }
    return ids;
  }

  /** Two brackets, and for each id its digits, two quotes and a comma, except after the last one. */
  get jsonByteLength(): number {
    this.#jsonByteLength ??= this.#ranges.reduce(
      (sum, { digitCount }) => sum + digitCount,
      2 + Math.max(0, this.length * 3 - 1),
    );
    return this.#jsonByteLength;
  }

  *jsonBytes(room?: Uint8Array): Generator<Uint8Array> {
    let left = this.length;
    let piece = room ?? newPiece(left);
    let end = 1;
    piece[0] = OPENED;
    for (const range of this.#ranges) {
      const ids = range.ids();
      for (let from = 0; from < ids.length;) {
        if (piece.length - end < ID_JSON_BYTES_MAX) {
          yield piece.subarray(0, end);
          piece = room ?? newPiece(left);
          end = 0;
        }
        const to = Math.min(ids.length, from + Math.floor((piece.length - end) / ID_JSON_BYTES_MAX));
        end = writeIdsAsJson(ids.subarray(from, to), piece, end);
        left -= to - from;
        from = to;
      }
    }
    // Replaces the last comma.
    const last = this.length === 0 ? end : end - 1;
    piece[last] = CLOSED;
    yield piece.subarray(0, last + 1);
  }

  *idBytes(): Generator<Uint8Array> {
    for (const range of this.#ranges) {
      const ids = range.ids();
      yield new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength);
    }
  }
}

/** Ids in their own memory. */
export class CopiedIds implements IdRange {
  readonly #ids: BigUint64Array;
  readonly #isAscending: boolean;

  constructor(ids: BigUint64Array, isAscending: boolean) {
    this.#ids = ids;
    this.#isAscending = isAscending;
  }

  get count(): number {
    return this.#ids.length;
  }

  get digitCount(): number {
    return countDigits(this.#isAscending ? this.#ids : this.#ids.toSorted());
  }

  ids(): BigUint64Array {
    return this.#ids;
  }

  copyTo(target: BigUint64Array): void {
    target.set(this.#ids);
  }
}

function newPiece(ids: number): Uint8Array {
  return Buffer.allocUnsafe(Math.min(PIECE_BYTES, ids * ID_JSON_BYTES_MAX + 2));
}

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
function writeIdsAsJson(ids: BigUint64Array, out: Uint8Array, start: number): number {
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
