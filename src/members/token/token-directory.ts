import { Problem } from '../../problem.ts';
import { IdList } from '../index/id-list.ts';
import type { PendingListing, RoleListing, RoleQuery, TokenDirectory } from '../member-directory.ts';
import type { ListingPass } from './listing-pass.ts';
import { ListingPasses } from './listing-passes.ts';
import { TokenAccess, type Lookup } from './token-access.ts';
import {
  settingsOf,
  type TokenDirectoryOptions,
  type TokenDirectorySettings,
} from './token-directory-options.ts';
import { withinPatience } from './within-patience.ts';

/** Seconds after which asking again makes sense, at least and at most. */
const RETRY_SECONDS_MIN = 2;
const RETRY_SECONDS_MAX = 60;

/** Listings over REST with callers' own bot tokens. */
export class CallerTokenDirectory implements TokenDirectory {
  readonly #settings: TokenDirectorySettings;
  readonly #access: TokenAccess;
  readonly #passes: ListingPasses;
  readonly #closing = new AbortController();

  constructor(options: TokenDirectoryOptions) {
    const { signal } = this.#closing;
    this.#settings = settingsOf(options);
    this.#access = new TokenAccess(this.#settings, options, signal);
    this.#passes = new ListingPasses({
      settings: this.#settings,
      access: this.#access,
      metrics: options.metrics,
      signal,
    });
  }

  async find(
    token: string,
    keyGuildId: string,
    query: RoleQuery,
    signal: AbortSignal,
  ): Promise<RoleListing | PendingListing> {
    if (!this.#settings.allowCallerTokens) throw new Problem('caller_tokens_disabled');
    if (this.#closing.signal.aborted) throw new Problem('shutting_down');
    signal.throwIfAborted();
    const lookup = this.#access.admit(token, keyGuildId, query.guildId);
    const everyone = query.roleId === query.guildId;
    const work = query.countOnly && !everyone ? this.#count(lookup, query) : this.#list(lookup, query);
    try {
      const answer = await withinPatience(work, this.#settings.patienceMs, signal);
      return answer?.() ?? this.#pending(lookup);
    } catch (error) {
      throw this.#closing.signal.aborted ? new Problem('shutting_down') : error;
    }
  }

  /** Ends all listings; whoever waits for one gets `shutting_down`. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#access.close();
    await this.#passes.close();
  }

  /** One call, or two for a role that Discord does not count because nobody holds it. */
  async #count(lookup: Lookup, query: RoleQuery): Promise<() => RoleListing> {
    const counts = await this.#access.readRoleCounts(lookup);
    let count = counts.get(query.roleId);
    if (count === undefined) {
      const guild = await this.#access.readGuild(lookup);
      if (!guild.roleIds.has(query.roleId)) throw new Problem('unknown_role');
      count = 0;
    }
    return () => countedListing(count, Math.floor(this.#settings.now() / 1_000));
  }

  /** Resolves when the list is there; it is made only for a caller who still waits. */
  async #list(lookup: Lookup, query: RoleQuery): Promise<() => RoleListing | PendingListing> {
    const kept = this.#passes.kept(lookup.key, query.roleId);
    // Discord is asked even for a result that will be used as it is: the token must still be accepted.
    if (kept !== undefined && (await this.#isStillGood(kept, lookup, query))) {
      return () => kept.listing(query);
    }
    const pass = this.#passes.join(lookup);
    if (!pass.covers(query.roleId)) {
      const guild = await this.#access.readGuild(lookup);
      if (!guild.roleIds.has(query.roleId)) throw new Problem('unknown_role');
      // The role is newer than the listing under way: the next one will have it.
      return () => this.#pending(lookup);
    }
    await pass.wait(query.roleId);
    return () => pass.listing(query);
  }

  /** What callers were told to come back for is theirs, however the guild has changed since `as_of`. */
  async #isStillGood(kept: ListingPass, lookup: Lookup, query: RoleQuery): Promise<boolean> {
    if (query.roleId === query.guildId) {
      const guild = await this.#access.readGuild(lookup);
      return kept.promised || guild.memberCount === kept.total;
    }
    const counts = await this.#access.readRoleCounts(lookup);
    return kept.promised || (counts.get(query.roleId) ?? 0) === kept.index.count(query.roleId);
  }

  #pending({ key }: Lookup): PendingListing {
    const pass = this.#passes.running(key);
    if (pass === undefined) {
      return { pending: true, fetched: 0, total: null, retryAfterSeconds: RETRY_SECONDS_MIN };
    }
    pass.promised = true;
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

function countedListing(count: number, asOf: number): RoleListing {
  return {
    pending: false,
    count,
    returned: 0,
    nextAfter: null,
    asOf,
    version: `count ${count} ${asOf}`,
    members: new IdList([]),
  };
}
