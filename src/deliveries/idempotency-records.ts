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
  /** Milliseconds. */
  readonly keptMs: number;
  /** Default 1,000. */
  readonly perGuildMax?: number;
  /** Default 100,000. */
  readonly max?: number;
}

/** A delivery with an Idempotency-Key, under way or ended. */
interface KnownDelivery extends Claim {
  readonly inputDigest: string;
  readonly result: Promise<DeliveryResult>;
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
    const { max = 100_000, perGuildMax = 1_000 } = options;
    this.#options = options;
    this.#slots = new FairSemaphore({
      hasCapacity: (deliveries, { tenant }) =>
        deliveries.size < max && deliveries.of(tenant).weight < perGuildMax,
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
    const earlier = this.#deliveries.get(name);
    if (earlier !== undefined) {
      if (earlier.inputDigest !== inputDigest) throw conflict();
      return { ...NOT_REMEMBERED, earlier: await earlier.result };
    }
    const { promise: result, resolve, reject } = Promise.withResolvers<DeliveryResult>();
    // It may fail after its last waiter has left, which must not count as an unhandled rejection.
    result.catch(() => {});
    const delivery = { tenant: tenantId, inputDigest, result };
    if (!this.#slots.tryAcquire(delivery)) throw new Problem('busy/remembered', { retryAfterSeconds: 60 });
    this.#deliveries.set(name, delivery);
    const forget = () => {
      this.#deliveries.delete(name);
      this.#slots.release(delivery);
    };
    const remember = (ended: DeliveryResult) => {
      setTimeout(forget, this.#options.keptMs).unref();
      resolve(ended);
    };
    const fail = (error: unknown) => {
      forget();
      reject(error);
    };
    const { store } = this.#options;
    const begun = JSON.stringify({ input: inputDigest, head: null, call: randomUUID() });
    try {
      const earlierResult = store === null ? null : await reserveIn(store, name, begun, inputDigest);
      if (earlierResult !== null) {
        remember(earlierResult);
        return { ...NOT_REMEMBERED, earlier: earlierResult };
      }
    } catch (error) {
      fail(error);
      throw error;
    }
    return {
      earlier: null,
      async save(ended) {
        await store?.saveResult(name, JSON.stringify({ input: inputDigest, head: ended }));
        remember(ended);
      },
      async release(error) {
        await store?.releaseKey(name, begun);
        fail(error);
      },
    };
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
