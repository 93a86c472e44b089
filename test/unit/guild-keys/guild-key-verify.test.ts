import { describe, expect, test } from 'vitest';

import { generateKey } from '../../../src/guild-keys/guild-key.ts';
import { DAY_MS, GUILD, HOUR_MS, OTHER_GUILD, setUp } from '../../fixtures/guild-key-harness.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

describe('verifying a key', () => {
  test.each([
    ['nothing', undefined, 'key_missing'],
    ['an empty key', '', 'key_missing'],
    ['half a key', generateKey(GUILD, 'abcde').slice(0, 40), 'key_malformed'],
    ['a bot token', `${'A'.repeat(26)}.Gabcde.${'x'.repeat(38)}`, 'key_malformed'],
    ['a key of a guild without any', generateKey(OTHER_GUILD, 'abcde'), 'key_unknown'],
    ['a made-up key', generateKey(GUILD, 'abcde'), 'key_unknown'],
    ['a guild beyond 64 bits', `qm_${'z'.repeat(16)}_${'0'.repeat(38)}`, 'key_malformed'],
  ])('answers %s', async (_, presented, code) => {
    const { keys, create } = setUp();
    await create();
    await expect(keys.verify(presented)).rejects.toMatchObject({ code, status: 401 });
  });

  test.each([
    ['qm_short', 'This API key has 8 characters instead of 58.'],
    [`${generateKey(GUILD, 'abcde')}x`, 'This API key has 59 characters instead of 58.'],
    [generateKey(GUILD, 'abcde').replace(/.$/, '-'), 'A character of this API key is wrong.'],
    ['hunter2', 'The API key is not complete.'],
  ])('explains the problem with %s', async (presented, message) => {
    await expect(setUp().keys.verify(presented)).rejects.toMatchObject({ code: 'key_malformed', message });
  });

  test('answers that a key is unknown if its secret is wrong but its checksum right', async () => {
    const { keys, create } = setUp();
    const { entry } = await create();
    const forged = generateKey(GUILD, entry.keyId);
    await expect(keys.verify(forged)).rejects.toMatchObject({ code: 'key_unknown' });
  });

  test('calls a mistyped key malformed, whether its guild is cached or not', async () => {
    const { keys, create, storage } = setUp();
    const { key } = await create();
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const before = storage.reads;
    await expect(keys.verify(mistyped)).rejects.toMatchObject({ code: 'key_malformed' });
    expect(storage.reads).toBe(before);
    await keys.verify(key);
    await expect(keys.verify(mistyped)).rejects.toMatchObject({ code: 'key_malformed' });
  });

  test('reveals that a key has ended only to its holder', async () => {
    const { keys, create, clock } = setUp();
    const { key, entry } = await create({ expiresInDays: 30 });
    clock.advance(30 * DAY_MS - 1);
    await expect(keys.verify(key)).resolves.toBeDefined();
    clock.advance(1);
    await expect(keys.verify(key)).rejects.toMatchObject({ code: 'key_expired' });
    await expect(keys.verify(generateKey(GUILD, entry.keyId))).rejects.toMatchObject({ code: 'key_unknown' });
  });

  test('reads a record once for 5 seconds of requests', async () => {
    const { keys, create, storage, clock } = setUp();
    const { key } = await create();
    const before = storage.reads;
    for (let n = 0; n < 500; n += 1) {
      await keys.verify(key);
      clock.advance(9);
    }
    expect(storage.reads - before).toBe(1);
    clock.advance(1_000);
    await keys.verify(key);
    expect(storage.reads - before).toBe(2);
  });

  test('reads a record again when the clock was set back', async () => {
    const { keys, create, storage, clock } = setUp();
    const { key } = await create();
    await keys.verify(key);
    const before = storage.reads;
    clock.advance(-1);
    await keys.verify(key);
    expect(storage.reads - before).toBe(1);
  });

  test('reads once for many concurrent requests', async () => {
    const { keys, create, storage } = setUp();
    const { key } = await create();
    const before = storage.reads;
    await Promise.all(Array.from({ length: 100 }, () => keys.verify(key)));
    expect(storage.reads - before).toBe(1);
  });

  test('reads again when the clock was set back', async () => {
    const { keys, create, storage, clock } = setUp();
    const { key } = await create();
    await keys.verify(key);
    const before = storage.reads;
    clock.advance(-HOUR_MS);
    await keys.verify(key);
    expect(storage.reads - before).toBe(1);
  });

  test('remembers at most 100 unknown keys of thousands of guilds, and keeps real ones', async () => {
    const { keys, create, storage } = setUp({ cachedGuildsMax: 100 });
    const { key } = await create();
    await keys.verify(key);
    for (let n = 0; n < quickOrFull(1_000, 5_000); n += 1) {
      await expect(keys.verify(generateKey(String(1_000 + n), 'abcde'))).rejects.toMatchObject({
        code: 'key_unknown',
      });
    }
    const before = storage.reads;
    await keys.verify(key);
    expect(storage.reads).toBe(before);
  });

  test('reads a repeated unknown key once a second', async () => {
    const { keys, storage, clock } = setUp();
    const made = generateKey(GUILD, 'abcde');
    for (let n = 0; n < 100; n += 1) {
      await expect(keys.verify(made)).rejects.toMatchObject({ code: 'key_unknown' });
      clock.advance(99);
    }
    expect(storage.reads).toBe(10);
  });

  test('checks the limit before it reads the storage, and reads none after a refusal', async () => {
    const { keys, create, storage } = setUp();
    const { key } = await create();
    const before = storage.reads;
    const asked: string[] = [];
    const refuse = async () => {
      asked.push('refused');
      throw new RangeError('not now');
    };
    await expect(keys.verify(key, { beforeRead: refuse })).rejects.toThrow('not now');
    expect(storage.reads).toBe(before);
    await keys.verify(key, { beforeRead: async () => void asked.push('allowed') });
    await keys.verify(key, { beforeRead: refuse });
    expect(asked).toEqual(['refused', 'allowed']);
  });
});
