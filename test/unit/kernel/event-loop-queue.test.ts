import { describe, expect, test } from 'vitest';

import { countPerIteration } from '../../fixtures/iteration-counter.ts';
import { EventLoopQueue } from '../../../src/kernel/event-loop-queue.ts';

/** Makes answers that take `costMs` each. */
function open(costMs: number) {
  let nowMs = 0;
  const queue = new EventLoopQueue(() => nowMs);
  const made = countPerIteration();
  const answer = async (signal?: AbortSignal) => {
    if (!queue.hasTime()) await queue.next(signal);
    nowMs += costMs;
    made.note();
  };
  return { answer, made, queue };
}

describe('concurrently requested responses', () => {
  test('are made in one iteration of the event loop when they are cheap', async () => {
    const { answer, made } = open(0);
    await Promise.all(Array.from({ length: 120 }, () => answer()));
    expect(made.counts()).toEqual([120]);
  });

  test.each([
    { costMs: 6, first: 1 },
    { costMs: 2, first: 3 },
  ])('get an iteration each once they have taken 5 ms, at $costMs ms', async ({ costMs, first }) => {
    const { answer, made } = open(costMs);
    await Promise.all(Array.from({ length: 120 }, () => answer()));
    expect(made.counts()).toEqual([first, ...Array.from({ length: 120 - first }, () => 1)]);
  });

  test('are made in the order of the requests, and a later one waits as well', async () => {
    const { queue } = open(0);
    const order: number[] = [];
    const waiting = [1, 2, 3].map((n) => queue.next().then(() => order.push(n)));
    expect(queue.hasTime()).toBe(false);
    await Promise.all([...waiting, queue.next().then(() => order.push(4))]);
    expect(order).toEqual([1, 2, 3, 4]);
    expect(queue.hasTime()).toBe(true);
  });

  test('are not made for a caller who disconnected', async () => {
    const { answer, made } = open(6);
    const gone = new AbortController();
    const all = [answer(), answer(gone.signal), answer()];
    gone.abort();
    await Promise.allSettled(all);
    expect(made.counts()).toEqual([1, 1]);
    await expect(all[1]).rejects.toMatchObject({ name: 'AbortError' });
  });
});
