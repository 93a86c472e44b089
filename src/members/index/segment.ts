import { RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import { indexOfId } from './search.ts';

/** A change moves at most a few hundred kilobytes, in under a millisecond. */
export const SEGMENT_MEMBERS_MAX = 16_384;

/** Members in the order of their ids, to make segments of. */
export interface OrderedMembers {
  readonly ids: BigUint64Array;
  /** The sum of each member's role slots. */
  readonly sums: Uint32Array;
  /** For each slot the indexes of its holders, ascending. */
  readonly holders: readonly (readonly number[])[];
}

/** 16 bits per member while every sum fits in them. */
type Sums = Uint16Array | Uint32Array;

/** The largest in 16 bits. */
const SHORT_SUM_MAX = 0xffff;

interface Columns {
  readonly ids: BigUint64Array;
  readonly sums: Sums;
  readonly roleHolders: RoleLists;
  readonly sorted: number;
  readonly size: number;
}

/**
 * The members of one range of ids. A member is an ordinal: the position in `ids`. Ordinals below `sorted` are in id
 * order. The others, the unsorted ones, joined after the segment was made, in this order. A member who left keeps the
 * ordinal but is in no list, and is dropped when the segment is remade.
 */
export class Segment {
  /** The lowest id of the range. */
  readonly min: bigint;
  readonly ids: BigUint64Array;
  readonly roleHolders: RoleLists;
  #sums: Sums;
  #sorted: number;
  #size: number;

  private constructor(min: bigint, { ids, sums, roleHolders, sorted, size }: Columns) {
    this.min = min;
    this.ids = ids;
    this.#sums = sums;
    this.roleHolders = roleHolders;
    this.#sorted = sorted;
    this.#size = size;
  }

  /** Leaves capacity for a thirty-second more. Less would make joins slower, more would cost memory. */
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
      roleHolders: new RoleLists(capacity, members.holders),
      sorted: size,
      size,
    });
  }

  get full(): boolean {
    return this.#size === this.ids.length;
  }

  /** Members, without those who left. */
  get live(): number {
    return this.roleHolders.count(EVERYONE_SLOT);
  }

  /** Ordinals of members who left. */
  get dead(): number {
    return this.#size - this.live;
  }

  /** @param found what `find` returned; false for a member who left */
  isLive(found: number): boolean {
    return found >= 0 && this.roleHolders.has(EVERYONE_SLOT, found);
  }

  get byteLength(): number {
    return this.ids.byteLength + this.#sums.byteLength + this.roleHolders.byteLength;
  }

  /** Returns the ordinal of a member, also of one who left, or -1. */
  find(id: bigint): number {
    const ordinal = indexOfId(this.ids, this.#sorted, id);
    if (ordinal < this.#sorted && this.ids[ordinal] === id) return ordinal;
    // Unused positions hold 0, which is not an id.
    return this.ids.indexOf(id, this.#sorted);
  }

  /** Gives an ordinal to a new id. The segment must not be full. */
  append(id: bigint): number {
    const ordinal = this.#size;
    this.ids[ordinal] = id;
    this.#size += 1;
    if (this.#sorted === ordinal && (ordinal === 0 || this.ids[ordinal - 1]! < id)) this.#sorted += 1;
    return ordinal;
  }

  /**
   * The sum of a member's role slots, instead of a list of roles for each member. Subtract the roles that an update
   * still lists: zero means that none was removed, and after a single removal the rest is that role's slot.
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
   * Writes the ids of members in ascending order.
   * @param ordinals ascending
   * @param to has the same length
   */
  copyIds(ordinals: Uint16Array, to: BigUint64Array): void {
    for (let at = 0; at < ordinals.length; at += 1) to[at] = this.ids[ordinals[at]!]!;
    if ((ordinals.at(-1) ?? 0) >= this.#sorted) to.sort();
  }

  /** The ordinals of all members in the order of their ids. */
  inOrder(): number[] {
    const ordinals = Array.from(this.roleHolders.ordinals(EVERYONE_SLOT));
    if (this.#sorted === this.#size) return ordinals;
    return ordinals.sort((a, b) => (this.ids[a]! < this.ids[b]! ? -1 : 1));
  }
}
