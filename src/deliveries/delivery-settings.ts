/** Bounds of deliveries. All periods are in milliseconds. */
export const DELIVERY_SETTINGS = {
  /** A caller waits this long before the answer is `pending`. Builders give up at 10 s. */
  patienceMs: 8_000,
  /** For posting all messages of a text. */
  postingMsMax: 300_000,
  /** For waiting in the queue before that. */
  waitingMsMax: 300_000,
  /** For Discord to answer one message. */
  postTimeoutMs: 15_000,
  connectTimeoutMs: 5_000,
  /** For asking Discord which server a webhook belongs to, waits for limits included. */
  lookUpMsMax: 30_000,
  /** Discord's answer about a webhook is trusted for this long. */
  knownMs: 600_000,
  /** A webhook that Discord does not know causes no call for this long: Discord asks for that. */
  unknownMs: 86_400_000,
  /** A webhook that worked this lately is trusted while others are not. */
  workedMs: 3_600_000,
  /** Unknown webhooks that a guild may try in `attemptsMs`. */
  attemptsMax: 5,
  attemptsMs: 600_000,
  /** Pause before a connection that could not be made is tried again, and after a 429 that names no time; doubled. */
  connectPauseMs: 1_000,
  unnamedLimitMs: 5_000,
  /** An ended delivery and its Idempotency-Key are remembered for this long. */
  keptMs: 600_000,
  /** A message without an answer this long before the end of a shutdown counts as uncertain. */
  shutdownMarginMs: 3_000,
  /** Callers with the answer `pending` can still look for this long after the last delivery of a shutdown. */
  lastLookMs: 4_000,
  runningMax: 16,
  runningPerGuildMax: 2,
  waitingMax: 64,
  waitingPerGuildMax: 8,
  waitingPerWebhookMax: 4,
  /** Ends of deliveries that are known at once. */
  keptMax: 10_000,
  /** Rests of ended deliveries, in bytes. */
  restBytesMax: 16 * 2 ** 20,
  restBytesPerGuildMax: 2 ** 20,
};

export type DeliverySettings = Readonly<typeof DELIVERY_SETTINGS>;
