import type { APIGatewaySessionStartLimit } from 'discord-api-types/v10';

import { DAY_MS } from '../../kernel/utc.ts';
import { wait, type Timers } from '../../members/timers.ts';

/** Discord's count, minus the identifies of this process since it last asked. */
interface IdentifiesLeft {
  /** Identifies left until Discord's day ends. */
  readonly left: number;
  /** This shard must leave at least this many. */
  readonly reserve: number;
}

/**
 * Waits until this process may identify in a bucket that it shares with the bot's other processes. Resolves with false
 * when no identifies are left for it. Rejects with the signal's reason.
 */
export type WaitForIdentify = (
  bucket: number,
  signal: AbortSignal,
  identifiesLeft: IdentifiesLeft,
) => Promise<boolean>;

export interface IdentifyBudgetOptions {
  /** `session_start_limit` of `GET /gateway/bot`. */
  readonly fetchLimit: (signal: AbortSignal) => Promise<APIGatewaySessionStartLimit>;
  readonly timers: Timers;
  /** Default: this process is the only one. */
  readonly waitForIdentify?: WaitForIdentify | undefined;
  /**
   * Time between two identifies in a bucket. Default 5.25 s, which is Discord's 5 s and a quarter more for clocks and
   * networks.
   */
  readonly windowMs?: number | undefined;
  /** The longest wait before Discord is asked again whether any are left. Default 5 min. */
  readonly askAgainMs?: number | undefined;
  /** Called when a shard has to wait because no identifies are left, and again only after a shard has identified. */
  readonly onSpent: (left: number, resetInMs: number) => void;
}

export class IdentifiesSpent extends Error {
  readonly retryInMs: number;

  constructor(retryInMs: number) {
    super('Discord allows this bot no further logins for now.');
    this.name = 'IdentifiesSpent';
    this.retryInMs = retryInMs;
  }
}

/** The share of a day's identifies that is reserved for a restart by hand. */
const RESERVE_SHARE = 0.05;
/** Discord's count is read again when it is older than this, because other programs may use the same token. */
const FRESH_MS = 30_000;

/**
 * The identifies of this bot. Discord resets its token after 1,000 in a day. So we read Discord's count, and subtract
 * our own identifies until we read it again. It also keeps the interval between identifies of one bucket.
 * @see https://docs.discord.com/developers/events/gateway#rate-limiting
 */
export class IdentifyBudget {
  readonly #options: IdentifyBudgetOptions;
  readonly #windowMs: number;
  /** By bucket: settles when the last shard in the queue may identify, or has given up. */
  readonly #queues = new Map<number, Promise<void>>();
  readonly #freeAt = new Map<number, number>();
  #limit: { total: number; left: number; resetAt: number; buckets: number; readAt: number } | null = null;
  #isSpent = false;

  constructor(options: IdentifyBudgetOptions) {
    this.#options = options;
    this.#windowMs = options.windowMs ?? 5_250;
  }

  /** Identifies left until Discord's day ends; null before Discord's first answer. */
  get left(): number | null {
    return this.#limit?.left ?? null;
  }

  /** True while a shard has to wait because too few are left. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Replaces our count with Discord's. */
  update(limit: APIGatewaySessionStartLimit): void {
    const now = this.#options.timers.monotonic();
    this.#limit = {
      total: limit.total,
      left: limit.remaining,
      resetAt: now + limit.reset_after,
      buckets: Math.max(1, limit.max_concurrency),
      readAt: now,
    };
  }

  /**
   * Resolves when a shard may identify now, and counts that identify.
   * @param isFirst true for this shard's first identify since the process started, which may use the reserve
   * @throws IdentifiesSpent, or the signal's reason
   */
  async take(shardId: number, isFirst: boolean, signal: AbortSignal): Promise<void> {
    const { buckets } = await this.#current(signal);
    const bucket = shardId % buckets;
    const before = this.#queues.get(bucket) ?? Promise.resolve();
    const permit = before.then(() => this.#takeNext(bucket, isFirst, signal));
    this.#queues.set(
      bucket,
      permit.catch(() => undefined),
    );
    await permit;
  }

  async #takeNext(bucket: number, isFirst: boolean, signal: AbortSignal): Promise<void> {
    const { timers, waitForIdentify, onSpent, askAgainMs = 300_000 } = this.#options;
    signal.throwIfAborted();
    const waitMs = (this.#freeAt.get(bucket) ?? 0) - timers.monotonic();
    if (waitMs > 0) await wait(timers, waitMs, signal);
    const limit = await this.#current(signal);
    const reserve = isFirst ? 0 : Math.ceil(limit.total * RESERVE_SHARE);
    const resetInMs = Math.max(0, limit.resetAt - timers.monotonic());
    const identifiesLeft = { left: limit.left, reserve };
    const mayIdentify =
      limit.left > reserve &&
      (waitForIdentify === undefined || (await waitForIdentify(bucket, signal, identifiesLeft)));
    if (!mayIdentify) {
      if (!this.#isSpent) onSpent(limit.left, resetInMs);
      this.#isSpent = true;
      limit.readAt = -Infinity;
      throw new IdentifiesSpent(Math.min(resetInMs, askAgainMs));
    }
    this.#isSpent = false;
    limit.left -= 1;
    this.#freeAt.set(bucket, timers.monotonic() + this.#windowMs);
  }

  /** Discord's count: the last one while it is fresh, else a new one. If Discord does not answer, the last one. */
  async #current(signal: AbortSignal) {
    signal.throwIfAborted();
    const { timers, fetchLimit } = this.#options;
    if (this.#limit === null || timers.monotonic() - this.#limit.readAt >= FRESH_MS) {
      try {
        this.update(await fetchLimit(signal));
      } catch (error) {
        if (this.#limit === null) throw error;
      }
      signal.throwIfAborted();
    }
    const limit = this.#limit;
    if (limit === null) throw new Error('The budget of identifies is not known.');
    if (timers.monotonic() >= limit.resetAt) {
      // Discord could not be asked, but a day has passed, so all identifies are left again.
      limit.left = limit.total;
      limit.resetAt = timers.monotonic() + DAY_MS;
    }
    return limit;
  }
}
