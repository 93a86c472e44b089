import { describe, expect, test, vi } from 'vitest';

import { ImageJobQueue } from '../../../src/images/image-job-queue.ts';

const OPTIONS = {
  jobsMax: 8,
  jobsPerGuildMax: 2,
  fitsMax: 2,
  queueMax: 32,
  queuePerGuildMax: 8,
  queueTimeoutMs: 30_000,
};
const never = new AbortController().signal;

/** Lets promises settle that have nothing left to wait for. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Images that are made to fit, by the name of their guild, in the order in which that began. */
function stage(options = OPTIONS) {
  const jobs = new ImageJobQueue(options);
  const started: string[] = [];
  const fit = async (guild: string) => {
    const slot = await jobs.acquire(guild, never);
    await slot.beginFit(never);
    started.push(guild);
    return slot;
  };
  return { jobs, started, fit };
}

describe('the queue of image jobs', () => {
  test('runs eight at a time, two for each guild, and queues the others', async () => {
    const jobs = new ImageJobQueue(OPTIONS);
    await Promise.all(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map((guild) => jobs.acquire(guild, never)));
    const waiting = [jobs.acquire('e', never), jobs.acquire('a', never)];
    await settle();
    expect([jobs.running, jobs.waiting]).toEqual([8, 2]);
    void Promise.allSettled(waiting);
  });

  test('makes a guild wait only for its own jobs', async () => {
    const jobs = new ImageJobQueue(OPTIONS);
    const [slot] = await Promise.all([jobs.acquire('a', never), jobs.acquire('a', never)]);
    const started: string[] = [];
    const third = jobs.acquire('a', never).then(() => started.push('a'));
    await jobs.acquire('b', never).then(() => started.push('b'));
    expect(started).toEqual(['b']);
    slot.release();
    await third;
    expect(started).toEqual(['b', 'a']);
  });

  test.each([
    ['the first in the queue whose guild may have it', ['b', 'a', 'a'], ['a', 'c', 'd']],
    ['a guild that has no slot before one that has some', ['b', 'a', 'b'], ['a', 'a', 'c']],
  ])('gives a free slot to %s', async (_who, running, queued) => {
    const jobs = new ImageJobQueue({ ...OPTIONS, jobsMax: 3 });
    const [slot] = await Promise.all(running.map((guild) => jobs.acquire(guild, never)));
    const started: string[] = [];
    for (const guild of queued) {
      // What still waits at the end of the test is refused long after it.
      void jobs.acquire(guild, never).then(
        () => started.push(guild),
        () => null,
      );
    }
    slot?.release();
    await settle();
    expect(started).toEqual(['c']);
  });

  test('evicts waiters of guilds that fill the queue for one that needs a slot, down to the same number', async () => {
    const jobs = new ImageJobQueue({ ...OPTIONS, jobsMax: 1, queueMax: 8, queuePerGuildMax: 8 });
    await jobs.acquire('a', never);
    const refused: number[] = [];
    for (let n = 0; n < 8; n += 1) jobs.acquire('worst', never).catch(() => refused.push(n));
    await settle();
    const others = Array.from({ length: 4 }, () => jobs.acquire('other', never));
    await settle();
    expect([refused, jobs.waiting]).toEqual([[7, 6, 5, 4], 8]);
    await expect(jobs.acquire('other', never)).rejects.toMatchObject({ code: 'busy' });
    void Promise.allSettled(others);
  });

  test('refuses the ninth waiter of a guild as busy, while another guild may still wait', async () => {
    const jobs = new ImageJobQueue({ ...OPTIONS, jobsMax: 2 });
    await Promise.all([jobs.acquire('a', never), jobs.acquire('a', never)]);
    const waiting = Array.from({ length: 8 }, () => jobs.acquire('a', never));
    await expect(jobs.acquire('a', never)).rejects.toMatchObject({
      code: 'busy',
      retryAfterSeconds: 5,
    });
    waiting.push(jobs.acquire('b', never));
    await settle();
    expect(jobs.waiting).toBe(9);
    void Promise.allSettled(waiting);
  });

  test('refuses the 33rd waiter as busy', async () => {
    const jobs = new ImageJobQueue({ ...OPTIONS, jobsMax: 1 });
    await jobs.acquire('a', never);
    const waiting = Array.from({ length: 32 }, (_, index) => jobs.acquire(`g${index}`, never));
    await expect(jobs.acquire('z', never)).rejects.toMatchObject({ code: 'busy' });
    void Promise.allSettled(waiting);
  });

  test('refuses each waiter after its deadline', async () => {
    vi.useFakeTimers();
    try {
      const jobs = new ImageJobQueue({ ...OPTIONS, jobsMax: 1 });
      await jobs.acquire('a', never);
      const refused = jobs.acquire('b', never).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await refused).toMatchObject({ code: 'busy' });
      expect([jobs.running, jobs.waiting]).toEqual([1, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  describe('for images to fit', () => {
    test('runs one for each guild, within a total bound, while other images pass them', async () => {
      const { jobs, started, fit } = stage();
      const fitted = ['a', 'a', 'b', 'c'].map(fit);
      void Promise.allSettled(fitted);
      await settle();
      expect(started).toEqual(['a', 'b']);
      await jobs.acquire('c', never);
      expect([jobs.running, jobs.waiting]).toEqual([5, 0]);
    });

    test('starts the next one when one is done, before its response is read', async () => {
      const { started, fit } = stage();
      const first = await fit('a');
      const waiting = fit('a');
      await settle();
      expect(started).toEqual(['a']);
      first.endFit();
      (await waiting).release();
      first.endFit();
      expect(started).toEqual(['a', 'a']);
      first.release();
    });

    test('frees a slot for a job of its guild and for one that waits to be fitted', async () => {
      const { jobs, started, fit } = stage({ ...OPTIONS, fitsMax: 1 });
      const first = await fit('a');
      await jobs.acquire('a', never);
      const third = jobs.acquire('a', never).then(() => started.push('third'));
      void Promise.allSettled([third, fit('b')]);
      await settle();
      expect(started).toEqual(['a']);
      first.release();
      await settle();
      expect(started.slice(1).toSorted()).toEqual(['b', 'third']);
    });

    test('gives no slot to a cancelled waiter, and refuses one as busy after its deadline', async () => {
      vi.useFakeTimers();
      try {
        const { jobs, fit } = stage({ ...OPTIONS, fitsMax: 1, queueMax: 0 });
        const first = await fit('a');
        const [left, late] = await Promise.all([jobs.acquire('b', never), jobs.acquire('c', never)]);
        const leaving = new AbortController();
        const gone = left.beginFit(leaving.signal).catch((error: unknown) => error);
        leaving.abort('gone');
        expect(await gone).toBe('gone');
        const refused = late.beginFit(never).catch((error: unknown) => error);
        await vi.advanceTimersByTimeAsync(30_000);
        expect(await refused).toMatchObject({ code: 'busy' });
        first.endFit();
        await late.beginFit(never);
      } finally {
        vi.useRealTimers();
      }
    });
  });
});
