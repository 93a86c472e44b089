import { randomBytes } from 'node:crypto';

import type { BotFilter } from '../bot-filter.ts';
import type { ChangeOffset } from './reader.ts';

/** Entries of a new log, which grows as more come. */
const ENTRIES_MIN = 16;
const GOT = 1;
const BOT = 2;

/** Ids, ascending. Do not change them. */
export interface Difference {
  readonly added: BigUint64Array;
  readonly removed: BigUint64Array;
}

export const NO_DIFFERENCE: Difference = { added: new BigUint64Array(), removed: new BigUint64Array() };

/** The last computed difference, kept until the log changes. */
interface LastDifference {
  readonly at: number;
  readonly bots: BotFilter;
  readonly difference: Difference;
}

/** The members that got or lost a role, in order. A full log drops its oldest entries. */
export class RoleChangeLog {
  /** The random id of this log. Distinguishes its offsets from those of any other log, in this process or another one. */
  readonly epoch = randomBytes(9).toString('base64url');
  readonly #entriesMax: number;
  /** A ring buffer: the entry for an offset is at index `offset % length`. */
  #ids = new BigUint64Array(ENTRIES_MIN);
  #marks = new Uint8Array(ENTRIES_MIN);
  /** The offset before the oldest entry that is kept. */
  #begin = 0;
  /** The offset after the newest entry. */
  #end = 0;
  #last: LastDifference | null = null;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  /** Entries that are kept. */
  get size(): number {
    return this.#end - this.#begin;
  }

  /** The offset after everything so far. */
  get now(): ChangeOffset {
    return { epoch: this.epoch, at: this.#end };
  }

  add(memberId: bigint, got: boolean, isBot: boolean): void {
    if (this.size === this.#entriesMax) this.#begin += 1;
    else if (this.size === this.#ids.length) this.#grow();
    const at = this.#end % this.#ids.length;
    this.#ids[at] = memberId;
    this.#marks[at] = (got ? GOT : 0) | (isBot ? BOT : 0);
    this.#end += 1;
    this.#last = null;
  }

  /** False when the log no longer has the changes since then, or does not have them yet. */
  has({ epoch, at }: ChangeOffset): boolean {
    return epoch === this.epoch && at >= this.#begin && at <= this.#end;
  }

  /**
   * Returns what changed since an offset, which the log must have: the list then, with `added` and without `removed`,
   * is the list now. Equal questions share one answer, because computing it takes some milliseconds.
   */
  since({ at }: ChangeOffset, bots: BotFilter): Difference {
    if (this.#last?.at !== at || this.#last.bots !== bots) {
      this.#last = { at, bots, difference: this.#compare(at, bots) };
    }
    return this.#last.difference;
  }

  #compare(offset: number, bots: BotFilter): Difference {
    const held = new Map<bigint, { readonly before: boolean; now: boolean }>();
    for (let at = offset; at < this.#end; at += 1) {
      const id = this.#ids[at % this.#ids.length] ?? 0n;
      const mark = this.#marks[at % this.#ids.length] ?? 0;
      const isBot = (mark & BOT) !== 0;
      if (bots !== 'include' && isBot !== (bots === 'only')) continue;
      const got = (mark & GOT) !== 0;
      const known = held.get(id);
      // A member who gets the role did not hold it before. A member who loses it did.
      if (known === undefined) held.set(id, { before: !got, now: got });
      else known.now = got;
    }
    const changed = [...held].filter(([, { before, now }]) => before !== now);
    const ascending = (isIn: boolean) =>
      BigUint64Array.from(changed.filter(([, { now }]) => now === isIn).map(([id]) => id)).sort();
    return { added: ascending(true), removed: ascending(false) };
  }

  /** A ring that was never full begins at index 0, so its entries are copied in order. */
  #grow(): void {
    const length = Math.min(this.#entriesMax, this.#ids.length * 2);
    const [ids, marks] = [this.#ids, this.#marks];
    this.#ids = new BigUint64Array(length);
    this.#marks = new Uint8Array(length);
    this.#ids.set(ids);
    this.#marks.set(marks);
  }
}
