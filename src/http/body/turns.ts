/** Work in slices, each far below 50 ms: at every `yield` others may go first. */
export type Sliced<Value> = Generator<undefined, Value>;

interface Job {
  readonly owner: string;
  /** @returns whether there is nothing left to do */
  step(): boolean;
}

/** Does sliced work at once, for what is small. */
export function runAtOnce<Value>(work: Sliced<Value>): Value {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Large work of all callers, one slice in each turn of the event loop. Owners take turns, so that an owner of many
 * jobs slows down only itself.
 */
export class Turns {
  /** The owner whose turn is next comes first. */
  readonly #jobs = new Map<string, Job[]>();
  readonly #defer: (callback: () => void) => void;

  /** @param defer calls back in a later turn; default `setImmediate` */
  constructor(defer: (callback: () => void) => void = setImmediate) {
    this.#defer = defer;
  }

  /** Resolves or rejects as `work` returns or throws. */
  run<Value>(owner: string, work: Sliced<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const step = () => {
        try {
          const result = work.next();
          if (result.done === true) resolve(result.value);
          return result.done === true;
        } catch (error) {
          reject(error);
          return true;
        }
      };
      if (this.#jobs.size === 0) this.#defer(() => this.#takeTurn());
      this.#add({ owner, step });
    });
  }

  #takeTurn(): void {
    const [next] = this.#jobs;
    if (next === undefined) return;
    const [owner, jobs] = next;
    const job = jobs.shift();
    // At the end again, after all other owners.
    this.#jobs.delete(owner);
    if (jobs.length > 0) this.#jobs.set(owner, jobs);
    if (job?.step() === false) this.#add(job);
    if (this.#jobs.size > 0) this.#defer(() => this.#takeTurn());
  }

  #add(job: Job): void {
    const jobs = this.#jobs.get(job.owner);
    if (jobs === undefined) this.#jobs.set(job.owner, [job]);
    else jobs.push(job);
  }
}
