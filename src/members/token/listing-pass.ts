import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../../kernel/problem.ts';
import { answerQuestion, unknownRole } from '../answer-question.ts';
import type { RoleListing } from '../member-directory.ts';
import { onlyRoleOf, rolesOf, type MembersQuestion } from '../role-question.ts';
import { MemberIndex } from '../index/member-index.ts';
import type { ListedMember, RoleCounts } from '../discord-answers.ts';
import { PAGE_LENGTH, type DiscordCalls } from './discord-calls.ts';
import { MemberPages, type MemberPagesOptions } from './member-pages.ts';
import type { Lookup } from './token-standing.ts';

/**
 * Role counts are read only in guilds with at least this many members. In smaller ones they cost as many calls as they
 * save.
 */
const COUNTED_FROM = 4 * PAGE_LENGTH;

/** A pass that nobody has asked for in this time is given up. */
const ABANDONED_AFTER_MS = 600_000;

/** Discord calls its number of members approximate. A difference below this share is ignored. */
const COUNT_TOLERANCE = 0.01;

export interface ListingPassOptions extends MemberPagesOptions {
  readonly calls: DiscordCalls;
  readonly guildId: string;
  readonly now: () => number;
  /** Called when `total` is known, before the first page is read. If it throws, the pass ends. */
  readonly onTotal: () => void;
  /** Called once, before the callers waiting for the last page get their answer. */
  readonly onEnd: () => void;
}

/** Callers who ask about the same roles. */
interface Waiting extends PromiseWithResolvers<void> {
  readonly roleIds: readonly string[];
  /** This role alone is enough; null when all members have to be read. */
  readonly onlyRoleId: string | null;
}

/**
 * Reads all members of a guild once, for everybody who asks about its roles in the meantime.
 *
 * After the last page, every question can be answered. A role that is asked for by itself is settled earlier, as soon as
 * it is proven that all its holders have been found. The pass ends when nobody waits for more.
 *
 * The result of a pass outlives the token, so the lookup is an argument of `run` and not a field.
 */
export class ListingPass {
  readonly index: MemberIndex;
  readonly startedAt: number;
  readonly #options: ListingPassOptions;
  #isPromised = false;
  readonly #pages: MemberPages;
  /** By the roles of the question. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #settled = new Set<string>();
  #roleIds: ReadonlySet<string> | null = null;
  #total: number | null = null;
  /** Roles whose holders changed while they were being proven. They are not settled before the last page. */
  readonly #tried = new Set<string>();
  /** Discord's count of each role's holders when the pass began; null when it was not read. */
  #counts: RoleCounts | null = null;
  #complete = false;
  #failure: Problem | null = null;
  #ended = false;
  #lastAskedAt: number;

  constructor(options: ListingPassOptions) {
    this.#options = options;
    this.#pages = new MemberPages(options);
    this.index = new MemberIndex({ guildId: options.guildId, now: options.now });
    this.startedAt = options.now();
    this.#lastAskedAt = this.startedAt;
  }

  /** A caller got 202 and will come back for the result. */
  get isPromised(): boolean {
    return this.#isPromised;
  }

  promise(): void {
    this.#isPromised = true;
  }

  /** The guild's approximate number of members, from Discord at the start; null when unknown. */
  get total(): number | null {
    return this.#total;
  }

  /** The reason why it ended early; null unless it did. */
  get failure(): Problem | null {
    return this.#failure;
  }

  /** True when it has ended and can answer for some role. */
  get hasResult(): boolean {
    return this.#ended && (this.#complete || this.#settled.size > 0);
  }

  /** True when all members were read. */
  get isWhole(): boolean {
    return this.#complete;
  }

