import { describe, expect, test } from 'vitest';

import { BoundedMap } from '../../../src/kernel/bounded-map.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { compareSnowflakes, isSnowflake, parseSnowflake, shardOf } from '../../../src/kernel/snowflake.ts';

describe('a bounded map', () => {
  test('keeps the latest entries, forever without a time to live', () => {
    let now = 0;
    const map = new BoundedMap<number>({ entriesMax: 2, now: () => now });
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    now = Number.MAX_SAFE_INTEGER;
    map.set('c', 4);
    expect(map.size).toBe(2);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
    map.delete('a');
    expect(map.has('a')).toBe(false);
  });

  test('drops an entry at the end of its time to live, which restarts when it is set', () => {
    let now = 0;
    const map = new BoundedMap<number>({ entriesMax: 9, ttlMs: 10, now: () => now });
    map.set('a', 1);
    map.set('b', 2);
    now = 9;
    map.set('a', 1);
    now = 10;
    expect([map.has('a'), map.has('b'), map.size]).toEqual([true, false, 1]);
    expect(map.oldestTimeLeftMs()).toBe(9);
  });
});

test.each([
  ['12345678901234567', true],
  ['18446744073709551615', true],
  ['18446744073709551616', false],
  ['99999999999999999999', false],
  ['1234567890123456', false],
  ['012345678901234567', false],
  [' 12345678901234567', false],
  ['12345678901234567\n', false],
  ['-12345678901234567', false],
  ['', false],
])('the id %j is valid: %s', (text, can) => {
  expect(isSnowflake(text)).toBe(can);
});

test('ids are compared as numbers, up to 2^64 - 1', () => {
  const ids = [1n, 9n, 10n, 2n ** 32n - 1n, 2n ** 32n, 10n ** 17n, 2n ** 63n, 10n ** 19n, 2n ** 64n - 1n];
  for (const [at, id] of ids.entries()) {
    expect(parseSnowflake(String(id))).toBe(id);
    for (const [place, other] of ids.entries()) {
      expect(Math.sign(compareSnowflakes(String(id), String(other)))).toBe(Math.sign(at - place));
    }
  }
  for (const text of ['', '0', '01', '+1', '-1', '1.0', '1e3', ' 1', String(2n ** 64n), '9'.repeat(21)]) {
    expect(parseSnowflake(text)).toBeNull();
  }
});

test('a guild is on the shard that Discord’s formula gives', () => {
  // (id >> 22) % 16: 613425648685547541 / 2^22 is 146252071544 with a rest.
  expect(shardOf('613425648685547541', 16)).toBe(146_252_071_544 % 16);
  expect(shardOf('613425648685547541', 1)).toBe(0);
});

test('any thrown value becomes a problem, and a problem stays itself', () => {
  const known = new Problem('busy');
  expect(Problem.from(known)).toBe(known);
  const fault = new TypeError('secret detail');
  expect(Problem.from(fault)).toMatchObject({ code: 'internal', status: 500, cause: fault });
  expect(Problem.from(fault).message).not.toContain('secret');
  expect(Problem.from(undefined).code).toBe('internal');
});
