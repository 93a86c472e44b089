/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import type { LargeValue } from '../../large-value.ts';
import { countDigits, ID_JSON_BYTES_MAX, writeIdsAsJson } from './id-digits.ts';

/** Ids that do not change any more; not more than a segment has. */
export interface IdRange {
  readonly count: number;
  /** Writes the ids, from the place `at` on. */
  copyIds(out: BigUint64Array, at: number): void;
  /** All ids, if they are ready. */
  readonly ids?: BigUint64Array;
  /** The number of digits that all ids have; null when they differ or it is not known. */
  readonly digits: number | null;
}

const PIECE_BYTES = 65_536;
const EMPTY = Buffer.from('[]');
const ID_BYTES = 8;
/** Node keeps a pool for buffers below half of its size. */
const POOLED_BYTES_MAX = Buffer.poolSize / 2 - 1;

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
    return JSON.parse(Buffer.concat([...this.jsonBytes()]).toString('latin1')) as string[];
  }

  toBigUint64Array(): BigUint64Array {
    const ids = newIds(this.length);
    let at = 0;
    for (const range of this.#ranges) {
      range.copyIds(ids, at);
      at += range.count;
    }
    return ids;
  }

  /** Two brackets, and for each id its digits, two quotes and, but for the last, a comma. */
  get jsonByteLength(): number {
    this.#jsonByteLength ??= 2 + Math.max(0, this.length * 3 - 1) + this.#countDigits();
    return this.#jsonByteLength;
  }

  *jsonBytes(room?: Uint8Array): Generator<Uint8Array> {
    if (this.length === 0) {
      yield EMPTY;
      return;
    }
    let copied: BigUint64Array | null = null;
    let left = this.length;
    let piece = room ?? newPiece(left);
    let end = 1;
    piece[0] = 0x5b;
    for (const range of this.#ranges) {
      let { ids } = range;
      if (ids === undefined) {
        ids = copied ??= newIds(longestOf(this.#ranges));
        range.copyIds(ids, 0);
      }
      const halves = halvesOf(ids);
      for (let from = 0; from < range.count;) {
        const fit = Math.floor((piece.length - end - 1) / ID_JSON_BYTES_MAX);
        const to = Math.min(range.count, from + fit);
        end = writeIdsAsJson(halves, from, to, piece, end);
        left -= to - from;
        from = to;
        if (left === 0) {
          piece[end - 1] = 0x5d;
          yield piece.subarray(0, end);
        } else if (piece.length - end - 1 < ID_JSON_BYTES_MAX) {
          yield piece.subarray(0, end);
          piece = room ?? newPiece(left);
          end = 0;
        }
      }
    }
  }

  *idBytes(): Generator<Uint8Array> {
    let copied: BigUint64Array | null = null;
    for (const range of this.#ranges) {
      let { ids } = range;
      if (ids === undefined) {
        ids = copied ??= newIds(longestOf(this.#ranges));
        range.copyIds(ids, 0);
      }
      yield new Uint8Array(ids.buffer, ids.byteOffset, range.count * ID_BYTES);
    }
  }

  #countDigits(): number {
    let digits = 0;
    let copied: BigUint64Array | null = null;
    for (const range of this.#ranges) {
      if (range.digits !== null) {
        digits += range.digits * range.count;
        continue;
      }
      let { ids } = range;
      if (ids === undefined) {
        ids = copied ??= newIds(longestOf(this.#ranges));
        range.copyIds(ids, 0);
      }
      const halves = halvesOf(ids);
      for (let at = 0; at < range.count; at += 1) digits += countDigits(halves[at * 2 + 1]!, halves[at * 2]!);
    }
    return digits;
  }
}

/** Ids in memory of their own. */
export class CopiedIds implements IdRange {
  readonly count: number;
  readonly ids: BigUint64Array;
  readonly #isAscending: boolean;

  constructor(ids: BigUint64Array, isAscending: boolean) {
    this.count = ids.length;
    this.ids = ids;
    this.#isAscending = isAscending;
  }

  get digits(): number | null {
    if (!this.#isAscending) return null;
    const halves = halvesOf(this.ids);
    const last = halves.length - 2;
    const digits = countDigits(halves[last + 1]!, halves[last]!);
    return countDigits(halves[1]!, halves[0]!) === digits ? digits : null;
  }

  copyIds(out: BigUint64Array, at: number): void {
    out.set(this.ids, at);
  }
}

function longestOf(ranges: readonly IdRange[]): number {
  let count = 0;
  for (const range of ranges) count = Math.max(count, range.count);
  return count;
}

/**
 * Room for ids, which holds anything until it is filled. A short list out of the pool costs a fraction of one of its
 * own, and to have a long one zeroed first would cost as much as to fill it.
 */
export function newIds(count: number): BigUint64Array<ArrayBuffer> {
  const bytes = count * ID_BYTES;
  if (bytes <= POOLED_BYTES_MAX) {
    const { buffer, byteOffset } = Buffer.allocUnsafe(bytes);
    if (byteOffset % ID_BYTES === 0) return new BigUint64Array(buffer, byteOffset, count);
  }
  return new BigUint64Array(Buffer.allocUnsafeSlow(bytes).buffer);
}

/** Of each id the low and the high half, side by side. */
function halvesOf(ids: BigUint64Array): Uint32Array {
  return new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
}

function newPiece(ids: number): Buffer {
  return Buffer.allocUnsafe(Math.min(PIECE_BYTES, ids * ID_JSON_BYTES_MAX + 2));
}
