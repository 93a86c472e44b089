/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { copyBitOrdinals } from './bit-set.ts';

/** Most members of a segment; what a change has to move stays below a few hundred microseconds. */
export const SEGMENT_MEMBERS_MAX = 16_384;

/** A bit for each ordinal of two segments; all zero between two calls. */
const marks = new Uint16Array((2 * SEGMENT_MEMBERS_MAX) / 16);

/** Up to this number of ordinals, inserting one after the other is the fastest way to sort them. */
const INSERTED_MAX = 40;

/** Sorts different ordinals from `from` up to `to`; what is sorted here is mostly a handful. */
export function sortOrdinals(array: Uint16Array, from: number, to: number): void {
  if (to - from > INSERTED_MAX) {
    sortByMarks(array, from, to);
    return;
  }
  for (let at = from + 1; at < to; at += 1) {
    const value = array[at]!;
    let place = at;
    while (place > from && array[place - 1]! > value) {
      array[place] = array[place - 1]!;
      place -= 1;
    }
    array[place] = value;
  }
}

/** As no ordinal is there twice, a bit for each says all: many are read back in order faster than they are compared. */
function sortByMarks(array: Uint16Array, from: number, to: number): void {
  let words = 0;
  for (let at = from; at < to; at += 1) {
    const ordinal = array[at]!;
    const word = ordinal >>> 4;
    marks[word]! |= 1 << (ordinal & 15);
    if (word >= words) words = word + 1;
  }
  copyBitOrdinals({ pool: marks, first: 0, words, count: to - from }, array, from);
  marks.fill(0, 0, words);
}
