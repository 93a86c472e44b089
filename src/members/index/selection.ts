/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { OrdinalSet } from './ordinal-set.ts';
import type { RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import type { Segment } from './segment.ts';

/** Up to so many holders of its rarest role, a segment is looked through one by one. */
const FEW = 48;

// Shared by all selections: nothing is kept here between two calls.
const chosen = new OrdinalSet();
const others = new OrdinalSet();
const few = new Uint16Array(FEW);

/** Which members of a segment are meant. */
export interface Selection {
  has(lists: RoleLists, ordinal: number): boolean;
  count(segment: Segment): number;
  /** Writes their ordinals, ascending, and returns how many there are. */
  copyTo(segment: Segment, out: Uint16Array): number;
  /** Writes their ids in the order of their ordinals, from the place `start` on. */
  copyIds(segment: Segment, out: BigUint64Array, start: number): void;
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

export function selectionOf({ all, any, none }: SlotQuestion): Selection {
  // One of one is the same as each of one.
  const [each, some] = any.length === 1 ? [[...new Set([...all, ...any])], []] : [all, any];
  // All members hold @everyone: it says nothing beside another role.
  const real = each.filter((slot) => slot !== EVERYONE_SLOT);
  const [only = EVERYONE_SLOT, ...more] = real;
  if (some.length === 0 && none.length === 0 && more.length === 0) return new HoldersOfOne(only);
  return new HoldersOfSeveral({ all: real, any: some.includes(EVERYONE_SLOT) ? [] : some, none });
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

  copyTo({ lists }: Segment, out: Uint16Array): number {
    return lists.copyTo(this.#slot, out);
  }

  copyIds({ lists, wholeIds }: Segment, out: BigUint64Array, start: number): void {
    lists.copyValues(this.#slot, wholeIds, out, start);
  }
}

class HoldersOfSeveral implements Selection {
  readonly #question: SlotQuestion;
  /** What was counted. A segment does not change while a selection is in use, see `Segment.shared`. */
  readonly #counts = new Map<Segment, number>();

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
    let count = this.#counts.get(segment);
    if (count === undefined) {
      count = this.#choose(segment.lists) ? chosen.count() : 0;
      this.#counts.set(segment, count);
    }
    return count;
  }

  copyTo(segment: Segment, out: Uint16Array): number {
    const count = this.count(segment);
    if (count > 0 && this.#choose(segment.lists)) chosen.copyTo(out, count);
    return count;
  }

  copyIds(segment: Segment, out: BigUint64Array, start: number): void {
    const count = this.count(segment);
    if (count > 0 && this.#choose(segment.lists)) chosen.copyValues(segment.wholeIds, out, start, count);
  }

  /** Fills `chosen`, the rarest role first. Returns false when nobody is meant. */
  #choose(lists: RoleLists): boolean {
    const { all, any, none } = this.#question;
    const held = all.map((slot) => lists.list(slot)).sort((a, b) => a.count - b.count);
    const [rarest, ...rest] = held;
    if (rarest?.count === 0) return false;
    chosen.begin(lists.bitSetWords);
    if (rarest !== undefined && rarest.count <= FEW && !rarest.isBitSet) {
      let found = 0;
      for (let at = rarest.first; at < rarest.first + rarest.count; at += 1) {
        few[found] = rarest.pool[at]!;
        if (this.has(lists, few[found]!)) found += 1;
      }
      chosen.unite({ pool: few, first: 0, words: 0, count: found, isBitSet: false });
      return found > 0;
    }
    if (rarest !== undefined) chosen.unite(rarest);
    else if (any.length === 0) chosen.unite(lists.list(EVERYONE_SLOT));
    for (const list of rest) chosen.intersect(list);
    if (any.length > 0) {
      const united = rarest === undefined ? chosen : others;
      united.begin(lists.bitSetWords);
      for (const slot of any) united.unite(lists.list(slot));
      if (united === others) chosen.intersectSet(others);
    }
    for (const slot of none) chosen.subtract(lists.list(slot));
    return true;
  }
}