  /** True when the pass can still answer. False for a role that is newer than the pass. */
  covers(question: MembersQuestion): boolean {
    const onlyRoleId = onlyRoleOf(question);
    if (this.#ended && !this.#complete) return onlyRoleId !== null && this.#settled.has(onlyRoleId);
    return this.#unknownOf(rolesOf(question)) === undefined;
  }

  /** Resolves when everything that the answer needs is known. */
  async wait(question: MembersQuestion): Promise<void> {
    this.#lastAskedAt = this.#options.now();
    if (this.#failure !== null) throw this.#failure;
    const roleIds = rolesOf(question);
    const onlyRoleId = onlyRoleOf(question);
    if (!this.covers(question)) throw unknownRole(this.#unknownOf(roleIds) ?? '', roleIds.length > 1);
    if (this.#complete || (onlyRoleId !== null && this.#settled.has(onlyRoleId))) return;
    const key = onlyRoleId ?? roleIds.join(' ');
    let waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      waiting = { roleIds, onlyRoleId, ...Promise.withResolvers<void>() };
      // All callers who waited may have gone by then.
      waiting.promise.catch(() => undefined);
      this.#waiting.set(key, waiting);
    }
    await waiting.promise;
  }

  /** Answers from what is settled. */
  listing(question: MembersQuestion): RoleListing {
    return answerQuestion(this.index, question);
  }

  /** Call it once. Never rejects: waiting callers get the error. */
  async run(lookup: Lookup): Promise<void> {
    const { calls, onEnd, onTotal, signal } = this.#options;
    try {
      const guild = await calls.readGuild(lookup);
      this.#roleIds = guild.roleIds;
      this.#total = guild.memberCount;
      for (const roleId of guild.roleIds) this.index.addRole(roleId);
      this.#refuseUnknownRoles();
      if (this.#waiting.size > 0) onTotal();
      const underWay = { ...lookup, waitsWhenRefused: true };
      // Another caller may have joined during the last await.
      while (this.#isWanted()) await this.#readPages(underWay);
    } catch (error) {
      this.#failure = signal.aborted ? new Problem('shutting_down') : problemOf(error);
    }
    this.#ended = true;
    onEnd();
    this.#refuseUnknownRoles();
    for (const waiting of this.#waiting.values()) {
      if (this.#failure === null) waiting.resolve();
      else waiting.reject(this.#failure);
    }
    this.#waiting.clear();
  }

  #isWanted(): boolean {
    return this.#waiting.size > 0 && !this.#complete;
  }

  /** Reads on until all roles that somebody waits for are settled. */
  async #readPages(lookup: Lookup): Promise<void> {
    if (this.#counts === null && (this.#total === null || this.#total > COUNTED_FROM)) {
      this.#counts = await this.#options.calls.readRoleCounts(lookup);
      for (const { onlyRoleId } of this.#waiting.values()) {
        if (onlyRoleId !== null && this.#counts.get(onlyRoleId) === 0) this.#settle(onlyRoleId);
      }
    }
    while (this.#isWanted()) {
      this.#checkAbandoned();
      const page = await this.#readPage(lookup);
      if (
        page.length < PAGE_LENGTH &&
        (this.#missing === 0 || (page.length === 0 && (await this.#isEnd(lookup))))
      ) {
        this.#complete = true;
        return;
      }
      await this.#settleFound(lookup);
    }
  }

  async #readPage(lookup: Lookup): Promise<readonly ListedMember[]> {
    const page = await this.#pages.next(lookup);
    for (const { userId, roleIds, isBot } of page) this.index.upsert(userId, roleIds, isBot);
    return page;
  }

  /** Members that Discord counts but that have not been found. */
  get #missing(): number {
    const counted = this.#total ?? Math.max(0, ...(this.#counts?.values() ?? []));
    return Math.max(0, counted - this.index.memberCount);
  }

  /**
   * True when an empty page is the end, although members seem to be missing: it is still empty when it is read again,
   * and we found nearly all members that Discord counts now. False when it is no longer empty.
   */
  async #isEnd(lookup: Lookup): Promise<boolean> {
    const { calls, retryDelaysMs, signal } = this.#options;
    for (const delayMs of [0, ...retryDelaysMs]) {
      await delay(delayMs, undefined, { signal });
      const page = await this.#readPage(lookup);
      if (page.length > 0) return page.length < PAGE_LENGTH && this.#missing === 0;
      this.#total = (await calls.readGuild(lookup)).memberCount ?? this.#total;
      if (this.#missing <= this.index.memberCount * COUNT_TOLERANCE) return true;
    }
    throw new Problem('discord_unavailable', {
      cause: new Error(`The listing ended, and ${this.#missing} members are missing`),
    });
  }

  /** Settles roles whose holders all seem to be found, if the proof takes far fewer calls than the pages left. */
  async #settleFound(lookup: Lookup): Promise<void> {
    for (const { onlyRoleId: roleId } of this.#waiting.values()) {
      if (roleId === null) continue;
      const count = this.#counts?.get(roleId);
      if (count === undefined || count !== this.index.count(roleId) || this.#tried.has(roleId)) continue;
      const pagesLeft = ((this.#total ?? 0) - this.index.memberCount) / PAGE_LENGTH;
      if (pagesLeft < 2 * callsToProve(count)) continue;
      this.#tried.add(roleId);
      if (await proveHolders(roleId, this.index, this.#options.calls, lookup)) this.#settle(roleId);
    }
  }

  #settle(roleId: string): void {
    this.#waiting.get(roleId)?.resolve();
    this.#waiting.delete(roleId);
    this.#settled.add(roleId);
  }

  #refuseUnknownRoles(): void {
    for (const [key, { roleIds, reject }] of this.#waiting) {
      const unknown = this.#unknownOf(roleIds);
      if (unknown === undefined) continue;
      this.#waiting.delete(key);
      reject(unknownRole(unknown, roleIds.length > 1));
    }
  }

  /** The first role that the guild does not have, as far as its roles are known. */
  #unknownOf(roleIds: readonly string[]): string | undefined {
    const known = this.#roleIds;
    if (known === null) return undefined;
    return roleIds.find((roleId) => roleId !== this.#options.guildId && !known.has(roleId));
  }

  #checkAbandoned(): void {
    if (this.#options.now() - this.#lastAskedAt <= ABANDONED_AFTER_MS) return;
    throw new Problem('busy/abandoned');
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // The index refuses invalid ids.
  if (error instanceof RangeError) {
    return new Problem('discord_unavailable', {
      cause: new Error('A page of members holds an invalid id'),
    });
  }
  return new Problem('internal', { cause: error });
}

/** @param count holders of the role */
function callsToProve(count: number): number {
  return count + 2;
}

/**
 * True when all holders of a role are among the members read so far, though not all members are.
 *
 * Discord's count alone proves nothing: a member who lost the role after their page was read can make up for a holder
 * on a later page. So every holder found is read again, between two counts. If all of them still hold the role and both
 * counts match, there are no others.
 * @throws Problem of the calls
 */
async function proveHolders(
  roleId: string,
  index: MemberIndex,
  calls: DiscordCalls,
  lookup: Lookup,
): Promise<boolean> {
  const ids = index.page(roleId, null, null).ids.toBigUint64Array();
  const isCounted = async () => (await calls.readRoleCounts(lookup)).get(roleId) === ids.length;
  if (!(await isCounted())) return false;
  for (const id of ids) {
    const [member] = await calls.readMembers(lookup, String(id - 1n), 1);
    if (member?.userId !== String(id) || !member.roleIds.includes(roleId)) return false;
  }
  return ids.length === 0 || isCounted();
}
