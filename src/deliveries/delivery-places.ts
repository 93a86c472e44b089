import { Problem } from '../problem.ts';
import type { DeliverySettings } from './delivery-settings.ts';

type Settings = Pick<
  DeliverySettings,
  | 'runningMax'
  | 'runningPerGuildMax'
  | 'waitingMax'
  | 'waitingPerGuildMax'
  | 'waitingPerWebhookMax'
  | 'waitingMsMax'
>;

interface Claim {
  readonly ownerId: string;
  readonly webhookId: string;
}

interface Waiter extends Claim {
  admit(): void;
}

/**
 * Places for deliveries under way. Each goes to the delivery that has waited longest among those whose guild and
 * webhook may have one more: who waits for themselves holds up nobody else.
 */
export class DeliveryPlaces {
  readonly #settings: Settings;
  readonly #running = new Set<Claim>();
  readonly #waiting: Waiter[] = [];

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @returns gives the place back
   * @throws Problem `busy`, or the signal's reason
   */
  async take(claim: Claim, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#mayStart(claim)) return this.#start(claim);
    this.#checkRoom(claim);
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { ...claim, admit: () => resolve(this.#start(claim)) };
    const timer = setTimeout(() => reject(busy()), this.#settings.waitingMsMax);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(waiter);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      const at = this.#waiting.indexOf(waiter);
      if (at >= 0) this.#waiting.splice(at, 1);
    }
  }

  #mayStart({ ownerId, webhookId }: Claim): boolean {
    const { runningMax, runningPerGuildMax } = this.#settings;
    const running = [...this.#running];
    return (
      running.length < runningMax &&
      running.filter((each) => each.ownerId === ownerId).length < runningPerGuildMax &&
      running.every((each) => each.webhookId !== webhookId)
    );
  }

  #checkRoom({ ownerId, webhookId }: Claim): void {
    const { waitingMax, waitingPerGuildMax, waitingPerWebhookMax } = this.#settings;
    const waiting = this.#waiting;
    const isFull =
      waiting.length >= waitingMax ||
      waiting.filter((each) => each.ownerId === ownerId).length >= waitingPerGuildMax ||
      waiting.filter((each) => each.webhookId === webhookId).length >= waitingPerWebhookMax;
    if (isFull) throw busy();
  }

  #start(claim: Claim): () => void {
    const running = { ...claim };
    this.#running.add(running);
    return () => {
      if (!this.#running.delete(running)) return;
      const at = this.#waiting.findIndex((waiter) => this.#mayStart(waiter));
      if (at >= 0) this.#waiting.splice(at, 1)[0]?.admit();
    };
  }
}

export function busy(): Problem {
  return new Problem('busy', {
    error: 'Too many texts are being sent at the moment. Nothing of this one was posted.',
    retryAfterSeconds: 10,
  });
}
