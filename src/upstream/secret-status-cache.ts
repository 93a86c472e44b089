import { createHmac, randomBytes } from 'node:crypto';

import { BoundedMap } from '../kernel/bounded-map.ts';
import { Problem, type ProblemTextKey } from '../kernel/problem.ts';
import type { CallOutcome } from './call-outcome.ts';
import type { SecretStatus } from './discord-caller.ts';
import { SlidingWindow, type InvalidRequestBreaker } from './invalid-request-breaker.ts';

export interface SecretStatusCacheOptions {
  /** Shared with everything else in the process that calls Discord. */
  readonly breaker: Pick<InvalidRequestBreaker, 'check' | 'record'>;
  /** Called for each answer that counts towards a ban of our IP address. */
  readonly onInvalidRequest?: ((status: 401 | 403 | 429) => void) | undefined;
  /** True if the outcome means that Discord does not know the secret. */
  readonly isUnknown: (outcome: CallOutcome) => boolean;
  /** The problem for a secret that Discord does not know. */
  readonly unknown: () => Problem;
  /** The problem after too many unknown secrets. */
  readonly tooManyProblem: ProblemTextKey;
  /** What the problem says is paused when the breaker opens. */
  readonly pausedWork: 'lookups' | 'sending';
  /** Invalid answers that one tenant may cause in the window; null for any number. */
  readonly invalidRequestsMax: number | null;
  readonly now?: () => number;
}

/** The digest of a secret, and the tenant who sent the secret. */
export interface TenantSecret {
  readonly digest: string;
  /** The guild of the key, whose attempts count together. */
  readonly tenantId: string;
}

interface Attempts {
  readonly unknown: BoundedMap<true>;
  readonly invalidRequests: SlidingWindow;
}

/** A secret that Discord does not know causes no further call for a day, as Discord asks. */
const UNKNOWN_MS = 24 * 3_600_000;
/** A secret that worked in the last hour may still be used while others are paused. */
const WORKED_MS = 3_600_000;
/** Each of the two maps then takes about 1 MB. */
const SECRETS_MAX = 10_000;
/** Ten minutes, as Discord counts invalid requests. */
const WINDOW_MS = 600_000;
/** Different unknown secrets that one tenant may try in the window. */
const UNKNOWN_MAX = 5;
/** Tenants with unknown secrets, `UNKNOWN_MAX` digests each. */
const TENANTS_MAX = 10_000;

/**
 * Remembers whether Discord accepted the secrets that callers bring. So no tenant can guess secrets, or use up the
 * refusals that Discord allows before it bans our IP address. It holds digests, never a secret.
 */
export class SecretStatusCache implements SecretStatus<TenantSecret> {
  readonly #options: SecretStatusCacheOptions;
  /** Lives only as long as the process, so a digest is useless outside it. */
  readonly #key = randomBytes(32);
  readonly #unknown: BoundedMap<true>;
  readonly #worked: BoundedMap<true>;
  readonly #tenants: BoundedMap<Attempts>;

  constructor(options: SecretStatusCacheOptions) {
    const { now = Date.now } = options;
    this.#options = options;
    this.#unknown = new BoundedMap({ ttlMs: UNKNOWN_MS, entriesMax: SECRETS_MAX, now });
    this.#worked = new BoundedMap({ ttlMs: WORKED_MS, entriesMax: SECRETS_MAX, now });
    this.#tenants = new BoundedMap({ ttlMs: WINDOW_MS, entriesMax: TENANTS_MAX, now });
  }

  digestOf(secret: string): string {
    return createHmac('sha256', this.#key).update(secret).digest('base64url');
  }

  /**
   * A secret that worked lately is not blocked by the tenant's other, mistyped secrets.
   * @throws Problem after too many unknown secrets or invalid answers of the tenant, or for a secret that is unknown
   */
  admit(secret: TenantSecret): void {
    const attempts = this.#tenants.get(secret.tenantId);
    if (attempts !== undefined) this.#checkAttempts(attempts, secret.digest);
    if (!this.#unknown.has(secret.digest)) return;
    // A second attempt counts, too.
    this.#recordUnknown(secret);
    throw this.#options.unknown();
  }

  /** @throws Problem `discord_paused`, or for a secret that has become unknown */
  check(secret: TenantSecret): void {
    if (this.#unknown.has(secret.digest)) throw this.#options.unknown();
    this.#options.breaker.check(this.#worked.has(secret.digest), this.#options.pausedWork);
  }

  record(secret: TenantSecret, outcome: CallOutcome): void {
    const status = invalidStatus(outcome);
    if (status !== null) {
      this.#options.breaker.record();
      this.#options.onInvalidRequest?.(status);
      // A refusal without a code is not Discord's.
      if (outcome.kind === 'limited' || (outcome.kind === 'refused' && outcome.code !== null)) {
        this.#recordInvalidRequest(secret);
      }
    }
    if (this.#options.isUnknown(outcome)) this.#recordUnknown(secret);
    else if (outcome.kind === 'done') this.#worked.set(secret.digest, true);
  }

  isUnknown({ digest }: Pick<TenantSecret, 'digest'>): boolean {
    return this.#unknown.has(digest);
  }

  #checkAttempts({ unknown, invalidRequests }: Attempts, digest: string): void {
    const answersMax = this.#options.invalidRequestsMax ?? Infinity;
    const tooManySecrets = !this.#worked.has(digest) && unknown.size >= UNKNOWN_MAX && !unknown.has(digest);
    const tooManyAnswers = invalidRequests.count >= answersMax;
    if (!tooManySecrets && !tooManyAnswers) return;
    throw new Problem(tooManySecrets ? this.#options.tooManyProblem : 'token_attempts/refused', {
      retryAfterSeconds:
        Math.max(
          tooManySecrets ? unknown.oldestTimeLeftMs() : 0,
          tooManyAnswers ? invalidRequests.msUntilBelow(answersMax) : 0,
        ) / 1_000,
    });
  }

  /** If it is remembered already, the time is not extended. */
  #recordUnknown({ digest, tenantId }: TenantSecret): void {
    this.#worked.delete(digest);
    if (!this.#unknown.has(digest)) this.#unknown.set(digest, true);
    const { unknown } = this.#attemptsOf(tenantId);
    if (!unknown.has(digest)) unknown.set(digest, true);
  }

  #recordInvalidRequest({ tenantId }: TenantSecret): void {
    if (this.#options.invalidRequestsMax !== null) this.#attemptsOf(tenantId).invalidRequests.record();
  }

  #attemptsOf(tenantId: string): Attempts {
    const { invalidRequestsMax, now = Date.now } = this.#options;
    const attempts = this.#tenants.get(tenantId) ?? {
      unknown: new BoundedMap({ ttlMs: WINDOW_MS, entriesMax: UNKNOWN_MAX, now }),
      invalidRequests: new SlidingWindow({ windowMs: WINDOW_MS, eventsMax: invalidRequestsMax ?? 1, now }),
    };
    this.#tenants.set(tenantId, attempts);
    return attempts;
  }
}

/** The status of an answer that Discord counts towards a ban of our IP address; null for any other. */
function invalidStatus(outcome: CallOutcome): 401 | 403 | 429 | null {
  if (outcome.kind === 'limited') return outcome.isShared ? null : 429;
  if (outcome.kind !== 'refused') return null;
  return outcome.status === 401 || outcome.status === 403 ? outcome.status : null;
}
