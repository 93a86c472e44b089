import type { DeliveryReport } from './deliveries.ts';

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
