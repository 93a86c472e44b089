import { setTimeout as delay } from 'node:timers/promises';

import type { DeliveryReport } from './deliveries.ts';
import { shuttingDown } from './call-problem.ts';
import { busy } from './delivery-places.ts';

/** Reports on a delivery of this process. @throws Problem as `Deliveries.look` does */
export type Look = (deliveryId: string, ownerId: string) => DeliveryReport;

/** State shared by the deliveries of several processes. While the others cannot be reached, each process works alone. */
export interface DeliveryPeers {
  /** Ids of deliveries begin with it. */
  readonly processId: string;
  /**
   * True when this delivery may post through the webhook. No other process does then, until `unlockWebhook`. The lock
   * expires unless it is asked for again every few seconds.
   */
  lockWebhook(webhookId: string, deliveryId: string): Promise<boolean>;
  unlockWebhook(webhookId: string, deliveryId: string): Promise<void>;
  /**
   * Takes an Idempotency-Key for a delivery.
   * @param name of the key, of its guild alone
   * @param input digest of what is sent with it
   * @returns the delivery that has it, which may be another one
   * @throws Problem `idempotency_conflict`
   */
  takeKey(name: string, input: string, deliveryId: string): Promise<string>;
  /** The delivery has ended: its key is known for this long; null frees it. */
  endKey(name: string, deliveryId: string, keptMs: number | null): Promise<void>;
  /** A delivery of another process. @throws Problem `unknown_delivery`, or the one with which it ended */
  look(deliveryId: string, ownerId: string): Promise<DeliveryReport>;
}

/** Between attempts while another process has the webhook, and between renewals once it is ours. */
const POLL_MS = 250;
const RENEW_MS = 4_000;

interface Wait {
  /** On the clock of `performance.now()`. */
  readonly endsAt: number;
  readonly closing: AbortSignal;
}

/**
 * One process at a time posts through a webhook.
 * @param peers null: this process is alone
 * @throws Problem `busy` `shutting_down`, and what `work` throws
 */
export async function withWebhookLock<Result>(
  peers: DeliveryPeers | null,
  webhookId: string,
  deliveryId: string,
  { endsAt, closing }: Wait,
  work: () => Promise<Result>,
): Promise<Result> {
  if (peers === null) return work();
  const lock = () => peers.lockWebhook(webhookId, deliveryId);
  while (!(await lock())) {
    if (performance.now() >= endsAt) throw busy();
    await delay(POLL_MS, undefined, { signal: closing }).catch(() => {});
    if (closing.aborted) throw shuttingDown();
  }
  const renewing = setInterval(() => void lock().catch(() => {}), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await peers.unlockWebhook(webhookId, deliveryId);
  }
}
