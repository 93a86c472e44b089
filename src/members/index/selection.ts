import { countBits, intersect, ordinalsOf, subtract, unite } from './bit-set.ts';
import type { RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import type { Segment } from './segment.ts';

/** Up to this many holders are checked one by one. For more, bit sets are faster. */
const FEW = 100;

/** The matching members of a segment. */
export interface Selection {
  has(roleHolders: RoleLists, ordinal: number): boolean;
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

  has(roleHolders: RoleLists, ordinal: number): boolean {
    return roleHolders.has(this.#slot, ordinal);
  }

  count({ roleHolders }: Segment): number {
    return roleHolders.count(this.#slot);
  }

  ordinals({ roleHolders }: Segment): Uint16Array {
    return roleHolders.ordinals(this.#slot);
  }
}

class HoldersOfSeveral implements Selection {
  readonly #question: SlotQuestion;
  /** Each segment is searched once. No segment changes before the question is answered. */
  readonly #found = new Map<Segment, Uint16Array>();

  constructor(question: SlotQuestion) {
    this.#question = question;
  }

  has(roleHolders: RoleLists, ordinal: number): boolean {
    const { all, any, none } = this.#question;
    const isHeld = (slot: number) => roleHolders.has(slot, ordinal);
    return (
      roleHolders.has(EVERYONE_SLOT, ordinal) &&
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
    const found = this.#find(segment.roleHolders);
    this.#found.set(segment, found);
    return found;
  }

  #find(roleHolders: RoleLists): Uint16Array {
    const { all, any, none } = this.#question;
    const [rarest = EVERYONE_SLOT] = all.toSorted((a, b) => roleHolders.count(a) - roleHolders.count(b));
    if (roleHolders.count(rarest) <= FEW) {
      return roleHolders.bitsOf(
        roleHolders.ordinals(rarest).filter((ordinal) => this.has(roleHolders, ordinal)),
      );
    }
    const found = roleHolders.bitsOf([]);
    for (const slot of any) unite(found, roleHolders.list(slot));
    if (any.length === 0) unite(found, roleHolders.list(rarest));
    for (const slot of all) intersect(found, roleHolders.list(slot));
    for (const slot of none) subtract(found, roleHolders.list(slot));
    return found;
  }
}
