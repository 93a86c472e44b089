/**
 * Lets the long texts of an owner be worked on one after another. Each takes many times its size meanwhile, and many at
 * once would all have their few milliseconds in the same turn of the event loop. Owners do not wait for each other.
 */
export class LongTexts {
  /** By owner; resolves when the work on all texts so far is over. */
  readonly #last = new Map<string, Promise<void>>();

  /** @throws what `work` throws; the signal's reason as soon as the caller is gone before it is their turn */
  async run<Result>(ownerId: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const before = this.#last.get(ownerId) ?? Promise.resolve();
    const done = Promise.withResolvers<void>();
    const last = before.then(() => done.promise);
    this.#last.set(ownerId, last);
    void last.finally(() => {
      if (this.#last.get(ownerId) === last) this.#last.delete(ownerId);
    });
    try {
      await whenOver(before, signal);
      return await work();
    } finally {
      done.resolve();
    }
  }
}

/** Ends at once when the caller is gone, so that nothing waits with their text. */
async function whenOver(before: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  signal.addEventListener('abort', end);
  if (!signal.aborted) {
    void before.then(end);
    await promise;
  }
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
}
