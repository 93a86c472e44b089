import { drawRanks, type RandomBelow } from './draw-ranks.ts';
import { CopiedIds, IdList } from './id-list.ts';
import { pageOf, type RolePage } from './role-page.ts';
import type { Segment } from './segment.ts';
import type { Selection } from './selection.ts';
import { parseId, placeOfId } from './snowflake.ts';

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
    return pageOf(this.#segments, this.#selection, limit, after === null ? null : idOf(after));
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
