import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../../problem.ts';
import { listRole } from '../list-role.ts';
import type { RoleListing, RoleQuery } from '../member-directory.ts';
import { MemberIndex } from '../index/member-index.ts';
import { PageCache } from '../index/page-cache.ts';
import type { RoleCounts } from './guild-answers.ts';
import { PAGE_LENGTH } from './guild-reader.ts';
import { MemberPages, type MemberPagesOptions } from './member-pages.ts';
import { callsToProve, proveHolders } from './prove-holders.ts';

/** Members from which on role counts are asked for: in smaller guilds they cost as many calls as they save. */
const COUNTED_FROM = 4 * PAGE_LENGTH;

/** Discord calls its number of members approximate: a difference of this part of them is none. */
const COUNT_TOLERANCE = 0.01;

export interface ListingPassOptions extends MemberPagesOptions {
  readonly guildId: string;
  /** The pass ends when nobody has asked for so many milliseconds. */
  readonly abandonedAfterMs: number;
  readonly now: () => number;
  /** Called when `total` is known, before the first page is read. What it throws ends the pass. */
  readonly onTotal: () => void;
  /** Called once, before those who wait for the last page are told. */
  readonly onEnd: () => void;
}

/**
 * One reading of all members of a guild, shared by everybody who asks for one of its roles meanwhile.
 *
 * A role is settled when the last page is read, or as soon as it is proven that all its holders are found; once all
 * roles that were asked for are settled, the pass ends.
 */
export class ListingPass {
  readonly index: MemberIndex;
  readonly startedAt: number;
  /** Set when a caller was told to come back for the result. */
  promised = false;
  readonly #options: ListingPassOptions;
  readonly #pages: MemberPages;
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();
  readonly #settled = new Set<string>();
  #roleIds: ReadonlySet<string> | null = null;
  #total: number | null = null;
  /** Roles of which a proof was tried. Who changes hands meanwhile is listed to the end. */
  readonly #tried = new Set<string>();
  /** Discord's count of each role's holders when the pass began. */
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

  /** Members of the guild as Discord said at the start; approximate, null when it is not known. */
  get total(): number | null {
    return this.#total;
  }

  /** Why it has ended without what was asked for; null when it has not. */
  get failure(): Problem | null {
    return this.#failure;
  }

  /** Whether it has ended and can answer for some role. */
  get hasResult(): boolean {
    return this.#ended && (this.#complete || this.#settled.size > 0);
  }

  /** Whether all members were read. */
  get isWhole(): boolean {
    return this.#complete;
  }

