import { expect, test } from 'vitest';

import { findDurationInReason } from '../../../../src/operations/parse-args/duration-in-reason.ts';

test.each([
  ['spamming 1h30m again', 'timeout', '1h30m'],
  ['call mum in 10 minutes', 'remind', '10 minutes'],
  ['immer wieder, 2 Std.', 'timeout', '2 Std'],
])('a time inside a reason is found as typed: %s', (reason, action, found) => {
  expect(findDurationInReason(reason, action)).toBe(found);
});

test.each([
  ['the first word was already tried as the duration', '13 years old', 'warn'],
  ['a number alone is not a time', 'broke rule 3 again', 'ban'],
  ['words without a number are a sentence', 'spamming all day', 'ban'],
  ['after a command about money it is an amount', 'now 100m', 'give'],
  ['an empty reason has no time', '', ''],
])('no time is found, because %s', (_why, reason, action) => {
  expect(findDurationInReason(reason, action)).toBeNull();
});
