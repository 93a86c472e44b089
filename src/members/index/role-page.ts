/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { placeOfSegment } from './segment-list.ts';
import { CopiedIds, IdList, newIds, type IdRange } from './id-list.ts';
import type { Segment } from './segment.ts';
import { SEGMENT_MEMBERS_MAX } from './sort-ordinals.ts';
import type { Selection } from './selection.ts';
import { formatId, type SnowflakeHalves } from './snowflake.ts';

/** Lists up to this length are copied at once; longer ones share segments with the index until it changes them. */
const COPIED_IDS_MAX = 8_192;

// Nothing is kept here between two calls.
const holders = new Uint16Array(SEGMENT_MEMBERS_MAX);
const copied = new BigUint64Array(COPIED_IDS_MAX);

export interface RolePage {
  readonly ids: IdList;
  /** The last id of the page when more follow. */
  readonly nextAfter: string | null;
}

/**
 * The members of `segments`, which are in id order, who are meant by a selection.
 * @param limit length of the page; null for all
 * @param after only ids above it; null from the start
 */
export function pageOf(
  segments: readonly Segment[],
  selection: Selection,
  limit: number | null,
  after: SnowflakeHalves | null,
): RolePage {
  const ranges: SegmentRange[] = [];
  let total = 0;
  let left = limit ?? Infinity;
  let more = false;
  for (
    let at = after === null ? 0 : placeOfSegment(segments, after.hi, after.lo);
    at < segments.length;
    at += 1
  ) {
    const segment = segments[at]!;
    let count = selection.count(segment);
    let skip = 0;
    if (after !== null && ranges.length === 0 && count > 0) {
      skip = countUpTo(segment, selection, after);
      count -= skip;
    }
    if (count === 0) continue;
    if (left === 0) {
      more = true;
      break;
    }
    const taken = Math.min(count, left);
    const range = new SegmentRange(segment, selection, skip, taken);
    // At once, as the selection has just found them.
    if (total + taken <= COPIED_IDS_MAX) range.copyIds(copied, total);
    ranges.push(range);
    total += taken;
    left -= taken;
    if (taken < count) {
      more = true;
      break;
    }
  }
  const last = ranges.at(-1);
  if (last === undefined) return { ids: new IdList([]), nextAfter: null };
  if (total <= COPIED_IDS_MAX) {
    const ids = newIds(total);
    ids.set(copied.subarray(0, total));
    return { ids: new IdList([new CopiedIds(ids, true)]), nextAfter: more ? String(ids[total - 1]) : null };
  }
  for (const range of ranges) range.segment.shared = true;
  return { ids: new IdList(ranges), nextAfter: more ? last.lastId() : null };
}

function countUpTo(segment: Segment, selection: Selection, id: SnowflakeHalves): number {
  let low = 0;
  let high = copyInOrder(segment, selection);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const ordinal = holders[middle]!;
    if (!segment.isAbove(ordinal, id.hi, id.lo)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Writes the ordinals of who is meant into `holders`, in id order, and returns how many there are. */
function copyInOrder(segment: Segment, selection: Selection): number {
  const count = selection.copyTo(segment, holders);
  segment.orderById(holders, count);
  return count;
}

/** Some of those in a segment who are meant. */
class SegmentRange implements IdRange {
  readonly segment: Segment;
  readonly #selection: Selection;
  readonly #skip: number;
  readonly count: number;

  constructor(segment: Segment, selection: Selection, skip: number, count: number) {
    this.segment = segment;
    this.#selection = selection;
    this.#skip = skip;
    this.count = count;
  }

  get digits(): number | null {
    return this.segment.digits;
  }

  copyIds(out: BigUint64Array, at: number): void {
    const { segment, count } = this;
    const selection = this.#selection;
    const skip = this.#skip;
    if (segment.inOrder && count === selection.count(segment)) {
      selection.copyIds(segment, out, at);
      return;
    }
    copyInOrder(segment, selection);
    const from = segment.wholeIds;
    for (let index = 0; index < count; index += 1) out[at + index] = from[holders[skip + index]!]!;
  }

  lastId(): string {
    copyInOrder(this.segment, this.#selection);
    const ordinal = holders[this.#skip + this.count - 1]!;
    const { ids } = this.segment;
    return formatId(ids[ordinal * 2 + 1]!, ids[ordinal * 2]!);
  }
}
