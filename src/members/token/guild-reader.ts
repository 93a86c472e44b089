import { setTimeout as delay } from 'node:timers/promises';

import { RESTJSONErrorCodes as ErrorCode } from 'discord-api-types/v10';

import { Problem, type ProblemCode } from '../../problem.ts';
import {
  parseGuild,
  parseMembers,
  parseRoleCounts,
  type GuildFacts,
  type ListedMember,
  type RoleCounts,
} from '../discord-answers.ts';
import type { InvalidAnswerBreaker } from '../../upstream/invalid-answer-breaker.ts';
import type { KnownSecrets } from '../../upstream/known-secrets.ts';
import type { SecretAttempts } from '../../upstream/secret-attempts.ts';
import { systemCode } from '../../upstream/system-code.ts';
import type { Refusals } from './refusals.ts';
import { discordRest, WAIT_MARGIN_MS, type RestLoan } from './rest-pool.ts';

export interface GuildReaderOptions {
  // All lookups of the process share these.
  readonly breaker: InvalidAnswerBreaker;
  readonly attempts: SecretAttempts;
  readonly tokens: KnownSecrets;
  readonly refusals: Refusals;
  readonly loan: RestLoan;
  readonly digest: string;
  readonly guildId: string;
  /** Guild of the key whose request began the lookup. */
  readonly keyGuildId: string;
  /** The token is that of the service's own bot. */
  readonly isOwn: boolean;
  /** Ends waiting. */
  readonly signal: AbortSignal;
}

/** The longest page that Discord gives. */
export const PAGE_LENGTH = 1_000;
/** Longest single wait for a rate limit. */
const WAIT_MS_MAX = 60_000;
/** After this many refusals in a row, the limit is not the one that Discord's headers describe. */
const REFUSALS_MAX = 5;

/**
 * Reads Discord's answers about one guild with one token. Waits for rate limits, and records in the shared memory what
 * each answer says about the token. All methods throw Problem `discord_…` or `unknown_guild`.
 */
export class GuildReader {
  readonly #options: GuildReaderOptions;
  #answered = false;

  constructor(options: GuildReaderOptions) {
    this.#options = options;
  }

  async readGuild(): Promise<GuildFacts> {
    return parseGuild(await this.#get(this.#guildPath(), { with_counts: 'true' }));
  }

  async readRoleCounts(): Promise<RoleCounts> {
    return parseRoleCounts(await this.#get(this.#guildPath('/roles/member-counts'), {}));
  }

  /**
   * The page of members with the lowest ids above `after`, ascending.
   * @param after snowflake, or `0` from the start
   * @param limit length of the page
   */
  async readMembers(after: string, limit = PAGE_LENGTH): Promise<ListedMember[]> {
    return parseMembers(await this.#get(this.#guildPath('/members'), { limit: String(limit), after }));
  }

  /**
   * Reads any other path. If the bot cannot see a channel or member, or it does not exist, that says nothing about the
   * guild.
   */
  async readPath(path: `/${string}`): Promise<unknown> {
    return this.#get(path, {});
  }

  #guildPath(path = ''): `/${string}` {
    return `/guilds/${this.#options.guildId}${path}`;
  }

  async #get(path: `/${string}`, query: Readonly<Record<string, string>>): Promise<unknown> {
    const { breaker, digest, guildId, isOwn, loan, refusals: known, tokens } = this.#options;
    for (let refusals = 0; ;) {
      breaker.check(isOwn || tokens.hasWorked(digest));
      if (tokens.isUnknown(digest)) throw new Problem('discord_token_rejected');
      known.check(digest, guildId);
      try {
        const body = await loan.rest.get(path, { query: new URLSearchParams(query) });
        tokens.noteWorked(digest);
        this.#answered = true;
        return body;
      } catch (error) {
        if (!(error instanceof discordRest().RateLimitError)) {
          const problem = discordProblem(error);
          const unknown = isRefusedId(error) ? unknownAt(path) : null;
          const named = unknown === null ? problem : new Problem(unknown, { cause: problem.cause });
          throw this.#noted(named, path.startsWith('/guilds/'));
        }
        const refused = loan.wasRefused(error.url);
        if (refused) refusals += 1;
        await this.#waitFor(error.retryAfter, refused, refusals);
      }
    }
  }

  /**
   * When Discord refuses a first call, the caller has to repeat it. We wait when only the known limit forbids the call,
   * and for all calls of a listing under way.
   */
  async #waitFor(waitMs: number, refused: boolean, refusals: number): Promise<void> {
    const { attempts, keyGuildId, signal } = this.#options;
    const ms = Number.isFinite(waitMs) ? Math.max(0, waitMs) : 1_000;
    if (refused) attempts.noteInvalidAnswer(keyGuildId);
    if ((refused && !this.#answered) || ms > WAIT_MS_MAX || refusals > REFUSALS_MAX) {
      throw new Problem('discord_rate_limited', {
        retryAfterSeconds: Math.max(0, ms - WAIT_MARGIN_MS) / 1_000,
      });
    }
    await delay(ms, undefined, { signal });
  }

  #noted(problem: Problem, isAboutGuild: boolean): Problem {
    const { attempts, digest, guildId, isOwn, keyGuildId, refusals, tokens } = this.#options;
    if (isOwn && problem.code === 'discord_token_rejected') {
      // Whether our bot is still accepted is for the gateway to say, so this is no verdict for a day.
      refusals.note(digest, null, 'discord_unavailable');
      attempts.noteInvalidAnswer(keyGuildId);
      return new Problem('discord_unavailable', { cause: problem.cause });
    }
    // A REST object forgets its token at the first 401, so calls that were queued then fail in other ways.
    if (tokens.isUnknown(digest)) return new Problem('discord_token_rejected');
    if (problem.code === 'discord_token_rejected') {
      tokens.noteUnknown(digest);
      attempts.noteUnknown(keyGuildId, digest);
      attempts.noteInvalidAnswer(keyGuildId);
    } else if (problem.code === 'discord_missing_access') {
      if (isAboutGuild) refusals.note(digest, guildId, problem.code);
      attempts.noteInvalidAnswer(keyGuildId);
    } else if (problem.code === 'unknown_guild') {
      refusals.note(digest, guildId, problem.code);
    }
    return problem;
  }
}

