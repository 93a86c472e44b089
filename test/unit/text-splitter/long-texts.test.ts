import { expect, test } from 'vitest';

import { answerRequest } from '../../../src/operations/text-splitter/answer-request.ts';
import { LongTexts } from '../../../src/operations/text-splitter/long-texts.ts';
import { input } from '../../../src/operations/text-splitter/request.ts';

const GOING_ON = new AbortController().signal;

test('long texts are worked on one after another, whatever becomes of those before', async () => {
  const line = new LongTexts();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await Promise.resolve();
    events.push(`${name} ends`);
    if (name === 'broken') throw new Error(name);
    return name;
  };
  const gone = new AbortController();
  const all = [
    line.run(work('first'), GOING_ON),
    line.run(work('broken'), GOING_ON),
    line.run(work('gone'), gone.signal),
    line.run(work('last'), GOING_ON),
  ];
  gone.abort(new Error('gone'));
  expect(await Promise.allSettled(all)).toMatchObject([
    { value: 'first' },
    { reason: { message: 'broken' } },
    { reason: { message: 'gone' } },
    { value: 'last' },
  ]);
  expect(events).toEqual(['first', 'broken', 'last'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('a short text does not wait for the long ones before it', async () => {
  const answered: string[] = [];
  const answer = async (name: string, text: string) => {
    await answerRequest(input.parse({ text }), GOING_ON);
    answered.push(name);
  };
  const long = 'Words, **bold** ones and `code`. '.repeat(3_000);
  await Promise.all([answer('long', long), answer('long', long), answer('short', 'a word '.repeat(1_000))]);
  expect(answered).toEqual(['short', 'long', 'long']);
});
