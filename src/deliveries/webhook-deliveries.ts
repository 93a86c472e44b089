import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../kernel/problem.ts';
import { withinPatience } from '../upstream/within-patience.ts';
import { failureProblem, shuttingDown } from './call-problem.ts';
import type { Deliveries, DeliveryOrder, DeliveryReport } from './deliveries.ts';
import { Delivery, type Stop } from './delivery.ts';
import { withWebhookLock, type DeliveryPeers, type ReadStatus } from './delivery-peers.ts';
import { DeliveryPlaces } from './delivery-places.ts';
import { DELIVERY_SETTINGS, type DeliverySettings } from './delivery-settings.ts';
import { KnownDeliveries } from './known-deliveries.ts';
import { PacedCalls, type PacedCallsOptions } from './paced-calls.ts';
import { postMessages } from './post-messages.ts';
import { WebhookCalls } from './webhook-calls.ts';
import { WebhookOwners } from './webhook-owners.ts';

/** An ended delivery for the log and the metrics, without its text and webhook. */
export interface DeliveryRecord {
  readonly deliveryId: string;
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
  /**
   * @param readStatus answers other processes about deliveries of this one
   * @returns null when this process is alone
   */
  readonly joinPeers?: (readStatus: ReadStatus) => DeliveryPeers | null;
}

/** Deliveries of this process. */
export class WebhookDeliveries implements Deliveries {
  readonly #onEnd: (record: DeliveryRecord) => void;
  readonly #settings: DeliverySettings;
  readonly #calls: WebhookCalls;
  readonly #paced: PacedCalls;
  readonly #owners: WebhookOwners;
  readonly #places: DeliveryPlaces;
  readonly #known: KnownDeliveries;
  readonly #peers: DeliveryPeers | null;
  readonly #processId: string;
  /** Aborts when no new call may begin. */
  readonly #closing = new AbortController();
  /** Aborts the calls that are in progress. */
  readonly #cut = new AbortController();
  /** When the last delivery ended that a caller may still ask about. */
  #promisedEndAt = -Infinity;

  constructor(options: WebhookDeliveriesOptions) {
    const settings = { ...DELIVERY_SETTINGS, ...options.settings };
    const { joinPeers = () => null } = options;
    const closing = this.#closing.signal;
    this.#onEnd = options.onEnd;
    this.#peers = joinPeers((deliveryId, ownerId) => this.#readOwnStatus(deliveryId, ownerId));
    this.#processId = this.#peers?.processId ?? randomUUID();
    this.#settings = settings;
    this.#calls = new WebhookCalls({ ...options, connectTimeoutMs: settings.connectTimeoutMs });
    this.#paced = new PacedCalls({ ...options, settings, closing });
    this.#owners = new WebhookOwners(settings.knownMs);
    this.#places = new DeliveryPlaces(settings, closing);
    this.#known = new KnownDeliveries(settings);
  }

