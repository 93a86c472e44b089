import { describe, expect, test } from 'vitest';

import { DAY_MS, GUILD, setUp } from '../../fixtures/guild-key-harness.ts';

describe('a key that could not be shown', () => {
  test.each([0, 86_400] as const)(
    'is withdrawn, and its predecessor is restored (overlap %i s)',
    async (overlapSeconds) => {
      const { keys, create, clock } = setUp();
      const old = await create({ expiresInDays: 90 });
      clock.advance(10 * DAY_MS);
      const fresh = await keys.rotate({
        guildId: GUILD,
        keyId: old.entry.keyId,
        overlapSeconds,
        createdBy: '43',
      });
      await keys.withdraw(GUILD, fresh.entry.keyId);
      await expect(keys.verify(fresh.key)).rejects.toMatchObject({ code: 'key_revoked' });
      expect(await keys.verify(old.key)).toMatchObject({ expiresAt: old.entry.expiresAt });
      expect((await keys.list(GUILD)).at(-1)).toEqual(old.entry);
      clock.advance(2 * DAY_MS);
      await expect(keys.verify(old.key)).resolves.toBeDefined();
    },
  );

  test('is withdrawn if it was just created, and a second time has no effect', async () => {
    const { keys, create, storage } = setUp();
    const { key, entry } = await create();
    await keys.withdraw(GUILD, entry.keyId);
    await expect(keys.verify(key)).rejects.toMatchObject({ code: 'key_revoked' });
    const { writes } = storage;
    await keys.withdraw(GUILD, entry.keyId);
    expect(storage.writes).toBe(writes);
    await expect(keys.withdraw(GUILD, 'aaaaa')).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([0, 3_600] as const)(
    'leaves its predecessor revoked if an admin has revoked that in the meantime (overlap %i s)',
    async (overlapSeconds) => {
      const { keys, create, clock } = setUp();
      const old = await create();
      const fresh = await keys.rotate({
        guildId: GUILD,
        keyId: old.entry.keyId,
        overlapSeconds,
        createdBy: '43',
      });
      clock.advance(1_000);
      const revoked = await keys.revoke(GUILD, old.entry.keyId);
      expect(revoked).toMatchObject({ state: 'revoked' });
      await keys.withdraw(GUILD, fresh.entry.keyId);
      await expect(keys.verify(old.key)).rejects.toMatchObject({ code: 'key_revoked' });
      await expect(keys.verify(fresh.key)).rejects.toMatchObject({ code: 'key_revoked' });
    },
  );

  test('leaves its predecessor revoked even if that had expired before', async () => {
    const { keys, create, clock } = setUp();
    const old = await create();
    const fresh = await keys.rotate({
      guildId: GUILD,
      keyId: old.entry.keyId,
      overlapSeconds: 3_600,
      createdBy: '43',
    });
    clock.advance(3_600_000);
    await keys.revoke(GUILD, old.entry.keyId);
    await keys.withdraw(GUILD, fresh.entry.keyId);
    await expect(keys.verify(old.key)).rejects.toMatchObject({ code: 'key_revoked' });
  });

  test('restores the older secret that the rotation ended', async () => {
    const { keys, create } = setUp();
    const oldest = await create();
    const old = await keys.rotate({
      guildId: GUILD,
      keyId: oldest.entry.keyId,
      overlapSeconds: 3_600,
      createdBy: '43',
    });
    const before = await keys.list(GUILD);
    const fresh = await keys.rotate({
      guildId: GUILD,
      keyId: old.entry.keyId,
      overlapSeconds: 0,
      createdBy: '43',
      endsOlder: [oldest.entry.keyId],
    });
    await expect(keys.verify(oldest.key)).rejects.toMatchObject({ code: 'key_revoked' });
    await keys.withdraw(GUILD, fresh.entry.keyId);
    expect((await keys.list(GUILD)).slice(1)).toEqual(before);
    await keys.verify(oldest.key);
    await keys.verify(old.key);
  });

  test('leaves a secret ended that an earlier rotation had ended', async () => {
    const { keys, create } = setUp();
    const rotate = (keyId: string, endsOlder: readonly string[] = []) =>
      keys.rotate({ guildId: GUILD, keyId, overlapSeconds: 3_600, createdBy: '43', endsOlder });
    const first = await create();
    const second = await rotate(first.entry.keyId);
    const third = await rotate(second.entry.keyId, [first.entry.keyId]);
    const fourth = await rotate(third.entry.keyId, [second.entry.keyId]);
    await keys.withdraw(GUILD, fourth.entry.keyId);
    await expect(keys.verify(first.key)).rejects.toMatchObject({ code: 'key_revoked' });
    await keys.verify(second.key);
    await keys.verify(third.key);
  });
});
