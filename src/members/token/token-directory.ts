import { createHash } from 'node:crypto';

import { Problem } from '../../kernel/problem.ts';
import { compareSnowflakes } from '../../kernel/snowflake.ts';
import { withinPatience } from '../../upstream/within-patience.ts';
import { IdList } from '../index/id-list.ts';
import type { MemberIndex } from '../index/member-index.ts';
import { answerQuestion, unknownRole } from '../answer-question.ts';
import type { GuildFacts, RoleCounts } from '../discord-answers.ts';
import type {
  FactsQuestion,
  PermissionFacts,
  GuildRoleCounts,
  RoleListing,
  TokenDirectory,
} from '../member-directory.ts';
import { noBot } from '../gateway/unavailable.ts';
import { rolesOf, type CountsQuestion, type MembersQuestion } from '../role-question.ts';
import { DiscordCalls } from './discord-calls.ts';
import { FactReader } from './fact-reader.ts';
import { listingGoesOn } from './listing-pass.ts';
import { ListingPasses } from './listing-passes.ts';
import { TokenStanding, type Lookup } from './token-standing.ts';
import {
  settingsOf,
  type TokenDirectoryOptions,
  type TokenDirectorySettings,
} from './token-directory-options.ts';

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
  ): Promise<RoleListing> {
    this.#refuseEnded(signal);
    const lookup = this.#admitCaller(token, keyGuildId, question.guildId);
    if (isCounted(question)) return this.#await(this.#count(lookup, question), signal, tooSlow);
    const index = await this.#await(this.#list(lookup, question), signal, () => {
      this.#passes.owe(lookup.key, question);
      return this.#passes.running(lookup.key)?.progress() ?? listingGoesOn(0, null);
    });
    // Built only for callers who still wait.
    return answerQuestion(index, question);
  }

  async countRoles(
    token: string,
    keyGuildId: string,
    question: CountsQuestion,
    signal: AbortSignal,
  ): Promise<GuildRoleCounts> {
    this.#refuseEnded(signal);
    const lookup = this.#admitCaller(token, keyGuildId, question.guildId);
    return this.#await(this.#countAll(lookup), signal, tooSlow);
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
    return this.#await(this.#facts.read(admit, question), signal, tooSlow);
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

  /** @param late what to throw when the work takes longer than a caller waits; it then goes on */
  async #await<T>(work: Promise<T>, signal: AbortSignal, late: () => Problem): Promise<T> {
    try {
      const done = await withinPatience(work, this.#settings.patienceMs, signal);
      if (done === undefined) throw late();
      return done;
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

  /** Takes one call, or two for a role that nobody holds, because Discord's counts leave it out. */
  async #count(lookup: Lookup, { all: roleIds }: MembersQuestion): Promise<RoleListing> {
    const [roleId = ''] = roleIds;
    const count = (await this.#readRoleCounts(lookup)).get(roleId);
    if (count === undefined) await this.#readGuildWith(lookup, roleIds);
    return countedListing(count ?? 0, this.#nowSeconds());
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
    return { members, roles, asOf: this.#nowSeconds(), version };
  }

  /** All members of the guild, from the last minute or read anew. */
  async #list(lookup: Lookup, question: MembersQuestion): Promise<MemberIndex> {
    const { key } = lookup;
    const kept = this.#passes.result(key, question);
    if (kept !== undefined) return kept;
    const roleIds = rolesOf(question);
    if (this.#passes.running(key)?.covers(roleIds) === true) return this.#passes.join(key);
    const guild = await this.#readGuildWith(lookup, roleIds);
    const pass = this.#passes.running(key) ?? this.#passes.start(lookup, guild);
    // The role was created after this pass began. The next one will have it.
    if (!pass.covers(roleIds)) throw pass.progress();
    return this.#passes.join(key);
  }

  /** @throws Problem `unknown_role` for the first role that the guild does not have */
  async #readGuildWith(lookup: Lookup, roleIds: readonly string[]): Promise<GuildFacts> {
    const guild = await this.#readGuild(lookup);
    const unknown = roleIds.find((roleId) => roleId !== lookup.guildId && !guild.roleIds.has(roleId));
    if (unknown !== undefined) throw unknownRole(unknown, roleIds.length > 1);
    return guild;
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
}

/** True for what Discord counts itself. It counts bots as well, and everybody only approximately. */
function isCounted({ all, any, none, among, bots, countOnly, guildId }: MembersQuestion): boolean {
  const isOneRole = all.length === 1 && any.length === 0 && none.length === 0 && all[0] !== guildId;
  return countOnly && bots === 'include' && among === null && isOneRole;
}

function tooSlow(): Problem {
  return new Problem('discord_timeout');
}

/** Equal calls at the same time are one. */
function share<T>(underWay: Map<string, Promise<T>>, key: string, call: () => Promise<T>): Promise<T> {
  const shared = underWay.get(key) ?? call().finally(() => underWay.delete(key));
  underWay.set(key, shared);
  return shared;
}

function countedListing(count: number, asOf: number): RoleListing {
  return {
    count,
    returned: 0,
    nextAfter: null,
    asOf,
    version: `count ${count} ${asOf}`,
    members: new IdList(new BigUint64Array()),
  };
}
