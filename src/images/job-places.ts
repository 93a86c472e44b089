import { Problem } from '../problem.ts';

export interface JobPlacesOptions {
  readonly jobsMax: number;
  readonly jobsPerGuildMax: number;
  /** Images that are made to fit at once; of a guild, one is. */
  readonly fitsMax: number;
  readonly queueMax: number;
  readonly queuePerGuildMax: number;
  /** Milliseconds that a job waits for its place, and again until its image may be made to fit. */
  readonly queueTimeoutMs: number;
}

/** What a job holds. */
export interface JobPlace {
  /**
   * Waits until its image may be made to fit, which takes a core and much memory.
   * @throws Problem `busy`, or the signal's reason
   */
  beginFit(signal: AbortSignal): Promise<void>;
  /** From now on another image may be made to fit. A second call does nothing, as with `leave`. */
  endFit(): void;
  leave(): void;
}

interface Job {
  readonly guildId: string;
}

interface Waiter extends Job {
  readonly job: Job;
  /** For its image to be made to fit; else for a place. */
  readonly isFit: boolean;
  /** Ends the wait with what it waits for. */
  admit(): void;
  /** Ends the wait without it. */
  refuse(): void;
}

/**
 * Places for jobs that hold much memory, shared out by guild. A place that comes free goes to the guild that has
 * fewest, and among those to the job that came first. When no more may wait, the guild with most waiting jobs loses
 * its latest to a guild that has fewer. Jobs that have a place wait in the same queue until their image may be made to
 * fit; only then, so that a host that keeps one waiting keeps nobody else.
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

  /** A guild that waits for itself holds up nobody else. One job that ends may make room for two. */
  #admitNext(): void {
    const [next] = this.#queue
      .filter(({ job, isFit }) => this.#mayBegin(job, isFit))
      .toSorted((a, b) => countOf(this.#running, a.guildId) - countOf(this.#running, b.guildId));
    if (next === undefined) return;
    next.admit();
    this.#admitNext();
  }

  /** The guild with most waiting jobs loses its latest, unless this guild would have as many itself. */
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
