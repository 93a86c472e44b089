import { SEEN_SLOT } from './role-table.ts';
import { placeOfRange } from './search.ts';
import { Segment, type OrderedMembers } from './segment.ts';

/** The segments of a guild in id order, the first from id 0 on. They split and join as members join and leave. */
export class SegmentList {
  readonly membersMax: number;
  /** Never empty. */
  #segments: Segment[];

  constructor(membersMax: number) {
    this.membersMax = membersMax;
    const empty = { ids: new BigUint64Array(), sums: new Uint32Array(), holders: [] };
    this.#segments = [Segment.of(0n, empty, membersMax)];
  }

  get all(): readonly Segment[] {
    return this.#segments;
  }

  get byteLength(): number {
    return this.#segments.reduce((bytes, segment) => bytes + segment.byteLength, 0);
  }

  at(place: number): Segment {
    return this.#segments[place]!;
  }

  /** @param segments in id order, the first from id 0 on; an empty list changes nothing */
  replace(segments: readonly Segment[]): void {
    if (segments.length > 0) this.#segments = [...segments];
  }

  /** The place of the segment whose range includes the id. */
  placeOf(id: bigint): number {
    return placeOfRange(this.#segments, id);
  }

  /** Remakes a full segment: drops members who left, merges the tail in, and splits it when it is large. */
  remakeFull(place: number): void {
    const isLarge = this.at(place).live > this.membersMax - (this.membersMax >>> 4);
    this.#remake(place, 1, isLarge ? 2 : 1);
  }

  /**
   * Call it after removals. Remakes a segment when a fifth of its members has left, and joins it with a neighbour when
   * both are small.
   */
  tidy(place: number): void {
    const { dead, live } = this.at(place);
    if (dead <= 4 + (live >>> 2)) return;
    if (this.#canJoin(place)) this.#remake(place, 2, 1);
    else if (this.#canJoin(place - 1)) this.#remake(place - 1, 2, 1);
    else this.#remake(place, 1, 1);
  }

  /** Empties the lists of seen members. */
  forgetSeen(): void {
    for (const { lists } of this.#segments) lists.clear(SEEN_SLOT);
  }

  #canJoin(first: number): boolean {
    const one = this.#segments[first];
    const other = this.#segments[first + 1];
    return one !== undefined && other !== undefined && one.live + other.live <= this.membersMax >>> 1;
  }

  #remake(place: number, sources: number, parts: number): void {
    const remade = remakeSegments(this.#segments.slice(place, place + sources), parts, this.membersMax);
    this.#segments.splice(place, sources, ...remade);
  }
}

/**
 * Makes new segments of one segment or of neighbours, in id order and without members who left. Merges the tail in,
 * splits one segment, or joins two small ones. The sources do not change.
 */
function remakeSegments(sources: readonly Segment[], parts: number, membersMax: number): Segment[] {
  const total = sources.reduce((sum, { live }) => sum + live, 0);
  const slots = Math.max(...sources.map(({ lists }) => lists.slots));
  const ids = new BigUint64Array(total);
  const sums = new Uint32Array(total);
  const holders = Array.from({ length: slots }, (): number[] => []);
  let place = 0;
  for (const source of sources) {
    /** By ordinal. */
    const places = new Uint16Array(source.ids.length);
    for (const ordinal of source.inOrder()) {
      places[ordinal] = place;
      ids[place] = source.ids[ordinal]!;
      sums[place] = source.sumOf(ordinal);
      place += 1;
    }
    holders.forEach((held, slot) => {
      const own = source.lists.ordinals(slot).map((ordinal) => places[ordinal]!);
      for (const at of own.sort()) held.push(at);
    });
  }
  return segmentsOf({ ids, sums, holders }, parts, sources[0]!.min, membersMax);
}

/** Segments of about equal size; the first one begins at `min`. */
export function segmentsOf(
  members: OrderedMembers,
  parts: number,
  min: bigint,
  membersMax: number,
): Segment[] {
  if (parts === 1) return [Segment.of(min, members, membersMax)];
  const { ids, sums, holders } = members;
  return Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((ids.length * part) / parts);
    const to = Math.floor((ids.length * (part + 1)) / parts);
    const own = {
      ids: ids.subarray(from, to),
      sums: sums.subarray(from, to),
      holders: holders.map((places) =>
        places.filter((place) => place >= from && place < to).map((place) => place - from),
      ),
    };
    return Segment.of(part === 0 ? min : own.ids[0]!, own, membersMax);
  });
}
