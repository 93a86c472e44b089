import { expect, test } from 'vitest';

import { KeptAnswers } from '../../../src/http/exchange/kept-answers.ts';

const at = (n: number) => ({ ...asked, url: `/${n}` });
const asked = { ownerId: '1', flat: false, url: '/api/x?a=1' };

test('an answer is found for the same owner, form and address, until it is not current any more', () => {
  const answers = new KeptAnswers();
  let isCurrent = true;
  const answer = { tag: '"1"', text: '{}', isCurrent: () => isCurrent };
  answers.keep(asked, answer);
  expect(answers.find(asked)).toEqual(answer);
  for (const other of [{ ownerId: '2' }, { flat: true }, { url: '/api/x?a=2' }]) {
    expect(answers.find({ ...asked, ...other })).toBeNull();
  }
  isCurrent = false;
  expect(answers.find(asked)).toBeNull();
  isCurrent = true;
  expect(answers.find(asked)).toBeNull();
});

test('of a long answer only the tag is kept, and of a long address nothing', () => {
  const answers = new KeptAnswers();
  const long = { tag: '"1"', text: 'x'.repeat(5_000), isCurrent: () => true };
  answers.keep(asked, long);
  expect(answers.find(asked)).toEqual({ ...long, text: null });
  const far = { ...asked, url: `/${'a'.repeat(600)}` };
  answers.keep(far, long);
  expect(answers.find(far)).toBeNull();
});

test('they are bounded in number, and the oldest goes first', () => {
  const answers = new KeptAnswers();
  for (let n = 0; n <= 1_000; n += 1)
    answers.keep(at(n), { tag: `"${n}"`, text: '{}', isCurrent: () => true });
  expect(answers.find(at(0))).toBeNull();
  expect(answers.find(at(1_000))?.tag).toBe('"1000"');
});
