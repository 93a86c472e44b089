import { expect, test } from 'vitest';

import { toCachedGuild, VerificationCache } from '../../../src/guild-keys/key-verifier.ts';

const without = (readAt: number) => toCachedGuild('1', undefined, readAt);
const withKey = (readAt: number) => ({
  ...without(readAt),
  keys: new Map([['aaaaa', null as never]]),
});

test('reading a guild again replaces its record, with keys or without', () => {
  const cache = new VerificationCache(2);
  for (const read of [withKey(1), without(2), withKey(3)]) {
    cache.set('one', read);
    expect(cache.get('one')).toBe(read);
  }
});

test('a guild that was deleted is forgotten, with keys or without', () => {
  const cache = new VerificationCache(2);
  for (const read of [withKey(1), without(2)]) {
    cache.set('one', read);
    cache.delete('one');
    expect(cache.get('one')).toBeUndefined();
  }
});

test('invented guilds evict each other, but never guilds with keys', () => {
  const cache = new VerificationCache(2);
  cache.set('real', withKey(1));
  for (let n = 0; n < 5; n += 1) cache.set(`made up ${n}`, without(n));
  expect(cache.get('real')).toBeDefined();
  expect(cache.get('made up 2')).toBeUndefined();
  expect(cache.get('made up 4')).toBeDefined();
});
