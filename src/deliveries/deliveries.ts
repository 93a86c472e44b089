import type { Webhook } from '../upstream/webhook-sender.ts';

/** The messages of one request, to be posted through a webhook. */
export interface Delivery {
  readonly webhook: Webhook;
  /** Guild of the caller's key; null for the local key, which may use any webhook. */
  readonly guildId: string | null;
  readonly tenantId: string;
  /** Each message as JSON, ready to be posted. */
  readonly bodies: readonly string[];
  /** The number of messages that the whole text makes. When it is more, the delivery leaves a rest. */
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

/** How a delivery ended. It is remembered with an Idempotency-Key, so it holds nothing of the text. */
export interface DeliveryResult {
  readonly state: 'sent' | 'stopped';
  readonly total: number;
  /** In order; only messages that have certainly arrived. */
  readonly messageIds: readonly string[];
  /** The channel or thread of the last message posted; null before the first. */
  readonly channelId: string | null;
  /** The message after the last certain one may have arrived, too. */
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
   * Resolves when all is posted, or when it was stopped. It goes on without its caller, because the caller may ask
   * again with the same Idempotency-Key.
   * @throws Problem when nothing was posted, and that is certain
   */
  send(delivery: Delivery): Promise<DeliveryResult>;
}