  get stats() {
    return { running: this.#places.running, waiting: this.#places.waiting, restBytes: this.#known.restBytes };
  }

  async send(order: DeliveryOrder, signal: AbortSignal): Promise<DeliveryReport> {
    if (this.#closing.signal.aborted) throw shuttingDown();
    signal.throwIfAborted();
    const delivery = await this.#findOrBegin(order);
    if (typeof delivery === 'string') return this.readStatus(delivery, order.ownerId);
    await withinPatience(delivery.ended, this.#settings.patienceMs, signal);
    return delivery.report();
  }

  async readStatus(deliveryId: string, ownerId: string): Promise<DeliveryReport> {
    if (this.#peers === null || deliveryId.startsWith(`${this.#processId}_`)) {
      return this.#readOwnStatus(deliveryId, ownerId);
    }
    return this.#peers.readStatus(deliveryId, ownerId);
  }

  /** True while a delivery is running, or a caller with the answer `pending` may still ask about it. */
  get isBusy(): boolean {
    return this.#known.underWay.length > 0 || this.#msLeftForQueries() > 0;
  }

  /** Takes no new texts, and ends those that wait. */
  refuse(): void {
    this.#closing.abort();
  }

  /**
   * Ends waiting deliveries at once, and running ones after their current message. Resolves when callers with the
   * answer `pending` have had time to ask for the status.
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
    await delay(Math.max(0, Math.min(this.#msLeftForQueries(), endsAt - performance.now())));
  }

  async close(): Promise<void> {
    await this.drain(0);
    await this.#calls.close();
  }

  #readOwnStatus(deliveryId: string, ownerId: string): DeliveryReport {
    const delivery = this.#known.get(deliveryId);
    if (delivery?.ownerId !== ownerId) throw new Problem('unknown_delivery', { field: 'delivery_id' });
    return delivery.report();
  }

  #msLeftForQueries(): number {
    return Math.max(0, this.#promisedEndAt + this.#settings.statusGraceMs - performance.now());
  }

  /** @returns the delivery, or the id of one of another process that has the same Idempotency-Key */
  async #findOrBegin(order: DeliveryOrder): Promise<Delivery | string> {
    const { ownerId, idempotencyKey, messages } = order;
    const key = idempotencyKey === null ? null : `${ownerId} ${idempotencyKey}`;
    // The same text with another key, or from another server, gets a record of its own in Redis.
    const input = digestOf(`${key} ${order.input}`);
    const known = this.#known.withKey(key, input);
    if (known !== undefined) return known;
    const id = `${this.#processId}_${randomBytes(12).toString('base64url')}`;
    if (key !== null && this.#peers !== null) {
      const holder = await this.#peers.takeKey(digestOf(key), input, id);
      // The same request may have come a moment earlier, to this or another process.
      const earlier = this.#known.withKey(key, input);
      if (earlier !== undefined || holder !== id) return earlier ?? holder;
    }
    const delivery = new Delivery({ id, ownerId, key, input, total: messages.length });
    this.#known.begin(delivery);
    void this.#run(order, delivery);
    return delivery;
  }

  /** Never rejects. */
  async #run(order: DeliveryOrder, delivery: Delivery): Promise<void> {
    const stop = await this.#deliver(order, delivery).catch((error: unknown): Stop => ({
      problem: Problem.from(error),
      uncertain: false,
    }));
    if (stop?.problem.code === 'unknown_webhook') this.#owners.noteUnknown(order);
    // Before the caller sees the failure: the same key may be sent again at once, to any process.
    if (delivery.key !== null) {
      const keptMs = delivery.isRefusedBy(stop) ? null : this.#settings.keptMs;
      await this.#peers?.endKey(digestOf(delivery.key), delivery.id, keptMs);
    }
    delivery.finish(stop, order.messages);
    this.#known.end(delivery);
    if (delivery.wasPromised) this.#promisedEndAt = performance.now();
    this.#onEnd(toRecord(delivery, order.guildId));
  }

  /**
   * @returns null when all has arrived
   * @throws Problem when the rest was certainly not posted
   */
  async #deliver(order: DeliveryOrder, delivery: Delivery): Promise<Stop | null> {
    const { ownerId, webhook } = order;
    const { waitingMsMax, postingMsMax } = this.#settings;
    const wait = { endsAt: performance.now() + waitingMsMax, closing: this.#closing.signal };
    const giveBack = await this.#places.take({ ownerId, webhook: this.#owners.digestOf(webhook) });
    try {
      await this.#owners.requireOwn(order, () => this.#askOwner(order));
      return await withWebhookLock(this.#peers, webhook.id, delivery.id, wait, (lock) => {
        const turn = {
          limitId: webhook.id,
          endsAt: performance.now() + postingMsMax,
          worked: this.#owners.hasWorked(webhook),
        };
        return postMessages(order, delivery, (query, json) =>
          this.#paced.make(turn, async () => {
            await lock.require();
            const mayLeave = () => lock.isOurs();
            return this.#calls.post(webhook, query, json, { mayLeave, signal: this.#signal(this.#cut) });
          }),
        );
      });
    } finally {
      giveBack();
    }
  }

  async #askOwner({ webhook }: DeliveryOrder): Promise<string | null> {
    const turn = {
      limitId: `look-up ${webhook.id}`,
      endsAt: performance.now() + this.#settings.lookUpMsMax,
      worked: this.#owners.hasWorked(webhook),
    };
    const outcome = await this.#paced.make(turn, () =>
      this.#calls.describe(webhook, this.#signal(this.#closing)),
    );
    if (outcome.kind === 'unknown' && this.#closing.signal.aborted) throw shuttingDown();
    if (outcome.kind !== 'done') throw failureProblem(outcome);
    const { guild_id: guildId } = outcome.body;
    return typeof guildId === 'string' ? guildId : null;
  }

  /** For one call: aborts at its deadline, or with the controller. */
  #signal({ signal }: AbortController): AbortSignal {
    return AbortSignal.any([AbortSignal.timeout(this.#settings.postTimeoutMs), signal]);
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function toRecord(delivery: Delivery, guildId: string | null): DeliveryRecord {
  const { id, total, sent, ageMs, stop, isRefused } = delivery;
  const early = stop?.uncertain ? 'uncertain' : isRefused ? 'refused' : 'stopped';
  return {
    deliveryId: id,
    guildId,
    outcome: stop === null ? 'sent' : early,
    total,
    sent,
    problem: stop?.problem ?? null,
    durationMs: ageMs,
  };
}
