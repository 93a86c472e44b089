import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../kernel/problem.ts';
import { storeUnavailable, type DeliveryStore } from './delivery-store.ts';

/** The right of one delivery to post through a webhook, among all processes. */
export interface WebhookLock extends AsyncDisposable {
  /**
   * Resolves if no other process has locked the webhook since.
   * @throws Problem `busy` if one has, or the signal's reason if the store did not answer in time
   */
  require(): Promise<void>;
}

/** Pause between attempts while another process has the webhook. */
const POLL_MS = 250;

/**
 * The lock is never renewed, because it lasts longer than any delivery takes.
 * @throws Problem `busy` when no lock is granted now, or the store cannot tell which process has it; the signal's
 * reason
 */
export async function lockWebhook(
  shared: DeliveryStore,
  webhookId: string,
  signal: AbortSignal,
): Promise<WebhookLock> {
  const deliveryId = randomUUID();
  const pause = () => delay(POLL_MS, undefined, { signal });
  const unlock = () => shared.unlockWebhook(webhookId, deliveryId);
  for (;;) {
    const isOurs = await shared.lockWebhook(webhookId, deliveryId).catch((cause: unknown) => {
      // The webhook may be locked, with only the answer lost.
      void unlock();
      throw cause instanceof Problem ? cause : storeUnavailable(cause);
    });
    if (isOurs) break;
    await pause();
  }
  return {
    async require() {
      for (;;) {
        const isOurs = await shared.hasWebhook(webhookId, deliveryId).catch(() => null);
        if (isOurs === true) return;
        // The store has lost the lock, or this process was paused for longer than the lock lasts.
        if (isOurs === false) throw new Problem('busy/webhook', { retryAfterSeconds: 10 });
        await pause();
      }
    },
    [Symbol.asyncDispose]: unlock,
  };
}
