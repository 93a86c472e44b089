import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../kernel/problem.ts';
import type { InvalidAnswerBreaker } from '../upstream/invalid-answer-breaker.ts';
import { NamedLimits } from '../upstream/named-limits.ts';
import { rateLimited, shuttingDown } from './call-problem.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import type { CallOutcome, FinalOutcome } from './webhook-calls.ts';

export interface PacedCallsOptions {
  readonly settings: Pick<DeliverySettings, 'connectPauseMs' | 'unnamedLimitMs'>;
  /** Aborts when no new call may begin. */
  readonly closing: AbortSignal;
  /** Called for each 401, 403 and 429 that counts towards a ban of our address. */
  readonly onInvalidAnswer: (status: 401 | 403 | 429) => void;
  /** Stops all calls before Discord would ban our address. */
  readonly breaker: Pick<InvalidAnswerBreaker, 'check'>;
}

interface Turn {
  /** The rate limit in which the call counts. */
  readonly limitId: string;
  /** On the clock of `performance.now()`. No wait goes beyond it. */
  readonly endsAt: number;
  /** True when the webhook worked recently. */
  readonly worked: boolean;
}

/** Makes calls when Discord takes them, and repeats a call only when it certainly did nothing. */
export class PacedCalls {
  readonly #options: PacedCallsOptions;
  readonly #limits = new NamedLimits();

  constructor(options: PacedCallsOptions) {
    this.#options = options;
  }

  /**
   * Waits for known limits, and for those that Discord reports; tries again while no connection can be made.
   * @throws Problem when the call certainly did nothing
   */
  async make({ limitId, endsAt, worked }: Turn, call: () => Promise<CallOutcome>): Promise<FinalOutcome> {
    const { settings, closing, onInvalidAnswer, breaker } = this.#options;
    let { connectPauseMs, unnamedLimitMs } = settings;
    let reason: Problem | null = null;
    const wait = async (ms: number, problem: Problem) => {
      reason = problem;
      if (performance.now() + ms > endsAt) throw problem;
      await delay(ms, undefined, { signal: closing }).catch(() => {});
    };
    for (;;) {
      if (closing.aborted) throw shuttingDown();
      const heldMs = this.#limits.heldMs(limitId);
      if (heldMs > 0) {
        await wait(heldMs, rateLimited(heldMs));
        continue;
      }
      if (performance.now() >= endsAt) throw reason ?? timeIsUp();
      breaker.check(worked, 'sending');
      const outcome = await call();
      if (outcome.kind === 'limited') {
        if (!outcome.isShared) onInvalidAnswer(429);
        this.#limits.hold(outcome.isGlobal ? null : limitId, outcome.waitMs ?? unnamedLimitMs);
        if (outcome.waitMs === null) unnamedLimitMs *= 2;
      } else if (outcome.kind === 'unreached') {
        await wait(connectPauseMs, unreached(outcome.cause));
        connectPauseMs *= 2;
      } else if (outcome.kind === 'late') {
        throw reason ?? timeIsUp();
      } else {
        if (outcome.kind === 'done' && outcome.resetMs !== null) this.#limits.hold(limitId, outcome.resetMs);
        if (outcome.kind === 'refused' && (outcome.status === 401 || outcome.status === 403)) {
          onInvalidAnswer(outcome.status);
        }
        return outcome;
      }
    }
  }
}

function unreached(cause: Error): Problem {
  return new Problem('discord_unavailable', { retryAfterSeconds: 10, cause });
}

function timeIsUp(): Problem {
  return new Problem('discord_timeout/posting', { retryAfterSeconds: 1 });
}
