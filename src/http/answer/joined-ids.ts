/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import type { LargeIds, LargeValue } from '../../large-value.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;

/** The first ids of a list, at most `count`. */
export function firstIds(ids: LargeIds, count: number): string[] {
  let text = '';
  let commas = 0;
  for (const piece of ids.jsonBytes()) {
    text += Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    commas += countCommas(piece);
    if (commas >= count) break;
  }
  return (text.match(/\d+/g) ?? []).slice(0, count);
}

/** A list of ids as one text, made out of the JSON of the list while that is written. */
export function joinIds(ids: LargeIds, separator: string): LargeValue {
  const between = Buffer.from(JSON.stringify(separator).slice(1, -1));
  // Some lists count their ids when they are asked.
  const { idCount } = ids;
  const gaps = Math.max(0, idCount - 1);
  return {
    isText: true,
    // Two quotes are left of the brackets, the quotes and the commas of the list.
    get jsonByteLength() {
      return ids.jsonByteLength - 2 * idCount + gaps * (between.length - 1);
    },
    toJSON: () => [...joinPieces(ids, Buffer.from(separator))].map(String).join(''),
    *jsonBytes() {
      yield Buffer.of(QUOTE);
      yield* joinPieces(ids, between);
      yield Buffer.of(QUOTE);
    },
  };
}

function* joinPieces(ids: LargeIds, between: Uint8Array): Generator<Buffer> {
  for (const piece of ids.jsonBytes()) {
    const joined = Buffer.allocUnsafe(piece.length + countCommas(piece) * between.length);
    yield joined.subarray(0, joinPiece(piece, between, joined));
  }
}

/** Digits as they are, and what goes between for each comma; quotes and brackets are left out. Returns the length. */
function joinPiece(piece: Uint8Array, between: Uint8Array, joined: Uint8Array): number {
  const gap = between.length;
  let end = 0;
  for (let at = 0; at < piece.length; at += 1) {
    const byte = piece[at]!;
    if (byte >= ZERO && byte <= NINE) {
      joined[end] = byte;
      end += 1;
    } else if (byte === COMMA) {
      for (let index = 0; index < gap; index += 1) joined[end + index] = between[index]!;
      end += gap;
    }
  }
  return end;
}

function countCommas(piece: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < piece.length; at += 1) if (piece[at] === COMMA) count += 1;
  return count;
}
