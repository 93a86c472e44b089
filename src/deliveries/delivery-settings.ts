import { CALLER_WAIT_MS } from '../kernel/caller-wait.ts';

/** Periods of deliveries, in milliseconds. */
export const DELIVERY_SETTINGS = {
  /** A post begins only within this time of its request. */
  beginMs: CALLER_WAIT_MS,
  /** Time for Discord to answer one call. */
  postTimeoutMs: 15_000,
  connectTimeoutMs: 5_000,
  /** Discord's answer about a webhook is trusted for this long. */
  guildKnownMs: 600_000,
  /** Pause before another attempt when no connection could be made. It doubles each time. */
  connectPauseMs: 1_000,
  /** How long a 429 that names no time is taken to last. It doubles each time. */
  defaultLimitMs: 5_000,
  /** An Idempotency-Key is remembered for this long. */
  resultKeptMs: 600_000,
  /** This long before the end of a shutdown, messages without an answer count as uncertain. */
  shutdownMarginMs: 3_000,
};

export type DeliverySettings = Readonly<typeof DELIVERY_SETTINGS>;
