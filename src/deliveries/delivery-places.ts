import { FairPlaces, type Claim } from '../kernel/fair-places.ts';
import { Problem } from '../kernel/problem.ts';
import { shuttingDown } from './call-problem.ts';
import type { DeliverySettings } from './delivery-settings.ts';

interface DeliveryClaim extends Claim {
  readonly webhook: string;
}

/** Places for running deliveries. One that waits for its own guild or webhook holds up nobody else. */
export class DeliveryPlaces {
  readonly #places: FairPlaces<DeliveryClaim>;
  readonly #closing: AbortSignal;

  /** @param closing ends all waits */
  constructor(settings: DeliverySettings, closing: AbortSignal) {
    const { runningMax, runningPerGuildMax, waitingMax, waitingPerGuildMax, waitingPerWebhookMax } = settings;
    this.#closing = closing;
    this.#places = new FairPlaces({
      isRoom: (running, { owner, webhook }) =>
        running.size < runningMax &&
        running.of(owner).weight < runningPerGuildMax &&
        countOf(running, webhook) === 0,
      queue: {
        isRoom: (waiting, { owner, webhook }) =>
          waiting.size < waitingMax &&
          waiting.of(owner).weight < waitingPerGuildMax &&
          countOf(waiting, webhook) < waitingPerWebhookMax,
        timeoutMs: settings.waitingMsMax,
        refusal: busy,
      },
    });
  }

  get running(): number {
    return this.#places.held.size;
  }

  get waiting(): number {
    return this.#places.waiting.size;
  }

  /**
   * @returns a function that gives the place back
   * @throws Problem `busy` `shutting_down`
   */
  async take({ ownerId, webhook }: { ownerId: string; webhook: string }): Promise<() => void> {
    const claim = { owner: ownerId, webhook };
    try {
      await this.#places.wait(claim, this.#closing);
    } catch (error) {
      throw this.#closing.aborted ? shuttingDown() : error;
    }
    return () => this.#places.giveBack(claim);
  }
}

function countOf(claims: Iterable<DeliveryClaim>, webhook: string): number {
  let count = 0;
  for (const claim of claims) if (claim.webhook === webhook) count += 1;
  return count;
}

export function busy(): Problem {
  return new Problem('busy/texts', { retryAfterSeconds: 10 });
}
