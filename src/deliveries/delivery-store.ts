import { Problem } from '../kernel/problem.ts';

/**
 * State that the processes of one bot share about sending. It holds ids, digests and results, but never a text or a
 * secret. Its methods reject when the store cannot be reached.
 */
export interface DeliveryStore {
  /**
   * @returns false when another delivery has the webhook
   * @throws Problem `busy` while locks that were forgotten may still be in use
   */
  lockWebhook(webhookId: string, deliveryId: string): Promise<boolean>;
  hasWebhook(webhookId: string, deliveryId: string): Promise<boolean>;
  /** Tries again until the lock has expired. Resolves after the first attempt, and never rejects. */
  unlockWebhook(webhookId: string, deliveryId: string): Promise<void>;
  /**
   * Takes an Idempotency-Key.
   * @param name of the key, a digest
   * @param record what is stored with it
   * @returns null when the key was free, else the record that is stored with it
   */
  reserveKey(name: string, record: string): Promise<string | null>;
  /** Replaces the record of a key when its delivery has ended. Tries again as `unlockWebhook` does. */
  saveResult(name: string, record: string): Promise<void>;
  /** Frees a key if it still has this record. Tries again as `unlockWebhook` does. */
  releaseKey(name: string, record: string): Promise<void>;
}

/** The problem of a delivery whose store cannot be reached. */
export function storeUnavailable(cause: unknown): Problem {
  return new Problem('busy/sharing', { retryAfterSeconds: 5, cause });
}
