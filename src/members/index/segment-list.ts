import { CONFIRMED_SLOT } from './role-table.ts';
import { indexOfRange } from './search.ts';
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

  at(index: number): Segment {
    return this.#segments[index]!;
  }

  /** @param segments in id order, the first from id 0 on; an empty list changes nothing */
  replace(segments: readonly Segment[]): void {
    if (segments.length > 0) this.#segments = [...segments];
  }

  /** The index of the segment whose range includes the id. */
  indexFor(id: bigint): number {
    return indexOfRange(this.#segments, id);
  }

  /** Remakes a full segment: drops members who left, sorts the unsorted ones in, and splits it when it is large. */
  remakeFull(index: number): void {
    const isLarge = this.at(index).live > this.membersMax - (this.membersMax >>> 4);
    this.#remake(index, 1, isLarge ? 2 : 1);
  }

  /**
   * Call it after removals. Remakes a segment when a fifth of its members has left, and joins it with a neighbour when
   * both are small.
   */
  tidy(index: number): void {
    const { dead, live } = this.at(index);
    if (dead <= 4 + (live >>> 2)) return;
    if (this.#canJoin(index)) this.#remake(index, 2, 1);
    else if (this.#canJoin(index - 1)) this.#remake(index - 1, 2, 1);
    else this.#remake(index, 1, 1);
  }

  /** Empties the lists of confirmed members. */
  forgetConfirmed(): void {
    for (const { roleHolders } of this.#segments) roleHolders.clear(CONFIRMED_SLOT);
  }

  #canJoin(first: number): boolean {
    const one = this.#segments[first];
    const other = this.#segments[first + 1];
    return one !== undefined && other !== undefined && one.live + other.live <= this.membersMax >>> 1;
  }

  #remake(index: number, sources: number, parts: number): void {
    const remade = remakeSegments(this.#segments.slice(index, index + sources), parts, this.membersMax);
    this.#segments.splice(index, sources, ...remade);
  }
}

/**
 * Makes new segments, in id order and without members who left, from one segment or two neighbours: splits it, joins
 * them, or only sorts the unsorted members in. The sources do not change.
 */
function remakeSegments(sources: readonly Segment[], parts: number, membersMax: number): Segment[] {
  const total = sources.reduce((sum, { live }) => sum + live, 0);
  const slots = Math.max(...sources.map(({ roleHolders }) => roleHolders.slots));
  const ids = new BigUint64Array(total);
  const sums = new Uint32Array(total);
  const holders = Array.from({ length: slots }, (): number[] => []);
  let next = 0;
  for (const source of sources) {
    /** By ordinal in the source. */
    const newOrdinals = new Uint16Array(source.ids.length);
    for (const ordinal of source.inOrder()) {
      newOrdinals[ordinal] = next;
      ids[next] = source.ids[ordinal]!;
      sums[next] = source.sumOf(ordinal);
      next += 1;
    }
    holders.forEach((held, slot) => {
      const moved = source.roleHolders.ordinals(slot).map((ordinal) => newOrdinals[ordinal]!);
      for (const at of moved.sort()) held.push(at);
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
    const segmentMembers = {
      ids: ids.subarray(from, to),
      sums: sums.subarray(from, to),
      holders: holders.map((indexes) =>
        indexes.filter((index) => index >= from && index < to).map((index) => index - from),
      ),
    };
    return Segment.of(part === 0 ? min : segmentMembers.ids[0]!, segmentMembers, membersMax);
  });
}
