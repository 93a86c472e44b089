import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../problem.ts';
import { isUnknownWebhook, refusalProblem, shuttingDown } from './call-problem.ts';
import type { Deliveries, DeliveryOrder, DeliveryReport } from './deliveries.ts';
import { Delivery, type Stop } from './delivery.ts';
import type { DeliveryPeers } from './delivery-peers.ts';
import { busy, DeliveryPlaces } from './delivery-places.ts';
import { DELIVERY_SETTINGS, type DeliverySettings } from './delivery-settings.ts';
import { keyOf, KnownDeliveries } from './known-deliveries.ts';
import { callInTime, postMessages, type CallRules } from './posting.ts';
import { WebhookCalls } from './webhook-calls.ts';
import { WebhookPace } from './webhook-pace.ts';
import { WebhookRegister } from './webhook-register.ts';

/** What one ended delivery leaves behind for the log and the metrics. No text, no webhook. */
export interface DeliveryRecord {
  readonly deliveryId: string;
  /** Of the key; null for the local key. */
  readonly guildId: string | null;
  readonly outcome: 'sent' | 'stopped' | 'uncertain' | 'refused';
  readonly total: number;
  readonly sent: number;
  /** Why it ended early; null when it did not. */
  readonly problem: Problem | null;
  readonly durationMs: number;
}

export interface WebhookDeliveriesOptions {
  /** Discord's address without the version. */
  readonly apiUrl: string;
  readonly userAgent: () => string;
  readonly settings?: Partial<DeliverySettings>;
  readonly onEnd: (record: DeliveryRecord) => void;
  readonly onInvalidAnswer: (status: 401 | 403 | 429) => void;
  /** Stops all calls before Discord bans our address. */
  readonly breaker: {
    /** @param worked whether this webhook worked lately @throws Problem `discord_paused` */
    check(worked: boolean): void;
  };
  /** null: this process is alone. */
  readonly peers?: DeliveryPeers | null;
  readonly now?: () => number;
}

export interface DeliveryStats {
  readonly running: number;
  readonly waiting: number;
  readonly restBytes: number;
}

/** How often a webhook is asked for that another process has, and renewed once it is ours. */
const LOCK_POLL_MS = 250;
const LOCK_RENEW_MS = 4_000;

/** Deliveries of this process. */
export class WebhookDeliveries implements Deliveries {
  readonly #options: WebhookDeliveriesOptions;
  readonly #settings: DeliverySettings;
  readonly #calls: WebhookCalls;
  readonly #pace = new WebhookPace();
  readonly #register: WebhookRegister;
  readonly #places: DeliveryPlaces;
  readonly #known: KnownDeliveries;
  readonly #peers: DeliveryPeers | null;
  readonly #processId: string;
  readonly #lookUps = new Map<string, Promise<string | null>>();
  readonly #closing = new AbortController();
  readonly #cut = new AbortController();
  /** When the last delivery ended that somebody may still look at. */
  #promisedEndAt = -Infinity;

  constructor(options: WebhookDeliveriesOptions) {
    const settings = { ...DELIVERY_SETTINGS, ...options.settings };
    const { now = Date.now, peers = null } = options;
    this.#options = options;
    this.#peers = peers;
    this.#processId = peers?.processId ?? randomUUID();
    this.#settings = settings;
    this.#calls = new WebhookCalls({ ...options, connectTimeoutMs: settings.connectTimeoutMs });
    this.#register = new WebhookRegister({ ...settings, now });
    this.#places = new DeliveryPlaces(settings);
    this.#known = new KnownDeliveries(settings);
  }

