import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../kernel/problem.ts';
import type { CallOutcome, FinalOutcome } from './call-outcome.ts';
import { KnownRateLimits, WAIT_MARGIN_MS } from './known-rate-limits.ts';

/** Decides which secrets may be used, from how Discord answered them. */
export interface SecretStatus<Secret> {
  /**
   * Called before each attempt, because another call may have learned something in the meantime.
   * @throws Problem when no call may be made with the secret
   */
  check(secret: Secret): void;
  /** Called after each attempt. */
  record(secret: Secret, outcome: CallOutcome): void;
}

export interface DiscordCallerOptions {
  /** Aborts when no new call may begin. */
  readonly closing: AbortSignal;
  /** Pause before another attempt when no connection could be made. It doubles each time. */
  readonly connectPauseMs?: number;
  /** How long a 429 that names no time is taken to last. It doubles each time. */
  readonly defaultLimitMs?: number;
}

export interface DiscordCall<Secret> {
  /** What Discord said about the secrets, this one among them. */
  readonly secretStatus: SecretStatus<Secret>;
  readonly secret: Secret;
  /** The route whose rate limit the call counts in; null when the sender keeps the limits. */
  readonly route: string | null;
  /** No attempt begins later, on the clock of `performance.now()`. Default: no deadline. */
  readonly endsAt?: number;
  /** Answers of 429 after which the call is tried again. Default: any number, while there is time. */
  readonly limitedMax?: number;
  /** True when the call posts a part of a text, which the problems then say. Default false. */
  readonly isPosting?: boolean;
}

/** The longest single wait for a rate limit. */
const WAIT_MS_MAX = 60_000 + WAIT_MARGIN_MS;

/**
 * Calls Discord with callers' secrets as soon as the rate limits allow it. It repeats a call only when the attempt
 * certainly did nothing.
 */
export class DiscordCaller {
  readonly #closing: AbortSignal;
  readonly #connectPauseMs: number;
  readonly #defaultLimitMs: number;
  readonly #limits = new KnownRateLimits();

  constructor({ closing, connectPauseMs = 1_000, defaultLimitMs = 5_000 }: DiscordCallerOptions) {
    this.#closing = closing;
    this.#connectPauseMs = connectPauseMs;
    this.#defaultLimitMs = defaultLimitMs;
  }

  /**
   * @param attempt makes one call. Its errors are passed on
   * @throws Problem when the call certainly did nothing: those of the secrets; `discord_rate_limited`,
   * `discord_unavailable` and `discord_timeout` when time is up; `shutting_down`
   */
  async call<Secret>(call: DiscordCall<Secret>, attempt: () => Promise<CallOutcome>): Promise<FinalOutcome> {
    const { secretStatus, secret, route, endsAt = Infinity, limitedMax = Infinity } = call;
    const { isPosting = false } = call;
    let [connectPauseMs, defaultLimitMs, limitedCount] = [this.#connectPauseMs, this.#defaultLimitMs, 0];
    let heldUntil = -Infinity;
    let reason: Problem | null = null;
    for (;;) {
      if (this.#closing.aborted) throw shuttingDown();
      const timeToResetMs = route === null ? -Infinity : this.#limits.timeToResetMs(route);
      const waitMs = Math.max(timeToResetMs, heldUntil - performance.now());
      if (waitMs > 0) {
        reason = new Problem(isPosting ? 'discord_rate_limited/posting' : 'discord_rate_limited', {
          retryAfterSeconds: Math.max(0, waitMs - WAIT_MARGIN_MS) / 1_000,
        });
        if (waitMs > WAIT_MS_MAX || limitedCount > limitedMax) throw reason;
        await this.#wait(waitMs, endsAt, reason);
        continue;
      }
      if (performance.now() >= endsAt) throw reason ?? timeIsUp(isPosting);
      secretStatus.check(secret);
      const outcome = await attempt();
      secretStatus.record(secret, outcome);
      switch (outcome.kind) {
        case 'limited':
        case 'held': {
          const limitMs = outcome.waitMs ?? defaultLimitMs;
          heldUntil = performance.now() + limitMs + WAIT_MARGIN_MS;
          if (outcome.kind === 'held') break;
          limitedCount += 1;
          if (outcome.waitMs === null) defaultLimitMs *= 2;
          if (route !== null) this.#limits.hold(outcome.isGlobal ? null : route, limitMs);
          break;
        }
        case 'unreached':
          reason = new Problem('discord_unavailable', { retryAfterSeconds: 10, cause: outcome.cause });
          await this.#wait(connectPauseMs, endsAt, reason);
          connectPauseMs *= 2;
          break;
        case 'out_of_time':
          throw reason ?? timeIsUp(isPosting);
        default:
          if (route !== null && outcome.kind === 'done' && outcome.resetMs !== null) {
            this.#limits.hold(route, outcome.resetMs);
          }
          return outcome;
      }
    }
  }

  /** @throws the reason if there is not enough time */
  async #wait(ms: number, endsAt: number, reason: Problem): Promise<void> {
    if (performance.now() + ms > endsAt) throw reason;
    await delay(ms, undefined, { signal: this.#closing }).catch(() => {});
  }
}

export function shuttingDown(): Problem {
  return new Problem('shutting_down', { retryAfterSeconds: 5 });
}

function timeIsUp(isPosting: boolean): Problem {
  return new Problem(isPosting ? 'discord_timeout/posting' : 'discord_timeout', { retryAfterSeconds: 1 });
}
