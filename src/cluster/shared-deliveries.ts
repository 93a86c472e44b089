import type { Redis } from 'ioredis';
import * as z from 'zod';

import type { DeliveryReport } from '../deliveries/deliveries.ts';
import type { DeliveryPeers, ReadStatus } from '../deliveries/delivery-peers.ts';
import { Problem } from '../kernel/problem.ts';
import type { Leases } from './leases.ts';
import type { Talk } from './talk.ts';

export interface SharedDeliveriesOptions {
  readonly redis: Redis;
  readonly leases: Leases;
  readonly talk: Talk;
  readonly processId: string;
  /** A webhook stays locked this long after its process went silent. */
  readonly lockMs: number;
  /**
   * How long a key, and the last delivery of a webhook, are remembered while a delivery goes on: longer than any takes.
   */
  readonly keyMs: number;
}

const ANSWER_MS = 3_000;

/** The kind of question to another process. */
const KIND = 'delivery';
const statusQuerySchema = z.object({ deliveryId: z.string().max(200), ownerId: z.string().max(20) });

const text = z.string().max(2_000);
const whole = z.int().nonnegative();
const reportSchema: z.ZodType<DeliveryReport> = z.object({
  state: z.enum(['sent', 'pending', 'stopped']),
  deliveryId: text,
  total: whole,
  messageIds: z.array(text),
  channelId: text.nullable(),
  uncertain: z.boolean(),
  rest: z.string().nullable(),
  reason: text.nullable(),
  retryAfterSeconds: whole.nullable(),
});

// KEYS: a webhook, and its last delivery. ARGV: a delivery, milliseconds of a term, how long the last delivery is
// remembered in milliseconds, and whether this delivery had the webhook before. Returns 1 when the delivery now has the
// webhook for a term.
const LOCK = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
local last = redis.call('GET', KEYS[2])
if ARGV[4] == '1' and last and last ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
return 1
`;

// KEYS: a record. ARGV: what it holds, and milliseconds to keep it. Returns what it held before, and changes nothing
// then. Redis 6.2 has no SET with both NX and GET.
const TAKE_KEY = `
local held = redis.call('GET', KEYS[1])
if not held then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return held
`;

// KEYS: a record. ARGV: what it has to begin with, and milliseconds to keep it (0 deletes it). Any other record stays
// as it is.
const END = `
local record = redis.call('GET', KEYS[1])
if not record or string.sub(record, 1, #ARGV[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`;

const webhookKey = (webhookId: string) => `quartermaster:webhook:${webhookId}`;
const lastKey = (webhookId: string) => `quartermaster:webhook_last:${webhookId}`;
const sendKey = (name: string) => `quartermaster:send:${name}`;

/**
 * Webhooks, Idempotency-Keys and the state of deliveries, shared by all processes of a bot. Redis never sees a text or
 * a token.
 */
export class SharedDeliveries implements DeliveryPeers {
  readonly #options: SharedDeliveriesOptions;

  /** @param readStatus answers the other processes about deliveries of this one */
  constructor(options: SharedDeliveriesOptions, readStatus: ReadStatus) {
    this.#options = options;
    options.talk.answer(KIND, async (question) => {
      const asked = statusQuerySchema.safeParse(question).data;
      if (asked === undefined) throw new Problem('bad_request');
      return { head: readStatus(asked.deliveryId, asked.ownerId) };
    });
  }

  get processId(): string {
    return this.#options.processId;
  }

  get termMs(): number {
    return this.#options.lockMs;
  }

  async lockWebhook(
    webhookId: string,
    deliveryId: string,
    hadIt: boolean,
  ): Promise<'ours' | 'taken' | 'away'> {
    const { redis, lockMs, keyMs } = this.#options;
    try {
      const keys = [webhookKey(webhookId), lastKey(webhookId)];
      const locked = await redis.eval(LOCK, 2, ...keys, deliveryId, lockMs, keyMs, hadIt ? 1 : 0);
      return locked === 1 ? 'ours' : 'taken';
    } catch {
      return 'away';
    }
  }

  async unlockWebhook(webhookId: string, deliveryId: string): Promise<void> {
    await this.#end(webhookKey(webhookId), deliveryId, null);
  }

  async takeKey(name: string, input: string, deliveryId: string): Promise<string> {
    const { redis, keyMs } = this.#options;
    const record = `${deliveryId} ${input}`;
    const held = await redis.eval(TAKE_KEY, 1, sendKey(name), record, keyMs).catch(() => null);
    if (typeof held !== 'string') return deliveryId;
    const [heldId = '', heldInput] = held.split(' ');
    if (heldInput !== input) throw new Problem('idempotency_conflict', { field: 'Idempotency-Key' });
    return heldId;
  }

  async endKey(name: string, deliveryId: string, keptMs: number | null): Promise<void> {
    await this.#end(sendKey(name), `${deliveryId} `, keptMs);
  }

  async readStatus(deliveryId: string, ownerId: string): Promise<DeliveryReport> {
    const { leases, talk } = this.#options;
    const find = () => leases.others.find(({ id }) => deliveryId.startsWith(`${id}_`));
    // The process may have joined a moment ago.
    if (find() === undefined) await leases.renew().catch(() => undefined);
    const process = find();
    if (process === undefined) throw unknownDelivery();
    const question = { deliveryId, ownerId };
    const endsAt = performance.now() + ANSWER_MS;
    try {
      const { head } = await talk.ask({ to: process.id, kind: KIND, question, idsMax: 0, endsAt });
      return reportSchema.parse(head);
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      // The process may have gone a moment ago.
      await leases.renew().catch(() => undefined);
      throw find() === undefined ? unknownDelivery() : isAway(cause);
    }
  }

  async #end(key: string, prefix: string, keptMs: number | null): Promise<void> {
    // If this fails, the record expires by itself.
    await this.#options.redis.eval(END, 1, key, prefix, keptMs ?? 0).catch(() => undefined);
  }
}

function unknownDelivery(): Problem {
  return new Problem('unknown_delivery', { field: 'delivery_id' });
}

function isAway(cause: unknown): Problem {
  return new Problem('busy/delivery_away', { retryAfterSeconds: 2, cause });
}