  get stats(): DeliveryStats {
    return { running: this.#places.running, waiting: this.#places.waiting, restBytes: this.#known.restBytes };
  }

  async send(order: DeliveryOrder, signal: AbortSignal): Promise<DeliveryReport> {
    if (this.#closing.signal.aborted) throw shuttingDown();
    signal.throwIfAborted();
    // A text of a megabyte is not kept for the sake of its key.
    const input = digestOf(`${order.ownerId} ${order.idempotencyKey} ${order.input}`);
    const short = { ...order, input };
    const delivery = this.#known.sameAs(short) ?? this.#begin(short);
    const timer = new AbortController();
    const patience = delay(this.#settings.patienceMs, undefined, {
      signal: AbortSignal.any([signal, timer.signal]),
    });
    try {
      await Promise.race([delivery.ended, patience]);
    } finally {
      timer.abort();
      // Whether the delivery or the caller was first, nobody waits for it any more.
      patience.catch(() => {});
    }
    return delivery.elsewhere === null ? delivery.report() : this.look(delivery.elsewhere, order.ownerId);
  }

  async look(deliveryId: string, ownerId: string): Promise<DeliveryReport> {
    const isOurs = this.#peers === null || deliveryId.startsWith(`${this.#processId}_`);
    if (isOurs || this.#peers === null) return this.lookHere(deliveryId, ownerId);
    return this.#peers.look(deliveryId, ownerId);
  }

  /** A look at a delivery of this process. @throws Problem as `look` does */
  lookHere(deliveryId: string, ownerId: string): DeliveryReport {
    const delivery = this.#known.get(deliveryId);
    if (delivery?.ownerId !== ownerId) throw new Problem('unknown_delivery', { field: 'delivery_id' });
    return delivery.report();
  }

  /** Whether there is anything to wait for before the service stops to listen. */
  get isBusy(): boolean {
    return this.#known.underWay.length > 0 || this.#msOfLastLook() > 0;
  }

  /** Takes no new texts, and ends those that wait. */
  refuse(): void {
    this.#closing.abort();
  }

  /**
   * Ends what waits, and what is under way after its message. Resolves when callers who were told `pending` had time to
   * look.
   * @param timeLeftMs until the end of the shutdown
   */
  async drain(timeLeftMs: number): Promise<void> {
    const endsAt = performance.now() + timeLeftMs;
    this.refuse();
    const cutting = setTimeout(
      () => this.#cut.abort(),
      Math.max(0, timeLeftMs - this.#settings.shutdownMarginMs),
    );
    await Promise.all(this.#known.underWay.map(({ ended }) => ended));
    clearTimeout(cutting);
    await delay(Math.max(0, Math.min(this.#msOfLastLook(), endsAt - performance.now())));
  }

  async close(): Promise<void> {
    await this.drain(0);
    await this.#calls.close();
  }

  #msOfLastLook(): number {
    return Math.max(0, this.#promisedEndAt + this.#settings.lastLookMs - performance.now());
  }

  #begin(order: DeliveryOrder): Delivery {
    const id = `${this.#processId}_${randomBytes(12).toString('base64url')}`;
    const delivery = new Delivery(id, order.ownerId, order.messages.length);
    this.#known.begin(delivery, order);
    void this.#run(order, delivery);
    return delivery;
  }

  /** Never rejects. */
  async #run(order: DeliveryOrder, delivery: Delivery): Promise<void> {
    const key = keyOf(order);
    const stop = await this.#deliver(order, delivery).catch((error: unknown): Stop => ({
      problem: Problem.from(error),
      uncertain: false,
    }));
    if (delivery.elsewhere !== null) return;
    if (stop !== null && isUnknownWebhook(stop.problem)) {
      this.#register.noteUnknown(this.#register.digestOf(order.webhook), order.ownerId);
    }
    delivery.finish(stop, order.messages);
    this.#known.keep(delivery, order);
    if (delivery.wasPromised) this.#promisedEndAt = performance.now();
    if (key !== null) {
      const keptMs = delivery.end?.problem ? null : this.#settings.keptMs;
      await this.#peers?.endKey(digestOf(key), delivery.id, keptMs);
    }
    this.#options.onEnd(toRecord(delivery, order.guildId, stop));
  }

  async #deliver(order: DeliveryOrder, delivery: Delivery): Promise<Stop | null> {
    const { ownerId, webhook } = order;
    const key = keyOf(order);
    if (key !== null && this.#peers !== null) {
      const holder = await this.#peers.takeKey(digestOf(key), order.input, delivery.id);
      if (holder !== delivery.id) {
        this.#known.passOn(delivery, order);
        delivery.passOn(holder);
        return null;
      }
    }
    const digest = this.#register.digestOf(webhook);
    await this.#requireOwn(order, digest);
    const waitEndsAt = performance.now() + this.#settings.waitingMsMax;
    const giveBack = await this.#takePlace({ ownerId, webhookId: webhook.id });
    try {
      return await this.#withLock(webhook.id, delivery.id, waitEndsAt, () =>
        postMessages(order, delivery, this.#rulesFor(digest)),
      );
    } finally {
      giveBack();
    }
  }

  /** One process at a time posts through a webhook. */
  async #withLock<Result>(
    webhookId: string,
    deliveryId: string,
    waitEndsAt: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const peers = this.#peers;
    if (peers === null) return work();
    while (!(await peers.lockWebhook(webhookId, deliveryId))) {
      if (performance.now() >= waitEndsAt) throw busy();
      await delay(LOCK_POLL_MS, undefined, { signal: this.#closing.signal }).catch(() => {});
      if (this.#closing.signal.aborted) throw shuttingDown();
    }
    const renewing = setInterval(
      () => void peers.lockWebhook(webhookId, deliveryId).catch(() => {}),
      LOCK_RENEW_MS,
    ).unref();
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      await peers.unlockWebhook(webhookId, deliveryId);
    }
  }

  async #takePlace(claim: { ownerId: string; webhookId: string }): Promise<() => void> {
    try {
      return await this.#places.take(claim, this.#closing.signal);
    } catch (error) {
      throw this.#closing.signal.aborted ? shuttingDown() : error;
    }
  }

  /** @throws Problem `guild_mismatch` for a webhook of another guild, or why Discord could not be asked */
  async #requireOwn(order: DeliveryOrder, digest: string): Promise<void> {
    const { ownerId } = order;
    this.#register.check(digest, ownerId);
    const known = this.#register.guildOf(digest);
    const webhookGuildId = known === undefined ? await this.#lookUp(order, digest) : known.guildId;
    if (order.guildId === null || webhookGuildId === order.guildId) return;
    throw new Problem('guild_mismatch', {
      field: 'Webhook',
      error: 'This webhook belongs to another server than your API key.',
      hint: 'Make a webhook in the server of the key: settings of a channel, Integrations, Webhooks.',
    });
  }

