/** How deliveries are bounded. All periods in milliseconds. */
export interface DeliverySettings {
  /** How long a caller waits before the answer is `pending`. Builders give up at 10 s. */
  readonly patienceMs: number;
  /** For posting all messages of a text. */
  readonly postingMsMax: number;
  /** For waiting in the queue before that. */
  readonly waitingMsMax: number;
  /** How long Discord may take for one message. */
  readonly postTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** How long asking Discord whose a webhook is may take, with waiting for limits. */
  readonly lookUpMsMax: number;
  /** How long what Discord said of a webhook is believed. */
  readonly knownMs: number;
  /** A webhook that Discord does not know causes no call for this long: Discord asks for that. */
  readonly unknownMs: number;
  /** A webhook that worked this lately is trusted while others are not. */
  readonly workedMs: number;
  /** Unknown webhooks that a guild may try in `attemptsMs`. */
  readonly attemptsMax: number;
  readonly attemptsMs: number;
  /** Pause before a connection that could not be made is tried again, and after a 429 that names no time; doubled. */
  readonly connectPauseMs: number;
  readonly unnamedLimitMs: number;
  /** How long the end of a delivery is known, with its Idempotency-Key. */
  readonly keptMs: number;
  /** How long before the end of a shutdown a message that has no answer yet counts as uncertain. */
  readonly shutdownMarginMs: number;
  /** How long callers who were told `pending` can look after the last delivery of a shutdown has ended. */
  readonly lastLookMs: number;
  readonly runningMax: number;
  readonly runningPerGuildMax: number;
  readonly waitingMax: number;
  readonly waitingPerGuildMax: number;
  readonly waitingPerWebhookMax: number;
  /** Ends of deliveries that are known at once. */
  readonly keptMax: number;
  /** Rests of ended deliveries, in bytes. */
  readonly restBytesMax: number;
  readonly restBytesPerGuildMax: number;
}

export const DELIVERY_SETTINGS: DeliverySettings = {
  patienceMs: 8_000,
  postingMsMax: 300_000,
  waitingMsMax: 300_000,
  postTimeoutMs: 15_000,
  connectTimeoutMs: 5_000,
  lookUpMsMax: 30_000,
  knownMs: 600_000,
  unknownMs: 86_400_000,
  workedMs: 3_600_000,
  attemptsMax: 5,
  attemptsMs: 600_000,
  connectPauseMs: 1_000,
  unnamedLimitMs: 5_000,
  keptMs: 600_000,
  shutdownMarginMs: 3_000,
  lastLookMs: 4_000,
  runningMax: 16,
  runningPerGuildMax: 2,
  waitingMax: 64,
  waitingPerGuildMax: 8,
  waitingPerWebhookMax: 4,
  keptMax: 10_000,
  restBytesMax: 16 * 2 ** 20,
  restBytesPerGuildMax: 2 ** 20,
};