/** Codes for things that do not exist, are not in this guild, or are where the bot is not. */
const UNKNOWN: ReadonlyMap<number, ProblemCode> = new Map([
  [ErrorCode.UnknownGuild, 'unknown_guild'],
  [ErrorCode.UnknownChannel, 'unknown_channel'],
  [ErrorCode.UnknownMember, 'unknown_member'],
  [ErrorCode.UnknownUser, 'unknown_member'],
]);

/** Discord rejects some ids that could be ones, such as those from 2^63 on. */
function isRefusedId(error: unknown): boolean {
  return (
    error instanceof discordRest().DiscordAPIError &&
    error.status === 400 &&
    error.code === ErrorCode.InvalidFormBodyOrContentType
  );
}

/** What is unknown when Discord rejects the id at the end of a path; null where there is none. */
function unknownAt(path: string): ProblemCode | null {
  const kind = /(\w+)\/\d+$/.exec(path)?.[1];
  if (kind === undefined) return null;
  if (kind === 'guilds') return 'unknown_guild';
  return kind === 'channels' ? 'unknown_channel' : 'unknown_member';
}

/**
 * Turns a failed call into a problem for the caller. The error itself is dropped, because it holds addresses and
 * bodies. The cause that goes to the log names only status and code.
 */
export function discordProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { DiscordAPIError, HTTPError } = discordRest();
  if (error instanceof DiscordAPIError) return problemOfStatus(error.status, error.code);
  if (error instanceof HTTPError) {
    return new Problem('discord_unavailable', { cause: new Error(`Discord answered ${error.status}`) });
  }
  const code = systemCode(error);
  if (code === 'TimeoutError' || code === 'AbortError' || /TIMEDOUT|_TIMEOUT$/.test(code)) {
    return new Problem('discord_timeout');
  }
  return new Problem('discord_unavailable', { cause: new Error(`The call to Discord failed: ${code}`) });
}

function problemOfStatus(status: number, code: unknown): Problem {
  const cause = new Error(`Discord answered ${status}, code ${typeof code === 'number' ? code : 'none'}`);
  // An answer without a code comes from a proxy in front of Discord's API.
  if (typeof code === 'number') {
    if (status === 401) return new Problem('discord_token_rejected', { cause });
    if (status === 403) return new Problem('discord_missing_access', { cause });
    const unknown = status === 404 ? UNKNOWN.get(code) : undefined;
    if (unknown !== undefined) return new Problem(unknown, { cause });
  }
  return new Problem('discord_unavailable', { cause });
}
