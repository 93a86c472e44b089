import { setTimeout as delay } from 'node:timers/promises';

import { Problem } from '../kernel/problem.ts';
import type { DeliveryReport } from './deliveries.ts';
import { shuttingDown } from './call-problem.ts';
import { busy } from './delivery-places.ts';

/** Reports on a delivery of this process. @throws Problem as `Deliveries.readStatus` does */
export type ReadStatus = (deliveryId: string, ownerId: string) => DeliveryReport;

/** State shared by the deliveries of several processes. While the others cannot be reached, each process works alone. */
export interface DeliveryPeers {
  /** Ids of this process's deliveries begin with it. */
  readonly processId: string;
  /** A delivery has a webhook for this long after it was locked. */
  readonly termMs: number;
  /**
   * Gives the webhook to this delivery for one term, or extends it by one.
   * @param hadIt the delivery has posted already, so no other may have come in between
   * @returns `taken` when another delivery has it, or had it since; `away` when nobody knows
   */
  lockWebhook(webhookId: string, deliveryId: string, hadIt: boolean): Promise<'ours' | 'taken' | 'away'>;
  unlockWebhook(webhookId: string, deliveryId: string): Promise<void>;
  /**
   * Takes an Idempotency-Key for a delivery.
   * @param name of the key, unique to its guild
   * @param input digest of what is sent with it
   * @returns the delivery that has the key, which may be another one
   * @throws Problem `idempotency_conflict`
   */
  takeKey(name: string, input: string, deliveryId: string): Promise<string>;
  /** The delivery has ended: its key is remembered for this long; null frees it. */
  endKey(name: string, deliveryId: string, keptMs: number | null): Promise<void>;
  /**
   * Asks another process about its delivery.
   * @throws Problem `unknown_delivery`, or the one with which it ended
   */
  readStatus(deliveryId: string, ownerId: string): Promise<DeliveryReport>;
}

/** Pause between attempts while another process has the webhook. */
const POLL_MS = 250;
/** The lock is renewed this many times in a term. */
const RENEWALS = 4;

interface Wait {
  /** On the clock of `performance.now()`. */
  readonly endsAt: number;
  readonly closing: AbortSignal;
}

/** One delivery's turn to post through a webhook. */
export interface WebhookTurn {
  /**
   * True while no other process can post. Ask right before a message leaves, because this process may have been
   * suspended.
   */
  isOurs(): boolean;
  /**
   * Resolves when `isOurs`.
   * @throws Problem `busy` when another process has the webhook now, `shutting_down`
   */
  require(): Promise<void>;
}

const ALONE: WebhookTurn = { isOurs: () => true, require: async () => {} };

/**
 * One process at a time posts through a webhook.
 * @param peers null: this process is alone
 * @throws Problem `busy` `shutting_down`, and what `work` throws
 */
export async function withWebhookLock<Result>(
  peers: DeliveryPeers | null,
  webhookId: string,
  deliveryId: string,
  { endsAt, closing }: Wait,
  work: (turn: WebhookTurn) => Promise<Result>,
): Promise<Result> {
  if (peers === null) return work(ALONE);
  const turn = new LockedTurn(peers, webhookId, deliveryId, closing);
  while (!(await turn.renew())) {
    if (performance.now() >= endsAt) throw busy();
    await pause(closing);
  }
  const renewing = setInterval(() => void turn.renew(), peers.termMs / RENEWALS).unref();
  try {
    return await work(turn);
  } finally {
    clearInterval(renewing);
    await peers.unlockWebhook(webhookId, deliveryId);
  }
}

class LockedTurn implements WebhookTurn {
  readonly #peers: DeliveryPeers;
  readonly #names: readonly [webhookId: string, deliveryId: string];
  readonly #closing: AbortSignal;
  /**
   * On the clock of this process, and counted from before the lock was requested, so it ends earlier here than for the
   * others.
   */
  #endsAt = -Infinity;
  /** The others cannot be asked, so each process keeps order only among its own deliveries. */
  #isAlone = false;
  #isTaken = false;

  constructor(peers: DeliveryPeers, webhookId: string, deliveryId: string, closing: AbortSignal) {
    this.#peers = peers;
    this.#names = [webhookId, deliveryId];
    this.#closing = closing;
  }

  isOurs(): boolean {
    return !this.#isTaken && (this.#isAlone || performance.now() < this.#endsAt);
  }

  /** @returns false when another process has the webhook */
  async renew(): Promise<boolean> {
    const sentAt = performance.now();
    const hadIt = this.#endsAt !== -Infinity;
    const answer = await this.#peers.lockWebhook(...this.#names, hadIt);
    if (answer === 'ours') this.#endsAt = sentAt + this.#peers.termMs;
    // A term that was granted stays valid although the others cannot be asked at the moment.
    this.#isAlone = answer === 'away' && (this.#isAlone || !hadIt);
    this.#isTaken = answer === 'taken';
    return !this.#isTaken;
  }

  async require(): Promise<void> {
    // After it was suspended, a process may need a moment until it can ask the others again.
    const aloneAt = performance.now() + this.#peers.termMs;
    while (!this.isOurs()) {
      if (!(await this.renew())) throw taken();
      if (this.isOurs()) return;
      if (performance.now() >= aloneAt) this.#isAlone = true;
      else await pause(this.#closing);
    }
  }
}

/** @throws Problem `shutting_down` */
async function pause(closing: AbortSignal): Promise<void> {
  await delay(POLL_MS, undefined, { signal: closing }).catch(() => {});
  if (closing.aborted) throw shuttingDown();
}

function taken(): Problem {
  return new Problem('busy/webhook', { retryAfterSeconds: 10 });
}
