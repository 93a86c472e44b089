import { randomInt } from 'node:crypto';

import { parseSnowflake } from '../../kernel/snowflake.ts';
import { IdList } from './id-list.ts';
import { indexOfId, indexOfRange } from './search.ts';
import type { Segment } from './segment.ts';
import type { Selection } from './selection.ts';

/** A whole number from 0 to `limit` - 1, all equally likely. */
export type RandomBelow = (limit: number) => number;

export const secureRandomBelow: RandomBelow = (limit) => randomInt(limit);

export interface RolePage {
  readonly ids: IdList;
  /** The last id of the page; null on the last page. */
  readonly nextAfter: string | null;
}

/**
 * The members that match a question. Use it in the same iteration of the event loop, because the index may change after
 * that.
 */
export interface Holders {
  readonly count: number;
  /**
   * The members in ascending order of their ids. A list that was read keeps its ids when the index changes.
   * @param limit length of the page, at least 1; null for all
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
    if (limit === null && after === null) {
      return { ids: new IdList(() => this.#idsAfter(0n, Infinity), this.count), nextAfter: null };
    }
    const afterId = idOf(after);
    return pageOf(this.#idsAfter(afterId, limit === null ? Infinity : limit + 1), limit, afterId);
  }

  sample(size: number, randomBelow: RandomBelow): IdList {
    return draw(this.#idsAfter(0n, Infinity), size, randomBelow);
  }

  /** Ascending; at least `wanted` ids, if that many exist. They may begin with some up to `afterId`. */
  #idsAfter(afterId: bigint, wanted: number): BigUint64Array {
    const segments = this.#segmentsFrom(afterId, wanted);
    const counts = segments.map((segment) => this.#selection.count(segment));
    const ids = new BigUint64Array(counts.reduce((sum, count) => sum + count, 0));
    let from = 0;
    for (const [at, segment] of segments.entries()) {
      const to = from + counts[at]!;
      segment.copyIds(this.#selection.ordinals(segment), ids.subarray(from, to));
      from = to;
    }
    return ids;
  }

  /** The segments from that of `afterId` on, until they hold `wanted` matches. */
  #segmentsFrom(afterId: bigint, wanted: number): readonly Segment[] {
    const first = indexOfRange(this.#segments, afterId);
    if (wanted === Infinity) return this.#segments.slice(first);
    // All matches of the first segment may be up to `afterId`, so it does not count.
    let end = first + 1;
    for (let found = 0; end < this.#segments.length && found < wanted; end += 1) {
      found += this.#selection.count(this.#segments[end]!);
    }
    return this.#segments.slice(first, end);
  }
}

/** Looks among a few members by name. */
export class NamedHolders implements Holders {
  readonly #ids: BigUint64Array;

  /** @param ids ascending; do not change them afterwards */
  constructor(ids: BigUint64Array) {
    this.#ids = ids;
  }

  get count(): number {
    return this.#ids.length;
  }

  page(limit: number | null, after: string | null): RolePage {
    return pageOf(this.#ids, limit, idOf(after));
  }

  sample(size: number, randomBelow: RandomBelow): IdList {
    return draw(this.#ids, size, randomBelow);
  }
}

/** @param ids ascending, with one more than the page holds if more follow */
function pageOf(ids: BigUint64Array, limit: number | null, afterId: bigint): RolePage {
  const rest = ids.subarray(indexOfId(ids, ids.length, afterId + 1n));
  if (limit === null || rest.length <= limit) return { ids: new IdList(rest), nextAfter: null };
  return { ids: new IdList(rest.slice(0, limit)), nextAfter: String(rest[limit - 1]) };
}

function idOf(after: string | null): bigint {
  const id = after === null ? 0n : parseSnowflake(after);
  if (id === null) throw new RangeError('`after` is no snowflake.');
  return id;
}

function draw(ids: BigUint64Array, size: number, randomBelow: RandomBelow): IdList {
  return new IdList(BigUint64Array.from(drawRanks(ids.length, size, randomBelow), (rank) => ids[rank]!));
}

/**
 * Draws `wanted` different ranks below `count`, or all of them if there are fewer. Each selection in each order is
 * equally likely.
 *
 * These are the first steps of a Fisher-Yates shuffle of all ranks. Only ranks that moved are stored.
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
