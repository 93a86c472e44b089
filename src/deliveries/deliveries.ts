import type { Webhook } from './webhook.ts';

/** A message that is ready to be posted. */
export interface DeliveryMessage {
  /** Its body, as JSON. */
  readonly json: string;
  /**
   * The formatting marks that are open where it begins. If the rest begins with this message, it begins with these
   * marks.
   */
  readonly opening: string;
  /** Its part of the text, with the white space up to the next message. */
  readonly text: string;
}

/** A text on its way through a webhook. */
export interface DeliveryOrder {
  readonly webhook: Webhook;
  /** Guild of the caller's key; null for the local key, which may use any webhook. */
  readonly guildId: string | null;
  readonly ownerId: string;
  readonly messages: readonly DeliveryMessage[];
  readonly withComponents: boolean;
  readonly threadId: string | null;
  /** The first message makes a thread in a forum, and the others follow into it. */
  readonly makesThread: boolean;
  readonly idempotencyKey: string | null;
  /** Digest of everything that decides what is posted. Orders with the same key and another input are in conflict. */
  readonly input: string;
}

/** The state of a delivery at the moment of asking. */
export interface DeliveryReport {
  readonly state: 'sent' | 'pending' | 'stopped';
  readonly deliveryId: string;
  readonly total: number;
  /** In order; only messages that have certainly arrived. */
  readonly messageIds: readonly string[];
  /** The channel or thread of the last message posted; null before the first. */
  readonly channelId: string | null;
  /** The message after the last certain one may have arrived, too. */
  readonly uncertain: boolean;
  /** The text from the first message that did not arrive for certain; null when all did. */
  readonly rest: string | null;
  /** Why it was stopped: a sentence. */
  readonly reason: string | null;
  /** When it makes sense to ask again, or to send the rest. */
  readonly retryAfterSeconds: number | null;
}

/** Posts texts through webhooks: in order, and nothing twice. */
export interface Deliveries {
  /**
   * Resolves when all is posted, when it was stopped, or with `pending` when that takes longer than a caller waits.
   * @param signal ends the wait, not the delivery
   * @throws Problem when nothing was posted, and that is certain
   */
  send(order: DeliveryOrder, signal: AbortSignal): Promise<DeliveryReport>;
  /** @throws Problem `unknown_delivery`, or the one with which the delivery ended */
  readStatus(deliveryId: string, ownerId: string): Promise<DeliveryReport>;
}
