import { setTimeout as delay } from 'node:timers/promises';

import { shuttingDown } from './call-problem.ts';
import type { DeliveryPeers } from './delivery-peers.ts';
import { busy } from './delivery-places.ts';

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
