import { BoundedMap } from '../../kernel/bounded-map.ts';
import { Problem, type ProblemCode } from '../../kernel/problem.ts';
import type { CallOutcome, FailedOutcome } from '../../upstream/call-outcome.ts';
import type { SecretStatus } from '../../upstream/discord-caller.ts';
import { InvalidRequestBreaker } from '../../upstream/invalid-request-breaker.ts';
import { SecretStatusCache } from '../../upstream/secret-status-cache.ts';
import { discordProblem } from './discord-problem.ts';
import type { RestMembersOptions } from './rest-members-options.ts';

export type Path = `/${string}`;

/** A token, and its caller's right to ask Discord about a guild with it. It holds the token, so drop it with the request or the job. */
export interface Lookup {
  readonly token: string;
  readonly guildId: string;
  /** The guild of the caller's key. For the service's own bot, the guild that is asked about. */
  readonly tenantId: string;
  /** Identifies the token in all caches. */
  readonly digest: string;
  readonly isOwn: boolean;
  /** Equal for lookups with the same token about the same guild. */
  readonly key: string;
  /** After a 429: wait, as a running job does, or tell the caller to repeat the request. */
  readonly waitsWhenRefused: boolean;
}

/** One call of a lookup. */
export interface TokenCall extends Lookup {
  /** Without a query. */
  readonly path: Path;
}

/** A 403 or 404 is remembered this long for a token and guild, and a 401 for our own bot. */
const REFUSED_MS = 60_000;
/** Pairs of a token and a guild. */
const REFUSED_MAX = 10_000;
/** Invalid requests that one tenant may cause in ten minutes. */
const INVALID_ANSWERS_MAX = 20;

/** Decides which calls a token may make, from how Discord has answered it so far. */
export class TokenAccess implements SecretStatus<TokenCall> {
  readonly #breaker: InvalidRequestBreaker;
  /** Of callers' tokens. */
  readonly #tokenStatus: SecretStatusCache;
  /** The service's own bot has its own limits, so it does not use up those of callers' tokens. */
  readonly #ownTokenStatus: SecretStatusCache;
  /** Refusals of valid tokens, by digest and guild, or by digest alone for all guilds. */
  readonly #refused: BoundedMap<ProblemCode>;

  constructor(
    now: () => number,
    options: Pick<RestMembersOptions, 'breaker' | 'attempts' | 'onInvalidRequest'> = {},
  ) {
    const { attempts, onInvalidRequest, breaker = new InvalidRequestBreaker({ now }) } = options;
    const common = {
      breaker,
      onInvalidRequest,
      unknown: () => new Problem('discord_token_rejected'),
      tooManyProblem: 'token_attempts',
      pausedWork: 'lookups',
      invalidRequestsMax: attempts?.invalidRequestsMax ?? INVALID_ANSWERS_MAX,
      now,
    } as const;
    this.#breaker = breaker;
    this.#tokenStatus = new SecretStatusCache({ ...common, isUnknown: isRejected });
    // Only the gateway decides whether our bot is still accepted, so a 401 is not remembered for a day.
    this.#ownTokenStatus = new SecretStatusCache({ ...common, isUnknown: () => false });
    this.#refused = new BoundedMap({ ttlMs: REFUSED_MS, entriesMax: REFUSED_MAX, now });
  }

  /**
   * @param token in the shape of a bot's, without `Bot` in front
   * @throws Problem `token_attempts`, and as `check` does
   */
  admit(token: string, tenantId: string, guildId: string): Lookup {
    const digest = this.#tokenStatus.digestOf(token);
    this.#tokenStatus.admit({ digest, tenantId });
    return this.#checked({ token, guildId, tenantId, digest, isOwn: false });
  }

  /**
   * Admits the service's own bot.
   * @param mayBeHidden the lookup is about a channel. Any member can ask about channels that are hidden from the bot,
   * and Discord counts each refusal, so these questions are limited
   * @throws Problem as `admit` does
   */
  admitOwn(token: string, guildId: string, mayBeHidden: boolean): Lookup {
    const digest = this.#ownTokenStatus.digestOf(token);
    if (mayBeHidden) this.#ownTokenStatus.admit({ digest, tenantId: guildId });
    return this.#checked({ token, guildId, tenantId: guildId, digest, isOwn: true });
  }

  /** @throws Problem `discord_…`, `unknown_guild` */
  check({ digest, guildId, tenantId, isOwn }: Omit<Lookup, 'key' | 'waitsWhenRefused'>): void {
    if (!isOwn && this.#tokenStatus.isUnknown({ digest })) throw new Problem('discord_token_rejected');
    const refused = this.#refused.get(`${digest} ${guildId}`) ?? this.#refused.get(digest);
    if (refused !== undefined) throw new Problem(refused);
    if (isOwn) this.#breaker.check(true);
    else this.#tokenStatus.check({ digest, tenantId });
  }

  record(call: TokenCall, outcome: CallOutcome): void {
    const { digest, guildId, tenantId, isOwn, path } = call;
    (isOwn ? this.#ownTokenStatus : this.#tokenStatus).record({ digest, tenantId }, outcome);
    if (outcome.kind !== 'refused') return;
    const { code } = discordProblem(outcome, path);
    if (isOwn && code === 'discord_token_rejected') this.#refused.set(digest, 'discord_unavailable');
    // A bot that cannot see a channel may still see the guild.
    const isAboutGuild = path.startsWith('/guilds/');
    if (code === 'unknown_guild' || (code === 'discord_missing_access' && isAboutGuild)) {
      this.#refused.set(`${digest} ${guildId}`, code);
    }
  }

  /** Returns the problem for the caller. Call it after `record`. */
  problemOf(call: TokenCall, outcome: FailedOutcome): Problem {
    const problem = discordProblem(outcome, call.path);
    if (call.isOwn && problem.code === 'discord_token_rejected') {
      return new Problem('discord_unavailable', { cause: problem.cause });
    }
    // A REST object forgets its token at the first 401, so calls that were queued then fail in other ways.
    const isForgotten = !call.isOwn && this.#tokenStatus.isUnknown(call);
    return isForgotten && problem.code !== 'discord_token_rejected'
      ? new Problem('discord_token_rejected')
      : problem;
  }

  #checked(lookup: Omit<Lookup, 'key' | 'waitsWhenRefused'>): Lookup {
    this.check(lookup);
    return { ...lookup, key: `${lookup.digest} ${lookup.guildId}`, waitsWhenRefused: false };
  }
}

function isRejected(outcome: CallOutcome): boolean {
  return outcome.kind === 'refused' && outcome.status === 401 && outcome.code !== null;
}
