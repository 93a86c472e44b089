/**
 * Lets long texts be worked on one after another. Each takes many times its size while that lasts, and many at once
 * would all have their few milliseconds in the same turn of the event loop.
 */
export class LongTexts {
  #last: Promise<void> = Promise.resolve();

  /** @throws what `work` throws; the signal's reason when the caller is gone before it is their turn */
  async run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    try {
      await before;
      signal.throwIfAborted();
      return await work();
    } finally {
      resolve();
    }
  }
}
