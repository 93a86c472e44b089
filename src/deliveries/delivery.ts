import type { Problem } from '../kernel/problem.ts';
import type { DeliveryMessage, DeliveryReport } from './deliveries.ts';

/** Why a delivery ended before its last message. */
export interface Stop {
  readonly problem: Problem;
  /** The message that was being posted may have arrived. */
  readonly uncertain: boolean;
}

interface DeliveryFacts {
  readonly id: string;
  readonly ownerId: string;
  /** Its Idempotency-Key, unique to its guild; null without one. */
  readonly key: string | null;
  /** Digest of everything that decides what is posted. */
  readonly input: string;
  readonly total: number;
}

/** When to ask again for the status of a delivery that is still running. */
const ASK_AGAIN_SECONDS = 2;

/** The progress of one text. It never holds the webhook, and only keeps the rest of the text. */
export class Delivery implements DeliveryFacts {
  readonly id: string;
  readonly ownerId: string;
  readonly key: string | null;
  readonly input: string;
  readonly total: number;
  /** A caller was answered `pending`, and may ask how it ended. */
  wasPromised = false;
  readonly #startedAt = performance.now();
  readonly #messageIds: string[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #channelId: string | null = null;
  #isOver = false;
  /** Why it ended early; null while it runs, and when all has arrived. */
  #stop: Stop | null = null;
  #rest: string | null = null;

  constructor({ id, ownerId, key, input, total }: DeliveryFacts) {
    this.id = id;
    this.ownerId = ownerId;
    this.key = key;
    this.input = input;
    this.total = total;
  }

  get sent(): number {
    return this.#messageIds.length;
  }

  get channelId(): string | null {
    return this.#channelId;
  }

  get stop(): Stop | null {
    return this.#stop;
  }

  get rest(): string | null {
    return this.#rest;
  }

  /** It ended, and certainly posted nothing: its whole answer is the problem. */
  get isRefused(): boolean {
    return this.isRefusedBy(this.#stop);
  }

  /** True when ending with `stop` would mean that certainly nothing was posted. */
  isRefusedBy(stop: Stop | null): boolean {
    return stop !== null && this.sent === 0 && !stop.uncertain;
  }

  get ageMs(): number {
    return performance.now() - this.#startedAt;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  noteArrived(messageId: string, channelId: string): void {
    this.#messageIds.push(messageId);
    this.#channelId = channelId;
  }

  /** @param stop null when all messages have arrived */
  finish(stop: Stop | null, messages: readonly DeliveryMessage[]): void {
    this.#isOver = true;
    this.#stop = stop;
    if (stop !== null && !this.isRefused) this.#rest = restOf(messages.slice(this.sent));
    this.#ended.resolve();
  }

  /** Drops the text of the rest. */
  dropRest(): void {
    this.#rest = null;
  }

  /** @throws Problem of a delivery that certainly posted nothing */
  report(): DeliveryReport {
    const stop = this.#stop;
    if (stop !== null && this.isRefused) throw stop.problem;
    const facts = {
      deliveryId: this.id,
      total: this.total,
      messageIds: [...this.#messageIds],
      channelId: this.#channelId,
      uncertain: stop?.uncertain ?? false,
      rest: this.#rest,
      reason: stop === null ? null : this.#describe(stop),
    };
    if (this.#isOver) {
      const retryAfterSeconds = stop?.problem.retryAfterSeconds ?? null;
      return { ...facts, state: stop === null ? 'sent' : 'stopped', retryAfterSeconds };
    }
    this.wasPromised = true;
    return { ...facts, state: 'pending', retryAfterSeconds: ASK_AGAIN_SECONDS };
  }

  #describe({ problem, uncertain }: Stop): string {
    const next = `message ${this.sent + 1} of ${this.total}`;
    const why = uncertain
      ? `Discord did not say whether ${next} has arrived. Look into the channel before you send the rest.`
      : `${problem.message} M${next.slice(1)} and what follows it were not posted.`;
    return this.#rest === null ? `${why} The rest of the text is no longer kept here.` : why;
  }
}

function restOf(messages: readonly DeliveryMessage[]): string {
  return (messages[0]?.opening ?? '') + messages.map(({ text }) => text).join('');
}
