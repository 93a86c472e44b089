import type { LargeValue } from '../../large-value.ts';
import { countDigits, ID_JSON_BYTES_MAX, writeIdsAsJson } from './id-digits.ts';

/** Ids that do not change any more; not more than a segment has. */
export interface IdRange {
  readonly count: number;
  /** Digits of all ids together. */
  readonly digitCount: number;
  /** Not to be changed. */
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

  /** @param jsonByteLength where it is known */
  constructor(ranges: readonly IdRange[], jsonByteLength: number | null = null) {
    this.#ranges = ranges;
    this.#jsonByteLength = jsonByteLength;
    this.length = ranges.reduce((sum, range) => sum + range.count, 0);
  }

  get idCount(): number {
    return this.length;
  }

  /** Strings, all at once: for shells that need it so. */
  toJSON(): string[] {
    return Array.from(this.toBigUint64Array(), String);
  }

  /** Not to be changed. */
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

  /** Two brackets, and for each id its digits, two quotes and, but for the last, a comma. */
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
    // In the place of the last comma.
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

/** Ids in memory of their own. */
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
