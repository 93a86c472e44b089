import type { LargeValue } from '../../large-value.ts';
import { countDigits, ID_JSON_BYTES_MAX, writeIdsAsJson } from './id-digits.ts';

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

const PIECE_BYTES = 65_536;
const OPENED = 0x5b;
const CLOSED = 0x5d;

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
