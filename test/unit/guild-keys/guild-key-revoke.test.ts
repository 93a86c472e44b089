import { describe, expect, test } from 'vitest';

import { GuildKeyStore } from '../../../src/guild-keys/guild-key-store.ts';
import {
  Clock,
  DAY_MS,
  GUILD,
  HOUR_MS,
  OTHER_GUILD,
  setUp,
  TestStorage,
} from '../../fixtures/guild-key-harness.ts';

describe('revoking a key', () => {
  test('takes effect on the next request, and a second time has no effect', async () => {
    const { keys, create, storage, clock } = setUp();
    const { key, entry } = await create();
    await keys.verify(key);
    expect((await keys.revoke(GUILD, entry.keyId)).state).toBe('revoked');
    await expect(keys.verify(key)).rejects.toMatchObject({ code: 'key_revoked' });
    const { writes } = storage;
    clock.advance(HOUR_MS);
    expect((await keys.revoke(GUILD, entry.keyId)).revokedAt).toBe(clock.at - HOUR_MS);
    expect(storage.writes).toBe(writes);
  });

  test('also ends the older secret, which may have leaked, if it is the newest key of a name', async () => {
    const { keys, create } = setUp();
    const old = await create();
    const other = await create({ name: 'other' });
    const rotate = (keyId: string) =>
      keys.rotate({ guildId: GUILD, keyId, overlapSeconds: 604_800, createdBy: '42' });
    await rotate(other.entry.keyId);
    const fresh = await rotate(old.entry.keyId);
    await keys.revoke(GUILD, fresh.entry.keyId);
    await expect(keys.verify(fresh.key)).rejects.toMatchObject({ code: 'key_revoked' });
    await expect(keys.verify(old.key)).rejects.toMatchObject({ code: 'key_revoked' });
    await expect(keys.verify(other.key)).resolves.toBeDefined();
  });

  test('ends only the older secret if that one is named', async () => {
    const { keys, create } = setUp();
    const old = await create();
    const fresh = await keys.rotate({
      guildId: GUILD,
      keyId: old.entry.keyId,
      overlapSeconds: 604_800,
      createdBy: '42',
    });
    await keys.revoke(GUILD, old.entry.keyId);
    await expect(keys.verify(old.key)).rejects.toMatchObject({ code: 'key_revoked' });
    await expect(keys.verify(fresh.key)).resolves.toBeDefined();
  });

  test('answers 404 for a key that does not exist', async () => {
    const { keys, create } = setUp();
    const gone = { code: 'not_found', status: 404, message: 'This server has no such key.' };
    await expect(keys.revoke(GUILD, 'abcde')).rejects.toMatchObject(gone);
    const { entry } = await create({ guildId: OTHER_GUILD });
    await expect(keys.revoke(GUILD, entry.keyId)).rejects.toMatchObject(gone);
  });

  test('is not undone by a read that began before it', async () => {
    const { keys, create, storage } = setUp();
    const { key, entry } = await create();
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    storage.beforeAnswer = () => {
      asked.resolve();
      storage.beforeAnswer = undefined;
      return held.promise;
    };
    const early = keys.verify(key);
    await asked.promise;
    await keys.revoke(GUILD, entry.keyId);
    held.resolve();
    // It was read before the revocation, so it must not stay.
    await early;
    await expect(keys.verify(key)).rejects.toMatchObject({ code: 'key_revoked' });
  });

  test('reaches another process after 5 seconds, or immediately with a notice', async () => {
    const clock = new Clock();
    const storage = new TestStorage();
    const told: string[] = [];
    const one = new GuildKeyStore(storage, { now: clock.now, onChange: (guildId) => told.push(guildId) });
    const other = new GuildKeyStore(storage, { now: clock.now });
    const make = (name: string) =>
      one.create({
        guildId: GUILD,
        name,
        createdBy: '42',
        expiresInDays: null,
        flat: false,
        always200: false,
      });
    const a = await make('a');
    const b = await make('b');
    await other.verify(a.key);

    await one.revoke(GUILD, a.entry.keyId);
    expect(told).toEqual([GUILD, GUILD, GUILD]);
    clock.advance(4_999);
    await expect(other.verify(a.key)).resolves.toBeDefined();
    clock.advance(1);
    await expect(other.verify(a.key)).rejects.toMatchObject({ code: 'key_revoked' });

    await other.verify(b.key);
    await one.revoke(GUILD, b.entry.keyId);
    other.forget(GUILD);
    await expect(other.verify(b.key)).rejects.toMatchObject({ code: 'key_revoked' });
    other.forget('not a guild');
  });

  test('accepts a key of another process within a second', async () => {
    const clock = new Clock();
    const storage = new TestStorage();
    const [one, other] = [
      new GuildKeyStore(storage, { now: clock.now }),
      new GuildKeyStore(storage, { now: clock.now }),
    ];
    const make = (name: string) =>
      one.create({
        guildId: GUILD,
        name,
        createdBy: 'cli',
        expiresInDays: null,
        flat: false,
        always200: false,
      });
    const a = await make('a');
    await other.verify(a.key);
    const b = await make('b');
    clock.advance(1_000);
    await expect(other.verify(b.key)).resolves.toBeDefined();
  });

  test('forgets a revoked key after 90 days, and all but the latest 20 before', async () => {
    const { keys, create, clock } = setUp();
    for (let n = 1; n <= 25; n += 1) {
      const { entry } = await create({ name: `bot ${n}` });
      clock.advance(HOUR_MS);
      await keys.revoke(GUILD, entry.keyId);
    }
    expect((await keys.list(GUILD)).map((key) => key.name)).toEqual(
      Array.from({ length: 20 }, (_, n) => `bot ${25 - n}`),
    );
    clock.advance(90 * DAY_MS - 3 * HOUR_MS);
    expect(await keys.purge(GUILD)).toBe(true);
    expect(await keys.list(GUILD)).toHaveLength(3);
    clock.advance(3 * HOUR_MS);
    expect(await keys.purge(GUILD)).toBe(true);
    expect(await keys.isEmpty()).toBe(true);
  });
});
