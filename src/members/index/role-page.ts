import { countDigits } from './id-digits.ts';
import { CopiedIds, IdList, type IdRange } from './id-list.ts';
import type { Segment } from './segment.ts';
import type { Selection } from './selection.ts';
import { placeOfId, placeOfRange } from './snowflake.ts';

/** Lists up to this length are copied at once. Longer ones share segments with the index until it changes them. */
const COPIED_IDS_MAX = 8_192;

export interface RolePage {
  readonly ids: IdList;
  /** The last id of the page; null when no more follow. */
  readonly nextAfter: string | null;
}

/**
 * Pages through the members that match a selection.
 * @param segments in id order
 * @param limit length of the page; null for all
 * @param after only ids above it; null from the start
 */
export function pageOf(
  segments: readonly Segment[],
  selection: Selection,
  limit: number | null,
  after: bigint | null,
): RolePage {
  const first = after === null ? 0 : placeOfRange(segments, after);
  const ranges: SegmentRange[] = [];
  let left = limit ?? Infinity;
  let more = false;
  for (let at = first; at < segments.length && !more; at += 1) {
    const segment = segments[at]!;
    const skip = after === null || at > first ? 0 : countUpTo(after, segment, selection);
    const count = selection.count(segment) - skip;
    const taken = Math.min(count, left);
    if (taken > 0) ranges.push(new SegmentRange(segment, selection, skip, taken));
    left -= taken;
    more = count > taken;
  }
  const ids = new IdList(ranges);
  if (ids.length <= COPIED_IDS_MAX) {
    const copied = ids.toBigUint64Array();
    return {
      ids: new IdList([new CopiedIds(copied, true)]),
      nextAfter: more ? String(copied.at(-1)) : null,
    };
  }
  const nextAfter = more ? String(ranges.at(-1)?.ids().at(-1)) : null;
  for (const { segment } of ranges) segment.shared = true;
  return { ids, nextAfter };
}

function countUpTo(id: bigint, segment: Segment, selection: Selection): number {
  const ids = segment.idsOf(selection.ordinals(segment));
  return placeOfId(ids, ids.length, id + 1n);
}

/** Some of the matching members of a segment. */
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

  get digitCount(): number {
    const { digits } = this.segment;
    return digits === null ? countDigits(this.ids()) : digits * this.count;
  }

  ids(): BigUint64Array {
    const ids = new BigUint64Array(this.count);
    this.copyTo(ids);
    return ids;
  }

  copyTo(target: BigUint64Array): void {
    const ordinals = this.#selection.ordinals(this.segment);
    if (ordinals.length === this.count) this.segment.idsOf(ordinals, target);
    else target.set(this.segment.idsOf(ordinals).subarray(this.#skip, this.#skip + this.count));
  }
}
