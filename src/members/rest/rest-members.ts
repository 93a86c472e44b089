import { Problem } from '../../kernel/problem.ts';
import { resultWithin } from '../../upstream/result-within.ts';
import type { GuildInfo, RoleCounts } from '../discord-answers.ts';
import type { MemberIndex } from '../index/member-index.ts';
import { EventLoopQueue } from '../../kernel/event-loop-queue.ts';
import type {
  Caller,
  GuildQuestion,
  GuildReader,
  MemberQuery,
  RestMemberDirectory,
} from '../member-directory.ts';
import { unknownRole } from '../members-query.ts';
import type { PermissionInputs, PermissionQuestion } from '../permission-inputs.ts';
import { DiscordCalls } from './discord-calls.ts';
import { PermissionInputReader } from './permission-input-reader.ts';
import { ListingJobs } from './listing-jobs.ts';
import { TokenAccess, type Lookup } from './token-access.ts';
import { settingsOf, type RestMembersOptions, type RestMembersSettings } from './rest-members-options.ts';

/** Answers questions about a guild over REST, with the token of the caller's own bot. */
export class RestMembers implements RestMemberDirectory {
  readonly #settings: RestMembersSettings;
  readonly #access: TokenAccess;
  readonly #calls: DiscordCalls;
  readonly #jobs: ListingJobs;
  readonly #permissionInputs: PermissionInputReader;
  readonly #guilds = new Map<string, Promise<GuildInfo>>();
  readonly #counts = new Map<string, Promise<RoleCounts>>();
  readonly #answers = new EventLoopQueue(() => performance.now());
  readonly #closing = new AbortController();

  constructor(options: RestMembersOptions) {
    const { signal } = this.#closing;
    this.#settings = settingsOf(options);
    this.#access = new TokenAccess(this.#settings.now, options);
    this.#calls = new DiscordCalls(this.#settings, this.#access, signal);
    this.#permissionInputs = new PermissionInputReader(
      this.#calls,
      this.#settings.permissionInputsKeptMs,
      this.#settings.now,
    );
    this.#jobs = new ListingJobs({ settings: this.#settings, calls: this.#calls, signal });
  }

  /** Listings under way. */
  get listings(): number {
    return this.#jobs.count;
  }

  async ask<Question extends GuildQuestion, Answer>(
    { askDiscord }: Pick<MemberQuery<Question, Answer>, 'askDiscord'>,
    question: Question,
    { signal, token, tenantId }: Caller,
  ): Promise<Answer> {
    this.#refuseEnded(signal);
    const lookup = this.#admitCaller(token, tenantId, question.guildId);
    if (askDiscord === null) throw new Error('Discord cannot be asked this.');
    const { key } = lookup;
    const asked = JSON.stringify(question);
    let isListing = false;
    const guild: GuildReader = {
      readMembers: async (roleIds) => {
        isListing = true;
        const index = await this.#readMembers(lookup, roleIds, asked);
        // All callers who wait for a listing get it in the same iteration, so answer them one after the other.
        await this.#answers.next(signal);
        return index;
      },
      readGuild: (roleIds = []) => this.#readGuild(lookup, roleIds),
      readRoleCounts: () => share(this.#counts, key, () => this.#calls.readRoleCounts(lookup)),
      now: () => Math.floor(this.#settings.now() / 1_000),
    };
    return this.#await(askDiscord(guild, question), signal, () =>
      isListing ? this.#jobs.askToRetry(key, asked) : new Problem('discord_timeout'),
    );
  }

  async readPermissionInputs(
    question: PermissionQuestion,
    { signal, token, tenantId }: Caller,
  ): Promise<PermissionInputs> {
    this.#refuseEnded(signal);
    const admit = () =>
      token === null ? this.#admitOwn(question) : this.#admitCaller(token, tenantId, question.guildId);
    return this.#await(
      this.#permissionInputs.read(admit, question),
      signal,
      () => new Problem('discord_timeout'),
    );
  }

  #refuseEnded(signal: AbortSignal): void {
    if (this.#closing.signal.aborted) throw new Problem('shutting_down');
    signal.throwIfAborted();
  }

  #admitCaller(token: string | null, tenantId: string, guildId: string): Lookup {
    if (!this.#settings.allowsCallerTokens) throw new Problem('caller_tokens_disabled');
    if (token === null) throw new Problem('missing_field/token', { field: 'Token' });
    return this.#access.admit(token, tenantId, guildId);
  }

  #admitOwn({ guildId, channelId }: PermissionQuestion): Lookup {
    const { ownToken } = this.#settings;
    if (ownToken === null) throw new Problem('member_list_unavailable/no_bot');
    return this.#access.admitOwn(ownToken, guildId, channelId !== null);
  }

  /** @param late returns the problem to throw when the caller has waited long enough. The work goes on */
  async #await<T>(work: Promise<T>, signal: AbortSignal, late: () => Problem): Promise<T> {
    try {
      const done = await resultWithin(work, this.#settings.callerWaitMs, signal);
      if (done === undefined) throw late();
      return done;
    } catch (error) {
      throw this.#closing.signal.aborted ? new Problem('shutting_down') : error;
    }
  }

  /** Ends all listings. Callers who wait for one get `shutting_down`. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#calls.close();
    await this.#jobs.close();
  }

  /**
   * Returns all members of the guild, from a kept result or a new listing.
   * @param asked the question as JSON
   */
  async #readMembers(lookup: Lookup, roleIds: readonly string[], asked: string): Promise<MemberIndex> {
    const { key } = lookup;
    const kept = this.#jobs.result(key, roleIds, asked);
    if (kept !== undefined) return kept;
    if (this.#jobs.running(key)?.covers(roleIds) === true) return this.#jobs.join(key);
    const guild = await this.#readGuild(lookup, roleIds);
    const job = this.#jobs.running(key) ?? this.#jobs.start(lookup, guild);
    // The role was created after this job began, so only the next job will have it.
    if (!job.covers(roleIds)) throw job.progress();
    return this.#jobs.join(key);
  }

  async #readGuild(lookup: Lookup, roleIds: readonly string[]): Promise<GuildInfo> {
    const guild = await share(this.#guilds, lookup.key, () => this.#calls.readGuild(lookup));
    const unknown = roleIds.find((roleId) => roleId !== lookup.guildId && !guild.roleIds.has(roleId));
    if (unknown !== undefined) throw unknownRole(unknown, roleIds.length > 1);
    return guild;
  }
}

/** Lets equal concurrent calls share one. */
function share<T>(underWay: Map<string, Promise<T>>, key: string, call: () => Promise<T>): Promise<T> {
  const shared = underWay.get(key) ?? call().finally(() => underWay.delete(key));
  underWay.set(key, shared);
  return shared;
}
