import { describe, expect, test } from 'vitest';

import { DAY_MS, GUILD, setUp } from './guild-key-harness.ts';

describe('a key that could not be shown', () => {
  test.each([0, 86_400] as const)(
    'is withdrawn, and the one that it replaced is as before (overlap %i s)',
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

  test('is withdrawn when it was created, and a second time changes nothing', async () => {
    const { keys, create, storage } = setUp();
    const { key, entry } = await create();
    await keys.withdraw(GUILD, entry.keyId);
    await expect(keys.verify(key)).rejects.toMatchObject({ code: 'key_revoked' });
    const { writes } = storage;
    await keys.withdraw(GUILD, entry.keyId);
    expect(storage.writes).toBe(writes);
    await expect(keys.withdraw(GUILD, 'aaaaa')).rejects.toMatchObject({ code: 'not_found' });
  });
});
