import { expect, test } from 'vitest';

import { KeptAnswers, type AskedFor, type KeptAnswer } from '../../../src/http/exchange/kept-answers.ts';

const at = (n: number) => ({ ...asked, url: `/${n}` });
const asked = { ownerId: '1', flat: false, url: '/api/x?a=1' };

/** The same question, two times. */
function keepTwice(answers: KeptAnswers, question: AskedFor, answer: KeptAnswer): void {
  answers.keep(question, answer);
  answers.keep(question, answer);
}

test('an answer is kept when it was asked for a second time', () => {
  const answers = new KeptAnswers();
  const answer = { tag: '"1"', text: '{}', isCurrent: () => true };
  answers.keep(asked, answer);
  expect(answers.find(asked)).toBeNull();
  answers.keep(at(1), answer);
  answers.keep(asked, answer);
  expect(answers.find(asked)).toEqual(answer);
  expect(answers.find(at(1))).toBeNull();
});

test('an answer is found for the same owner, form and address, until it is not current any more', () => {
  const answers = new KeptAnswers();
  let isCurrent = true;
  const answer = { tag: '"1"', text: '{}', isCurrent: () => isCurrent };
  keepTwice(answers, asked, answer);
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
  const long = { tag: '"1"', text: 'x'.repeat(40_000), isCurrent: () => true };
  keepTwice(answers, asked, long);
  expect(answers.find(asked)).toEqual({ ...long, text: null });
  const far = { ...asked, url: `/${'a'.repeat(600)}` };
  keepTwice(answers, far, long);
  expect(answers.find(far)).toBeNull();
});

test('they are bounded in number, and the oldest goes first', () => {
  const answers = new KeptAnswers();
  for (let n = 0; n <= 250; n += 1) {
    keepTwice(answers, at(n), { tag: `"${n}"`, text: '{}', isCurrent: () => true });
  }
  expect(answers.find(at(0))).toBeNull();
  expect(answers.find(at(250))?.tag).toBe('"250"');
});
