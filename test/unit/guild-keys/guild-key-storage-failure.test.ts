import { describe, expect, test } from 'vitest';

import { GUILD, OTHER_GUILD, setUp } from '../../fixtures/guild-key-harness.ts';

describe('a failing storage', () => {
  test('answers 503, never 401, for a key that is not cached, and recovers', async () => {
    const { keys, create, storage, clock } = setUp();
    const { key } = await create();
    storage.failure = new Error('disk I/O error');
    const unavailable = { code: 'storage_unavailable', status: 503, retryAfterSeconds: 5 };
    await expect(keys.verify(key)).rejects.toMatchObject(unavailable);
    await expect(create({ name: 'other' })).rejects.toMatchObject(unavailable);
    await expect(keys.list(GUILD)).rejects.toMatchObject(unavailable);
    storage.failure = undefined;
    await expect(keys.verify(key)).resolves.toBeDefined();

    storage.failure = new Error('disk I/O error');
    clock.advance(4_999);
    await expect(keys.verify(key)).resolves.toBeDefined();
    clock.advance(1);
    await expect(keys.verify(key)).rejects.toMatchObject(unavailable);
  });

  test('answers 503 only for the guild whose record is unreadable', async () => {
    const { keys, create, storage } = setUp();
    const { key } = await create();
    const other = await create({ guildId: OTHER_GUILD });
    const raw = storage.namespace('guild_keys', (value): value is object => typeof value === 'object');
    await raw.set(GUILD, { v: 2, keys: 'none' });
    await expect(keys.verify(key)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(create({ name: 'x' })).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(keys.verify(other.key)).resolves.toBeDefined();

    const damaged: string[] = [];
    const seen: string[] = [];
    for await (const { guildId } of keys.guilds((guildId) => damaged.push(guildId))) seen.push(guildId);
    expect({ seen, damaged }).toEqual({ seen: [OTHER_GUILD], damaged: [GUILD] });
  });
});
