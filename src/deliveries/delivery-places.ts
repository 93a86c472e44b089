import { Problem } from '../problem.ts';
import { shuttingDown } from './call-problem.ts';
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
  readonly webhook: string;
}

interface Waiter extends Claim {
  admit(): void;
}

/**
 * Places for deliveries under way. Each goes to the delivery that has waited longest among those whose guild and
 * webhook may have one more. A delivery that waits for its own guild or webhook holds up nobody else.
 */
export class DeliveryPlaces {
  readonly #settings: Settings;
  readonly #closing: AbortSignal;
  readonly #running = new Set<Claim>();
  #waiting: readonly Waiter[] = [];

  /** @param closing ends all waits */
  constructor(settings: Settings, closing: AbortSignal) {
    this.#settings = settings;
    this.#closing = closing;
  }

  get running(): number {
    return this.#running.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @returns gives the place back
   * @throws Problem `busy` `shutting_down`
   */
  async take(claim: Claim): Promise<() => void> {
    if (this.#closing.aborted) throw shuttingDown();
    if (this.#mayStart(claim)) return this.#start(claim);
    this.#checkRoom(claim);
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { ...claim, admit: () => resolve(this.#start(claim)) };
    const isOver = AbortSignal.any([this.#closing, AbortSignal.timeout(this.#settings.waitingMsMax)]);
    const onOver = () => reject(this.#closing.aborted ? shuttingDown() : busy());
    isOver.addEventListener('abort', onOver);
    this.#waiting = [...this.#waiting, waiter];
    try {
      return await promise;
    } finally {
      isOver.removeEventListener('abort', onOver);
      this.#waiting = this.#waiting.filter((each) => each !== waiter);
    }
  }

  #mayStart({ ownerId, webhook }: Claim): boolean {
    const { runningMax, runningPerGuildMax } = this.#settings;
    const running = [...this.#running];
    return (
      running.length < runningMax &&
      running.filter((each) => each.ownerId === ownerId).length < runningPerGuildMax &&
      running.every((each) => each.webhook !== webhook)
    );
  }

  #checkRoom({ ownerId, webhook }: Claim): void {
    const { waitingMax, waitingPerGuildMax, waitingPerWebhookMax } = this.#settings;
    const waiting = this.#waiting;
    const isFull =
      waiting.length >= waitingMax ||
      waiting.filter((each) => each.ownerId === ownerId).length >= waitingPerGuildMax ||
      waiting.filter((each) => each.webhook === webhook).length >= waitingPerWebhookMax;
    if (isFull) throw busy();
  }

  #start(claim: Claim): () => void {
    const running = { ...claim };
    this.#running.add(running);
    return () => {
      this.#running.delete(running);
      const next = this.#waiting.find((waiter) => this.#mayStart(waiter));
      this.#waiting = this.#waiting.filter((each) => each !== next);
      next?.admit();
    };
  }
}

export function busy(): Problem {
  return new Problem('busy', {
    error: 'Too many texts are being sent at the moment. Nothing of this one was posted.',
    retryAfterSeconds: 10,
  });
}
