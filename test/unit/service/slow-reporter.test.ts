import { expect, test } from 'vitest';

import { describeSlow } from '../../fixtures/slow-reporter.ts';

const others = Array.from({ length: 99 }, (_, index) => ({ file: `other-${index}`, ms: 1_000 }));

test('a run of all tests names the files that take more than 3 % of the time', () => {
  const sum = 99_000 + 3_500 + 7_500;
  expect(describeSlow([...others, { file: 'slow', ms: 3_500 }, { file: 'slowest', ms: 7_500 }])).toEqual([
    `Files that take more than 3 % of the ${sum / 1_000} s of all files:`,
    '  6.8 %, 8 s: slowest',
    '  3.2 %, 4 s: slow',
  ]);
  expect(describeSlow([...others, { file: 'quick', ms: 3_000 }])).toEqual([]);
});

test('a run of a few tests names no file', () => {
  expect(describeSlow([{ file: 'only', ms: 1_000 }])).toEqual([]);
});