  /** Equal look-ups at the same time are one call. */
  #lookUp(order: DeliveryOrder, digest: string): Promise<string | null> {
    const underWay = this.#lookUps.get(digest);
    if (underWay !== undefined) return underWay;
    if (this.#lookUps.size >= this.#settings.lookUpsMax) throw new Problem('busy', { retryAfterSeconds: 5 });
    const lookUp = this.#askDiscord(order, digest).finally(() => this.#lookUps.delete(digest));
    this.#lookUps.set(digest, lookUp);
    return lookUp;
  }

  async #askDiscord({ webhook }: DeliveryOrder, digest: string): Promise<string | null> {
    const rules = this.#rulesFor(digest);
    const { lookUpMsMax, postTimeoutMs } = this.#settings;
    const outcome = await callInTime(`look-up ${webhook.id}`, performance.now() + lookUpMsMax, rules, () =>
      this.#calls.describe(
        webhook,
        AbortSignal.any([AbortSignal.timeout(postTimeoutMs), this.#closing.signal]),
      ),
    );
    if (outcome.kind === 'refused') throw refusalProblem(outcome);
    if (outcome.kind === 'unknown') {
      if (this.#closing.signal.aborted) throw shuttingDown();
      throw new Problem(outcome.isSlow ? 'discord_timeout' : 'discord_unavailable', { cause: outcome.cause });
    }
    const { guild_id: guildId } = outcome.body;
    const found = typeof guildId === 'string' ? guildId : null;
    this.#register.noteKnown(digest, found);
    return found;
  }

  #checkBreaker(digest: string): void {
    try {
      this.#options.breaker.check(this.#register.hasWorked(digest));
    } catch (error) {
      throw new Problem('discord_paused', {
        error: 'Sending is paused: Discord has refused too many requests of this service.',
        retryAfterSeconds: Problem.from(error).retryAfterSeconds ?? 60,
      });
    }
  }

  #rulesFor(digest: string): CallRules {
    return {
      calls: this.#calls,
      pace: this.#pace,
      settings: this.#settings,
      closing: this.#closing.signal,
      cut: this.#cut.signal,
      onInvalidAnswer: this.#options.onInvalidAnswer,
      checkBreaker: () => this.#checkBreaker(digest),
    };
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function toRecord(delivery: Delivery, guildId: string | null, stop: Stop | null): DeliveryRecord {
  const { id, total, sent, durationMs, end } = delivery;
  const isStopped = stop === null ? 'sent' : end?.problem ? 'refused' : 'stopped';
  return {
    deliveryId: id,
    guildId,
    outcome: stop?.uncertain ? 'uncertain' : isStopped,
    total,
    sent,
    problem: stop?.problem ?? null,
    durationMs,
  };
}
