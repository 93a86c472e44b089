import type { Redis } from 'ioredis';

import type { DeliveryReport } from '../deliveries/deliveries.ts';
import type { DeliveryPeers } from '../deliveries/delivery-peers.ts';
import { Problem } from '../problem.ts';
import type { Leases, OtherProcess } from './leases.ts';
import { OwnerConnections } from './owner-connections.ts';
import { DELIVERY_PATH, readReport, toProblem } from './wire.ts';

export interface SharedDeliveriesOptions {
  readonly redis: Redis;
  readonly leases: Leases;
  readonly processId: string;
  /** A webhook stays this long with a process that has gone silent. */
  readonly lockMs: number;
  /** A key is known for this long while its delivery goes on: longer than any delivery. */
  readonly keyMs: number;
}

const ANSWER_MS = 3_000;
/** A rest has up to a megabyte, and more as JSON. */
const REPORT_BYTES_MAX = 4 * 2 ** 20;

// KEYS: a webhook. ARGV: a delivery, milliseconds. 1 when the webhook is with the delivery from now on.
const LOCK = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

// KEYS: a record. ARGV: how it begins, milliseconds (0 deletes it). Another record stays as it is.
const END = `
local record = redis.call('GET', KEYS[1])
if not record or string.sub(record, 1, #ARGV[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`;

const webhookKey = (webhookId: string) => `quartermaster:webhook:${webhookId}`;
const sendKey = (name: string) => `quartermaster:send:${name}`;

/** Webhooks, Idempotency-Keys and the state of deliveries, for all processes of a bot. Redis gets no text and no token. */
export class SharedDeliveries implements DeliveryPeers, Disposable {
  readonly #options: SharedDeliveriesOptions;
  readonly #connections = new OwnerConnections();

  constructor(options: SharedDeliveriesOptions) {
    this.#options = options;
  }

  get processId(): string {
    return this.#options.processId;
  }

  async lockWebhook(webhookId: string, deliveryId: string): Promise<boolean> {
    const { redis, lockMs } = this.#options;
    // Without Redis, each process keeps its own order.
    const locked = await redis.eval(LOCK, 1, webhookKey(webhookId), deliveryId, lockMs).catch(() => 1);
    return locked === 1;
  }

  async unlockWebhook(webhookId: string, deliveryId: string): Promise<void> {
    await this.#end(webhookKey(webhookId), deliveryId, null);
  }

  async takeKey(name: string, input: string, deliveryId: string): Promise<string> {
    const { redis, keyMs } = this.#options;
    const record = `${deliveryId} ${input}`;
    const held = await redis.set(sendKey(name), record, 'PX', keyMs, 'NX', 'GET').catch(() => null);
    if (held === null) return deliveryId;
    const [heldId = '', heldInput] = held.split(' ');
    if (heldInput !== input) throw new Problem('idempotency_conflict', { field: 'Idempotency-Key' });
    return heldId;
  }

  async endKey(name: string, deliveryId: string, keptMs: number | null): Promise<void> {
    await this.#end(sendKey(name), `${deliveryId} `, keptMs);
  }

  async look(deliveryId: string, ownerId: string): Promise<DeliveryReport> {
    const { leases } = this.#options;
    const find = () => leases.others.find(({ id }) => deliveryId.startsWith(`${id}_`));
    // It may have come a moment ago.
    if (find() === undefined) await leases.renew().catch(() => undefined);
    const process = find();
    if (process === undefined) throw unknownDelivery();
    let answer: { readonly status: number; readonly body: string };
    try {
      answer = await this.#ask(process, JSON.stringify({ deliveryId, ownerId }));
    } catch (cause) {
      // It may have gone a moment ago.
      await leases.renew().catch(() => undefined);
      throw find() === undefined ? unknownDelivery() : isAway(cause);
    }
    const { status, body } = answer;
    const report = status === 200 ? readReport(body) : null;
    if (report !== null) return report;
    throw (
      toProblem(body) ?? new Problem('internal', { cause: new Error(`another process answered ${status}`) })
    );
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }

  async #end(key: string, prefix: string, keptMs: number | null): Promise<void> {
    // What stays ends by itself.
    await this.#options.redis.eval(END, 1, key, prefix, keptMs ?? 0).catch(() => undefined);
  }

  async #ask({ origin, secret }: OtherProcess, question: string): Promise<{ status: number; body: string }> {
    const pieces: Buffer[] = [];
    const { status } = await this.#connections.ask({
      origin,
      path: DELIVERY_PATH + Buffer.from(question).toString('base64url'),
      headers: { authorization: secret },
      timeoutMs: ANSWER_MS,
      makeRoom(bytes) {
        if (bytes > REPORT_BYTES_MAX) throw new Error('the answer of the owner is too long');
        return (piece) => void pieces.push(Buffer.from(piece));
      },
    });
    return { status, body: Buffer.concat(pieces).toString('utf8') };
  }
}

function unknownDelivery(): Problem {
  return new Problem('unknown_delivery', { field: 'delivery_id' });
}

function isAway(cause: unknown): Problem {
  return new Problem('busy', {
    error: 'The part of this service that posts this text cannot be reached at the moment.',
    retryAfterSeconds: 2,
    cause,
  });
}
