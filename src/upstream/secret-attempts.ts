import { BoundedMap } from '../kernel/bounded-map.ts';
import { Problem, type ProblemKey } from '../kernel/problem.ts';
import { RecentEvents } from './invalid-answer-breaker.ts';

export interface SecretAttemptsOptions {
  /** Invalid answers of Discord that one owner may cause in the window. Default 20. */
  readonly invalidAnswersMax?: number;
  /** The problem after too many unknown secrets. Default `token_attempts`, which is about tokens. */
  readonly tooMany?: 'token_attempts' | 'token_attempts/webhooks';
  readonly now?: () => number;
}

interface Attempts {
  readonly unknown: BoundedMap<true>;
  readonly invalidAnswers: RecentEvents;
}

const WINDOW_MS = 600_000;
/** Different unknown secrets that one owner may try in the window. */
const UNKNOWN_MAX = 5;
/** Owners that are remembered at once. */
const OWNERS_MAX = 10_000;

/**
 * Keeps one owner of keys from using us to guess secrets, and from using up the process's share of invalid answers. An
 * owner is the guild of a key.
 */
export class SecretAttempts {
  readonly #owners: BoundedMap<Attempts>;
  readonly #invalidAnswersMax: number;
  readonly #tooMany: ProblemKey;
  readonly #newAttempts: () => Attempts;

  constructor({
    invalidAnswersMax = 20,
    tooMany = 'token_attempts',
    now = Date.now,
  }: SecretAttemptsOptions = {}) {
    this.#owners = new BoundedMap({ ttlMs: WINDOW_MS, entriesMax: OWNERS_MAX, now });
    this.#invalidAnswersMax = invalidAnswersMax;
    this.#tooMany = tooMany;
    this.#newAttempts = () => ({
      unknown: new BoundedMap({ ttlMs: WINDOW_MS, entriesMax: UNKNOWN_MAX, now }),
      invalidAnswers: new RecentEvents({ windowMs: WINDOW_MS, eventsMax: invalidAnswersMax, now }),
    });
  }

  /**
   * @param worked true when this secret worked recently: other people's typing errors must not block it
   * @throws Problem `token_attempts`
   */
  check(ownerId: string, digest: string, worked: boolean): void {
    const attempts = this.#owners.get(ownerId);
    if (attempts === undefined) return;
    const { unknown, invalidAnswers } = attempts;
    const tooManySecrets = !worked && unknown.size >= UNKNOWN_MAX && !unknown.has(digest);
    const tooManyAnswers = invalidAnswers.count >= this.#invalidAnswersMax;
    if (!tooManySecrets && !tooManyAnswers) return;
    throw new Problem(tooManySecrets ? this.#tooMany : 'token_attempts/refused', {
      retryAfterSeconds:
        Math.max(
          tooManySecrets ? unknown.oldestTimeLeftMs() : 0,
          tooManyAnswers ? invalidAnswers.msUntilBelow(this.#invalidAnswersMax) : 0,
        ) / 1_000,
    });
  }

  noteUnknown(ownerId: string, digest: string): void {
    const { unknown } = this.#of(ownerId);
    if (!unknown.has(digest)) unknown.set(digest, true);
  }

  noteInvalidAnswer(ownerId: string): void {
    this.#of(ownerId).invalidAnswers.record();
  }

  #of(ownerId: string): Attempts {
    const attempts = this.#owners.get(ownerId) ?? this.#newAttempts();
    this.#owners.set(ownerId, attempts);
    return attempts;
  }
}
