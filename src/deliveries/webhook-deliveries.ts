import * as z from 'zod';

import { shortText } from '../kernel/schemas.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { Problem } from '../kernel/problem.ts';
import type { FinalOutcome } from '../upstream/call-outcome.ts';
import { DiscordCaller, shuttingDown, type DiscordCall } from '../upstream/discord-caller.ts';
import {
  SecretStatusCache,
  type TenantSecret,
  type SecretStatusCacheOptions,
} from '../upstream/secret-status-cache.ts';
import { WebhookSender, type Webhook, type WebhookSenderOptions } from '../upstream/webhook-sender.ts';
import { failureProblem, isUnknownWebhook, unknownWebhook } from './call-problem.ts';
import type { Deliveries, Delivery, DeliveryResult } from './deliveries.ts';
import { busy, deliveryQueues } from './delivery-queues.ts';
import { DELIVERY_SETTINGS, type DeliverySettings } from './delivery-settings.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { IdempotencyRecords } from './idempotency-records.ts';
import { recordOutcome, queryOf, resultOf, type Posted } from './posted.ts';
import { lockWebhook, type WebhookLock } from './webhook-lock.ts';

/** A delivery that has ended, for the log and the metrics, without its text and webhook. */
export interface DeliveryRecord {
  /** Guild of the caller's key; null for a key of no server. */
  readonly guildId: string | null;
  /** `sent` or `stopped` is the state that the caller got. `stopped` without a problem means that a rest is left. */
  readonly outcome: 'sent' | 'stopped' | 'uncertain' | 'refused';
  readonly total: number;
  readonly sent: number;
  /** Why it ended early, or null. */
  readonly problem: Problem | null;
  readonly durationMs: number;
}

export interface WebhookDeliveriesOptions
  extends
    Pick<SecretStatusCacheOptions, 'onInvalidRequest' | 'breaker'>,
    Pick<WebhookSenderOptions, 'apiUrl' | 'userAgent'> {
  readonly settings?: Partial<DeliverySettings>;
  readonly onEnd: (record: DeliveryRecord) => void;
  /** Default null: this process is alone. */
  readonly store?: DeliveryStore | null;
}

/** What a delivery needs for each post. */
interface Session {
  readonly webhook: Webhook;
  readonly call: Omit<DiscordCall<TenantSecret>, 'route'> & { readonly endsAt: number };
  /** null when this process is alone. */
  readonly lock: WebhookLock | null;
  /** Aborts when the delivery may no longer wait. */
  readonly waiting: AbortSignal;
}

const webhookSchema = z.object({ guild_id: shortText.nullish() });

/** Webhooks whose guild is remembered, about 200 bytes each. */
const GUILDS_MAX = 10_000;

/** Posts the messages of this process. */
export class WebhookDeliveries implements Deliveries {
  readonly #onEnd: (record: DeliveryRecord) => void;
  readonly #settings: DeliverySettings;
  readonly #store: DeliveryStore | null;
  readonly #sender: WebhookSender;
  readonly #caller: DiscordCaller;
  readonly #secretStatus: SecretStatusCache;
  /** The guild of each webhook, by its digest; null for a webhook without one. */
  readonly #guilds: BoundedMap<{ readonly guildId: string | null }>;
  readonly #records: IdempotencyRecords;
  readonly #queues = deliveryQueues();
  readonly #underWay = new Set<Promise<unknown>>();
  /** Aborts when no new call to Discord may begin. */
  readonly #closing = new AbortController();
  /** Aborts the posts that are in progress. */
  readonly #cut = new AbortController();

