import { Problem } from '../problem.ts';

export interface JobPlacesOptions {
  readonly jobsMax: number;
  readonly jobsPerGuildMax: number;
  readonly queueMax: number;
  readonly queuePerGuildMax: number;
  /** Milliseconds that a job waits for its place. */
  readonly queueTimeoutMs: number;
}

interface Waiter {
  readonly guildId: string;
  /** Ends the wait with a place. */
  admit(): void;
}

/** Places for jobs that hold much memory: so many at once, in the order of arrival, shared out by guild. */
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
  let running = 0;

  const mayStart = (guildId: string) =>
    running < options.jobsMax && (runningByGuild.get(guildId) ?? 0) < options.jobsPerGuildMax;

  function start(guildId: string): () => void {
    running += 1;
    runningByGuild.set(guildId, (runningByGuild.get(guildId) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      running -= 1;
      const left = (runningByGuild.get(guildId) ?? 0) - 1;
      if (left > 0) runningByGuild.set(guildId, left);
      else runningByGuild.delete(guildId);
      admitNext();
    };
  }

  /** The first whose guild has a place left: a guild that waits for itself holds up nobody else. */
  function admitNext(): void {
    const index = queue.findIndex(({ guildId }) => mayStart(guildId));
    if (index !== -1) queue.splice(index, 1)[0]?.admit();
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
      if (queue.length >= options.queueMax || waitingOfGuild >= options.queuePerGuildMax) throw busy();
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
