import { createHash, randomUUID } from 'node:crypto';

import * as z from 'zod';

import { parseJson } from '../kernel/parse-json.ts';
import { shortText } from '../kernel/schemas.ts';
import { FairSemaphore, type Claim } from '../kernel/fair-semaphore.ts';
import { Problem } from '../kernel/problem.ts';
import type { Delivery, DeliveryResult } from './deliveries.ts';
import { storeUnavailable, type DeliveryStore } from './delivery-store.ts';

interface IdempotencyRecordsOptions {
  /** null when this process is alone. */
  readonly store: DeliveryStore | null;
  /** How long a result is remembered. */
  readonly keptMs: number;
  /** Keys of one guild. Default 1,000: ten times what `SEND_RATE_LIMIT` allows by default in 10 minutes. */
  readonly keysPerGuildMax?: number;
  /** Keys of all guilds, 1.2 kB each with ten messages. Default 100,000. */
  readonly keysMax?: number;
}

/** A delivery with an Idempotency-Key, under way or ended. */
interface KnownDelivery extends Claim {
  /** The digest of its key. */
  readonly name: string;
  readonly inputDigest: string;
  readonly ended: PromiseWithResolvers<DeliveryResult>;
}

/** Call `save` or `release` at the end, unless `earlier` is set. */
export interface Reservation {
  /** How the same request ended, in this process or another; null when there was none. */
  readonly earlier: DeliveryResult | null;
  /** Remembers how the delivery ended. */
  save(result: DeliveryResult): Promise<void>;
  /** Frees the key. Call it when certainly nothing was posted. */
  release(error: unknown): Promise<void>;
}

const NOT_REMEMBERED: Reservation = { earlier: null, async save() {}, async release() {} };

/** No delivery takes longer. After this, the same request has an answer or its process has died. */
const UNDER_WAY_SECONDS = 25;

const recordSchema = z.object({
  /** The digest of the input. */
  input: shortText,
  /** The result; null while the delivery is under way. Processes of other versions read this name. */
  head: z
    .object({
      state: z.enum(['sent', 'stopped']),
      total: z.int(),
      messageIds: z.array(shortText),
      channelId: shortText.nullable(),
      uncertain: z.boolean(),
      reason: shortText.nullable(),
      refusedPlace: shortText.optional(),
      retryAfterSeconds: z.int().nullable(),
    })
    .nullable(),
});

/** Remembers how deliveries with an Idempotency-Key ended, so that each of them posts once. */
export class IdempotencyRecords {
  readonly #options: IdempotencyRecordsOptions;
  readonly #deliveries = new Map<string, KnownDelivery>();
  readonly #slots: FairSemaphore<KnownDelivery>;

  constructor(options: IdempotencyRecordsOptions) {
    const { keysMax = 100_000, keysPerGuildMax = 1_000 } = options;
    this.#options = options;
    this.#slots = new FairSemaphore({
      hasCapacity: (deliveries, { tenant }) =>
        deliveries.size < keysMax && deliveries.of(tenant).claims.size < keysPerGuildMax,
    });
  }

  /**
   * Reserves the Idempotency-Key of a delivery.
   * @throws Problem `idempotency_conflict`, `busy` when too many keys are remembered or the store cannot be reached;
   * the error of the same request if that was under way
   */
  async reserve({ tenantId, idempotencyKey, input: given }: Delivery): Promise<Reservation> {
    if (idempotencyKey === null) return NOT_REMEMBERED;
    const name = digestOf([tenantId, idempotencyKey]);
    const inputDigest = digestOf([tenantId, idempotencyKey, given]);
    const known = this.#deliveries.get(name);
    if (known !== undefined) {
      if (known.inputDigest !== inputDigest) throw conflict();
      return { ...NOT_REMEMBERED, earlier: await known.ended.promise };
    }
    const delivery = this.#add({ tenant: tenantId, name, inputDigest, ended: Promise.withResolvers() });
    const { store } = this.#options;
    const begun = JSON.stringify({ input: inputDigest, head: null, call: randomUUID() });
    try {
      const earlier = store === null ? null : await reserveIn(store, name, begun, inputDigest);
      if (earlier !== null) {
        this.#keep(delivery, earlier);
        return { ...NOT_REMEMBERED, earlier };
      }
    } catch (error) {
      this.#fail(delivery, error);
      throw error;
    }
    return {
      earlier: null,
      save: async (result) => {
        await store?.saveResult(name, JSON.stringify({ input: inputDigest, head: result }));
        this.#keep(delivery, result);
      },
      release: async (error) => {
        await store?.releaseKey(name, begun);
        this.#fail(delivery, error);
      },
    };
  }

  /** @throws Problem `busy` when too many keys are remembered */
  #add(delivery: KnownDelivery): KnownDelivery {
    if (!this.#slots.tryAcquire(delivery)) throw new Problem('busy/remembered', { retryAfterSeconds: 60 });
    this.#deliveries.set(delivery.name, delivery);
    // It may fail after its last waiter has left, which must not count as an unhandled rejection.
    delivery.ended.promise.catch(() => {});
    return delivery;
  }

  #keep(delivery: KnownDelivery, result: DeliveryResult): void {
    setTimeout(() => this.#forget(delivery), this.#options.keptMs).unref();
    delivery.ended.resolve(result);
  }

  #fail(delivery: KnownDelivery, error: unknown): void {
    this.#forget(delivery);
    delivery.ended.reject(error);
  }

  #forget(delivery: KnownDelivery): void {
    this.#deliveries.delete(delivery.name);
    this.#slots.release(delivery);
  }
}

/**
 * @param begun the record of a delivery that is under way
 * @returns how the same request ended; null when there was none
 */
async function reserveIn(
  store: DeliveryStore,
  name: string,
  begun: string,
  input: string,
): Promise<DeliveryResult | null> {
  const held = await store.reserveKey(name, begun).catch((cause: unknown) => {
    // The key may be reserved, with only the answer lost.
    void store.releaseKey(name, begun);
    throw storeUnavailable(cause);
  });
  return held === null ? null : readHeld(held, input);
}

/** @throws Problem `idempotency_conflict` */
function readHeld(held: string, input: string): DeliveryResult {
  const record = recordSchema.safeParse(parseJson(held)).data;
  if (record?.input !== input) throw conflict();
  if (record.head !== null) return record.head;
  throw new Problem('idempotency_conflict/under_way', {
    field: 'Idempotency-Key',
    retryAfterSeconds: UNDER_WAY_SECONDS,
  });
}

function conflict(): Problem {
  return new Problem('idempotency_conflict', { field: 'Idempotency-Key' });
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
