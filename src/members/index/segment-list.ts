/* oxlint-disable typescript/no-non-null-assertion -- places come from loops over the same list */
import { rebuildSegments } from './rebuild-segments.ts';
import { RoleLists } from './role-lists.ts';
import { FIRST_ROLE_SLOT, SEEN_SLOT, type RoleTable } from './role-table.ts';
import { Segment } from './segment.ts';
import { compareIds } from './snowflake.ts';

/** The segments of a guild in id order, the first from id 0 on: they split and join as members come and leave. */
export class SegmentList {
  readonly membersMax: number;
  readonly #roles: RoleTable;
  /** Never empty. */
  readonly #segments: Segment[];
  /** The upper 31 bits of where each segment begins: to ask the segments themselves would read far more memory. */
  #starts = new Int32Array(1);

  constructor(membersMax: number, roles: RoleTable) {
    this.membersMax = membersMax;
    this.#roles = roles;
    const capacity = Math.min(16, membersMax);
    const lists = new RoleLists({
      ordinalsMax: capacity,
      slots: FIRST_ROLE_SLOT,
      poolLength: 16,
      growing: false,
    });
    this.#segments = [
      new Segment({ minHi: 0, minLo: 0, capacity, size: 0, slots: roles.slots, lists, loose: false }),
    ];
  }

  get all(): readonly Segment[] {
    return this.#segments;
  }

  get byteLength(): number {
    return this.#segments.reduce((bytes, segment) => bytes + segment.byteLength, this.#starts.byteLength);
  }

  at(place: number): Segment {
    return this.#segments[place]!;
  }

  /** @param segments in id order, the first from id 0 on; none leaves all as it is */
  replace(segments: readonly Segment[]): void {
    if (segments.length === 0) return;
    this.#segments.splice(0, this.#segments.length, ...segments);
    this.#noteStarts();
  }

  /** The place of the segment in whose range an id lies. */
  placeOf(hi: number, lo: number): number {
    const starts = this.#starts;
    const half = hi >>> 1;
    let place = 0;
    // Without a jump to be guessed, see RoleLists.
    for (let length = starts.length - 1; length > 0;) {
      const step = (length + 1) >>> 1;
      place += ((starts[place + step]! - half - 1) >> 31) & step;
      length -= step;
    }
    // The lower bits decide between those that begin alike.
    for (; place > 0; place -= 1) {
      const { minHi, minLo } = this.#segments[place]!;
      if (compareIds(minHi, minLo, hi, lo) <= 0) break;
    }
    return place;
  }

  /** The segment as one that nobody else reads: only such a one may be changed. */
  own(place: number): Segment {
    const segment = this.#segments[place]!;
    if (!segment.shared) return segment;
    const copy = segment.clone(this.#roles.slots);
    this.#segments[place] = copy;
    return copy;
  }

  /** Makes room in a full segment: drops members who left, merges the tail in, splits it when it is large. */
  makeRoom(place: number, growing: boolean): void {
    const { live } = this.#segments[place]!;
    this.#rebuild(place, 1, live > this.membersMax - (this.membersMax >>> 4) ? 2 : 1, growing);
  }

  /** After removals: rebuilds a segment of which a fifth has left, together with a neighbour when both are small. */
  tidy(place: number): void {
    const { dead, live } = this.#segments[place]!;
    if (dead <= 4 + (live >>> 2)) return;
    if (this.#canJoin(place)) this.#rebuild(place, 2, 1, false);
    else if (this.#canJoin(place - 1)) this.#rebuild(place - 1, 2, 1, false);
    else this.#rebuild(place, 1, 1, false);
  }

  /** Gives back the room that was meant for members of a reload. Returns false when there is nothing to give back. */
  shrink(place: number): boolean {
    if (!this.at(place).loose) return false;
    this.#rebuild(place, 1, 1, false);
    return true;
  }

  /** Makes the sums of slots wide enough for all roles. */
  widenSums(): void {
    for (const place of this.#segments.keys()) this.own(place).widenSums(this.#roles.slots);
  }

  /** Empties the lists of who was seen. Nobody reads these but a reload, so shared segments may lose them, too. */
  forgetSeen(): void {
    for (const segment of this.#segments) segment.lists.clear(SEEN_SLOT);
  }

  #canJoin(first: number): boolean {
    const one = this.#segments[first];
    const other = this.#segments[first + 1];
    return one !== undefined && other !== undefined && one.live + other.live <= this.membersMax >>> 1;
  }

  #rebuild(place: number, sources: 1 | 2, parts: 1 | 2, growing: boolean): void {
    const rebuilt = rebuildSegments(this.#segments.slice(place, place + sources), {
      parts,
      slots: this.#roles.slots,
      membersMax: this.membersMax,
      growing,
    });
    this.#segments.splice(place, sources, ...rebuilt);
    this.#noteStarts();
  }

  #noteStarts(): void {
    this.#starts = Int32Array.from(this.#segments, ({ minHi }) => minHi >>> 1);
  }
}

/** The place of the last segment that begins at or below an id. */
export function placeOfSegment(segments: readonly Segment[], hi: number, lo: number): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const segment = segments[middle]!;
    if (compareIds(segment.minHi, segment.minLo, hi, lo) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}
