/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { randomBytes } from 'node:crypto';

import { compareDigits, isId } from './snowflake.ts';

/** All members of the guild, as a role: no member's roles name @everyone. */
export const EVERYONE_SLOT = 0;
/** Members that a reload under way has confirmed. */
export const SEEN_SLOT = 1;
/** Slots from here on are roles. */
export const FIRST_ROLE_SLOT = 2;
/** The most slots for which the sum of all of them fits 16 bits; with more roles such sums take 32 bits. */
export const SLOTS_OF_SHORT_SUMS = 362;
/** Far beyond Discord's 250 roles; keeps every sum of slots below 2^32. */
const ROLES_MAX = 65_000;
/** The header of a string, its digits and the reference to it. */
const ROLE_ID_BYTES = 48;

/**
 * The roles of a guild: which slot a role id has, how many hold it, its version and when that arose. About 70
 * bytes a role, where a Map of objects takes over 200.
 *
 * Every role of every member is looked up here. Ids are kept as the strings that they come as: to compare two of them
 * takes a third of the time that reading the digits of one does.
 */
export class RoleTable {
  /** By slot; '' for a slot without a role. */
  readonly #ids: string[] = Array.from({ length: FIRST_ROLE_SLOT }, () => '');
  #counts = new Uint32Array(FIRST_ROLE_SLOT + 2);
  #versions = new Uint32Array(FIRST_ROLE_SLOT + 2);
  #changedAt = new Float64Array(FIRST_ROLE_SLOT + 2);
  /** Open addressing; a slot at its hash or after it, 0 for a free place. */
  #hash = new Uint16Array(8);
  /** Slots handed out so far, free ones included. */
  #slots = FIRST_ROLE_SLOT;
  #freeSlots: number[] = [];
  /** Slots in the order of their ids; null after a role has come or gone. */
  #ascending: readonly number[] | null = null;
  /** Makes versions of different indexes and processes differ. */
  #epoch = newEpoch();
  #changes = 0;
  /** Milliseconds since 1970. */
  #lastChangedAt = 0;

  /** Slots below it may be in use. */
  get slots(): number {
    return this.#slots;
  }

  get roleCount(): number {
    return this.#slots - FIRST_ROLE_SLOT - this.#freeSlots.length;
  }

  get byteLength(): number {
    const { length } = this.#counts;
    return (
      length * 16 + this.#ids.length * ROLE_ID_BYTES + this.#hash.byteLength + this.#freeSlots.length * 8
    );
  }

  /** The slot of a role; -1 when it is not known or no id. */
  find(roleId: string): number {
    const ids = this.#ids;
    const hash = this.#hash;
    const mask = hash.length - 1;
    for (let at = hashOf(roleId) & mask; ; at = (at + 1) & mask) {
      const slot = hash[at]!;
      if (slot === 0) return -1;
      if (ids[slot] === roleId) return slot;
    }
  }

  /**
   * The slot of a role, a new one when it is not known yet.
   * @throws RangeError no id, or more roles than any guild has
   */
  findOrAdd(roleId: string): number {
    const known = this.find(roleId);
    if (known !== -1) return known;
    if (!isId(roleId)) throw new RangeError('A role id is no snowflake.');
    if (this.roleCount >= ROLES_MAX) throw new RangeError('The guild has too many roles.');
    const slot = this.#freeSlots.pop() ?? this.#slots;
    if (slot === this.#slots) this.#slots += 1;
    if (slot >= this.#counts.length) this.#grow();
    this.#ids[slot] = roleId;
    this.#ascending = null;
    this.#counts[slot] = 0;
    if (this.#slots * 2 > this.#hash.length) this.#rehash(this.#hash.length * 2);
    else this.#enter(slot);
    return slot;
  }

  /** Forgets a role. Its slot goes to the next new role, so no list may hold it any more. */
  delete(slot: number, now: number): void {
    this.change(slot, 0, now);
    this.#ids[slot] = '';
    this.#ascending = null;
    this.#counts[slot] = 0;
    this.#freeSlots.push(slot);
    this.#rehash(this.#hash.length);
  }

  /** Ids of all roles, in no order. */
  ids(): string[] {
    return this.#ids.filter((id) => id !== '');
  }

  /** How many hold each role, ascending by id. */
  allCounts(): { readonly roleId: string; readonly count: number }[] {
    const ids = this.#ids;
    this.#ascending ??= Array.from(ids.keys())
      .filter((slot) => ids[slot] !== '')
      .sort((a, b) => compareDigits(ids[a]!, ids[b]!));
    return this.#ascending.map((slot) => ({ roleId: ids[slot]!, count: this.#counts[slot]! }));
  }

  count(slot: number): number {
    return this.#counts[slot]!;
  }

  /** Opaque; no other lists of holders have or had the same. '' without any slots. */
  version(slots: readonly number[]): string {
    return slots.length === 0 ? '' : `${this.#epoch}.${slots.map((slot) => this.#versions[slot]!).join('.')}`;
  }

  /** Like `version`, of all roles together. */
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

  /** Notes that the holders of a role are others from now on. */
  change(slot: number, difference: number, now: number): void {
    this.#changes += 1;
    if (this.#changes === 2 ** 32) {
      this.#changes = 1;
      this.#epoch = newEpoch();
    }
    this.#counts[slot]! += difference;
    this.#versions[slot] = this.#changes;
    this.#changedAt[slot] = now;
    this.#lastChangedAt = now;
  }

  #enter(slot: number): void {
    const mask = this.#hash.length - 1;
    let at = hashOf(this.#ids[slot]!) & mask;
    while (this.#hash[at] !== 0) at = (at + 1) & mask;
    this.#hash[at] = slot;
  }

  #rehash(length: number): void {
    this.#hash = new Uint16Array(length);
    for (let slot = FIRST_ROLE_SLOT; slot < this.#slots; slot += 1) {
      if (this.#ids[slot] !== '') this.#enter(slot);
    }
  }

  #grow(): void {
    const length = this.#slots + (this.#slots >>> 2) + 4;
    this.#counts = enlarged(this.#counts, new Uint32Array(length));
    this.#versions = enlarged(this.#versions, new Uint32Array(length));
    this.#changedAt = enlarged(this.#changedAt, new Float64Array(length));
  }
}

function enlarged<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/**
 * From five digits that tell the roles of a guild apart: the first ones are those of its age, the last three are often
 * the same because ids are made of whole milliseconds.
 */
function hashOf(id: string): number {
  const end = id.length - 3;
  if (end < 5) return end;
  const first = id.charCodeAt(end - 5) * 1_000 + id.charCodeAt(end - 4) * 100;
  const last = id.charCodeAt(end - 3) * 100 + id.charCodeAt(end - 2) * 10 + id.charCodeAt(end - 1);
  return Math.imul(first * 10 + last, 0x9e37_79b1) >>> 16;
}

function newEpoch(): string {
  return randomBytes(9).toString('base64url');
}
