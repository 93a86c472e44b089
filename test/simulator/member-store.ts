import type { APIGuildMember, APIUser } from 'discord-api-types/v10';
import { bitField } from './bit-field.ts';

/** The stored part of a member. Everything else in its payload follows from it. */
export interface MemberRecord {
  readonly id: string;
  readonly username: string;
  readonly roles: readonly string[];
  readonly nick: string | null;
  readonly bot: boolean;
  readonly timedOutUntil?: string | null;
}

/** Members that are computed from their number and not stored, so that 250,000 of them cost nothing. */
export interface GeneratedMembers {
  readonly count: number;
  /** Id of the first member; 200000000000000000 when left out. */
  readonly firstId?: bigint;
  /** Distance from one id to the next; 1000003 when left out. */
  readonly idStep?: bigint;
  /** The roles of the member with this number. Called often: keep it pure and cheap. */
  readonly rolesOf?: (index: number) => readonly string[];
  /** Whether the member with this number is a bot; nobody is when left out. */
  readonly isBot?: (index: number) => boolean;
}

const SNOWFLAKE = /^\d{1,20}$/;
const JOINED_AT = '2024-01-01T00:00:00.000000+00:00';

/** The members of one guild, by id in ascending order: a generated range with changes laid over it. */
export class MemberStore {
  readonly #count: number;
  readonly #firstId: bigint;
  readonly #idStep: bigint;
  readonly #rolesOf: (index: number) => readonly string[];
  readonly #isBot: (index: number) => boolean;
  /** By id; null has left. */
  readonly #changed = new Map<string, MemberRecord | null>();
  /** Ids outside of the range, ascending. */
  readonly #extraIds: bigint[] = [];
  /** Generated members do not have them any more. */
  readonly #deletedRoles = new Set<string>();
  #roleCounts: Map<string, number> | null = null;
  #size: number;

  constructor(generated: GeneratedMembers) {
    this.#count = generated.count;
    this.#firstId = generated.firstId ?? 200_000_000_000_000_000n;
    this.#idStep = generated.idStep ?? 1_000_003n;
    this.#rolesOf = generated.rolesOf ?? (() => []);
    this.#isBot = generated.isBot ?? (() => false);
    this.#size = generated.count;
  }

  get size(): number {
    return this.#size;
  }

  get(id: string): MemberRecord | null {
    const changed = this.#changed.get(id);
    if (changed !== undefined) return changed;
    if (!SNOWFLAKE.test(id)) return null;
    const index = this.#indexOf(BigInt(id));
    return index === null ? null : this.#generate(index);
  }

  /** Adds a member or replaces it. */
  set(record: MemberRecord): void {
    const before = this.get(record.id);
    if (before === null) this.#size += 1;
    if (this.#indexOf(BigInt(record.id)) === null && !this.#changed.has(record.id)) {
      const id = BigInt(record.id);
      this.#extraIds.splice(lowerBound(this.#extraIds, id), 0, id);
    }
    this.#changed.set(record.id, record);
    this.#countIn(before, -1);
    this.#countIn(record, 1);
  }

  /** Returns false when there was no such member. */
  delete(id: string): boolean {
    const before = this.get(id);
    if (before === null) return false;
    this.#size -= 1;
    this.#changed.set(id, null);
    this.#countIn(before, -1);
    return true;
  }

  /** Takes a deleted role from every member without a dispatch for each, as Discord does. */
  dropRole(roleId: string): void {
    this.#deletedRoles.add(roleId);
    for (const [id, member] of this.#changed) {
      if (!member?.roles.includes(roleId)) continue;
      this.#changed.set(id, { ...member, roles: member.roles.filter((role) => role !== roleId) });
    }
    this.#roleCounts?.delete(roleId);
  }

  /** Up to `limit` members with an id above `after`, ascending. */
  page(after: string, limit: number): MemberRecord[] {
    const page: MemberRecord[] = [];
    for (const member of this.iterate(after)) {
      if (page.length === limit) break;
      page.push(member);
    }
    return page;
  }

  /** All members with an id above `after`, ascending. */
  *iterate(after = '0'): Generator<MemberRecord> {
    const from = BigInt(after) + 1n;
    let extra = lowerBound(this.#extraIds, from);
    let index = from <= this.#firstId ? 0 : Number((from - this.#firstId + this.#idStep - 1n) / this.#idStep);
    for (; index < this.#count || extra < this.#extraIds.length;) {
      const extraId = this.#extraIds[extra];
      const isExtraNext = extraId !== undefined && (index >= this.#count || extraId < this.#idAt(index));
      const member = isExtraNext ? this.get(String(extraId)) : this.#atIndex(index);
      if (isExtraNext) extra += 1;
      else index += 1;
      if (member) yield member;
    }
  }

  /** The ids of a role's holders, ascending: a right answer about the role says exactly these. */
  holdersOf(roleId: string): string[] {
    const ids: string[] = [];
    for (const { id, roles } of this.iterate()) if (roles.includes(roleId)) ids.push(id);
    return ids;
  }

  /** Holders by role; a role without any is missing. */
  countByRole(): ReadonlyMap<string, number> {
    if (this.#roleCounts === null) {
      this.#roleCounts = new Map();
      for (const member of this.iterate()) this.#countIn(member, 1);
    }
    return this.#roleCounts;
  }

  /** Like `get`, but for iteration: it parses and looks up nothing that it does not need. */
  #atIndex(index: number): MemberRecord | null {
    if (this.#changed.size === 0) return this.#generate(index);
    const changed = this.#changed.get(String(this.#idAt(index)));
    return changed === undefined ? this.#generate(index) : changed;
  }

  #countIn(member: MemberRecord | null, difference: 1 | -1): void {
    if (this.#roleCounts === null || member === null) return;
    for (const role of new Set(member.roles)) {
      this.#roleCounts.set(role, (this.#roleCounts.get(role) ?? 0) + difference);
    }
  }

  #idAt(index: number): bigint {
    return this.#firstId + BigInt(index) * this.#idStep;
  }

  #indexOf(id: bigint): number | null {
    const distance = id - this.#firstId;
    if (distance < 0n || distance % this.#idStep !== 0n) return null;
    const index = Number(distance / this.#idStep);
    return index < this.#count ? index : null;
  }

  #generate(index: number): MemberRecord {
    const roles = this.#rolesOf(index);
    return {
      id: String(this.#idAt(index)),
      username: `member${index}`,
      roles: this.#deletedRoles.size === 0 ? roles : roles.filter((role) => !this.#deletedRoles.has(role)),
      nick: null,
      bot: this.#isBot(index),
    };
  }
}

function lowerBound(sorted: readonly bigint[], id: bigint): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle];
    if (value !== undefined && value < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function toUser(member: Pick<MemberRecord, 'id' | 'username' | 'bot'>): APIUser {
  return {
    id: member.id,
    username: member.username,
    discriminator: '0',
    global_name: null,
    avatar: null,
    ...(member.bot ? { bot: true } : {}),
  };
}

export function toMember(member: MemberRecord, extraRoles: readonly string[] = []): APIGuildMember {
  return {
    user: toUser(member),
    nick: member.nick,
    avatar: null,
    banner: null,
    roles: [...extraRoles, ...member.roles],
    joined_at: JOINED_AT,
    premium_since: null,
    deaf: false,
    mute: false,
    flags: bitField(),
    pending: false,
    communication_disabled_until: member.timedOutUntil ?? null,
  };
}
