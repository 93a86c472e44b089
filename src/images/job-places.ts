import { Problem } from '../problem.ts';

export interface JobPlacesOptions {
  readonly jobsMax: number;
  readonly jobsPerGuildMax: number;
  /** Jobs that make an image fit, of all jobs; a guild has one of those at a time. */
  readonly fitsMax: number;
  readonly queueMax: number;
  readonly queuePerGuildMax: number;
  /** Milliseconds that a job waits for its place. */
  readonly queueTimeoutMs: number;
}

/** What a job holds. A second call of either does nothing. */
export interface JobPlace {
  /** From now on another image may be made to fit. */
  endFit(): void;
  leave(): void;
}

interface Job {
  readonly guildId: string;
  readonly isFit: boolean;
}

interface Waiter extends Job {
  /** Ends the wait with a place. */
  admit(): void;
  /** Ends the wait without one. */
  refuse(): void;
}

/**
 * Places for jobs that hold much memory, shared out by guild. A place that comes free goes to the guild that has
 * fewest, and among those to the job that came first. When no more may wait, the guild with most waiting jobs loses
 * its latest to a guild that has fewer.
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

  get waiting(): number {
    return this.#queue.length;
  }

  /**
   * @param isFit whether an image is to be made to fit, which takes a core and much memory
   * @throws Problem `busy`, or the signal's reason
   */
  async take(guildId: string, isFit: boolean, signal: AbortSignal): Promise<JobPlace> {
    signal.throwIfAborted();
    const job = { guildId, isFit };
    if (this.#mayStart(job)) return this.#start(job);
    if (countOf(this.#queue, guildId) >= this.#options.queuePerGuildMax) throw busy();
    if (this.#queue.length >= this.#options.queueMax) this.#makeRoomFor(guildId);
    return this.#waitInQueue(job, signal);
  }

  #mayStart({ guildId, isFit }: Job): boolean {
    const { jobsMax, jobsPerGuildMax, fitsMax } = this.#options;
    return (
      this.#running.size < jobsMax &&
      countOf(this.#running, guildId) < jobsPerGuildMax &&
      (!isFit || (this.#fitting.size < fitsMax && countOf(this.#fitting, guildId) === 0))
    );
  }

  #start(job: Job): JobPlace {
    this.#running.add(job);
    if (job.isFit) this.#fitting.add(job);
    return {
      endFit: () => {
        if (this.#fitting.delete(job)) this.#admitNext();
      },
      leave: () => {
        this.#fitting.delete(job);
        if (this.#running.delete(job)) this.#admitNext();
      },
    };
  }

  /** A guild that waits for itself holds up nobody else. One job that ends may make room for two. */
  #admitNext(): void {
    const [next] = this.#queue
      .filter((waiter) => this.#mayStart(waiter))
      .toSorted((a, b) => countOf(this.#running, a.guildId) - countOf(this.#running, b.guildId));
    if (next === undefined) return;
    next.admit();
    this.#admitNext();
  }

  /** The guild with most waiting jobs loses its latest, unless this guild would have as many itself. */
  #makeRoomFor(guildId: string): void {
    const countWith = (each: string) => countOf(this.#queue, each) + (each === guildId ? 1 : 0);
    const most = Math.max(...this.#queue.map((waiter) => countWith(waiter.guildId)));
    if (countWith(guildId) >= most) throw busy();
    this.#queue.findLast((waiter) => countWith(waiter.guildId) === most)?.refuse();
  }

  #waitInQueue(job: Job, signal: AbortSignal): Promise<JobPlace> {
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
        ...job,
        admit: () => {
          stopWaiting();
          resolve(this.#start(job));
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
