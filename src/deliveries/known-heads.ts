import { createHash, randomUUID } from 'node:crypto';

import * as z from 'zod';

import { shortText } from '../kernel/atoms.ts';
import { FairPlaces, type Claim } from '../kernel/fair-places.ts';
import { Problem } from '../kernel/problem.ts';
import type { DeliveryHead, DeliveryOrder } from './deliveries.ts';
import type { SharedSends } from './shared-sends.ts';
import { nobodyKnows } from './webhook-lock.ts';

interface KnownHeadsOptions {
  /** null when this process is alone. */
  readonly shared: SharedSends | null;
  /** Milliseconds. */
  readonly keptMs: number;
  /** Default 1,000. */
  readonly perGuildMax?: number;
  /** Default 100,000. */
  readonly max?: number;
}

/** A call with an Idempotency-Key: under way, or ended and remembered. */
interface KnownCall extends Claim {
  readonly input: string;
  readonly head: Promise<DeliveryHead>;
}

/** A call may take this long at most, so after that the same request has an answer, or its process has died. */
const UNDER_WAY_SECONDS = 25;

const recordSchema = z.object({
  input: shortText,
  head: z
    .object({
      state: z.enum(['sent', 'stopped']),
      total: z.int(),
      messageIds: z.array(shortText),
      channelId: shortText.nullable(),
      uncertain: z.boolean(),
      reason: shortText.nullable(),
      retryAfterSeconds: z.int().nullable(),
    })
    .nullable(),
});

/** Remembers how calls with an Idempotency-Key ended, so that each of them posts once. */
export class KnownHeads {
  readonly #options: KnownHeadsOptions;
  readonly #calls = new Map<string, KnownCall>();
  readonly #room: FairPlaces<KnownCall>;

  constructor(options: KnownHeadsOptions) {
    const { max = 100_000, perGuildMax = 1_000 } = options;
    this.#options = options;
    this.#room = new FairPlaces({
      isRoom: (calls, { owner }) => calls.size < max && calls.of(owner).weight < perGuildMax,
    });
  }

  /**
   * Posts, unless the same request did so before.
   * @param post throws a Problem when certainly nothing was posted; the key is free again then
   * @throws Problem `idempotency_conflict`, `busy` when too many keys are remembered, and what `post` throws
   */
  async once(order: DeliveryOrder, post: () => Promise<DeliveryHead>): Promise<DeliveryHead> {
    const { ownerId, idempotencyKey } = order;
    if (idempotencyKey === null) return post();
    const name = digestOf([ownerId, idempotencyKey]);
    const input = digestOf([ownerId, idempotencyKey, order.input]);
    const earlier = this.#calls.get(name);
    if (earlier !== undefined) {
      if (earlier.input !== input) throw conflict();
      return earlier.head;
    }
    const { promise: head, resolve, reject } = Promise.withResolvers<DeliveryHead>();
    // Nobody may be waiting for it any more when it fails.
    head.catch(() => {});
    const call = { owner: ownerId, input, head };
    if (!this.#room.take(call)) throw new Problem('busy/remembered', { retryAfterSeconds: 60 });
    this.#calls.set(name, call);
    const forget = () => {
      this.#calls.delete(name);
      this.#room.giveBack(call);
    };
    try {
      resolve(await this.#askOthersFirst(name, input, post));
      setTimeout(forget, this.#options.keptMs).unref();
    } catch (error) {
      forget();
      reject(error);
    }
    return head;
  }

  async #askOthersFirst(
    name: string,
    input: string,
    post: () => Promise<DeliveryHead>,
  ): Promise<DeliveryHead> {
    const { shared } = this.#options;
    if (shared === null) return post();
    const begun = JSON.stringify({ input, head: null, call: randomUUID() });
    const held = await shared.takeKey(name, begun).catch((cause: unknown) => {
      // Perhaps it was taken, and only the answer is missing.
      void shared.freeKey(name, begun);
      throw nobodyKnows(cause);
    });
    if (held !== null) return readHeld(held, input);
    try {
      const head = await post();
      await shared.keepKey(name, JSON.stringify({ input, head }));
      return head;
    } catch (error) {
      await shared.freeKey(name, begun);
      throw error;
    }
  }
}

/** @throws Problem `idempotency_conflict` */
function readHeld(held: string, input: string): DeliveryHead {
  const record = recordSchema.safeParse(parseJson(held)).data;
  if (record?.input !== input) throw conflict();
  if (record.head !== null) return record.head;
  throw new Problem('idempotency_conflict/under_way', {
    field: 'Idempotency-Key',
    retryAfterSeconds: UNDER_WAY_SECONDS,
  });
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function conflict(): Problem {
  return new Problem('idempotency_conflict', { field: 'Idempotency-Key' });
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
