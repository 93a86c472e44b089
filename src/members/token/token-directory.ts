import { createHash } from 'node:crypto';

import { Problem } from '../../kernel/problem.ts';
import { compareSnowflakes } from '../../kernel/snowflake.ts';
import { withinPatience } from '../../upstream/within-patience.ts';
import { IdList } from '../index/id-list.ts';
import { unknownRole } from '../answer-question.ts';
import type { GuildFacts, RoleCounts } from '../discord-answers.ts';
import type {
  FactsQuestion,
  PermissionFacts,
  PendingListing,
  GuildRoleCounts,
  RoleListing,
  TokenDirectory,
} from '../member-directory.ts';
import { noBot } from '../gateway/unavailable.ts';
import {
  concernsEveryone,
  onlyRoleOf,
  rolesOf,
  type CountsQuestion,
  type MembersQuestion,
} from '../role-question.ts';
import { DiscordCalls } from './discord-calls.ts';
import { FactReader } from './fact-reader.ts';
import type { ListingPass } from './listing-pass.ts';
import { ListingPasses } from './listing-passes.ts';
import { TokenStanding, type Lookup } from './token-standing.ts';
import {
  settingsOf,
  type TokenDirectoryOptions,
  type TokenDirectorySettings,
} from './token-directory-options.ts';

/** Bounds of `retry_after` in a 202. */
const RETRY_SECONDS_MIN = 2;
const RETRY_SECONDS_MAX = 60;

/** Answers questions about a guild over REST, with the token of the caller's own bot. */
export class CallerTokenDirectory implements TokenDirectory {
  readonly #settings: TokenDirectorySettings;
  readonly #standing: TokenStanding;
  readonly #calls: DiscordCalls;
  readonly #passes: ListingPasses;
  readonly #facts: FactReader;
  readonly #guilds = new Map<string, Promise<GuildFacts>>();
  readonly #counts = new Map<string, Promise<RoleCounts>>();
  readonly #closing = new AbortController();

