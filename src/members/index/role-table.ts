import { randomBytes } from 'node:crypto';

import { compareSnowflakes, parseSnowflake } from '../../kernel/snowflake.ts';

/**
 * A slot is the number of a role in this guild. This one is the pseudo role of all its members, because Discord does not
 * list @everyone among a member's roles.
 */
export const EVERYONE_SLOT = 0;
/** A pseudo role of the members that a sync under way has confirmed. */
export const CONFIRMED_SLOT = 1;
/** The pseudo role of all bots, which counts in a member's sum of slots like any other. */
export const BOT_SLOT = 2;
/** Slots from here on are roles of the guild. */
const FIRST_ROLE_SLOT = 3;
/** Far beyond Discord's 250 roles; keeps every sum of slots below 2^32. */
const ROLES_MAX = 65_000;
/** About what a role takes: its id, its entry in the map and a number in each column. */
const ROLE_BYTES = 120;

/** The roles of a guild: the slot, number of holders and version of each, and when the version began. */
export class RoleTable {
  readonly #slotOf = new Map<string, number>();
  /** By slot, like the columns after it; '' for a slot without a role. */
  readonly #ids: string[] = [];
  readonly #counts: number[] = [];
  readonly #versions: number[] = [];
  /** Milliseconds since 1970. */
  readonly #changedAt: number[] = [];
  readonly #freeSlots: number[] = [];
  /** Makes the versions of different indexes and processes differ. */
  readonly #epoch = randomBytes(9).toString('base64url');
  #changes = 0;
  /** Milliseconds since 1970. */
  #lastChangedAt = 0;

  constructor() {
    for (let slot = 0; slot < FIRST_ROLE_SLOT; slot += 1) this.#setSlot(slot, '');
  }

  /** Slots below it may be in use. */
  get slots(): number {
    return this.#ids.length;
  }

  get byteLength(): number {
    return this.#ids.length * ROLE_BYTES;
  }

  /** Returns -1 when the role is unknown or the text is not an id. */
  find(roleId: string): number {
    return this.#slotOf.get(roleId) ?? -1;
  }

  /**
   * Returns the slot of a role, and adds the role if it is unknown.
   * @throws RangeError not an id, or more roles than any guild has
   */
  findOrAdd(roleId: string): number {
    const known = this.#slotOf.get(roleId);
    if (known !== undefined) return known;
    if (parseSnowflake(roleId) === null) throw new RangeError('A role id is no snowflake.');
    if (this.#slotOf.size >= ROLES_MAX) throw new RangeError('The guild has too many roles.');
    const slot = this.#freeSlots.pop() ?? this.#ids.length;
    this.#setSlot(slot, roleId);
    this.#slotOf.set(roleId, slot);
    return slot;
  }

  /** Forgets a role. Its slot goes to the next new role, so it must be empty in all lists. */
  delete(slot: number, now: number): void {
    this.change(slot, 0, now);
    this.#slotOf.delete(this.#ids[slot]!);
    this.#setSlot(slot, '');
    this.#freeSlots.push(slot);
  }

  /** In no order. */
  ids(): string[] {
    return [...this.#slotOf.keys()];
  }

  /** Ascending by id. */
  allCounts(): { readonly roleId: string; readonly count: number }[] {
    return Array.from(this.#slotOf, ([roleId, slot]) => ({ roleId, count: this.#counts[slot]! })).sort(
      (a, b) => compareSnowflakes(a.roleId, b.roleId),
    );
  }

  count(slot: number): number {
    return this.#counts[slot]!;
  }

  /** An opaque version that these lists of holders share with no others, past or present. Empty without slots. */
  version(slots: readonly number[]): string {
    return slots.length === 0 ? '' : `${this.#epoch}.${slots.map((slot) => this.#versions[slot]!).join('.')}`;
  }

  /** Like `version`, for all roles together. */
  get wholeVersion(): string {
    return `${this.#epoch}.all.${this.#changes}`;
  }

  /** Milliseconds since 1970 of the last change of any role. */
  get lastChangedAt(): number {
    return this.#lastChangedAt;
  }

  /** Milliseconds since 1970. */
  changedAt(slot: number): number {
    return this.#changedAt[slot]!;
  }

  /**
   * Call it whenever the holders of a role change.
   * @param difference in their number
   */
  change(slot: number, difference: number, now: number): void {
    this.#changes += 1;
    this.#counts[slot]! += difference;
    this.#versions[slot] = this.#changes;
    this.#changedAt[slot] = now;
    this.#lastChangedAt = now;
  }

  #setSlot(slot: number, roleId: string): void {
    this.#ids[slot] = roleId;
    this.#counts[slot] = 0;
    this.#versions[slot] = 0;
    this.#changedAt[slot] = 0;
  }
}
