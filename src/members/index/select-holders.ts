import { HoldersOfSeveral } from './holders-of-several.ts';
import type { RoleLists } from './role-lists.ts';
import { EVERYONE_SLOT } from './role-table.ts';
import type { Segment } from './segment.ts';
import type { Selection, SlotQuestion } from './selection.ts';

/** Which members a question about roles is about. */
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

  nth({ lists }: Segment, place: number): number {
    return lists.nth(this.#slot, place);
  }
}
