/** When the event loop has been in an iteration for this long, the answers that are still to be made wait. */
const ITERATION_MS = 5;

/**
 * Makes answers without keeping the event loop from everybody else. Cheap answers are made immediately. Once they have
 * taken 5 ms of an iteration together, each one that follows gets an iteration of its own.
 */
export class IterationQueue {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  /** When the first answer of this iteration was made; null before it. */
  #startedAt: number | null = null;

  /** @param now in milliseconds, on a clock that is never set */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Does the work, unless the caller has left by then.
   * @throws the signal's reason, or what the work throws
   */
  async run<Value>(work: () => Value, signal: AbortSignal): Promise<Value> {
    const startedAt = this.#waiting.length > 0 ? -Infinity : (this.#startedAt ??= this.#begin());
    if (this.#now() - startedAt >= ITERATION_MS) await this.next();
    signal.throwIfAborted();
    return work();
  }

  /** Resolves in an iteration of its own: each waiter gets a different one. */
  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    // Otherwise the end of this iteration does it.
    if (this.#waiting.length === 1 && this.#startedAt === null) setImmediate(this.#admitNext);
    return promise;
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
