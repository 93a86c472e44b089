/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { placeOfSegment } from './segment-list.ts';
import { countDigits } from './id-digits.ts';
import { halvesOf, IdList, newIds, type IdRange } from './id-list.ts';
import type { Segment } from './segment.ts';
import { SEGMENT_MEMBERS_MAX } from './sort-ordinals.ts';
import { formatId, type SnowflakeHalves } from './snowflake.ts';

/** Up to so many ids are copied at once; longer lists share segments with the index until it changes them. */
const COPIED_IDS_MAX = 8_192;

// Nothing is kept here between two calls.
const holders = new Uint16Array(SEGMENT_MEMBERS_MAX);

export interface RolePage {
  readonly ids: IdList;
  /** The last id of the page when more follow. */
  readonly nextAfter: string | null;
}

/**
 * The holders of a role from `segments`, which are in id order.
 * @param limit length of the page; null for all
 * @param after only ids above it; null from the start
 */
export function pageOf(
  segments: readonly Segment[],
  slot: number,
  limit: number | null,
  after: SnowflakeHalves | null,
): RolePage {
  const ranges: SegmentRange[] = [];
  let left = limit ?? Infinity;
  let more = false;
  for (
    let at = after === null ? 0 : placeOfSegment(segments, after.hi, after.lo);
    at < segments.length;
    at += 1
  ) {
    const segment = segments[at]!;
    let count = segment.lists.count(slot);
    let skip = 0;
    if (after !== null && ranges.length === 0 && count > 0) {
      skip = countUpTo(segment, slot, after);
      count -= skip;
    }
    if (count === 0) continue;
    if (left === 0) {
      more = true;
      break;
    }
    const taken = Math.min(count, left);
    ranges.push(new SegmentRange(segment, slot, skip, taken));
    left -= taken;
    if (taken < count) {
      more = true;
      break;
    }
  }
  const last = ranges.at(-1);
  const nextAfter = more && last !== undefined ? last.lastId() : null;
  return { ids: new IdList(fixed(ranges)), nextAfter };
}

/** Ranges that later changes of the index do not touch. */
function fixed(ranges: readonly SegmentRange[]): readonly IdRange[] {
  const count = ranges.reduce((sum, range) => sum + range.count, 0);
  if (count > COPIED_IDS_MAX) {
    for (const range of ranges) range.segment.shared = true;
    return ranges;
  }
  const ids = newIds(count);
  let at = 0;
  for (const range of ranges) {
    range.copyIds(ids, at);
    at += range.count;
  }
  return count === 0 ? [] : [new CopiedRange(ids)];
}

function countUpTo(segment: Segment, slot: number, id: SnowflakeHalves): number {
  let low = 0;
  let high = segment.copyHolders(slot, holders);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const ordinal = holders[middle]!;
    if (!segment.isAbove(ordinal, id.hi, id.lo)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Some holders of a role in a segment. */
class SegmentRange implements IdRange {
  readonly segment: Segment;
  readonly #slot: number;
  readonly #skip: number;
  readonly count: number;

  constructor(segment: Segment, slot: number, skip: number, count: number) {
    this.segment = segment;
    this.#slot = slot;
    this.#skip = skip;
    this.count = count;
  }

  get digits(): number | null {
    return this.segment.digits;
  }

  copyIds(out: BigUint64Array, at: number): void {
    const { segment, count } = this;
    const slot = this.#slot;
    const skip = this.#skip;
    if (segment.inOrder && count === segment.lists.count(slot)) {
      segment.lists.copyValues(slot, segment.wholeIds, out, at);
      return;
    }
    segment.copyHolders(slot, holders);
    const from = segment.wholeIds;
    for (let index = 0; index < count; index += 1) out[at + index] = from[holders[skip + index]!]!;
  }

  lastId(): string {
    this.segment.copyHolders(this.#slot, holders);
    const ordinal = holders[this.#skip + this.count - 1]!;
    const { ids } = this.segment;
    return formatId(ids[ordinal * 2 + 1]!, ids[ordinal * 2]!);
  }
}

class CopiedRange implements IdRange {
  readonly count: number;
  readonly ids: BigUint64Array;

  constructor(ids: BigUint64Array) {
    this.count = ids.length;
    this.ids = ids;
  }

  get digits(): number | null {
    const halves = halvesOf(this.ids);
    const last = halves.length - 2;
    const digits = countDigits(halves[last + 1]!, halves[last]!);
    return countDigits(halves[1]!, halves[0]!) === digits ? digits : null;
  }

  copyIds(out: BigUint64Array, at: number): void {
    out.set(this.ids, at);
  }
}
