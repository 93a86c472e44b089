import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../../kernel/problem.ts';
import type { GuildInfo, ListedMember } from '../discord-answers.ts';
import { MemberIndex } from '../index/member-index.ts';
import { PAGE_LENGTH, type DiscordCalls } from './discord-calls.ts';
import { MemberPages, type MemberPagesOptions } from './member-pages.ts';
import type { Lookup } from './token-access.ts';

/** A job ends if no caller asks for its result for this long. */
const ABANDONED_AFTER_MS = 600_000;

/** Discord calls its number of members approximate. A difference below this share is ignored. */
const COUNT_TOLERANCE = 0.01;

/** Bounds of `retry_after`. */
const RETRY_SECONDS_MIN = 2;
const RETRY_SECONDS_MAX = 60;

export interface ListingJobOptions extends MemberPagesOptions {
  readonly calls: DiscordCalls;
  readonly guildId: string;
  readonly guild: GuildInfo;
  readonly now: () => number;
}

/**
 * Lists all members of a guild once, for all callers who ask about the guild meanwhile or soon after.
 *
 * The result of a job outlives the token, so the lookup is an argument of `run` and not a field.
 */
export class ListingJob {
  readonly index: MemberIndex;
  readonly #options: ListingJobOptions;
  readonly #pages: MemberPages;
  readonly #startedAt: number;
  /** Discord's approximate number, or null if Discord gives none. */
  #total: number | null;
  /** A lower bound of the guild's number of members. */
  #least = 0;
  #lastAskedAt: number;

  constructor(options: ListingJobOptions) {
    const { guild, guildId, now } = options;
    this.#options = options;
    this.#pages = new MemberPages(options);
    this.index = new MemberIndex({ guildId, now });
    for (const roleId of guild.roleIds) this.index.addRole(roleId);
    this.#total = guild.memberCount;
    this.#startedAt = now();
    this.#lastAskedAt = this.#startedAt;
  }

  /** Members in the index so far, or the expected number if that is higher. */
  get members(): number {
    return Math.max(this.#total ?? this.#least, this.index.memberCount);
  }

  /** False if one of the roles is newer than the job, so that its holders may be missing. */
  covers(roleIds: readonly string[]): boolean {
    const { guild, guildId } = this.#options;
    return roleIds.every((roleId) => roleId === guildId || guild.roleIds.has(roleId));
  }

  /** Call it when a caller needs the result. */
  noteAsked(): void {
    this.#lastAskedAt = this.#options.now();
  }

  /** The problem for callers who cannot wait any longer. It tells the progress and when to retry. */
  progress(): Problem {
    const fetched = this.index.memberCount;
    const elapsedSeconds = (this.#options.now() - this.#startedAt) / 1_000;
    const left = this.members - fetched;
    const leftSeconds = fetched === 0 ? 0 : (elapsedSeconds * left) / fetched;
    return stillListingProblem(
      fetched,
      this.#total === null ? null : this.members,
      Math.min(RETRY_SECONDS_MAX, Math.max(RETRY_SECONDS_MIN, leftSeconds)),
    );
  }

  /**
   * Call it once. Resolves when all members are in the index.
   * @throws Problem
   */
  async run(lookup: Lookup): Promise<void> {
    const { calls, now, signal } = this.#options;
    const underWay = { ...lookup, waitsWhenRefused: true };
    try {
      // The guild has at least as many members as the most common role has holders.
      if (this.#total === null) this.#least = Math.max(0, ...(await calls.readRoleCounts(underWay)).values());
      for (;;) {
        if (now() - this.#lastAskedAt > ABANDONED_AFTER_MS) throw new Problem('busy/abandoned');
        const page = await this.#readPage(underWay);
        if (page.length === PAGE_LENGTH) continue;
        if (this.#missing === 0 || (page.length === 0 && (await this.#isEnd(underWay)))) return;
      }
    } catch (error) {
      throw signal.aborted ? new Problem('shutting_down') : problemOf(error);
    }
  }

  async #readPage(lookup: Lookup): Promise<readonly ListedMember[]> {
    const page = await this.#pages.next(lookup);
    for (const { userId, roleIds, isBot } of page) this.index.upsert(userId, roleIds, isBot);
    return page;
  }

  /** Members that Discord counts and that we have not found. */
  get #missing(): number {
    return this.members - this.index.memberCount;
  }

  /**
   * Repeats an empty page while members seem to be missing. Returns true if the page stays empty and we found nearly
   * all members that Discord counts now. Returns false if members follow.
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
}

/** @param total null if unknown */
export function stillListingProblem(
  fetched: number,
  total: number | null,
  retryAfterSeconds = RETRY_SECONDS_MIN,
): Problem {
  const values = { fetched: inEnglish(fetched), total: inEnglish(total ?? 0) };
  const key = total === null ? 'member_list_unavailable/reading_begun' : 'member_list_unavailable/reading';
  return new Problem(key, { values, retryAfterSeconds });
}

function inEnglish(count: number): string {
  return count.toLocaleString('en-US');
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
