import { FairPlaces, type Claim } from '../../fair-places.ts';

/**
 * Lets the long texts of an owner be worked on one after another. Each takes many times its size meanwhile, and many at
 * once would all have their few milliseconds in the same turn of the event loop. Owners do not wait for each other.
 */
export class LongTexts {
  readonly #places = new FairPlaces<Claim>({
    isRoom: (texts, { owner }) => texts.of(owner).weight === 0,
    // There are at most as many as connections.
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
