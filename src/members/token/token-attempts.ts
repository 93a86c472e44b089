import { Problem } from '../../problem.ts';
import { BoundedMap } from '../../bounded-map.ts';
import { RecentEvents } from './invalid-answer-breaker.ts';

export interface TokenAttemptsOptions {
  /** Default 10 minutes. */
  readonly windowMs?: number;
  /** Distinct rejected tokens that one guild may try in the window. Default 5. */
  readonly badTokensMax?: number;
  /** Invalid answers of Discord that one guild may cause in the window. Default 20. */
  readonly invalidAnswersMax?: number;
  readonly now?: () => number;
}

interface GuildAttempts {
  readonly badTokens: BoundedMap<true>;
  readonly invalidAnswers: RecentEvents;
}

/** Guilds of keys that are remembered at once. */
const GUILDS_MAX = 10_000;

/** Keeps one guild from using us to try tokens, and from using up the invalid answers of the whole process. */
export class TokenAttempts {
  readonly #guilds: BoundedMap<GuildAttempts>;
  readonly #windowMs: number;
  readonly #badTokensMax: number;
  readonly #invalidAnswersMax: number;
  readonly #now: () => number;

  constructor({
    windowMs = 600_000,
    badTokensMax = 5,
    invalidAnswersMax = 20,
    now = Date.now,
  }: TokenAttemptsOptions = {}) {
    this.#guilds = new BoundedMap({ ttlMs: windowMs, entriesMax: GUILDS_MAX, now });
    this.#windowMs = windowMs;
    this.#badTokensMax = badTokensMax;
    this.#invalidAnswersMax = invalidAnswersMax;
    this.#now = now;
  }

  /**
   * @param keyGuildId guild of the caller's key
   * @param worked true when this token worked lately: typing errors of others in the guild must not stop it
   * @throws Problem `token_attempts`
   */
  check(keyGuildId: string, digest: string, worked: boolean): void {
    const guild = this.#guilds.get(keyGuildId);
    if (guild === undefined) return;
    const tooManyTokens =
      !worked && guild.badTokens.size >= this.#badTokensMax && !guild.badTokens.has(digest);
    const tooManyAnswers = guild.invalidAnswers.count >= this.#invalidAnswersMax;
    if (!tooManyTokens && !tooManyAnswers) return;
    throw new Problem('token_attempts', {
      retryAfterSeconds:
        Math.max(
          tooManyTokens ? guild.badTokens.oldestTimeLeftMs() : 0,
          tooManyAnswers ? guild.invalidAnswers.msUntilBelow(this.#invalidAnswersMax) : 0,
        ) / 1_000,
    });
  }

  noteBadToken(keyGuildId: string, digest: string): void {
    const { badTokens } = this.#of(keyGuildId);
    if (!badTokens.has(digest)) badTokens.set(digest, true);
  }

  noteInvalidAnswer(keyGuildId: string): void {
    this.#of(keyGuildId).invalidAnswers.record();
  }

  #of(keyGuildId: string): GuildAttempts {
    const guild = this.#guilds.get(keyGuildId) ?? {
      badTokens: new BoundedMap<true>({
        ttlMs: this.#windowMs,
        entriesMax: this.#badTokensMax,
        now: this.#now,
      }),
      invalidAnswers: new RecentEvents({
        windowMs: this.#windowMs,
        eventsMax: this.#invalidAnswersMax,
        now: this.#now,
      }),
    };
    this.#guilds.set(keyGuildId, guild);
    return guild;
  }
}