  constructor(options: TokenDirectoryOptions) {
    const { signal } = this.#closing;
    this.#settings = settingsOf(options);
    this.#standing = new TokenStanding(this.#settings.now, options);
    this.#calls = new DiscordCalls(this.#settings, this.#standing, signal);
    this.#facts = new FactReader(this.#calls, this.#settings.factsKeptMs, this.#settings.now);
    this.#passes = new ListingPasses({
      settings: this.#settings,
      calls: this.#calls,
      metrics: options.metrics,
      signal,
    });
  }

  async find(
    token: string,
    keyGuildId: string,
    question: MembersQuestion,
    signal: AbortSignal,
  ): Promise<RoleListing | PendingListing> {
    this.#refuseEnded(signal);
    const lookup = this.#admitCaller(token, keyGuildId, question.guildId);
    const answer = await this.#await(this.#work(lookup, question), signal);
    return answer?.() ?? this.#pending(lookup);
  }

  async countRoles(
    token: string,
    keyGuildId: string,
    question: CountsQuestion,
    signal: AbortSignal,
  ): Promise<GuildRoleCounts | PendingListing> {
    this.#refuseEnded(signal);
    const lookup = this.#admitCaller(token, keyGuildId, question.guildId);
    return (await this.#await(this.#countAll(lookup), signal)) ?? this.#pending(lookup);
  }

  async readFacts(
    token: string | null,
    keyGuildId: string,
    question: FactsQuestion,
    signal: AbortSignal,
  ): Promise<PermissionFacts> {
    this.#refuseEnded(signal);
    const admit = () =>
      token === null ? this.#admitOwn(question) : this.#admitCaller(token, keyGuildId, question.guildId);
    const facts = await this.#await(this.#facts.read(admit, question), signal);
    if (facts === undefined) throw new Problem('discord_timeout');
    return facts;
  }

  #refuseEnded(signal: AbortSignal): void {
    if (this.#closing.signal.aborted) throw new Problem('shutting_down');
    signal.throwIfAborted();
  }

  #admitCaller(token: string, keyGuildId: string, guildId: string): Lookup {
    if (!this.#settings.allowCallerTokens) throw new Problem('caller_tokens_disabled');
    return this.#standing.admit(token, keyGuildId, guildId);
  }

  #admitOwn({ guildId, channelId }: FactsQuestion): Lookup {
    const { ownToken } = this.#settings;
    if (ownToken === null) throw noBot();
    return this.#standing.admitOwn(ownToken, guildId, channelId !== null);
  }

  /** undefined when the work takes longer than a caller waits. */
  async #await<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await withinPatience(work, this.#settings.patienceMs, signal);
    } catch (error) {
      throw this.#closing.signal.aborted ? new Problem('shutting_down') : error;
    }
  }

  /** Ends all listings; callers who wait for one get `shutting_down`. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#calls.close();
    await this.#passes.close();
  }

  /** Resolves when the answer is ready. The answer is built only if the caller still waits. */
  #work(lookup: Lookup, question: MembersQuestion): Promise<() => RoleListing | PendingListing> {
    const { among, bots, countOnly, guildId } = question;
    const roleId = onlyRoleOf(question);
    // Discord counts bots as well.
    const isCounted =
      countOnly && bots === 'include' && among === null && roleId !== null && roleId !== guildId;
    return isCounted ? this.#count(lookup, roleId) : this.#list(lookup, question);
  }

  /** Takes one call, or two for a role that nobody holds, because Discord's counts leave it out. */
  async #count(lookup: Lookup, roleId: string): Promise<() => RoleListing> {
    const counts = await this.#readRoleCounts(lookup);
    const count = counts.get(roleId);
    if (count === undefined) await this.#requireRoles(lookup, [roleId]);
    return () => countedListing(count ?? 0, this.#nowSeconds());
  }

  /** One call gets the counts. The other gets the number of members, and the roles that the counts leave out. */
  async #countAll(lookup: Lookup): Promise<GuildRoleCounts> {
    const [counts, guild] = await Promise.all([this.#readRoleCounts(lookup), this.#readGuild(lookup)]);
    const roles = [...new Set([...counts.keys(), ...guild.roleIds])]
      .filter((roleId) => roleId !== lookup.guildId)
      .sort(compareSnowflakes)
      .map((roleId) => ({ roleId, count: counts.get(roleId) ?? 0 }));
    const members = guild.memberCount ?? 0;
    const version = createHash('sha256')
      .update(JSON.stringify([members, roles]))
      .digest('base64url');
    return { pending: false, members, roles, asOf: this.#nowSeconds(), version };
  }

  async #list(lookup: Lookup, question: MembersQuestion): Promise<() => RoleListing | PendingListing> {
    const kept = this.#passes.kept(lookup.key, question);
    // Even a kept result needs a call to Discord: the token must still be accepted.
    if (kept !== undefined && (await this.#isStillGood(kept, lookup, question))) {
      return () => kept.listing(question);
    }
    const pass = this.#passes.join(lookup);
    if (!pass.covers(question)) {
      await this.#requireRoles(lookup, rolesOf(question));
      // The role was created after this pass began. The next pass will have it.
      return () => this.#pending(lookup);
    }
    await pass.wait(question);
    return () => pass.listing(question);
  }

  /** A promised result is used even if the guild has changed since `as_of`. */
  async #isStillGood(kept: ListingPass, lookup: Lookup, question: MembersQuestion): Promise<boolean> {
    const roleIds = rolesOf(question).filter((roleId) => roleId !== lookup.guildId);
    if (concernsEveryone(question)) {
      const guild = await this.#readGuild(lookup);
      if (kept.isPromised) return true;
      if (guild.memberCount !== kept.total) return false;
      if (roleIds.length === 0) return true;
    }
    const counts = await this.#readRoleCounts(lookup);
    if (kept.isPromised) return true;
    // The counts leave out roles without members, and deleted ones.
    if (roleIds.some((roleId) => !counts.has(roleId))) await this.#requireRoles(lookup, roleIds);
    return roleIds.every((roleId) => (counts.get(roleId) ?? 0) === kept.index.count(roleId));
  }

  /** @throws Problem `unknown_role` for the first role that the guild does not have */
  async #requireRoles(lookup: Lookup, roleIds: readonly string[]): Promise<void> {
    const guild = await this.#readGuild(lookup);
    const unknown = roleIds.find((roleId) => roleId !== lookup.guildId && !guild.roleIds.has(roleId));
    if (unknown !== undefined) throw unknownRole(unknown, roleIds.length > 1);
  }

  #readGuild(lookup: Lookup): Promise<GuildFacts> {
    return share(this.#guilds, lookup.key, () => this.#calls.readGuild(lookup));
  }

  #readRoleCounts(lookup: Lookup): Promise<RoleCounts> {
    return share(this.#counts, lookup.key, () => this.#calls.readRoleCounts(lookup));
  }

  #nowSeconds(): number {
    return Math.floor(this.#settings.now() / 1_000);
  }

  #pending({ key }: Lookup): PendingListing {
    const pass = this.#passes.running(key);
    if (pass === undefined) {
      return { pending: true, fetched: 0, total: null, retryAfterSeconds: RETRY_SECONDS_MIN };
    }
    pass.promise();
    const fetched = pass.index.memberCount;
    const total = pass.total === null ? null : Math.max(pass.total, fetched);
    const elapsedSeconds = (this.#settings.now() - pass.startedAt) / 1_000;
    const leftSeconds = total === null || fetched === 0 ? 0 : (elapsedSeconds * (total - fetched)) / fetched;
    return {
      pending: true,
      fetched,
      total,
      retryAfterSeconds: Math.ceil(Math.min(RETRY_SECONDS_MAX, Math.max(RETRY_SECONDS_MIN, leftSeconds))),
    };
  }
}

/** Equal calls at the same time are one. */
function share<T>(underWay: Map<string, Promise<T>>, key: string, call: () => Promise<T>): Promise<T> {
  const shared = underWay.get(key) ?? call().finally(() => underWay.delete(key));
  underWay.set(key, shared);
  return shared;
}

function countedListing(count: number, asOf: number): RoleListing {
  return {
    pending: false,
    count,
    returned: 0,
    nextAfter: null,
    asOf,
    version: `count ${count} ${asOf}`,
    members: new IdList(new BigUint64Array()),
  };
}
