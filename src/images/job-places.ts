import { Problem } from '../problem.ts';

export interface JobPlacesOptions {
  readonly jobsMax: number;
  readonly jobsPerGuildMax: number;
  readonly queueMax: number;
  readonly queuePerGuildMax: number;
  /** Milliseconds that a job waits for its place. */
  readonly queueTimeoutMs: number;
  /** Milliseconds that each job has run before another one starts beside it. Default 0. */
  readonly besideAfterMs?: number;
}

interface Waiter {
  readonly guildId: string;
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
export interface JobPlaces {
  readonly running: number;
  readonly waiting: number;
  /**
   * @returns gives the place back; a second call does nothing
   * @throws Problem `busy`, or the signal's reason
   */
  take(guildId: string, signal: AbortSignal): Promise<() => void>;
}

export function createJobPlaces(options: JobPlacesOptions): JobPlaces {
  const runningByGuild = new Map<string, number>();
  const queue: Waiter[] = [];
  const { besideAfterMs = 0 } = options;
  /** Jobs beside which no other one starts yet. */
  const fresh = new Set<NodeJS.Timeout>();
  let running = 0;

  const mayStart = (guildId: string) =>
    running < options.jobsMax &&
    fresh.size === 0 &&
    (runningByGuild.get(guildId) ?? 0) < options.jobsPerGuildMax;

  function startFresh(): NodeJS.Timeout | undefined {
    if (besideAfterMs === 0) return undefined;
    const timer = setTimeout(() => {
      fresh.delete(timer);
      admitNext();
    }, besideAfterMs);
    fresh.add(timer);
    return timer;
  }

  function start(guildId: string): () => void {
    running += 1;
    runningByGuild.set(guildId, (runningByGuild.get(guildId) ?? 0) + 1);
    const timer = startFresh();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      running -= 1;
      if (timer !== undefined) {
        clearTimeout(timer);
        fresh.delete(timer);
      }
      const left = (runningByGuild.get(guildId) ?? 0) - 1;
      if (left > 0) runningByGuild.set(guildId, left);
      else runningByGuild.delete(guildId);
      admitNext();
    };
  }

  const runningOf = ({ guildId }: Waiter) => runningByGuild.get(guildId) ?? 0;

  /** A guild that waits for itself holds up nobody else. */
  function admitNext(): void {
    const [next] = queue
      .filter(({ guildId }) => mayStart(guildId))
      .toSorted((a, b) => runningOf(a) - runningOf(b));
    if (next === undefined) return;
    queue.splice(queue.indexOf(next), 1);
    next.admit();
  }

  /** @returns the latest job of the guild with most waiting ones; null when this guild would have as many itself */
  function findRefusable(guildId: string): Waiter | null {
    const waitingByGuild = new Map<string, number>([[guildId, 1]]);
    for (const waiter of queue)
      waitingByGuild.set(waiter.guildId, (waitingByGuild.get(waiter.guildId) ?? 0) + 1);
    const most = Math.max(...waitingByGuild.values());
    if (waitingByGuild.get(guildId) === most) return null;
    return queue.findLast((waiter) => waitingByGuild.get(waiter.guildId) === most) ?? null;
  }

  function waitInQueue(guildId: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown) => {
        queue.splice(queue.indexOf(waiter), 1);
        stopWaiting();
        reject(reason);
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => leave(busy()), options.queueTimeoutMs);
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        guildId,
        admit() {
          stopWaiting();
          resolve(start(guildId));
        },
        refuse: () => leave(busy()),
      };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(waiter);
    });
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
    async take(guildId, signal) {
      signal.throwIfAborted();
      if (mayStart(guildId)) return start(guildId);
      const waitingOfGuild = queue.filter((waiter) => waiter.guildId === guildId).length;
      if (waitingOfGuild >= options.queuePerGuildMax) throw busy();
      if (queue.length >= options.queueMax) {
        const refusable = findRefusable(guildId);
        if (refusable === null) throw busy();
        refusable.refuse();
      }
      return waitInQueue(guildId, signal);
    },
  };
}

function busy(): Problem {
  return new Problem('busy', {
    error: 'Too many images are under way at the moment.',
    retryAfterSeconds: 5,
  });
}
