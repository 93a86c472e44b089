import { expect, test } from 'vitest';

import { ownTurn } from '../../../src/images/own-turn.ts';

test('each step has a later turn of the event loop to itself, in the order in which they asked', async () => {
  let turn = 0;
  let timer = setImmediate(function count() {
    turn += 1;
    timer = setImmediate(count);
  });
  const steps: [name: string, turn: number][] = [];
  const step = async (name: string) => {
    await ownTurn(new AbortController().signal);
    steps.push([name, turn]);
  };
  await Promise.all([step('a').then(() => step('d')), step('b'), step('c')]);
  clearImmediate(timer);

  expect(steps.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd']);
  const turns = steps.map(([, at]) => at);
  expect(new Set(turns).size).toBe(4);
  // The first count belongs to the turn in which they asked.
  expect(Math.min(...turns)).toBeGreaterThan(1);
});

test('a job that has ended meanwhile gets no turn, and the next one gets its own', async () => {
  const left = AbortSignal.abort(new Error('left'));
  const [first, second] = await Promise.allSettled([ownTurn(left), ownTurn(new AbortController().signal)]);
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
});
