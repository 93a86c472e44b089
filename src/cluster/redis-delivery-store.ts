import { setTimeout as delay } from 'node:timers/promises';

import type { Redis } from 'ioredis';

import { DELIVERY_SETTINGS } from '../deliveries/delivery-settings.ts';
import type { DeliveryStore } from '../deliveries/delivery-store.ts';
import { Problem } from '../kernel/problem.ts';

export interface RedisDeliveryStoreOptions {
  readonly redis: Redis;
  /** A lock that cannot be released expires after this long. */
  readonly lockMs: number;
  /**
   * No lock is granted for this long after Redis was restarted or replaced, because it has lost the locks held then.
   */
  readonly noLocksMs: number;
}

/** Idempotency-Keys are remembered for this long. */
const KEPT_SECONDS = DELIVERY_SETTINGS.resultKeptMs / 1_000;
/** Pause before another attempt to release a lock. */
const AGAIN_MS = 1_000;

// KEYS: a record. ARGV: deletes it only if it has this value.
const DROP = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;

const webhookKey = (webhookId: string) => `quartermaster:webhook:${webhookId}`;
const sendKey = (name: string) => `quartermaster:send:${name}`;

/** Locks of webhooks, and how calls with an Idempotency-Key ended, in Redis. */
export class RedisDeliveryStore implements DeliveryStore {
  readonly #redis: Redis;
  readonly #lockMs: number;
  readonly #noLocksMs: number;
  /** The id of the Redis server that was connected last; null if unknown. */
  #runId: string | null = null;
  /** On the clock of `performance.now()`. */
  #noLocksUntil = -Infinity;
  /** Settles when the id of the connected Redis server is known. */
  #recognized: Promise<void>;

  constructor({ redis, lockMs, noLocksMs }: RedisDeliveryStoreOptions) {
    this.#redis = redis;
    this.#lockMs = lockMs;
    this.#noLocksMs = noLocksMs;
    this.#recognized = this.#recognize();
    redis.on('ready', () => {
      this.#recognized = this.#recognize();
    });
  }

  async lockWebhook(webhookId: string, deliveryId: string): Promise<boolean> {
    await this.#recognized;
    const waitMs = this.#noLocksUntil - performance.now();
    if (waitMs > 0) throw new Problem('busy/sharing', { retryAfterSeconds: waitMs / 1_000 });
    return (await this.#redis.set(webhookKey(webhookId), deliveryId, 'PX', this.#lockMs, 'NX')) !== null;
  }

  async hasWebhook(webhookId: string, deliveryId: string): Promise<boolean> {
    return (await this.#redis.get(webhookKey(webhookId))) === deliveryId;
  }

  unlockWebhook(webhookId: string, deliveryId: string): Promise<void> {
    return this.#insist(() => this.#redis.eval(DROP, 1, webhookKey(webhookId), deliveryId));
  }

  async reserveKey(name: string, record: string): Promise<string | null> {
    // Redis 6.2 has no SET with both NX and GET, so a record may end in between.
    const taken = await this.#redis.set(sendKey(name), record, 'EX', KEPT_SECONDS, 'NX');
    if (taken !== null) return null;
    return (await this.#redis.get(sendKey(name))) ?? this.reserveKey(name, record);
  }

  saveResult(name: string, record: string): Promise<void> {
    return this.#insist(() => this.#redis.set(sendKey(name), record, 'EX', KEPT_SECONDS));
  }

  releaseKey(name: string, record: string): Promise<void> {
    return this.#insist(() => this.#redis.eval(DROP, 1, sendKey(name), record));
  }

  /** Called once per connection. Locks are granted if Redis does not tell its id. */
  async #recognize(): Promise<void> {
    const server = await this.#redis.info('server').catch(() => '');
    const runId = /^run_id:(\w+)/m.exec(server)?.[1];
    if (runId === undefined) return;
    if (this.#runId !== null && this.#runId !== runId) {
      this.#noLocksUntil = performance.now() + this.#noLocksMs;
    }
    this.#runId = runId;
  }

  /** Tries immediately, and goes on in the background until the term of a lock is over. */
  async #insist(command: () => Promise<unknown>): Promise<void> {
    const endsAt = performance.now() + this.#lockMs;
    const attempt = () =>
      command().then(
        () => true,
        () => false,
      );
    const tryAgain = async () => {
      while (performance.now() < endsAt) {
        await delay(AGAIN_MS, undefined, { ref: false });
        if (await attempt()) return;
      }
    };
    if (!(await attempt())) void tryAgain();
  }
}
