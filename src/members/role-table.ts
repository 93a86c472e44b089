/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { randomBytes } from 'node:crypto';

import { formatId, SnowflakeHalves } from './snowflake.ts';

/** All members of the guild, as a role: @everyone stands in no member's roles. */
export const EVERYONE_SLOT = 0;
/** Members that a reload under way has confirmed. */
export const SEEN_SLOT = 1;
/** Slots from here on are roles. */
export const FIRST_ROLE_SLOT = 2;
/** The most slots for which the sum of all of them fits 16 bits; with more roles such sums take 32 bits. */
export const SLOTS_OF_SHORT_SUMS = 362;
/** Far beyond Discord's 250 roles; keeps every sum of slots below 2^32. */
const ROLES_MAX = 65_000;

/**
 * The roles of a guild: which slot a role id has, how many hold it, its version and when that arose. About 28
 * bytes a role, where a Map of objects takes over 200.
 */
export class RoleTable {
  readonly #id = new SnowflakeHalves();
  #hi = new Uint32Array(FIRST_ROLE_SLOT + 2);
  #lo = new Uint32Array(FIRST_ROLE_SLOT + 2);
  #counts = new Uint32Array(FIRST_ROLE_SLOT + 2);
  #versions = new Uint32Array(FIRST_ROLE_SLOT + 2);
  #changedAt = new Float64Array(FIRST_ROLE_SLOT + 2);
  /** Open addressing; a slot at its hash or after it, 0 for a free place. */
  #hash = new Uint16Array(8);
  /** Slots handed out so far, free ones included. */
  #slots = FIRST_ROLE_SLOT;
  #freeSlots: number[] = [];
  /** Makes versions of different indexes and processes differ. */
  #epoch = newEpoch();
  #changes = 0;

  /** Slots below it may be in use. */
  get slots(): number {
    return this.#slots;
  }

  get roleCount(): number {
    return this.#slots - FIRST_ROLE_SLOT - this.#freeSlots.length;
  }

  get byteLength(): number {
    return this.#hi.length * 24 + this.#hash.byteLength + this.#freeSlots.length * 8;
  }

  /** The slot of a role; -1 when it is not known or no id. */
  find(roleId: string): number {
    const id = this.#id;
    if (!id.set(roleId)) return -1;
    const mask = this.#hash.length - 1;
    for (let at = hashOf(id.hi, id.lo) & mask; ; at = (at + 1) & mask) {
      const slot = this.#hash[at]!;
      if (slot === 0) return -1;
      if (this.#hi[slot] === id.hi && this.#lo[slot] === id.lo) return slot;
    }
  }

  /**
   * The slot of a role, a new one when it is not known yet.
   * @throws RangeError no id, or more roles than any guild has
   */
  findOrAdd(roleId: string): number {
    const known = this.find(roleId);
    if (known !== -1) return known;
    if (!this.#id.set(roleId)) throw new RangeError('A role id is no snowflake.');
    if (this.roleCount >= ROLES_MAX) throw new RangeError('The guild has too many roles.');
    const slot = this.#freeSlots.pop() ?? this.#slots;
    if (slot === this.#slots) this.#slots += 1;
    if (slot >= this.#hi.length) this.#grow();
    this.#hi[slot] = this.#id.hi;
    this.#lo[slot] = this.#id.lo;
    this.#counts[slot] = 0;
    if (this.#slots * 2 > this.#hash.length) this.#rehash(this.#hash.length * 2);
    else this.#enter(slot);
    return slot;
  }

  /** Forgets a role. Its slot goes to the next new role, so no list may hold it any more. */
  delete(slot: number): void {
    this.#hi[slot] = 0;
    this.#lo[slot] = 0;
    this.#counts[slot] = 0;
    this.#freeSlots.push(slot);
    this.#rehash(this.#hash.length);
  }

  /** Ids of all roles, in no order. */
  ids(): string[] {
    const ids: string[] = [];
    for (let slot = FIRST_ROLE_SLOT; slot < this.#slots; slot += 1) {
      if (this.#inUse(slot)) ids.push(formatId(this.#hi[slot]!, this.#lo[slot]!));
    }
    return ids;
  }

  count(slot: number): number {
    return this.#counts[slot]!;
  }

  /** Opaque; no other list of holders has or had the same. */
  version(slot: number): string {
    return `${this.#epoch}.${this.#versions[slot]!}`;
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
  }

  #inUse(slot: number): boolean {
    return this.#hi[slot] !== 0 || this.#lo[slot] !== 0;
  }

  #enter(slot: number): void {
    const mask = this.#hash.length - 1;
    let at = hashOf(this.#hi[slot]!, this.#lo[slot]!) & mask;
    while (this.#hash[at] !== 0) at = (at + 1) & mask;
    this.#hash[at] = slot;
  }

  #rehash(length: number): void {
    this.#hash = new Uint16Array(length);
    for (let slot = FIRST_ROLE_SLOT; slot < this.#slots; slot += 1) {
      if (this.#inUse(slot)) this.#enter(slot);
    }
  }

  #grow(): void {
    const length = this.#slots + (this.#slots >>> 2) + 4;
    this.#hi = enlarged(this.#hi, new Uint32Array(length));
    this.#lo = enlarged(this.#lo, new Uint32Array(length));
    this.#counts = enlarged(this.#counts, new Uint32Array(length));
    this.#versions = enlarged(this.#versions, new Uint32Array(length));
    this.#changedAt = enlarged(this.#changedAt, new Float64Array(length));
  }
}

function enlarged<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Snowflakes made in one go differ only in the lowest bits, those of a day only in the middle ones. */
function hashOf(hi: number, lo: number): number {
  let mixed = Math.imul(hi ^ (lo >>> 15), 0x9e37_79b1) ^ lo;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

function newEpoch(): string {
  return randomBytes(9).toString('base64url');
}
