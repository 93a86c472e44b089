import { remakeSegments } from './remake-segments.ts';
import { SEEN_SLOT } from './role-table.ts';
import { Segment } from './segment.ts';
import { placeOfRange } from './snowflake.ts';

/** The segments of a guild in id order, the first from id 0 on. They split and join as members come and leave. */
export class SegmentList {
  readonly membersMax: number;
  /** Never empty. */
  #segments: Segment[];

  constructor(membersMax: number) {
    this.membersMax = membersMax;
    const nobody = { ids: new BigUint64Array(), sums: new Uint32Array(), holders: [] };
    this.#segments = [Segment.of(0n, nobody, membersMax)];
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

  /** @param segments in id order, the first from id 0 on; if there are none, nothing changes */
  replace(segments: readonly Segment[]): void {
    if (segments.length > 0) this.#segments = [...segments];
  }

  /** The place of the segment whose range includes the id. */
  placeOf(id: bigint): number {
    return placeOfRange(this.#segments, id);
  }

  /** Returns the segment, or a clone if somebody reads it. Only that may be changed. */
  own(place: number): Segment {
    const segment = this.at(place);
    if (!segment.shared) return segment;
    const copy = segment.clone();
    this.#segments[place] = copy;
    return copy;
  }

  /** Makes room in a full segment: drops members who left, merges the tail in, and splits it when it is large. */
  makeRoom(place: number): void {
    const isLarge = this.at(place).live > this.membersMax - (this.membersMax >>> 4);
    this.#remake(place, 1, isLarge ? 2 : 1);
  }

  /**
   * Call it after removals. Remakes a segment when a fifth of its members has left, together with a neighbour when both
   * are small.
   */
  tidy(place: number): void {
    const { dead, live } = this.at(place);
    if (dead <= 4 + (live >>> 2)) return;
    if (this.#canJoin(place)) this.#remake(place, 2, 1);
    else if (this.#canJoin(place - 1)) this.#remake(place - 1, 2, 1);
    else this.#remake(place, 1, 1);
  }

  /** Empties the lists of seen members. Only a reload reads them, so this may change shared segments too. */
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
