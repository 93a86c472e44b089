/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { countBits, ordinalsOf } from './bit-words.ts';
import type { RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import type { Segment } from './segment.ts';

/** Which members of a segment are meant. */
export interface Selection {
  has(lists: RoleLists, ordinal: number): boolean;
  count(segment: Segment): number;
  /** Ascending. */
  ordinals(segment: Segment): Uint16Array;
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

/** Which members a question about roles is about. */
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
  /** Nobody changes a segment that a question is about, see `Segment.shared`; so each is looked through once. */
  readonly #found = new Map<Segment, { readonly words: Uint16Array; readonly count: number }>();

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
    return this.#find(segment).count;
  }

  ordinals(segment: Segment): Uint16Array {
    const { words, count } = this.#find(segment);
    return ordinalsOf(words, count);
  }

  #find(segment: Segment): { readonly words: Uint16Array; readonly count: number } {
    const known = this.#found.get(segment);
    if (known !== undefined) return known;
    const words = this.#wordsOf(segment.lists);
    const found = { words, count: countBits(words) };
    this.#found.set(segment, found);
    return found;
  }

  #wordsOf(lists: RoleLists): Uint16Array {
    const { all, any, none } = this.#question;
    const found = lists.bits(EVERYONE_SLOT);
    if (any.length > 0) {
      const united = new Uint16Array(found.length);
      for (const slot of any) combine(united, lists.bits(slot), (one, other) => one | other);
      combine(found, united, (one, other) => one & other);
    }
    for (const slot of all) combine(found, lists.bits(slot), (one, other) => one & other);
    for (const slot of none) combine(found, lists.bits(slot), (one, other) => one & ~other);
    return found;
  }
}

function combine(
  words: Uint16Array,
  others: Uint16Array,
  how: (word: number, other: number) => number,
): void {
  for (let at = 0; at < words.length; at += 1) words[at] = how(words[at]!, others[at]!);
}
