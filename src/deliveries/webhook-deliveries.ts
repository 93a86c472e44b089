import { Problem } from '../kernel/problem.ts';
import { failureProblem, shuttingDown } from './call-problem.ts';
import type { Deliveries, DeliveryHead, DeliveryOrder } from './deliveries.ts';
import { busy, deliveryPlaces } from './delivery-places.ts';
import { DELIVERY_SETTINGS, type DeliverySettings } from './delivery-settings.ts';
import { KnownHeads } from './known-heads.ts';
import { PacedCalls, type PacedCallsOptions } from './paced-calls.ts';
import { postMessages, type Posted } from './post-messages.ts';
import type { SharedSends } from './shared-sends.ts';
import { WebhookCalls } from './webhook-calls.ts';
import { lockWebhook } from './webhook-lock.ts';
import { WebhookOwners } from './webhook-owners.ts';

/** A call that has ended, for the log and the metrics, without its text and webhook. */
export interface DeliveryRecord {
  /** Guild of the caller's key; null for the local key. */
  readonly guildId: string | null;
  readonly outcome: 'sent' | 'stopped' | 'uncertain' | 'refused';
  readonly total: number;
  readonly sent: number;
  /** Why it ended early; null when it did not. */
  readonly problem: Problem | null;
  readonly durationMs: number;
}

export interface WebhookDeliveriesOptions extends Pick<PacedCallsOptions, 'onInvalidAnswer' | 'breaker'> {
  /** Discord's address without the version. */
  readonly apiUrl: string;
  readonly userAgent: () => string;
  readonly settings?: Partial<DeliverySettings>;
  readonly onEnd: (record: DeliveryRecord) => void;
  /** Default null: this process is alone. */
  readonly shared?: SharedSends | null;
}

const NOTHING: Posted = { messageIds: [], channelId: null, stop: null };

/** Posts the messages of this process. */
export class WebhookDeliveries implements Deliveries {
  readonly #onEnd: (record: DeliveryRecord) => void;
  readonly #settings: DeliverySettings;
  readonly #shared: SharedSends | null;
  readonly #calls: WebhookCalls;
  readonly #paced: PacedCalls;
  readonly #owners: WebhookOwners;
  readonly #heads: KnownHeads;
  readonly #places = deliveryPlaces();
  readonly #underWay = new Set<Promise<unknown>>();
  /** Aborts when no new call to Discord may begin. */
  readonly #closing = new AbortController();
  /** Aborts the posts that are in progress. */
  readonly #cut = new AbortController();

  constructor(options: WebhookDeliveriesOptions) {
    const settings = { ...DELIVERY_SETTINGS, ...options.settings };
    const { onEnd, shared = null } = options;
    this.#onEnd = onEnd;
    this.#settings = settings;
    this.#shared = shared;
    this.#calls = new WebhookCalls({ ...options, connectTimeoutMs: settings.connectTimeoutMs });
    this.#paced = new PacedCalls({ ...options, settings, closing: this.#closing.signal });
    this.#owners = new WebhookOwners(settings.knownMs);
    this.#heads = new KnownHeads({ shared, keptMs: settings.keptMs });
  }

  get stats() {
    const { calls, places } = this.#places;
    const running = places.held.size;
    return { running, waiting: calls.held.size - running };
  }

