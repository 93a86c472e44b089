import fc from 'fast-check';
import { expect, test } from 'vitest';

import { countEdits, countTypos, findClosest } from '../../../src/kernel/edit-distance.ts';

test.each([
  ['', '', 0],
  ['role', 'role', 0],
  ['role', 'rol', 1],
  ['role', 'roles', 1],
  ['role', 'rule', 1],
  ['role', 'rloe', 1],
  ['role', 'orel', 2],
  ['role', '', 4],
])('%j becomes %j with %i edits', (a, b, edits) => {
  expect(countEdits(a, b, 9)).toBe(edits);
});

test('countEdits counts no more than the bound', () => {
  expect(countEdits('role', 'rule', 0)).toBe(Infinity);
  expect(countEdits('role', 'user', 2)).toBe(Infinity);
  expect(countEdits('role', 'roleroleroleroleroles', 9)).toBe(Infinity);
});

test('findClosest finds the only name that contains three letters or more', () => {
  expect(findClosest('tag', ['list-tags', 'counts'])).toBe('list-tags');
  expect(findClosest('ta', ['list-tags', 'counts'])).toBeNull();
  expect(findClosest('tag', ['list-tags', 'add-tags'])).toBeNull();
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

function byTrying(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const ways = [
    byTrying(a.slice(1), b) + 1,
    byTrying(a, b.slice(1)) + 1,
    byTrying(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && a[0] === b[1] && a[1] === b[0]) ways.push(byTrying(a.slice(2), b.slice(2)) + 1);
  return Math.min(...ways);
}

test('countEdits equals brute force, in both directions', () => {
  fc.assert(
    fc.property(word, word, fc.nat(7), (a, b, max) => {
      const edits = byTrying(a, b);
      expect(countEdits(a, b, max)).toBe(edits > max ? Infinity : edits);
      expect(countEdits(b, a, max)).toBe(countEdits(a, b, max));
    }),
    { seed: 7, numRuns: 60 },
  );
});

test.each([
  ['role_ids', 'role_id', 1],
  ['keys', 'key', 1],
  // Too short for a typo.
  ['ket', 'key', Infinity],
  ['sned', 'send', 1],
  ['find', 'send', Infinity],
  ['prase_arg', 'parse_args', 2],
])('%j is %j with %d typos', (written, name, typos) => {
  expect(countTypos(written, name)).toBe(typos);
});
