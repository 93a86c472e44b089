import { expect, test } from 'vitest';

import { answerRequest } from '../../../src/operations/text-splitter/answer-request.ts';
import { LongTexts } from '../../../src/operations/text-splitter/long-texts.ts';
import { input } from '../../../src/operations/text-splitter/request.ts';

const GOING_ON = new AbortController().signal;

test('long texts of an owner are worked on one after another, whatever becomes of those before', async () => {
  const line = new LongTexts();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await Promise.resolve();
    events.push(`${name} ends`);
    if (name === 'broken') throw new Error(name);
    return name;
  };
  const all = ['first', 'broken', 'last'].map((name) => line.run('1', work(name), GOING_ON));
  expect(await Promise.allSettled(all)).toMatchObject([
    { value: 'first' },
    { reason: { message: 'broken' } },
    { value: 'last' },
  ]);
  expect(events).toEqual(['first', 'broken', 'last'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('one long text is worked on at a time, owners in turn', async () => {
  const line = new LongTexts();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(name);
    await Promise.resolve();
  };
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((name) => line.run('a', work(name), GOING_ON)),
    ...['b1', 'b2'].map((name) => line.run('b', work(name), GOING_ON)),
  ]);
  expect(events).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

test('nobody waits for the long text of a caller who has left', async () => {
  const line = new LongTexts();
  const first = Promise.withResolvers<string>();
  const running = line.run('1', () => first.promise, GOING_ON);
  for (const owner of ['1', '2']) {
    const leaving = new AbortController();
    const left = line.run(owner, () => Promise.reject(new Error('worked on')), leaving.signal);
    leaving.abort(new Error('gone'));
    // At once, while the first is still worked on.
    await expect(left).rejects.toThrow('gone');
  }
  const next = line.run('1', () => Promise.resolve('next'), GOING_ON);
  first.resolve('first');
  expect(await Promise.all([running, next])).toEqual(['first', 'next']);
});

test('a short text does not wait for the long ones before it', async () => {
  const answered: string[] = [];
  const answer = async (name: string, text: string) => {
    await answerRequest(input.parse({ text }), '1', GOING_ON);
    answered.push(name);
  };
  const long = 'Words, **bold** ones and `code`. '.repeat(3_000);
  await Promise.all([answer('long', long), answer('long', long), answer('short', 'a word '.repeat(1_000))]);
  expect(answered).toEqual(['short', 'long', 'long']);
});