  async send(order: DeliveryOrder): Promise<DeliveryHead> {
    if (this.#closing.signal.aborted) throw shuttingDown();
    const work = this.#heads.once(order, () => this.#run(order));
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  /**
   * Takes no new texts, ends those that wait at once, and the others after their current message.
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
    await this.#calls.close();
  }

  /** @throws Problem when nothing was posted, and that is certain */
  async #run(order: DeliveryOrder): Promise<DeliveryHead> {
    const { guildId, total } = order;
    const { messageIds, channelId, stop } = await this.#deliver(order).catch((error: unknown): Posted => ({
      ...NOTHING,
      stop: { problem: Problem.from(error), uncertain: false },
    }));
    const sent = messageIds.length;
    const { problem = null, uncertain = false } = stop ?? {};
    if (problem?.code === 'unknown_webhook') this.#owners.noteUnknown(order);
    const isRefused = problem !== null && sent === 0 && !uncertain;
    this.#onEnd({
      guildId,
      outcome: problem === null ? 'sent' : uncertain ? 'uncertain' : isRefused ? 'refused' : 'stopped',
      total,
      sent,
      problem,
      durationMs: performance.now() - order.startedAt,
    });
    if (isRefused) throw problem;
    const facts = { total, messageIds, channelId, uncertain };
    if (problem !== null) {
      const place = `${sent + 1} of ${total}`;
      const reason = uncertain
        ? `Discord did not say whether message ${place} has arrived. Look into the channel before you send the rest.`
        : `${problem.message} Message ${place} and what follows it were not posted.`;
      // With the lock lost, another process may have posted all of it for the same Idempotency-Key.
      const mayBePosted = problem.key === 'busy/webhook' && order.idempotencyKey !== null;
      const retryAfterSeconds = uncertain || mayBePosted ? null : problem.retryAfterSeconds;
      return { state: 'stopped', ...facts, reason, retryAfterSeconds };
    }
    if (sent === total) return { state: 'sent', ...facts, reason: null, retryAfterSeconds: null };
    const reason = `One call posts at most ${sent} messages. Send the rest with another call.`;
    return { state: 'stopped', ...facts, reason, retryAfterSeconds: 0 };
  }

  /** @throws Problem when certainly nothing was posted */
  async #deliver(order: DeliveryOrder): Promise<Posted> {
    const { ownerId, webhook } = order;
    const endsAt = order.startedAt + this.#settings.beginMs;
    const inTime = AbortSignal.timeout(Math.max(0, Math.ceil(endsAt - performance.now())));
    const waiting = AbortSignal.any([this.#closing.signal, inTime]);
    const { calls, turns, places } = this.#places;
    const call = { owner: ownerId, webhook: this.#owners.digestOf(webhook) };
    if (!calls.take(call)) throw busy();
    try {
      await turns.wait(call, waiting);
      await this.#owners.requireOwn(order, (worked) => this.#askOwner(order, endsAt, worked));
      await using lock = this.#shared === null ? null : await lockWebhook(this.#shared, webhook.id, waiting);
      await places.wait(call, waiting);
      // requireOwn has just found out that the webhook exists.
      const turn = { limitId: webhook.id, endsAt, worked: true };
      return await postMessages(order, (query, body) =>
        this.#paced.make(turn, async () => {
          await lock?.require().catch((error: unknown) => {
            throw this.#explain(error, waiting);
          });
          const signal = AbortSignal.any([
            AbortSignal.timeout(this.#settings.postTimeoutMs),
            this.#cut.signal,
          ]);
          return this.#calls.post(webhook, query, body, { endsAt, signal });
        }),
      );
    } catch (error) {
      throw this.#explain(error, waiting);
    } finally {
      for (const each of [places, turns, calls]) each.giveBack(call);
    }
  }

  /** Says why a wait ended. */
  #explain(error: unknown, waiting: AbortSignal): unknown {
    if (error instanceof Problem || !waiting.aborted) return error;
    return this.#closing.signal.aborted ? shuttingDown() : busy();
  }

  async #askOwner({ webhook }: DeliveryOrder, endsAt: number, worked: boolean): Promise<string | null> {
    const turn = { limitId: `lookup ${webhook.id}`, endsAt, worked };
    const closing = this.#closing.signal;
    const outcome = await this.#paced.make(turn, () => {
      const leftMs = Math.max(0, Math.ceil(endsAt - performance.now()));
      return this.#calls.describe(webhook, AbortSignal.any([AbortSignal.timeout(leftMs), closing]));
    });
    if (outcome.kind === 'unknown' && closing.aborted) throw shuttingDown();
    if (outcome.kind !== 'done') throw failureProblem(outcome);
    const { guild_id: guildId } = outcome.body;
    return typeof guildId === 'string' ? guildId : null;
  }
}
