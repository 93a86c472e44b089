import { OrdinalPick } from './ordinal-pick.ts';
import { OrdinalSet } from './ordinal-set.ts';
import type { OrdinalList, RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import type { Segment } from './segment.ts';
import type { Selection, SlotQuestion } from './selection.ts';

// Shared by all questions: what is in them counts until the next choice.
const few = new OrdinalPick();
const many = new OrdinalSet();
const some = new OrdinalSet();
let choices = 0;

/** The members of a segment who fit a question of several roles. */
export class HoldersOfSeveral implements Selection {
  readonly #question: SlotQuestion;
  /** Nobody changes a segment that a question is about, see `Segment.shared`; so each is counted once. */
  readonly #counts = new Map<Segment, number>();
  /** What was chosen last, and where. */
  #chosen: OrdinalPick | OrdinalSet = many;
  #segment: Segment | null = null;
  #choice = 0;

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
      count = this.#choose(segment).count();
      this.#counts.set(segment, count);
    }
    return count;
  }

  copyTo(segment: Segment, out: Uint16Array): number {
    const count = this.count(segment);
    if (count > 0) this.#choose(segment).copyTo(out, count);
    return count;
  }

  copyIds(segment: Segment, out: BigUint64Array, start: number): void {
    const count = this.count(segment);
    if (count > 0) this.#choose(segment).copyValues(segment.wholeIds, out, start, count);
  }

  nth(segment: Segment, place: number): number {
    return this.#choose(segment).nth(place);
  }

  #choose(segment: Segment): OrdinalPick | OrdinalSet {
    if (this.#segment === segment && this.#choice === choices) return this.#chosen;
    choices += 1;
    this.#choice = choices;
    this.#segment = segment;
    const { lists } = segment;
    const held = this.#question.all.map((slot) => lists.list(slot)).sort((a, b) => a.count - b.count);
    const [rarest] = held;
    this.#chosen =
      rarest === undefined || rarest.isBitSet ? this.#sift(lists, held) : this.#pick(lists, held);
    return this.#chosen;
  }

  /** Starts from the holders of a rare role, and looks at each of them. */
  #pick(lists: RoleLists, [rarest, ...rest]: readonly OrdinalList[]): OrdinalPick {
    const { any, none } = this.#question;
    if (rarest !== undefined) few.begin(rarest);
    for (const list of rest) {
      few.mark([list]);
      few.keep(1);
    }
    if (any.length > 0 && few.count() > 0) {
      few.mark(any.map((slot) => lists.list(slot)));
      few.keep(1);
    }
    if (none.length > 0 && few.count() > 0) {
      few.mark(none.map((slot) => lists.list(slot)));
      few.keep(0);
    }
    return few;
  }

  /** Starts from the holders of a common role, or from all members. */
  #sift(lists: RoleLists, [rarest, ...rest]: readonly OrdinalList[]): OrdinalSet {
    const { any, none } = this.#question;
    const pairs = lists.pairs();
    many.begin(lists.bitSetWords);
    if (rarest !== undefined) many.unite(rarest, pairs);
    else if (any.length === 0) many.unite(lists.list(EVERYONE_SLOT), pairs);
    for (const list of rest) many.intersect(list, pairs);
    if (any.length > 0) {
      const united = rarest === undefined ? many : some;
      united.begin(lists.bitSetWords);
      for (const slot of any) united.unite(lists.list(slot), pairs);
      if (united === some) many.intersectSet(some);
    }
    for (const slot of none) many.subtract(lists.list(slot), pairs);
    return many;
  }
}
