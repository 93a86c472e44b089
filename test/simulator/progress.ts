/**
 * Lets a test wait for something to have happened instead of for time to pass: whatever changes in the simulator
 * calls `notify`, and every waiting condition is looked at again.
 */
export class Progress {
  readonly #waiting = new Set<{
    isDone: () => boolean;
    resolve: () => void;
    reject: (error: Error) => void;
  }>();
  #closed = false;

  /** Resolves as soon as `isDone` is true; rejects when the simulator closes first. */
  until(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    if (this.#closed) return Promise.reject(new Error('The simulator is closed.'));
    return new Promise((resolve, reject) => this.#waiting.add({ isDone, resolve, reject }));
  }

  notify(): void {
    for (const waiter of this.#waiting) {
      if (!waiter.isDone()) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }

  close(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting) reject(new Error('The simulator was closed while waiting.'));
    this.#waiting.clear();
  }
}

/** A closed door: calls that reach it wait, and the test sees that one has arrived. */
export class Gate<Visitor> {
  readonly #arrival = Promise.withResolvers<Visitor>();
  readonly #opening = Promise.withResolvers<void>();

  /** Resolves with the first call that arrived. */
  get reached(): Promise<Visitor> {
    return this.#arrival.promise;
  }

  /** Opens for good: waiting calls go on, and later ones are not stopped. */
  release(): void {
    this.#opening.resolve();
  }

  /** For the simulator: waits until the gate is open. */
  pass(visitor: Visitor): Promise<void> {
    this.#arrival.resolve(visitor);
    return this.#opening.promise;
  }
}
