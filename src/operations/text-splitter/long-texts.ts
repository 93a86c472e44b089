import { FairPlaces, type Claim } from '../../kernel/fair-places.ts';

/**
 * Works on the long texts of an owner one after another. Each takes many times its size in memory, and many at once
 * would all take their few milliseconds in the same turn of the event loop. Owners do not wait for each other.
 */
export class LongTexts {
  readonly #places = new FairPlaces<Claim>({
    isRoom: (texts, { owner }) => texts.of(owner).weight === 0,
    // There are never more than there are connections.
    queue: { isRoom: () => true, refusal: () => new Error('no text is refused') },
  });

  /** @throws what `work` throws; the signal's reason as soon as the caller is gone before it is their turn */
  async run<Result>(ownerId: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const claim = { owner: ownerId };
    await this.#places.wait(claim, signal);
    try {
      return await work();
    } finally {
      this.#places.giveBack(claim);
    }
  }
}
