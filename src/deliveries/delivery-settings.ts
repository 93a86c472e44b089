import { PATIENCE_MS } from '../upstream/within-patience.ts';

/** Bounds of deliveries. All periods are in milliseconds. */
export const DELIVERY_SETTINGS = {
  /** A caller waits this long before the answer is `pending`. */
  patienceMs: PATIENCE_MS,
  /** Time for posting all messages of a text. */
  postingMsMax: 300_000,
  /** Time for waiting in the queue before that. */
  waitingMsMax: 300_000,
  /** Time for Discord to answer one message. */
  postTimeoutMs: 15_000,
  connectTimeoutMs: 5_000,
  /** Time for asking Discord which server a webhook belongs to, including waits for rate limits. */
  lookUpMsMax: 30_000,
  /** Discord's answer about a webhook is trusted for this long. */
  knownMs: 600_000,
  /**
   * Pause before another attempt when no connection could be made, or after a 429 that names no time. It doubles each
   * time.
   */
  connectPauseMs: 1_000,
  unnamedLimitMs: 5_000,
  /** An ended delivery and its Idempotency-Key are remembered for this long. */
  keptMs: 600_000,
  /** A message without an answer this long before the end of a shutdown counts as uncertain. */
  shutdownMarginMs: 3_000,
  /** In a shutdown, callers with the answer `pending` can ask how it ended for this long after the last delivery. */
  statusGraceMs: 4_000,
  runningMax: 16,
  runningPerGuildMax: 2,
  waitingMax: 64,
  waitingPerGuildMax: 8,
  waitingPerWebhookMax: 4,
  /** Ended deliveries that are remembered at once. */
  keptMax: 10_000,
  /** Bytes of the rests of ended deliveries. */
  restBytesMax: 16 * 2 ** 20,
  restBytesPerGuildMax: 2 ** 20,
};

export type DeliverySettings = Readonly<typeof DELIVERY_SETTINGS>;
