const SNOWFLAKE = /^[1-9]\d{0,19}$/;
const TWO_64 = 2n ** 64n;

/**
 * Reads an unsigned 64-bit id: 1 to 20 digits, no sign, no leading zero, at most 2^64 - 1. Returns null for anything
 * else.
 */
export function parseId(text: string): bigint | null {
  if (!SNOWFLAKE.test(text)) return null;
  const id = BigInt(text);
  return id < TWO_64 ? id : null;
}

/** Compares decimal ids, as for Array#sort. */
export function compareDigits(a: string, b: string): number {
  return a.length === b.length ? (a < b ? -1 : a === b ? 0 : 1) : a.length - b.length;
}

/**
 * The first place whose id is not below `id`.
 * @param ids the first `length` of them are ascending
 */
export function placeOfId(ids: BigUint64Array, length: number, id: bigint): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The place of the last range that begins at or below an id.
 * @param ranges ascending; the first begins at 0
 */
export function placeOfRange(ranges: readonly { readonly min: bigint }[], id: bigint): number {
  let low = 0;
  let high = ranges.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (ranges[middle]!.min <= id) low = middle;
    else high = middle - 1;
  }
  return low;
}
