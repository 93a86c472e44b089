import { countBits, intersect, ordinalsOf, subtract, unite } from './bit-set.ts';
import type { RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import type { Segment } from './segment.ts';

/** Up to this many holders are checked one by one. For more, bit sets are faster. */
const FEW = 100;

/** The matching members of a segment. */
export interface Selection {
  has(lists: RoleLists, ordinal: number): boolean;
  count(segment: Segment): number;
  /** Ascending. */
  ordinals(segment: Segment): Uint16Array;
}

/** Slots of roles, each at most once in a list. */
export interface SlotQuestion {
  /** A member holds each of these. */
  readonly all: readonly number[];
  /** A member holds at least one of these, unless the list is empty. */
  readonly any: readonly number[];
  /** A member holds none of these. */
  readonly none: readonly number[];
}

export function selectionOf({ all, any, none }: SlotQuestion): Selection {
  const [only, ...more] = all;
  const isOne = only !== undefined && more.length + any.length + none.length === 0;
  return isOne ? new HoldersOfOne(only) : new HoldersOfSeveral({ all, any, none });
}

class HoldersOfOne implements Selection {
  readonly #slot: number;

  constructor(slot: number) {
    this.#slot = slot;
  }

  has(lists: RoleLists, ordinal: number): boolean {
    return lists.has(this.#slot, ordinal);
  }

  count({ lists }: Segment): number {
    return lists.count(this.#slot);
  }

  ordinals({ lists }: Segment): Uint16Array {
    return lists.ordinals(this.#slot);
  }
}

class HoldersOfSeveral implements Selection {
  readonly #question: SlotQuestion;
  /** Each segment is searched once. No segment changes before the question is answered. */
  readonly #found = new Map<Segment, Uint16Array>();

  constructor(question: SlotQuestion) {
    this.#question = question;
  }

  has(lists: RoleLists, ordinal: number): boolean {
    const { all, any, none } = this.#question;
    const isHeld = (slot: number) => lists.has(slot, ordinal);
    return (
      lists.has(EVERYONE_SLOT, ordinal) &&
      all.every(isHeld) &&
      (any.length === 0 || any.some(isHeld)) &&
      !none.some(isHeld)
    );
  }

  count(segment: Segment): number {
    return countBits(this.#bits(segment));
  }

  ordinals(segment: Segment): Uint16Array {
    return ordinalsOf(this.#bits(segment));
  }

  #bits(segment: Segment): Uint16Array {
    const known = this.#found.get(segment);
    if (known !== undefined) return known;
    const found = this.#find(segment.lists);
    this.#found.set(segment, found);
    return found;
  }

  #find(lists: RoleLists): Uint16Array {
    const { all, any, none } = this.#question;
    const [rarest = EVERYONE_SLOT] = all.toSorted((a, b) => lists.count(a) - lists.count(b));
    if (lists.count(rarest) <= FEW) {
      return lists.bitsOf(lists.ordinals(rarest).filter((ordinal) => this.has(lists, ordinal)));
    }
    const found = lists.bitsOf([]);
    for (const slot of any) unite(found, lists.list(slot));
    if (any.length === 0) unite(found, lists.list(rarest));
    for (const slot of all) intersect(found, lists.list(slot));
    for (const slot of none) subtract(found, lists.list(slot));
    return found;
  }
}
