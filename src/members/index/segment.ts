import { countDigits } from './id-list.ts';
import { RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT, SEEN_SLOT } from './role-table.ts';
import { placeOfId, placeOfRange } from './snowflake.ts';

/** A change moves a few hundred kilobytes at most, which takes under a millisecond. */
export const SEGMENT_MEMBERS_MAX = 16_384;

/** Members in the order of their ids, to make segments of. */
export interface OrderedMembers {
  readonly ids: BigUint64Array;
  /** The sum of each member's role slots. */
  readonly sums: Uint32Array;
  /** For each slot the places of its holders, ascending. */
  readonly holders: readonly (readonly number[])[];
}

/** 16 bits per member while every sum fits in them. */
type Sums = Uint16Array | Uint32Array;

const SHORT_SUM_MAX = 0xffff;

interface Columns {
  readonly ids: BigUint64Array;
  readonly sums: Sums;
  readonly lists: RoleLists;
  readonly sorted: number;
  readonly size: number;
}

/**
 * The members of one range of ids. A member is an ordinal: the position in `ids`. Ordinals below `sorted` are in id
 * order. Those from there on, the tail, are members who came since the segment was made, in order of arrival. A member
 * who left keeps the ordinal but is in no list, and is dropped when the segment is remade.
 */
export class Segment {
  /** The lowest id of the range. */
  readonly min: bigint;
  readonly ids: BigUint64Array;
  readonly lists: RoleLists;
  /** True while somebody reads it as it is now: then change only a clone. */
  shared = false;
  #sums: Sums;
  #sorted: number;
  #size: number;

  private constructor(min: bigint, { ids, sums, lists, sorted, size }: Columns) {
    this.min = min;
    this.ids = ids;
    this.#sums = sums;
    this.lists = lists;
    this.#sorted = sorted;
    this.#size = size;
  }

  /** Leaves room for a thirty-second more: less would make joins slower, more would cost memory. */
  static of(min: bigint, members: OrderedMembers, membersMax: number): Segment {
    const size = members.ids.length;
    const capacity = Math.min(membersMax, size + (size >>> 5) + 8);
    const ids = new BigUint64Array(capacity);
    const isShort = members.sums.every((sum) => sum <= SHORT_SUM_MAX);
    const sums = isShort ? new Uint16Array(capacity) : new Uint32Array(capacity);
    ids.set(members.ids);
    sums.set(members.sums);
    return new Segment(min, {
      ids,
      sums,
      lists: new RoleLists(capacity, members.holders),
      sorted: size,
      size,
    });
  }

  clone(): Segment {
    return new Segment(this.min, {
      ids: this.ids.slice(),
      sums: this.#sums.slice(),
      lists: this.lists.clone(),
      sorted: this.#sorted,
      size: this.#size,
    });
  }

  get full(): boolean {
    return this.#size === this.ids.length;
  }

  /** Members, without those who left. */
  get live(): number {
    return this.lists.count(EVERYONE_SLOT);
  }

  /** Ordinals of members who left. */
  get dead(): number {
    return this.#size - this.live;
  }

  /** @param found what `find` returned; false for a member who left */
  isLive(found: number): boolean {
    return found >= 0 && this.lists.has(EVERYONE_SLOT, found);
  }

  get byteLength(): number {
    return this.ids.byteLength + this.#sums.byteLength + this.lists.byteLength;
  }

  /** The number of digits of all its ids; null when they differ. */
  get digits(): number | null {
    const tail = this.ids.subarray(this.#sorted, this.#size);
    const ends = this.#sorted === 0 ? tail : [this.ids[0]!, this.ids[this.#sorted - 1]!, ...tail];
    const ascending = BigUint64Array.from(ends).sort();
    const digits = countDigits(ascending.subarray(0, 1));
    return digits === countDigits(ascending.subarray(-1)) ? digits : null;
  }

  /** Finds members who left, too; -1 when there is none. */
  find(id: bigint): number {
    const ordinal = placeOfId(this.ids, this.#sorted, id);
    if (ordinal < this.#sorted && this.ids[ordinal] === id) return ordinal;
    // Free places hold 0, which is not an id.
    return this.ids.indexOf(id, this.#sorted);
  }

  /** Gives an ordinal to an id that has none. There must be room. */
  append(id: bigint): number {
    const ordinal = this.#size;
    this.ids[ordinal] = id;
    this.#size += 1;
    if (this.#sorted === ordinal && (ordinal === 0 || this.ids[ordinal - 1]! < id)) this.#sorted += 1;
    return ordinal;
  }

  /**
   * The sum of a member's role slots. Subtract the roles that an update still lists: zero means that none was removed,
   * and after a single removal the rest is that role. So no list of roles per member is needed.
   */
  sumOf(ordinal: number): number {
    return this.#sums[ordinal]!;
  }

  addToSum(ordinal: number, difference: number): void {
    const sum = this.#sums[ordinal]! + difference;
    if (sum > SHORT_SUM_MAX && this.#sums instanceof Uint16Array) this.#sums = Uint32Array.from(this.#sums);
    this.#sums[ordinal] = sum;
  }

  /**
   * Ascending.
   * @param ordinals ascending
   * @param ids memory to fill; allocating new memory takes longer than all the rest
   */
  idsOf(ordinals: Uint16Array, ids: BigUint64Array = new BigUint64Array(ordinals.length)): BigUint64Array {
    for (let at = 0; at < ordinals.length; at += 1) ids[at] = this.ids[ordinals[at]!]!;
    return (ordinals.at(-1) ?? 0) < this.#sorted ? ids : ids.sort();
  }

  /** The ordinals of all members in the order of their ids. */
  inOrder(): number[] {
    const ordinals = Array.from(this.lists.ordinals(EVERYONE_SLOT));
    if (this.#sorted === this.#size) return ordinals;
    return ordinals.sort((a, b) => (this.ids[a]! < this.ids[b]! ? -1 : 1));
  }
}

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

/**
 * Makes new segments of one segment or of neighbours, in id order and without members who left: merges the tail in,
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