  /** Whether the pass can still answer for this role. False for a role that is newer than the pass. */
  covers(roleId: string): boolean {
    if (this.#ended && !this.#complete) return this.#settled.has(roleId);
    return this.#roleIds === null || roleId === this.#options.guildId || this.#roleIds.has(roleId);
  }

  /** Resolves when all holders of the role are known. */
  async wait(roleId: string): Promise<void> {
    this.#lastAskedAt = this.#options.now();
    if (this.#failure !== null) throw this.#failure;
    if (!this.covers(roleId)) throw new Problem('unknown_role');
    if (this.#complete || this.#settled.has(roleId)) return;
    let waiting = this.#waiting.get(roleId);
    if (waiting === undefined) {
      waiting = Promise.withResolvers<void>();
      // All who waited may have gone by then.
      waiting.promise.catch(() => undefined);
      this.#waiting.set(roleId, waiting);
    }
    await waiting.promise;
  }

  /** The answer about a settled role. */
  listing(query: RoleQuery): RoleListing {
    // Nothing is kept of the bytes: few answers are asked for twice before the next listing.
    return listRole(this.index, query, new PageCache(0));
  }

  /** Never rejects: whoever waits is told. To be called once. */
  async run(): Promise<void> {
    const { onEnd, onTotal, reader, signal } = this.#options;
    try {
      const guild = await reader.readGuild();
      this.#roleIds = guild.roleIds;
      this.#total = guild.memberCount;
      for (const roleId of guild.roleIds) this.index.addRole(roleId);
      this.#refuseUnknownRoles();
      if (this.#waiting.size > 0) onTotal();
      // Somebody may have come while the last await was under way.
      while (this.#isWanted()) await this.#readPages();
    } catch (error) {
      this.#failure = signal.aborted ? new Problem('shutting_down') : problemOf(error);
    }
    this.#ended = true;
    onEnd();
    for (const [roleId, waiting] of this.#waiting) {
      if (this.#failure !== null) waiting.reject(this.#failure);
      else if (this.covers(roleId)) waiting.resolve();
      else waiting.reject(new Problem('unknown_role'));
    }
    this.#waiting.clear();
  }

  #isWanted(): boolean {
    return this.#waiting.size > 0 && !this.#complete;
  }

  /** Reads on until all roles that are waited for are settled. */
  async #readPages(): Promise<void> {
    const { reader } = this.#options;
    if (this.#counts === null && (this.#total === null || this.#total > COUNTED_FROM)) {
      this.#counts = await reader.readRoleCounts();
      for (const roleId of this.#waiting.keys()) if (this.#counts.get(roleId) === 0) this.#settle(roleId);
    }
    while (this.#isWanted()) {
      this.#checkAbandoned();
      const page = await this.#pages.next();
      for (const { userId, roleIds } of page) this.index.upsert(userId, roleIds);
      if (
        page.length < PAGE_LENGTH &&
        (this.#missing === 0 || (page.length === 0 && (await this.#isEnd())))
      ) {
        this.#complete = true;
        return;
      }
      await this.#settleFound();
    }
  }

  /** Members that have not been found although the guild is said to have them. */
  get #missing(): number {
    const counted = this.#total ?? Math.max(0, ...(this.#counts?.values() ?? []));
    return Math.max(0, counted - this.index.memberCount);
  }

  /**
   * Whether an empty page is the end, though members seem to be missing: then it is still empty when it is asked for
   * again, and nearly all members that the guild is said to have now were found. False when it is no longer empty.
   */
  async #isEnd(): Promise<boolean> {
    const { reader, retryDelaysMs, signal } = this.#options;
    for (const delayMs of [0, ...retryDelaysMs]) {
      await delay(delayMs, undefined, { signal });
      const page = await this.#pages.next();
      for (const { userId, roleIds } of page) this.index.upsert(userId, roleIds);
      if (page.length > 0) return page.length < PAGE_LENGTH && this.#missing === 0;
      this.#total = (await reader.readGuild()).memberCount ?? this.#total;
      if (this.#missing <= this.index.memberCount * COUNT_TOLERANCE) return true;
    }
    throw new Problem('discord_unavailable', {
      cause: new Error(`The listing ended, and ${this.#missing} members are missing`),
    });
  }

  /** Settles roles whose holders seem to be found, where the proof costs far less than to read on. */
  async #settleFound(): Promise<void> {
    for (const roleId of this.#waiting.keys()) {
      const count = this.#counts?.get(roleId);
      if (count === undefined || count !== this.index.count(roleId) || this.#tried.has(roleId)) continue;
      const pagesLeft = ((this.#total ?? 0) - this.index.memberCount) / PAGE_LENGTH;
      if (pagesLeft < 2 * callsToProve(count)) continue;
      this.#tried.add(roleId);
      if (await proveHolders(roleId, this.index, this.#options.reader)) this.#settle(roleId);
    }
  }

  #settle(roleId: string): void {
    this.#waiting.get(roleId)?.resolve();
    this.#waiting.delete(roleId);
    this.#settled.add(roleId);
  }

  #refuseUnknownRoles(): void {
    for (const [roleId, waiting] of this.#waiting) {
      if (this.covers(roleId)) continue;
      this.#waiting.delete(roleId);
      waiting.reject(new Problem('unknown_role'));
    }
  }

  #checkAbandoned(): void {
    const { abandonedAfterMs, now } = this.#options;
    if (now() - this.#lastAskedAt <= abandonedAfterMs) return;
    throw new Problem('busy', { error: 'The listing was given up because nobody asked for it any more.' });
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // The index refuses ids that are none.
  if (error instanceof RangeError) {
    return new Problem('discord_unavailable', {
      cause: new Error('A page of members holds an id that is none'),
    });
  }
  return new Problem('internal', { cause: error });
}