  constructor(options: WebhookDeliveriesOptions) {
    const settings = { ...DELIVERY_SETTINGS, ...options.settings };
    const { onEnd, store = null, breaker, onInvalidRequest } = options;
    this.#onEnd = onEnd;
    this.#settings = settings;
    this.#store = store;
    this.#sender = new WebhookSender({ ...options, connectTimeoutMs: settings.connectTimeoutMs });
    this.#caller = new DiscordCaller({ ...settings, closing: this.#closing.signal });
    this.#secretStatus = new SecretStatusCache({
      breaker,
      onInvalidRequest,
      isUnknown: isUnknownWebhook,
      unknown: unknownWebhook,
      tooManyProblem: 'token_attempts/webhooks',
      pausedWork: 'sending',
      invalidRequestsMax: null,
    });
    this.#guilds = new BoundedMap({ ttlMs: settings.guildKnownMs, entriesMax: GUILDS_MAX });
    this.#records = new IdempotencyRecords({ store, keptMs: settings.resultKeptMs });
  }

  get stats() {
    const { admitted, posting } = this.#queues;
    const running = posting.held.size;
    return { running, waiting: admitted.held.size - running };
  }

  async send(delivery: Delivery): Promise<DeliveryResult> {
    if (this.#closing.signal.aborted) throw shuttingDown();
    const work = this.#send(delivery);
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  /**
   * Takes no new deliveries, ends waiting ones immediately, and the others after their current message.
   * @param timeLeftMs until the end of the shutdown
   */
  async drain(timeLeftMs: number): Promise<void> {
    this.#closing.abort();
    const leftMs = Math.max(0, timeLeftMs - this.#settings.shutdownMarginMs);
    const cutting = setTimeout(() => this.#cut.abort(), leftMs);
    await Promise.allSettled(this.#underWay);
    clearTimeout(cutting);
  }

  async close(): Promise<void> {
    await this.drain(0);
    await this.#sender.close();
  }

  async #send(delivery: Delivery): Promise<DeliveryResult> {
    // 1. The same request may have been answered before.
    const reservation = await this.#records.reserve(delivery);
    if (reservation.earlier !== null) return reservation.earlier;

    const posted: Posted = { messageIds: [], channelId: null, problem: null, uncertain: false };
    try {
      // 2. Wait until the delivery may post.
      await using resources = new AsyncDisposableStack();
      const session = await this.#open(delivery, resources);
      // 3. One message after the other, each after the one before has arrived.
      for (const body of delivery.bodies) {
        const outcome = await this.#post(session, queryOf(delivery, posted.channelId), body);
        recordOutcome(posted, outcome);
        if (posted.problem !== null) break;
      }
    } catch (error) {
      posted.problem = Problem.from(error);
    }

    // 4. Report the result to the caller, the log and the next request with this key.
    const { problem, messageIds, uncertain } = posted;
    const refusal = messageIds.length === 0 && !uncertain ? problem : null;
    const result = resultOf(delivery, posted);
    const outcome = uncertain ? 'uncertain' : result.state;
    this.#onEnd({
      guildId: delivery.guildId,
      outcome: refusal === null ? outcome : 'refused',
      total: delivery.total,
      sent: messageIds.length,
      problem,
      durationMs: performance.now() - delivery.startedAt,
    });
    if (refusal !== null) {
      await reservation.release(refusal);
      throw refusal;
    }
    await reservation.save(result);
    return result;
  }

  /**
   * Waits until a delivery may post through its webhook.
   * @param resources what the delivery holds from now on
   * @throws Problem
   */
  async #open(delivery: Delivery, resources: AsyncDisposableStack): Promise<Session> {
    const { tenantId, webhook } = delivery;
    const endsAt = delivery.startedAt + this.#settings.beginMs;
    const inTime = AbortSignal.timeout(Math.max(0, Math.ceil(endsAt - performance.now())));
    const waiting = AbortSignal.any([this.#closing.signal, inTime]);
    const secret = { digest: this.#secretStatus.digestOf(`${webhook.id}/${webhook.token}`), tenantId };
    const claim = { tenant: tenantId, webhook: secret.digest };
    const { admitted, perWebhook, posting } = this.#queues;
    try {
      // 1. The queue of its webhook in this process.
      if (!admitted.tryAcquire(claim)) throw busy();
      resources.defer(() => {
        for (const queue of [posting, perWebhook, admitted]) queue.release(claim);
      });
      await perWebhook.acquire(claim, waiting);
      // 2. Refuses a webhook that Discord is known to have refused, and a tenant who guesses. Then the guild of the
      // webhook must be the guild of the key.
      this.#secretStatus.admit(secret);
      const call = { secretStatus: this.#secretStatus, secret, endsAt, isPosting: true };
      const guildId = await this.#guildOfWebhook(webhook, call);
      if (delivery.guildId !== null && guildId !== delivery.guildId) {
        throw new Problem('guild_mismatch/webhook', { field: 'Webhook' });
      }
      // 3. The lock on its webhook among all processes.
      const lock =
        this.#store === null ? null : resources.use(await lockWebhook(this.#store, webhook.id, waiting));
      // 4. The queue of all deliveries. It comes last, so that one that waits for its webhook does not delay others.
      await posting.acquire(claim, waiting);
      return { webhook, call, lock, waiting };
    } catch (error) {
      throw this.#explain(error, waiting);
    }
  }

  /**
   * Posts one message. Calls again only when a call certainly did nothing.
   * @param query without a question mark
   * @throws Problem when the message was certainly not posted
   */
  #post({ webhook, call, lock, waiting }: Session, query: string, body: string): Promise<FinalOutcome> {
    return this.#caller.call({ ...call, route: webhook.id }, async () => {
      await lock?.require().catch((error: unknown) => {
        throw this.#explain(error, waiting);
      });
      const { postTimeoutMs } = this.#settings;
      const signal = AbortSignal.any([AbortSignal.timeout(postTimeoutMs), this.#cut.signal]);
      return this.#sender.post(webhook, query, body, { endsAt: call.endsAt, signal });
    });
  }

  /** Returns the reason why a wait ended. */
  #explain(error: unknown, waiting: AbortSignal): unknown {
    if (error instanceof Problem || !waiting.aborted) return error;
    return this.#closing.signal.aborted ? shuttingDown() : busy();
  }

  /** The guild of a webhook, asked from Discord at most every ten minutes; null for none. */
  async #guildOfWebhook(webhook: Webhook, call: Session['call']): Promise<string | null> {
    const { digest } = call.secret;
    const known = this.#guilds.get(digest);
    if (known !== undefined) return known.guildId;
    const closing = this.#closing.signal;
    const outcome = await this.#caller.call({ ...call, route: `lookup ${webhook.id}` }, () => {
      const leftMs = Math.max(0, Math.ceil(call.endsAt - performance.now()));
      return this.#sender.describe(webhook, AbortSignal.any([AbortSignal.timeout(leftMs), closing]));
    });
    if (outcome.kind === 'uncertain' && closing.aborted) throw shuttingDown();
    if (outcome.kind !== 'done') throw failureProblem(outcome);
    const guildId = webhookSchema.safeParse(outcome.body).data?.guild_id ?? null;
    this.#guilds.set(digest, { guildId });
    return guildId;
  }
}
