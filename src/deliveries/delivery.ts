import type { Problem } from '../problem.ts';
import type { DeliveryMessage, DeliveryReport } from './deliveries.ts';

/** Why a delivery ended before its last message. */
export interface Stop {
  readonly problem: Problem;
  /** The message that was being posted may have arrived. */
  readonly uncertain: boolean;
}

interface DeliveryEnd {
  /** The whole answer of a delivery that posted nothing for certain. */
  readonly problem: Problem | null;
  readonly stop: Stop | null;
  readonly rest: string | null;
  readonly reason: string | null;
}

/** When to look again at a delivery that goes on. */
const LOOK_AGAIN_SECONDS = 2;

/** How one text is getting on. It holds no webhook, and no text but the rest. */
export class Delivery {
  readonly id: string;
  readonly ownerId: string;
  readonly total: number;
  /** The delivery of another process that has the same Idempotency-Key; null for one of its own. */
  elsewhere: string | null = null;
  /** Somebody was told that it goes on, and may ask how it ended. */
  wasPromised = false;
  readonly #startedAt = performance.now();
  readonly #messageIds: string[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #channelId: string | null = null;
  #end: DeliveryEnd | null = null;
  #endedAt: number | null = null;

  constructor(id: string, ownerId: string, total: number) {
    this.id = id;
    this.ownerId = ownerId;
    this.total = total;
  }

  get sent(): number {
    return this.#messageIds.length;
  }

  get channelId(): string | null {
    return this.#channelId;
  }

  get end(): DeliveryEnd | null {
    return this.#end;
  }

  /** On the clock of `performance.now()`; null before. */
  get endedAt(): number | null {
    return this.#endedAt;
  }

  get durationMs(): number {
    return (this.#endedAt ?? performance.now()) - this.#startedAt;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  noteArrived(messageId: string, channelId: string): void {
    this.#messageIds.push(messageId);
    this.#channelId = channelId;
  }

  /** Another process has it. */
  passOn(deliveryId: string): void {
    this.elsewhere = deliveryId;
    this.#ended.resolve();
  }

  /** @param stop null when all messages have arrived */
  finish(stop: Stop | null, messages: readonly DeliveryMessage[]): void {
    const isProblem = stop !== null && this.sent === 0 && !stop.uncertain;
    this.#end = {
      stop,
      problem: isProblem ? stop.problem : null,
      rest: stop === null || isProblem ? null : restOf(messages.slice(this.sent)),
      reason: stop === null ? null : this.#describe(stop),
    };
    this.#endedAt = performance.now();
    this.#ended.resolve();
  }

  /** Gives up the text of the rest. */
  dropRest(): void {
    if (this.#end === null || this.#end.rest === null) return;
    const reason = `${this.#end.reason ?? ''} The rest of the text is no longer kept here.`;
    this.#end = { ...this.#end, rest: null, reason };
  }

  /** @throws Problem of a delivery that posted nothing for certain */
  report(): DeliveryReport {
    const end = this.#end;
    if (end?.problem) throw end.problem;
    if (end === null) this.wasPromised = true;
    const stop = end?.stop ?? null;
    return {
      state: end === null ? 'pending' : stop === null ? 'sent' : 'stopped',
      deliveryId: this.id,
      total: this.total,
      messageIds: [...this.#messageIds],
      channelId: this.#channelId,
      uncertain: stop?.uncertain ?? false,
      rest: end?.rest ?? null,
      reason: end?.reason ?? null,
      retryAfterSeconds: end === null ? LOOK_AGAIN_SECONDS : (stop?.problem.retryAfterSeconds ?? null),
    };
  }

  #describe({ problem, uncertain }: Stop): string {
    const next = this.sent + 1;
    if (uncertain) {
      return `Discord did not say whether message ${next} of ${this.total} has arrived. Look into the channel before you send the rest.`;
    }
    return `${problem.message} Message ${next} of ${this.total} and what follows it were not posted.`;
  }
}

function restOf(messages: readonly DeliveryMessage[]): string {
  return (messages[0]?.opening ?? '') + messages.map(({ text }) => text).join('');
}
