import { Problem } from '../problem.ts';

export interface JobPlacesOptions {
  readonly jobsMax: number;
  readonly jobsPerGuildMax: number;
  /** Images that are made to fit at once; only one of them per guild. */
  readonly fitsMax: number;
  readonly queueMax: number;
  readonly queuePerGuildMax: number;
  /** Milliseconds that a job waits for its place, and again until its image may be made to fit. */
  readonly queueTimeoutMs: number;
}

/** Held by a job. */
export interface JobPlace {
  /**
   * Waits until its image may be made to fit, which takes a core and much memory.
   * @throws Problem `busy`, or the signal's reason
   */
  beginFit(signal: AbortSignal): Promise<void>;
  /** Lets another image be made to fit. A second call does nothing, as with `leave`. */
  endFit(): void;
  leave(): void;
}

interface Job {
  readonly guildId: string;
}

interface Waiter extends Job {
  readonly job: Job;
  /** True while it waits for its image to be made to fit; false while it waits for a place. */
  readonly isFit: boolean;
  /** Ends the wait successfully. */
  admit(): void;
  /** Ends the wait without success. */
  refuse(): void;
}

/**
 * Places for jobs that hold much memory, shared out by guild. A free place goes to the guild that has the fewest, and
 * among its equals to the job that came first. When no more may wait, the guild with the most waiting jobs loses its
 * latest to a guild that has fewer. Jobs that have a place wait in the same queue until their image may be made to fit.
 * They wait only then, so a host that keeps one waiting does not delay others.
 */
export class JobPlaces {
  readonly #options: JobPlacesOptions;
  readonly #running = new Set<Job>();
  readonly #fitting = new Set<Job>();
  readonly #queue: Waiter[] = [];

  constructor(options: JobPlacesOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Jobs without a place. */
  get waiting(): number {
    return this.#waitingForPlace().length;
  }

  /** @throws Problem `busy`, or the signal's reason */
  async take(guildId: string, signal: AbortSignal): Promise<JobPlace> {
    signal.throwIfAborted();
    const job = { guildId };
    if (this.#mayBegin(job, false)) this.#running.add(job);
    else {
      const waiting = this.#waitingForPlace();
      if (countOf(waiting, guildId) >= this.#options.queuePerGuildMax) throw busy();
      if (waiting.length >= this.#options.queueMax) this.#makeRoomFor(guildId);
      await this.#waitInQueue(job, false, signal);
    }
    return {
      beginFit: async (fitSignal) => {
        fitSignal.throwIfAborted();
        if (this.#mayBegin(job, true)) this.#fitting.add(job);
        else await this.#waitInQueue(job, true, fitSignal);
      },
      endFit: () => {
        if (this.#fitting.delete(job)) this.#admitNext();
      },
      leave: () => {
        this.#fitting.delete(job);
        if (this.#running.delete(job)) this.#admitNext();
      },
    };
  }

  #waitingForPlace(): readonly Waiter[] {
    return this.#queue.filter(({ isFit }) => !isFit);
  }

  #mayBegin({ guildId }: Job, isFit: boolean): boolean {
    const { jobsMax, jobsPerGuildMax, fitsMax } = this.#options;
    return isFit
      ? this.#fitting.size < fitsMax && countOf(this.#fitting, guildId) === 0
      : this.#running.size < jobsMax && countOf(this.#running, guildId) < jobsPerGuildMax;
  }

  /** A guild that waits for its own job delays nobody else. One job that ends may make room for two. */
  #admitNext(): void {
    const [next] = this.#queue
      .filter(({ job, isFit }) => this.#mayBegin(job, isFit))
      .toSorted((a, b) => countOf(this.#running, a.guildId) - countOf(this.#running, b.guildId));
    if (next === undefined) return;
    next.admit();
    this.#admitNext();
  }

  /** The guild with the most waiting jobs loses its latest, unless this guild would have as many itself. */
  #makeRoomFor(guildId: string): void {
    const waiting = this.#waitingForPlace();
    const countWith = (each: string) => countOf(waiting, each) + (each === guildId ? 1 : 0);
    const most = Math.max(...waiting.map((waiter) => countWith(waiter.guildId)));
    if (countWith(guildId) >= most) throw busy();
    waiting.findLast((waiter) => countWith(waiter.guildId) === most)?.refuse();
  }

  #waitInQueue(job: Job, isFit: boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const leave = (reason: unknown) => {
        stopWaiting();
        reject(reason);
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => leave(busy()), this.#options.queueTimeoutMs);
      const waiter: Waiter = {
        guildId: job.guildId,
        job,
        isFit,
        admit: () => {
          stopWaiting();
          (isFit ? this.#fitting : this.#running).add(job);
          resolve();
        },
        refuse: () => leave(busy()),
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(waiter);
    });
  }
}

function countOf(jobs: Iterable<Job>, guildId: string): number {
  let count = 0;
  for (const job of jobs) if (job.guildId === guildId) count += 1;
  return count;
}

function busy(): Problem {
  return new Problem('busy', {
    error: 'Too many images are under way at the moment.',
    retryAfterSeconds: 5,
  });
}
