import { BoundedMap } from '../../kernel/bounded-map.ts';
import { Problem, type ProblemCode } from '../../kernel/problem.ts';
import { InvalidAnswerBreaker } from '../../upstream/invalid-answer-breaker.ts';
import { KnownSecrets } from '../../upstream/known-secrets.ts';
import { SecretAttempts } from '../../upstream/secret-attempts.ts';
import type { TokenDirectoryOptions } from './token-directory-options.ts';

/** A caller's right to ask Discord about a guild. It holds the token, so drop it with the request or the pass. */
export interface Lookup {
  readonly token: string;
  readonly guildId: string;
  /** The guild of the caller's key. For the service's own bot, the guild that is asked about. */
  readonly keyGuildId: string;
  /** What is remembered about the token is kept under it. */
  readonly digest: string;
  /** Equal for lookups with the same token about the same guild. */
  readonly key: string;
  /** What to do when Discord answers 429: wait, as a pass under way does, or tell the caller to repeat the request. */
  readonly waitsWhenRefused: boolean;
}

/** In place of the digest of the service's own token. */
const OWN = 'own';
/** A 403 or 404 is remembered this long for a token and guild, and a 401 of our own bot. */
const REFUSED_MS = 60_000;
const REFUSED_MAX = 10_000;

/**
 * What may be asked with a token, by what Discord has answered so far. Its limits keep our address from being banned,
 * and callers from trying tokens.
 */
export class TokenStanding {
  readonly #breaker: InvalidAnswerBreaker;
  readonly #attempts: SecretAttempts;
  readonly #ownAttempts: SecretAttempts;
  readonly #tokens: KnownSecrets;
  /** Of tokens that Discord knows: by digest and guild, or by digest alone for all guilds. */
  readonly #refused: BoundedMap<ProblemCode>;
  readonly #onInvalidAnswer: TokenDirectoryOptions['onInvalidAnswer'];

  constructor(
    now: () => number,
    options: Pick<TokenDirectoryOptions, 'breaker' | 'attempts' | 'onInvalidAnswer'> = {},
  ) {
    const { attempts } = options;
    this.#breaker = options.breaker ?? new InvalidAnswerBreaker({ now });
    this.#attempts = new SecretAttempts({ now, ...attempts });
    this.#ownAttempts = new SecretAttempts({ now, ...attempts });
    this.#tokens = new KnownSecrets(now);
    this.#refused = new BoundedMap({ ttlMs: REFUSED_MS, entriesMax: REFUSED_MAX, now });
    this.#onInvalidAnswer = options.onInvalidAnswer;
  }

  /**
   * @param token in the shape of a bot's, without `Bot` in front
   * @throws Problem `token_attempts`, and as `check` does
   */
  admit(token: string, keyGuildId: string, guildId: string): Lookup {
    const digest = this.#tokens.digestOf(token);
    this.#attempts.check(keyGuildId, digest, this.#tokens.hasWorked(digest));
    // Trying a token that we know is unknown counts as a bad attempt, for any guild.
    if (this.#tokens.isUnknown(digest)) this.#attempts.noteUnknown(keyGuildId, digest);
    return this.#checked({ token, guildId, keyGuildId, digest });
  }

  /**
   * Admits the service's own bot, which spends nothing of what the tokens of callers may spend.
   * @param mayBeHidden the lookup is about a channel. Anybody in the guild can ask about channels that are hidden from
   * the bot, and Discord counts each refusal, so the number of these questions is limited
   * @throws Problem as `admit` does
   */
  admitOwn(token: string, guildId: string, mayBeHidden: boolean): Lookup {
    if (mayBeHidden) this.#ownAttempts.check(guildId, OWN, true);
    return this.#checked({ token, guildId, keyGuildId: guildId, digest: OWN });
  }

  /**
   * Call it before each call: other lookups may have got an answer since this one was admitted.
   * @throws Problem `discord_…`, `unknown_guild`
   */
  check({ digest, guildId }: Pick<Lookup, 'digest' | 'guildId'>): void {
    if (this.#tokens.isUnknown(digest)) throw new Problem('discord_token_rejected');
    const refused = this.#refused.get(`${digest} ${guildId}`) ?? this.#refused.get(digest);
    if (refused !== undefined) throw new Problem(refused);
    this.#breaker.check(digest === OWN || this.#tokens.hasWorked(digest));
  }

  noteWorked({ digest }: Lookup): void {
    this.#tokens.noteWorked(digest);
  }

  /** Discord, or a proxy in front of it, answered with a status that counts towards a ban of our address. */
  countInvalidAnswer(status: 401 | 403 | 429): void {
    this.#breaker.record();
    this.#onInvalidAnswer?.(status);
  }

  /** Counts an answer towards the limit of the caller's guild. */
  noteInvalidAnswer({ digest, keyGuildId }: Lookup): void {
    const attempts = digest === OWN ? this.#ownAttempts : this.#attempts;
    attempts.noteInvalidAnswer(keyGuildId);
  }

  /**
   * @param isAboutGuild false for a channel: when the bot cannot see it, that says nothing about the guild
   * @returns the problem for the caller
   */
  noteFailed(lookup: Lookup, problem: Problem, isAboutGuild: boolean): Problem {
    const { digest, guildId, keyGuildId } = lookup;
    const { code } = problem;
    if (digest === OWN && code === 'discord_token_rejected') {
      // Only the gateway decides whether our bot is still accepted, so this is not remembered for a day.
      this.#refused.set(OWN, 'discord_unavailable');
      this.noteInvalidAnswer(lookup);
      return new Problem('discord_unavailable', { cause: problem.cause });
    }
    // A REST object forgets its token at the first 401, so calls that were queued then fail in other ways.
    if (this.#tokens.isUnknown(digest)) return new Problem('discord_token_rejected');
    if (code === 'discord_token_rejected') {
      this.#tokens.noteUnknown(digest);
      this.#attempts.noteUnknown(keyGuildId, digest);
    }
    if (code === 'discord_token_rejected' || code === 'discord_missing_access')
      this.noteInvalidAnswer(lookup);
    if (code === 'unknown_guild' || (code === 'discord_missing_access' && isAboutGuild)) {
      this.#refused.set(`${digest} ${guildId}`, code);
    }
    return problem;
  }

  #checked(lookup: Omit<Lookup, 'key' | 'waitsWhenRefused'>): Lookup {
    this.check(lookup);
    return { ...lookup, key: `${lookup.digest} ${lookup.guildId}`, waitsWhenRefused: false };
  }
}
