import { expect, test } from 'vitest';

import { answerRequest } from '../../../../src/operations/text-splitter/answer-request.ts';
import { input } from '../../../../src/operations/text-splitter/request.ts';
import { TextQueue } from '../../../../src/operations/text-splitter/text-queue.ts';
import { countPerIteration } from '../../../fixtures/iteration-counter.ts';

const GOING_ON = new AbortController().signal;
const LONG = 20_000;

type WaitForStep = (units: number) => Promise<void>;

/** Work in steps of so many units, which tells of each one. */
function steps(units: readonly number[], note: (units: number) => void) {
  return async (waitForStep: WaitForStep) => {
    for (const each of units) {
      await waitForStep(each);
      note(each);
    }
  };
}

async function run<Result>(
  queue: TextQueue,
  tenantId: string,
  length: number,
  work: (waitForStep: WaitForStep) => Promise<Result>,
  signal = GOING_ON,
): Promise<Result> {
  const text = { tenantId, length, signal, isUnderWay: false };
  try {
    return await work((units) => queue.waitForStep(text, units));
  } finally {
    queue.end(text);
  }
}

test('the steps of an iteration have at most 50,000 units together', async () => {
  const queue = new TextQueue();
  const { add, counts } = countPerIteration();
  const texts = Array.from({ length: 40 }, (_, index) => {
    const units = [16_384, 10, 9_999, 3_000][index % 4]!;
    return run(queue, String(index % 3), units, steps([units, units, 2 * units], add));
  });
  await Promise.all(texts);
  const sums = counts();
  expect(Math.max(...sums)).toBeLessThanOrEqual(50_000);
  const total = sums.reduce((sum, count) => sum + count, 0);
  expect(total).toBe(10 * 4 * (16_384 + 10 + 9_999 + 3_000));
  // A step that does not fit leaves less than its own units unused.
  expect(sums.length).toBeLessThanOrEqual(Math.ceil(total / (50_000 - 2 * 16_384)));
});

test('a step with more than 50,000 code units gets an iteration of its own', async () => {
  const queue = new TextQueue();
  const { add, counts } = countPerIteration();
  await Promise.all([
    run(queue, 'a', 90_000, steps([90_000, 180_000], add)),
    run(queue, 'a', 10, steps([10, 10, 10], add)),
    run(queue, 'b', 10, steps([10, 10, 10], add)),
  ]);
  expect(counts()).toEqual([90_000, 60, 180_000]);
});

test('sockets are read between two iterations with steps', async () => {
  const queue = new TextQueue();
  const events: string[] = [];
  const text = run(
    queue,
    'a',
    50_000,
    steps([50_000, 50_000, 50_000], () => events.push('step')),
  );
  const look = (): void => {
    events.push('look');
    if (events.length < 6) setImmediate(look);
  };
  // An immediate that an immediate sets runs in the next iteration.
  setImmediate(look);
  await text;
  expect(events.join(' ')).not.toContain('step step');
});

test('long texts of a tenant are processed one after another, whatever becomes of those before', async () => {
  const queue = new TextQueue();
  const events: string[] = [];
  const work = (name: string) => async (waitForStep: WaitForStep) => {
    await waitForStep(LONG);
    events.push(`${name} begins`);
    await waitForStep(LONG);
    events.push(`${name} ends`);
    if (name === 'broken') throw new Error(name);
    return name;
  };
  const all = ['first', 'broken', 'last'].map((name) => run(queue, '1', LONG, work(name)));
  expect(await Promise.allSettled(all)).toMatchObject([
    { value: 'first' },
    { reason: { message: 'broken' } },
    { value: 'last' },
  ]);
  expect(events).toEqual(['first', 'broken', 'last'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test.each([
  ['long', LONG],
  ['short', 10_000],
])('tenants take turns with %s texts', async (_name, length) => {
  const queue = new TextQueue();
  const events: string[] = [];
  const begin = (name: string) =>
    run(
      queue,
      name[0]!,
      length,
      steps([40_000], () => events.push(name)),
    );
  await Promise.all(['c1', 'a1', 'a2', 'a3', 'b1', 'b2'].map(begin));
  expect(events).toEqual(['c1', 'a1', 'b1', 'a2', 'b2', 'a3']);
});

test('a caller that disconnected delays no other with its long text', async () => {
  const queue = new TextQueue();
  const first = Promise.withResolvers<string>();
  const running = run(queue, '1', LONG, async (waitForStep) => {
    await waitForStep(LONG);
    return first.promise;
  });
  for (const tenant of ['1', '2']) {
    const leaving = new AbortController();
    const left = run(
      queue,
      tenant,
      LONG,
      steps([LONG], () => {}),
      leaving.signal,
    );
    leaving.abort(new Error('gone'));
    // While the first is still worked on.
    await expect(left).rejects.toThrow('gone');
  }
  const next = run(queue, '1', LONG, async (waitForStep) => {
    await waitForStep(LONG);
    return 'next';
  });
  first.resolve('first');
  expect(await Promise.all([running, next])).toEqual(['first', 'next']);
});

test('a short text does not wait for earlier long ones', async () => {
  const answered: string[] = [];
  const answer = async (name: string, text: string) => {
    await answerRequest(input.parse({ text }), '1', GOING_ON);
    answered.push(name);
  };
  const long = 'Words, **bold** ones and `code`. '.repeat(3_000);
  await Promise.all([answer('long', long), answer('long', long), answer('short', 'a word '.repeat(1_000))]);
  expect(answered).toEqual(['short', 'long', 'long']);
});

const WORDS = 'Words '.repeat(3_000).slice(0, 16_384);
test.each([
  ['texts', { text: WORDS }],
  ['pieces of code', { text: WORDS, mode: 'code' }],
  ["texts in GitHub's dialect", { text: WORDS, dialect: 'github' }],
])('no more %s are answered in an iteration than 50,000 code units allow', async (_name, request) => {
  const { note, counts } = countPerIteration();
  const answer = async () => {
    await answerRequest(input.parse(request), '1', GOING_ON);
    note();
  };
  await Promise.all(Array.from({ length: 20 }, answer));
  expect(Math.max(...counts())).toBeLessThanOrEqual(3);
});
