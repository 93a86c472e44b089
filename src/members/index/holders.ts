import { randomInt } from 'node:crypto';

import { CopiedIds, countDigits, IdList, type IdRange } from './id-list.ts';
import type { Segment } from './segment.ts';
import type { Selection } from './selection.ts';
import { parseId, placeOfId, placeOfRange } from './snowflake.ts';

/** Lists up to this length are copied at once. Longer ones share segments with the index until it changes them. */
const COPIED_IDS_MAX = 8_192;

/** A whole number from 0 to `limit` - 1, all equally likely. */
export type RandomBelow = (limit: number) => number;

export const secureRandomBelow: RandomBelow = (limit) => randomInt(limit);

export interface RolePage {
  readonly ids: IdList;
  /** The last id of the page; null when no more follow. */
  readonly nextAfter: string | null;
}

/** The members that match a question. Use it before the event loop turns again: the index may change after that. */
export interface Holders {
  readonly count: number;
  /**
   * The members in ascending order of their ids. Later changes of the index do not change the list.
   * @param limit length of the page; null for all
   * @param after snowflake: only ids above it; null from the start
   * @throws RangeError `after` is not an id
   */
  page(limit: number | null, after: string | null): RolePage;
  /** At most `size` of them in random order. Every selection in every order is equally likely. */
  sample(size: number, randomBelow: RandomBelow): IdList;
}

/** Looks among all members of a guild. */
export class FoundHolders implements Holders {
  readonly #segments: readonly Segment[];
  readonly #selection: Selection;

  constructor(segments: readonly Segment[], selection: Selection) {
    this.#segments = segments;
    this.#selection = selection;
  }

  get count(): number {
    return this.#segments.reduce((count, segment) => count + this.#selection.count(segment), 0);
  }

  page(limit: number | null, after: string | null): RolePage {
    const ranges: SegmentRange[] = [];
    const afterId = after === null ? null : idOf(after);
    const first = afterId === null ? 0 : placeOfRange(this.#segments, afterId);
    let left = limit ?? Infinity;
    let more = false;
    for (let at = first; at < this.#segments.length && !more; at += 1) {
      const segment = this.#segments[at]!;
      const skip = afterId === null || at > first ? 0 : this.#countUpTo(afterId, segment);
      const count = this.#selection.count(segment) - skip;
      const taken = Math.min(count, left);
      if (taken > 0) ranges.push(new SegmentRange(segment, this.#selection, skip, taken));
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

  sample(size: number, randomBelow: RandomBelow): IdList {
    const ranks = drawRanks(this.count, size, randomBelow);
    const places = ranks.map((rank, place) => ({ rank, place })).sort((a, b) => a.rank - b.rank);
    const ids = new BigUint64Array(ranks.length);
    let at = 0;
    let from = 0;
    for (const segment of this.#segments) {
      const to = from + this.#selection.count(segment);
      if (at < places.length && places[at]!.rank < to) {
        const ordinals = this.#selection.ordinals(segment);
        for (; at < places.length && places[at]!.rank < to; at += 1) {
          const { rank, place } = places[at]!;
          ids[place] = segment.ids[ordinals[rank - from]!]!;
        }
      }
      from = to;
    }
    return listOf(ids, false);
  }

  #countUpTo(id: bigint, segment: Segment): number {
    const ids = segment.idsOf(this.#selection.ordinals(segment));
    return placeOfId(ids, ids.length, id + 1n);
  }
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

/** Looks among a few members by name. */
export class NamedHolders implements Holders {
  readonly #ids: BigUint64Array;

  /** @param ids ascending */
  constructor(ids: BigUint64Array) {
    this.#ids = ids;
  }

  get count(): number {
    return this.#ids.length;
  }

  page(limit: number | null, after: string | null): RolePage {
    const from = after === null ? 0 : placeOfId(this.#ids, this.#ids.length, idOf(after) + 1n);
    const ids = this.#ids.slice(from, limit === null ? undefined : from + limit);
    const more = from + ids.length < this.#ids.length;
    return { ids: listOf(ids, true), nextAfter: more && ids.length > 0 ? String(ids.at(-1)) : null };
  }

  sample(size: number, randomBelow: RandomBelow): IdList {
    const ranks = drawRanks(this.count, size, randomBelow);
    return listOf(
      BigUint64Array.from(ranks, (rank) => this.#ids[rank]!),
      false,
    );
  }
}

function listOf(ids: BigUint64Array, isAscending: boolean): IdList {
  return new IdList(ids.length === 0 ? [] : [new CopiedIds(ids, isAscending)]);
}

function idOf(text: string): bigint {
  const id = parseId(text);
  if (id === null) throw new RangeError('`after` is no snowflake.');
  return id;
}

/**
 * Draws `wanted` different ranks below `count`, or all of them if there are fewer. Each selection in each order is
 * equally likely.
 *
 * This is the beginning of a Fisher-Yates shuffle of all ranks. Only ranks that moved are written down.
 */
function drawRanks(count: number, wanted: number, randomBelow: RandomBelow): number[] {
  const moved = new Map<number, number>();
  const ranks: number[] = [];
  for (let at = 0; at < Math.min(count, wanted); at += 1) {
    const from = at + randomBelow(count - at);
    ranks.push(moved.get(from) ?? from);
    moved.set(from, moved.get(at) ?? at);
  }
  return ranks;
}
