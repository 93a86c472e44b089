import type { DeliveryReport } from './deliveries.ts';

/** What the deliveries of several processes share. While the others cannot be reached, each process works for itself. */
export interface DeliveryPeers {
  /** Ids of deliveries begin with it. */
  readonly processId: string;
  /**
   * Whether this delivery may post through the webhook: then no other process does, until `unlockWebhook`. It has to be
   * asked for again every few seconds.
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
