/** A number of places that are given out in order of asking. */
export class Places {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** @throws the signal's reason */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    return { [Symbol.dispose]: () => this.#give() };
  }

  #give(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => {
      this.#waiting.delete(onPlace);
      reject(signal.reason as Error);
    };
    const onPlace = () => {
      this.#waiting.delete(onPlace);
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    this.#waiting.add(onPlace);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise;
  }
}
