import { Problem } from '../../problem.ts';
import { InvalidAnswerBreaker } from '../../upstream/invalid-answer-breaker.ts';
import { KnownSecrets } from '../../upstream/known-secrets.ts';
import { SecretAttempts } from '../../upstream/secret-attempts.ts';
import type { GuildFacts, RoleCounts } from '../discord-answers.ts';
import { GuildReader } from './guild-reader.ts';
import { Refusals } from './refusals.ts';
import { RestPool } from './rest-pool.ts';
import type { TokenDirectoryOptions, TokenDirectorySettings } from './token-directory-options.ts';

/** A caller's right to ask Discord about a guild. It holds the token, so drop it with the request or the listing. */
export interface Lookup {
  readonly token: string;
  readonly guildId: string;
  readonly keyGuildId: string;
  readonly digest: string;
  /** Equal for lookups that may share a listing. */
  readonly key: string;
}

/** In place of the digest of the service's own token. */
const OWN = 'own';

/** Calls Discord with callers' tokens and our own, within the limits that keep our address from being banned. */
export class TokenAccess {
  readonly #breaker: InvalidAnswerBreaker;
  readonly #attempts: SecretAttempts;
  readonly #ownAttempts: SecretAttempts;
  readonly #tokens: KnownSecrets;
  readonly #refusals: Refusals;
  readonly #pool: RestPool;
  readonly #signal: AbortSignal;
  readonly #guilds = new Map<string, Promise<GuildFacts>>();
  readonly #counts = new Map<string, Promise<RoleCounts>>();

  /** @param signal ends all waiting for rate limits */
  constructor(settings: TokenDirectorySettings, options: TokenDirectoryOptions, signal: AbortSignal) {
    const { now } = settings;
    this.#signal = signal;
    this.#breaker = options.breaker ?? new InvalidAnswerBreaker({ now });
    this.#attempts = new SecretAttempts({ now, ...options.attempts });
    this.#ownAttempts = new SecretAttempts({ now, ...options.attempts });
    this.#tokens = new KnownSecrets({ now });
    this.#refusals = new Refusals(now);
    this.#pool = new RestPool({
      apiUrl: settings.apiUrl,
      timeoutMs: settings.callTimeoutMs,
      now,
      onInvalidAnswer: (status) => {
        this.#breaker.record();
        options.metrics?.countInvalidAnswer(status);
      },
    });
  }

  /**
   * Checks everything that needs no call to Discord.
   * @param token in the shape of a bot's, without `Bot` in front
   * @throws Problem `token_attempts`, `discord_…`, `unknown_guild`
   */
  admit(token: string, keyGuildId: string, guildId: string): Lookup {
    const digest = this.#tokens.digestOf(token);
    const worked = this.#tokens.hasWorked(digest);
    this.#attempts.check(keyGuildId, digest, worked);
    if (this.#tokens.isUnknown(digest)) {
      // Trying a token that we know is unknown counts as a bad attempt, for any guild.
      this.#attempts.noteUnknown(keyGuildId, digest);
      throw new Problem('discord_token_rejected');
    }
    this.#refusals.check(digest, guildId);
    this.#breaker.check(worked);
    return { token, guildId, keyGuildId, digest, key: `${digest} ${guildId}` };
  }

  /**
   * Checks the same for the service's own bot, which spends nothing of what the tokens of callers may spend.
   * @param mayBeHidden the lookup is about a channel: anybody in the guild can ask about those that are hidden from the
   * bot, and Discord counts each refusal, so there is an end to these questions alone
   * @throws Problem `token_attempts`, `discord_…`, `unknown_guild`
   */
  admitOwn(token: string, guildId: string, mayBeHidden: boolean): Lookup {
    if (mayBeHidden) this.#ownAttempts.check(guildId, OWN, true);
    this.#refusals.check(OWN, guildId);
    this.#breaker.check(true);
    return { token, guildId, keyGuildId: guildId, digest: OWN, key: `${OWN} ${guildId}` };
  }

  /**
   * Call `release` when the lookup is done: until then the token is held.
   * @throws Problem `busy`
   */
  open(lookup: Lookup): { readonly reader: GuildReader; readonly release: () => void } {
    const { digest, guildId, keyGuildId, token } = lookup;
    const isOwn = digest === OWN;
    const loan = this.#pool.borrow(digest, token);
    const reader = new GuildReader({
      loan,
      digest,
      guildId,
      keyGuildId,
      isOwn,
      breaker: this.#breaker,
      attempts: isOwn ? this.#ownAttempts : this.#attempts,
      tokens: this.#tokens,
      refusals: this.#refusals,
      signal: this.#signal,
    });
    return { reader, release: () => loan.release() };
  }

  /** Equal calls at the same time are one. */
  readGuild(lookup: Lookup): Promise<GuildFacts> {
    return this.#once(this.#guilds, lookup, (reader) => reader.readGuild());
  }

  /** Equal calls at the same time are one. */
  readRoleCounts(lookup: Lookup): Promise<RoleCounts> {
    return this.#once(this.#counts, lookup, (reader) => reader.readRoleCounts());
  }

  /** Ends all calls. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #once<T>(
    underWay: Map<string, Promise<T>>,
    lookup: Lookup,
    read: (reader: GuildReader) => Promise<T>,
  ): Promise<T> {
    const shared = underWay.get(lookup.key);
    if (shared !== undefined) return shared;
    const { reader, release } = this.open(lookup);
    const call = read(reader).finally(() => {
      release();
      underWay.delete(lookup.key);
    });
    underWay.set(lookup.key, call);
    return call;
  }
}
