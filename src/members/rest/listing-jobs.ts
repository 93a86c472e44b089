import { BoundedMap } from '../../kernel/bounded-map.ts';
import { Problem } from '../../kernel/problem.ts';
import type { GuildInfo } from '../discord-answers.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { DiscordCalls } from './discord-calls.ts';
import { ListingJob, stillListingProblem } from './listing-job.ts';
import type { RestMembersSettings } from './rest-members-options.ts';
import type { Lookup } from './token-access.ts';

/** Concurrent jobs. */
const JOBS_MAX = 16;
/** Concurrent jobs for the keys of one guild. */
const JOBS_PER_TENANT_MAX = 2;
/** A result is kept for at most this many questions whose callers were asked to retry. */
const EXPECTED_RETRIES_MAX = 100;
/** And for this long after the job. */
const EXPECTED_RETRIES_MS = 600_000;

interface Running {
  readonly job: ListingJob;
  readonly tenantId: string;
  /** Rejects with the Problem that ended the job. */
  readonly done: Promise<void>;
  /** As JSON, the questions whose callers were asked to retry. */
  readonly expectedRetries: Set<string>;
}

interface Result {
  readonly job: ListingJob;
  /** Until then, the result answers any question about its guild. */
  readonly freshUntil: number;
  /** Questions that the result answers for longer. */
  readonly expectedRetries: ReadonlySet<string>;
  readonly expectedRetriesUntil: number;
  /** Drops the result when its time is over. */
  readonly timer: NodeJS.Timeout;
}

export interface ListingJobsOptions {
  readonly settings: RestMembersSettings;
  readonly calls: DiscordCalls;
  /** Ends all jobs. */
  readonly signal: AbortSignal;
}

/** Jobs under way and their results, by token and guild. */
export class ListingJobs {
  readonly #running = new Map<string, Running>();
  readonly #results = new Map<string, Result>();
  /** Failures of jobs whose callers were asked to retry. The next caller gets them. */
  readonly #failures: BoundedMap<Problem>;
  readonly #options: ListingJobsOptions;

  constructor(options: ListingJobsOptions) {
    const { keptMs, keptMax, now } = options.settings;
    this.#options = options;
    this.#failures = new BoundedMap({ ttlMs: keptMs, entriesMax: keptMax, now });
  }

  /** Jobs under way. */
  get count(): number {
    return this.#running.size;
  }

  running(key: string): ListingJob | undefined {
    return this.#running.get(key)?.job;
  }

  /**
   * Returns all members from a job that has ended, or undefined if its result may not answer this question.
   * @param asked the question as JSON
   */
  result(key: string, roleIds: readonly string[], asked: string): MemberIndex | undefined {
    const result = this.#results.get(key);
    if (result === undefined || !result.job.covers(roleIds)) return undefined;
    const until = result.expectedRetries.has(asked) ? result.expectedRetriesUntil : result.freshUntil;
    return until > this.#options.settings.now() ? result.job.index : undefined;
  }

  /**
   * Resolves with all members when the job under way has ended.
   * @throws Problem of the job
   */
  async join(key: string): Promise<MemberIndex> {
    const running = this.#running.get(key);
    if (running === undefined) throw new Error('No job is under way.');
    running.job.noteAsked();
    await running.done;
    return running.job.index;
  }

  /** Call it when a caller stops waiting and is asked to retry the same question. */
  askToRetry(key: string, asked: string): Problem {
    const running = this.#running.get(key);
    if (running === undefined) return stillListingProblem(0, null);
    if (running.expectedRetries.size < EXPECTED_RETRIES_MAX) running.expectedRetries.add(asked);
    return running.job.progress();
  }

  /** Resolves when all jobs have ended; `signal` ends them. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running.values().map(({ done }) => done));
    for (const key of this.#results.keys()) this.#drop(key);
  }

  /**
   * Begins a job. There must be no running job for this key.
   * @throws Problem `busy`, or the failure of the last job if its callers were asked to retry
   */
  start(lookup: Lookup, guild: GuildInfo): ListingJob {
    const { calls, settings, signal } = this.#options;
    const { now, retryDelaysMs } = settings;
    // The result outlives the lookup and must not keep its token, so only `run` gets the lookup.
    const { guildId, key, tenantId } = lookup;
    const failure = this.#failures.get(key);
    this.#failures.delete(key);
    if (failure !== undefined) throw failure;
    this.#checkFreeSlot(tenantId);
    const job = new ListingJob({ calls, guildId, guild, retryDelaysMs, now, signal });
    this.#evictUntilFits(job);
    const expectedRetries = new Set<string>();
    const done = this.#run(job, lookup, expectedRetries);
    // All callers may have left by then, so a rejection may be unhandled.
    done.catch(() => undefined);
    this.#running.set(key, { job, tenantId, done, expectedRetries });
    return job;
  }

  async #run(job: ListingJob, lookup: Lookup, expectedRetries: Set<string>): Promise<void> {
    const { key } = lookup;
    try {
      await job.run(lookup);
      this.#keep(key, job, expectedRetries);
    } catch (error) {
      if (expectedRetries.size > 0) this.#failures.set(key, Problem.from(error));
      throw error;
    } finally {
      this.#running.delete(key);
    }
  }

  #checkFreeSlot(tenantId: string): void {
    const ofGuild = this.#running.values().filter((running) => running.tenantId === tenantId);
    if (ofGuild.toArray().length >= JOBS_PER_TENANT_MAX) {
      throw new Problem('busy/listings', { retryAfterSeconds: 10 });
    }
    if (this.#running.size >= JOBS_MAX) throw new Problem('busy', { retryAfterSeconds: 10 });
  }

  /**
   * Drops the oldest results until the result of one more job fits. Keeps results whose callers were asked to retry.
   * @throws Problem `busy`
   */
  #evictUntilFits(next: ListingJob): void {
    const { keptMax, membersMax } = this.#options.settings;
    const underWay = [next, ...this.#running.values().map(({ job }) => job)];
    const isFull = () => {
      const held = [...underWay, ...this.#results.values().map(({ job }) => job)];
      return held.length > keptMax || held.reduce((sum, { members }) => sum + members, 0) > membersMax;
    };
    while (isFull()) {
      const oldest = this.#results.entries().find(([, { expectedRetries }]) => expectedRetries.size === 0);
      if (oldest === undefined) throw new Problem('busy/lists', { retryAfterSeconds: 60 });
      this.#drop(oldest[0]);
    }
  }

  #keep(key: string, job: ListingJob, expectedRetries: Set<string>): void {
    const { keptMs, now } = this.#options.settings;
    // Callers who were asked to retry for the older result get this newer one.
    const all = new Set(
      [...expectedRetries, ...(this.#results.get(key)?.expectedRetries ?? [])].slice(0, EXPECTED_RETRIES_MAX),
    );
    this.#drop(key);
    const timer = setTimeout(() => this.#drop(key), all.size > 0 ? EXPECTED_RETRIES_MS : keptMs).unref();
    const [freshUntil, expectedRetriesUntil] = [now() + keptMs, now() + EXPECTED_RETRIES_MS];
    this.#results.set(key, { job, freshUntil, expectedRetries: all, expectedRetriesUntil, timer });
  }

  #drop(key: string): void {
    clearTimeout(this.#results.get(key)?.timer);
    this.#results.delete(key);
  }
}
