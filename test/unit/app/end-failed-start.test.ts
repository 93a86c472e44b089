import { expect, test } from 'vitest';

import { exitCodeOf } from '../../../src/app/end-failed-start.ts';
import { ExplainedFailure } from '../../../src/kernel/explained-failure.ts';
import { finalEnd } from '../../../src/discord/connection/gateway-end.ts';

const never = new AbortController().signal;

test.each([4004, 4010, 4011])(
  'a refusal of Discord with %i ends the process with 78 after a pause',
  async (code) => {
    let isOver = false;
    const ended = exitCodeOf(finalEnd(code), { isTerminal: false, signal: never, pauseMs: 20 });
    void ended.then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).toBe(false);
    expect(await ended).toBe(78);
  },
);

test('a start at a terminal ends without a pause', async () => {
  const options = { isTerminal: true, signal: never, pauseMs: 2 ** 31 - 1 };
  expect(await exitCodeOf(finalEnd(4004), options)).toBe(78);
});

test.each([
  [new ExplainedFailure('a wrong setting', { isFinal: true }), 78],
  [new ExplainedFailure('a database that is away'), 1],
  [new Error('a fault'), 1],
])('%s ends the process immediately with %i', async (failure, code) => {
  expect(await exitCodeOf(failure, { isTerminal: false, signal: never, pauseMs: 2 ** 31 - 1 })).toBe(code);
});

test('a signal ends the pause', async () => {
  const signal = AbortSignal.abort();
  expect(await exitCodeOf(finalEnd(4004), { isTerminal: false, signal, pauseMs: 2 ** 31 - 1 })).toBe(78);
});
