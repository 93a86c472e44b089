import { FairSemaphore, fromHeaviestTenant, type Claim } from '../kernel/fair-semaphore.ts';
import { Problem } from '../kernel/problem.ts';
import type { ImageFetchLimits } from './image-fetch-limits.ts';

export interface ImageJobQueueOptions extends Pick<
  ImageFetchLimits,
  'jobsMax' | 'jobsPerGuildMax' | 'queueMax' | 'queuePerGuildMax' | 'queueTimeoutMs'
> {
  /** Images that may be fitted concurrently, at most one of them per guild. */
  readonly fitsMax: number;
}

export interface JobSlot {
  /**
   * Waits until the job's image may be fitted, which takes a core and much memory.
   * @throws Problem `busy`, or the signal's reason
   */
  beginFit(signal: AbortSignal): Promise<void>;
  /** Lets another image be fitted. A second call has no effect, as with `release`. */
  endFit(): void;
  release(): void;
}

/**
 * Slots for jobs that hold much memory, shared by guilds. When the queue is full, the guild with the most waiting jobs
 * loses its latest to a guild with fewer. A job waits to fit its image only after fetching it, so a slow host
 * does not delay others.
 */
export class ImageJobQueue {
  readonly #jobs: FairSemaphore<Claim>;
  readonly #fits: FairSemaphore<Claim>;

  constructor(options: ImageJobQueueOptions) {
    const {
      jobsMax,
      jobsPerGuildMax,
      fitsMax,
      queueMax,
      queuePerGuildMax,
      queueTimeoutMs: timeoutMs,
    } = options;
    this.#jobs = new FairSemaphore({
      hasCapacity: (jobs, { tenant }) => jobs.size < jobsMax && jobs.of(tenant).claims.size < jobsPerGuildMax,
      queue: {
        hasCapacity: (waiting, { tenant }) =>
          waiting.size < queueMax && waiting.of(tenant).claims.size < queuePerGuildMax,
        evict: fromHeaviestTenant(),
        timeoutMs,
        refusal: busy,
      },
    });
    this.#fits = new FairSemaphore({
      hasCapacity: (fits, { tenant }) => fits.size < fitsMax && fits.of(tenant).claims.size === 0,
      // Only jobs with a slot wait here.
      queue: { hasCapacity: () => true, timeoutMs, refusal: busy },
    });
  }

  get running(): number {
    return this.#jobs.held.size;
  }

  /** Jobs without a slot. */
  get waiting(): number {
    return this.#jobs.waiting.size;
  }

  /** @throws Problem `busy`, or the signal's reason */
  async acquire(guildId: string, signal: AbortSignal): Promise<JobSlot> {
    const job = { tenant: guildId };
    await this.#jobs.acquire(job, signal);
    return {
      beginFit: (fitSignal) => this.#fits.acquire(job, fitSignal),
      endFit: () => this.#fits.release(job),
      release: () => {
        this.#fits.release(job);
        this.#jobs.release(job);
      },
    };
  }
}

function busy(): Problem {
  return new Problem('busy/images', { retryAfterSeconds: 5 });
}
