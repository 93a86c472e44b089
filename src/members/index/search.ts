/**
 * The first index whose id is not below `id`.
 * @param ids the first `length` of them are ascending
 */
export function indexOfId(ids: BigUint64Array, length: number, id: bigint): number {
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
 * The index of the last range that begins at or below an id.
 * @param ranges ascending; the first begins at 0
 */
export function indexOfRange(ranges: readonly { readonly min: bigint }[], id: bigint): number {
  let low = 0;
  let high = ranges.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (ranges[middle]!.min <= id) low = middle;
    else high = middle - 1;
  }
  return low;
}
