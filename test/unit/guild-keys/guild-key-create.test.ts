import { describe, expect, test } from 'vitest';

import { GuildKeyStore } from '../../../src/guild-keys/guild-key-store.ts';
import { DAY_MS, GUILD, OTHER_GUILD, setUp, TestStorage } from '../../fixtures/guild-key-harness.ts';

describe('creating a key', () => {
  test('returns a key that is valid immediately and known by its public part', async () => {
    const { keys, create, clock } = setUp();
    const { key, entry } = await create({ flat: true, always200: true, expiresInDays: 90 });
    expect(key.startsWith(`${entry.publicPart}_`)).toBe(true);
    expect(await keys.verify(key)).toEqual({
      guildId: GUILD,
      tenantId: GUILD,
      keyId: entry.keyId,
      publicPart: entry.publicPart,
      name: 'bot',
      createdAt: clock.at,
      expiresAt: clock.at + 90 * DAY_MS,
      flat: true,
      always200: true,
      operations: null,
    });
    expect(await keys.list(GUILD)).toEqual([entry]);
    expect(entry.state).toBe('current');
  });

  test('stores neither the key nor its secret', async () => {
    const { storage, create } = setUp();
    const { key } = await create();
    const raw = storage.namespace('guild_keys', (value): value is object => typeof value === 'object');
    const record = JSON.stringify(await raw.get(GUILD));
    expect(record).toContain('"v":2');
    expect(record).not.toContain(key.slice(20, 52));
  });

  test.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['33 characters', 'x'.repeat(33)],
    ['33 emoji', '🦀'.repeat(33)],
    ['a line break', 'a\nb'],
    ['a right-to-left mark', 'a\u202eb'],
    ['half an emoji', 'a\ud83e'],
  ])('refuses %s as a name', async (_, name) => {
    const { create, storage } = setUp();
    await expect(create({ name })).rejects.toMatchObject({ code: 'invalid_field', field: 'name' });
    expect(storage.writes).toBe(0);
  });

  test.each([
    ['32 emoji', '🦀'.repeat(32)],
    ['one character', 'x'],
    ['quotes and umlauts', `Ümläut "x" 'y'`],
  ])('accepts %s', async (_, name) => {
    const { create } = setUp();
    expect((await create({ name })).entry.name).toBe(name);
  });

  test.each(['5', '99', '1234567890123456', '012345678901234567', '18446744073709551616', 'my-server', ''])(
    'refuses %j, which is the id of no server',
    async (guildId) => {
      const { create, storage } = setUp();
      await expect(create({ guildId })).rejects.toMatchObject({ code: 'invalid_field', field: 'guild_id' });
      expect(storage.writes).toBe(0);
    },
  );

  test('trims a name', async () => {
    const { create } = setUp();
    expect((await create({ name: '  my bot ' })).entry.name).toBe('my bot');
  });

  test.each(['bot', 'BOT', ' bot '])(
    'refuses the name %j when there is a working key "bot"',
    async (name) => {
      const { create } = setUp();
      await create({ name: 'bot' });
      await expect(create({ name })).rejects.toMatchObject({
        code: 'invalid_field',
        message: `This server already has a key named "${name.trim()}".`,
      });
      await expect(create({ name, guildId: OTHER_GUILD })).resolves.toBeDefined();
    },
  );

  test('accepts a name again after its key was revoked or has expired', async () => {
    const { create, keys, clock } = setUp();
    const first = await create({ expiresInDays: 30 });
    await keys.revoke(GUILD, first.entry.keyId);
    await create({ expiresInDays: 30 });
    clock.advance(30 * DAY_MS);
    await expect(create()).resolves.toBeDefined();
  });

  test('refuses the eleventh current key', async () => {
    const { create, keys } = setUp();
    for (let n = 1; n <= 10; n += 1) await create({ name: `bot ${n}` });
    await expect(create({ name: 'bot 11' })).rejects.toMatchObject({
      code: 'bad_request',
      status: 400,
      message: 'This server already has 10 keys.',
    });
    const [newest] = await keys.list(GUILD);
    await keys.revoke(GUILD, newest!.keyId);
    await expect(create({ name: 'bot 11' })).resolves.toBeDefined();
  });

  test('loses no key and stays within ten with two concurrent admins', async () => {
    const storage = new TestStorage();
    const stores = [new GuildKeyStore(storage), new GuildKeyStore(storage)];
    const made = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) =>
        stores[n % 2]!.create({
          guildId: GUILD,
          name: `bot ${n}`,
          createdBy: '42',
          expiresInDays: null,
          flat: false,
          always200: false,
        }),
      ),
    );
    const issued = made.filter((each) => each.status === 'fulfilled').map((each) => each.value);
    expect(issued).toHaveLength(10);
    for (const { key, entry } of issued) {
      expect((await stores[0]!.verify(key)).keyId).toBe(entry.keyId);
    }
  });

  test.each(['', 'abc', '-1', '99999999999999999999999'])('refuses the guild id %j', async (guildId) => {
    const { create } = setUp();
    await expect(create({ guildId })).rejects.toMatchObject({ code: 'invalid_field', field: 'guild_id' });
  });
});
