import { Problem } from '../../problem.ts';
import { BoundedMap } from '../../bounded-map.ts';
import { RecentEvents } from './invalid-answer-breaker.ts';

export interface TokenAttemptsOptions {
  /** Invalid answers of Discord that one guild may cause in 10 minutes. Default 20. */
  readonly invalidAnswersMax?: number;
  readonly now?: () => number;
}

interface GuildAttempts {
  readonly badTokens: BoundedMap<true>;
  readonly invalidAnswers: RecentEvents;
}

/** Tokens and answers are counted for this long. */
const WINDOW_MS = 600_000;
/** Distinct rejected tokens that one guild may try in the window. */
const BAD_TOKENS_MAX = 5;
/** Guilds of keys that are remembered at once. */
const GUILDS_MAX = 10_000;

/** Keeps one guild from using us to try tokens, and from using up the invalid answers of the whole process. */
export class TokenAttempts {
  readonly #guilds: BoundedMap<GuildAttempts>;
  readonly #invalidAnswersMax: number;
  readonly #now: () => number;

  constructor({ invalidAnswersMax = 20, now = Date.now }: TokenAttemptsOptions = {}) {
    this.#guilds = new BoundedMap({ ttlMs: WINDOW_MS, entriesMax: GUILDS_MAX, now });
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
    const tooManyTokens = !worked && guild.badTokens.size >= BAD_TOKENS_MAX && !guild.badTokens.has(digest);
    const tooManyAnswers = guild.invalidAnswers.count >= this.#invalidAnswersMax;
    if (!tooManyTokens && !tooManyAnswers) return;
    throw new Problem('token_attempts', {
      ...(tooManyTokens
        ? {}
        : {
            error: 'Discord has refused too many requests about this server.',
            hint: 'Check what the bot may see before you try again.',
          }),
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
        ttlMs: WINDOW_MS,
        entriesMax: BAD_TOKENS_MAX,
        now: this.#now,
      }),
      invalidAnswers: new RecentEvents({
        windowMs: WINDOW_MS,
        eventsMax: this.#invalidAnswersMax,
        now: this.#now,
      }),
    };
    this.#guilds.set(keyGuildId, guild);
    return guild;
  }
}
