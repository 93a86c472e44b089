import { describe, expect, test, vi } from 'vitest';

import { JobPlaces } from '../../../src/images/job-places.ts';

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

/** Jobs by the name of their guild, in the order in which they got their places. */
function stage(options = OPTIONS) {
  const places = new JobPlaces(options);
  const started: string[] = [];
  const take = async (guild: string, isFit: boolean) => {
    const place = await places.take(guild, isFit, never);
    started.push(`${guild}${isFit ? ' fit' : ''}`);
    return place;
  };
  return { started, take };
}

describe('places for jobs', () => {
  test('eight at once, two of a guild; the rest waits', async () => {
    const places = new JobPlaces(OPTIONS);
    await Promise.all(
      ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd'].map((guild) => places.take(guild, false, never)),
    );
    const waiting = [places.take('e', false, never), places.take('a', false, never)];
    await settle();
    expect([places.running, places.waiting]).toEqual([8, 2]);
    void Promise.allSettled(waiting);
  });

  test('a guild waits for itself while others go on', async () => {
    const places = new JobPlaces(OPTIONS);
    const [place] = await Promise.all([places.take('a', false, never), places.take('a', false, never)]);
    const started: string[] = [];
    const third = places.take('a', false, never).then(() => started.push('a'));
    await places.take('b', false, never).then(() => started.push('b'));
    expect(started).toEqual(['b']);
    place.leave();
    await third;
    expect(started).toEqual(['b', 'a']);
  });

  test('a place that comes free goes to the first in the queue whose guild may have it', async () => {
    const places = new JobPlaces({ ...OPTIONS, jobsMax: 3 });
    const [, , place] = await Promise.all(['a', 'a', 'b'].map((guild) => places.take(guild, false, never)));
    const started: string[] = [];
    for (const guild of ['a', 'c', 'd']) {
      // What still waits at the end of the test is refused long after it.
      void places.take(guild, false, never).then(
        () => started.push(guild),
        () => null,
      );
    }
    place?.leave();
    await settle();
    expect(started).toEqual(['c']);
  });

  test('a guild that has none yet comes before one that has some', async () => {
    const places = new JobPlaces({ ...OPTIONS, jobsMax: 3 });
    const [, place] = await Promise.all(['a', 'b', 'b'].map((guild) => places.take(guild, false, never)));
    const started: string[] = [];
    for (const guild of ['a', 'a', 'c']) {
      // What still waits at the end of the test is refused long after it.
      void places.take(guild, false, never).then(
        () => started.push(guild),
        () => null,
      );
    }
    place?.leave();
    await settle();
    expect(started).toEqual(['c']);
  });

  test('guilds that fill the queue lose places in it to one that needs some, down to the same number', async () => {
    const places = new JobPlaces({ ...OPTIONS, jobsMax: 1, queueMax: 8, queuePerGuildMax: 8 });
    await places.take('a', false, never);
    const refused: number[] = [];
    for (let n = 0; n < 8; n += 1) places.take('worst', false, never).catch(() => refused.push(n));
    await settle();
    const others = Array.from({ length: 4 }, () => places.take('other', false, never));
    await settle();
    expect([refused, places.waiting]).toEqual([[7, 6, 5, 4], 8]);
    await expect(places.take('other', false, never)).rejects.toMatchObject({ code: 'busy' });
    void Promise.allSettled(others);
  });

  test('giving back twice gives one place back', async () => {
    const places = new JobPlaces(OPTIONS);
    const place = await places.take('a', false, never);
    await places.take('a', false, never);
    place.leave();
    place.leave();
    expect(places.running).toBe(1);
  });

  test('the ninth waiter of a guild is told that we are busy, another guild may still wait', async () => {
    const places = new JobPlaces({ ...OPTIONS, jobsMax: 2 });
    await Promise.all([places.take('a', false, never), places.take('a', false, never)]);
    const waiting = Array.from({ length: 8 }, () => places.take('a', false, never));
    await expect(places.take('a', false, never)).rejects.toMatchObject({
      code: 'busy',
      retryAfterSeconds: 5,
    });
    waiting.push(places.take('b', false, never));
    await settle();
    expect(places.waiting).toBe(9);
    void Promise.allSettled(waiting);
  });

  test('the 33rd waiter is told that we are busy', async () => {
    const places = new JobPlaces({ ...OPTIONS, jobsMax: 1 });
    await places.take('a', false, never);
    const waiting = Array.from({ length: 32 }, (_, index) => places.take(`g${index}`, false, never));
    await expect(places.take('z', false, never)).rejects.toMatchObject({ code: 'busy' });
    void Promise.allSettled(waiting);
  });

  test('who leaves the queue takes no place and makes room in it', async () => {
    const places = new JobPlaces({ ...OPTIONS, jobsMax: 1, queueMax: 1 });
    const place = await places.take('a', false, never);
    const leaving = new AbortController();
    const left = places.take('b', false, leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(places.take('b', false, leaving.signal)).rejects.toThrow('gone');
    expect([places.running, places.waiting]).toEqual([1, 0]);
    const next = places.take('c', false, never);
    place.leave();
    await expect(next).resolves.toHaveProperty('leave');
  });

  test('nobody waits for ever', async () => {
    vi.useFakeTimers();
    try {
      const places = new JobPlaces({ ...OPTIONS, jobsMax: 1 });
      await places.take('a', false, never);
      const refused = places.take('b', false, never).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(30_000);
      expect(await refused).toMatchObject({ code: 'busy' });
      expect([places.running, places.waiting, vi.getTimerCount()]).toEqual([1, 0, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  describe('for images that are made to fit', () => {
    test('one of a guild, and no more at once than there may be; other images pass them by', async () => {
      const { started, take } = stage();
      const jobs = ['a', 'a', 'b', 'c'].map((guild) => take(guild, true));
      void Promise.allSettled(jobs);
      await Promise.all([take('a', false), take('c', false)]);
      await settle();
      expect(started).toEqual(['a fit', 'b fit', 'a', 'c']);
    });

    test('the next one starts when one is made, before its answer is read', async () => {
      const { started, take } = stage();
      const first = await take('a', true);
      const waiting = take('a', true);
      await settle();
      expect(started).toEqual(['a fit']);
      first.endFit();
      (await waiting).leave();
      first.endFit();
      expect(started).toEqual(['a fit', 'a fit']);
      first.leave();
    });

    test('a job that ends makes room for one of its guild and for one that waits to be made to fit', async () => {
      const { started, take } = stage({ ...OPTIONS, fitsMax: 1 });
      const first = await take('a', true);
      await take('a', false);
      void Promise.allSettled([take('a', false), take('b', true)]);
      await settle();
      expect(started).toEqual(['a fit', 'a']);
      first.leave();
      await settle();
      expect(started.slice(2).toSorted()).toEqual(['a', 'b fit']);
    });
  });
});
