import type { RoleLists } from './role-lists.ts';
import type { Segment } from './segment.ts';

/** Which members of a segment are meant. */
export interface Selection {
  has(lists: RoleLists, ordinal: number): boolean;
  count(segment: Segment): number;
  /** Writes their ordinals, ascending, and returns how many there are. */
  copyTo(segment: Segment, out: Uint16Array): number;
  /** Writes their ids in the order of their ordinals, from the place `start` on. */
  copyIds(segment: Segment, out: BigUint64Array, start: number): void;
  /** The ordinal at a place among them, counted from 0 and below their number. */
  nth(segment: Segment, place: number): number;
}

/** The slots of the roles of a question, each at most once in a list. */
export interface SlotQuestion {
  /** A member holds each of these, */
  readonly all: readonly number[];
  /** at least one of these, unless the list is empty, */
  readonly any: readonly number[];
  /** and none of these. */
  readonly none: readonly number[];
}
