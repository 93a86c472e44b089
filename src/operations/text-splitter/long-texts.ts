import { FairPlaces, type Claim } from '../../kernel/fair-places.ts';

/**
 * Works on the long texts of a process one at a time, servers in turn: Node runs all immediates that wait before it
 * looks at a socket, so twenty texts at once would stop everything for the steps of them all. An owner's next text
 * waits for the one before, and only then goes to the end of the common line.
 */
export class LongTexts {
  readonly #ofOwner = placesFor((texts, owner) => texts.of(owner).weight === 0);
  readonly #ofProcess = placesFor((texts) => texts.size === 0);

  /** @throws what `work` throws; the signal's reason as soon as the caller is gone before it is their turn */
  async run<Result>(ownerId: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const claim = { owner: ownerId };
    await this.#ofOwner.wait(claim, signal);
    try {
      await this.#ofProcess.wait(claim, signal);
      try {
        return await work();
      } finally {
        this.#ofProcess.giveBack(claim);
      }
    } finally {
      this.#ofOwner.giveBack(claim);
    }
  }
}

type Places = FairPlaces<Claim>;

function placesFor(isRoom: (texts: Places['held'], owner: string) => boolean): Places {
  return new FairPlaces<Claim>({
    isRoom: (texts, { owner }) => isRoom(texts, owner),
    // There are never more than there are connections.
    queue: { isRoom: () => true, refusal: () => new Error('no text is refused') },
  });
}
