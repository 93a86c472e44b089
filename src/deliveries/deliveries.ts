import type { Webhook } from '../upstream/webhook-sender.ts';

/** The messages of one request, to be posted through a webhook. */
export interface Delivery {
  readonly webhook: Webhook;
  /** Guild of the caller's key; null for an operator's key of no server, which may use any webhook. */
  readonly guildId: string | null;
  readonly tenantId: string;
  /** Each message as JSON, ready to be posted. */
  readonly bodies: readonly string[];
  /** Messages of the whole text. If there are more than in this delivery, a rest is left. */
  readonly total: number;
  readonly withComponents: boolean;
  readonly threadId: string | null;
  /** The first message makes a thread in a forum, and the others follow into it. */
  readonly makesThread: boolean;
  readonly idempotencyKey: string | null;
  /** Digest of everything that decides the messages. The same key with another input is a conflict. */
  readonly input: string;
  /** When the request came, on the clock of `performance.now()`. */
  readonly startedAt: number;
}

/** How a delivery ended. It is stored with an Idempotency-Key, so it contains no text. */
export interface DeliveryResult {
  readonly state: 'sent' | 'stopped';
  readonly total: number;
  /** In order; only messages that have certainly arrived. */
  readonly messageIds: readonly string[];
  /** The channel or thread of the last message posted; null before the first. */
  readonly channelId: string | null;
  /** True when the message after the last certain one may have arrived, too. */
  readonly uncertain: boolean;
  /** Why it was stopped: a sentence. */
  readonly reason: string | null;
  /** The part of the message that Discord refused, as `embeds[0].title`. Default: Discord named none. */
  readonly refusedPlace?: string | undefined;
  /** When the rest can be sent; null when sending it again would not help, or could post twice. */
  readonly retryAfterSeconds: number | null;
}

/** Posts messages through webhooks: in order, and nothing twice. */
export interface Deliveries {
  /**
   * Resolves when everything is posted, or the delivery was stopped. It goes on if its caller leaves, because the
   * caller may ask again with the same Idempotency-Key.
   * @throws Problem when certainly nothing was posted
   */
  send(delivery: Delivery): Promise<DeliveryResult>;
}
