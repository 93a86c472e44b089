/** After this time in one iteration of the event loop, further answers wait. */
const ITERATION_MS = 5;

/**
 * Makes answers without blocking the event loop. Cheap answers are made immediately. Once they have together taken 5 ms
 * of an iteration, each further one gets its own iteration.
 */
export class EventLoopQueue {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  /** When the first answer of this iteration was made; null before it. */
  #startedAt: number | null = null;

  /** @param now in milliseconds, on a clock that is never set */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Returns true when an answer may be made immediately. If not, wait for `next()` first.
   */
  hasTime(): boolean {
    if (this.#waiting.length > 0) return false;
    this.#startedAt ??= this.#begin();
    return this.#now() - this.#startedAt < ITERATION_MS;
  }

  /**
   * Resolves in an iteration of its own: each waiter gets a different one.
   * @throws the signal's reason, when the caller has left by then
   */
  async next(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    // Otherwise the end of this iteration does it.
    if (this.#waiting.length === 1 && this.#startedAt === null) setImmediate(this.#admitNext);
    await promise;
    signal?.throwIfAborted();
  }

  #begin(): number {
    setImmediate(() => {
      this.#startedAt = null;
      if (this.#waiting.length > 0) setImmediate(this.#admitNext);
    });
    return this.#now();
  }

  /** Chained: immediates that were set together would all run in one iteration. */
  readonly #admitNext = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#admitNext);
  };
}
