import { describe, expect, test } from 'vitest';

import { DAY_MS, GUILD, setUp } from '../../fixtures/guild-key-harness.ts';

describe('a server that the bot leaves', () => {
  test('accepts only keys from the command line until the bot is back until the bot is back', async () => {
    const { keys, create, clock } = setUp();
    const { key } = await create();
    const fromCli = await create({ name: 'ops', createdBy: 'cli' });
    await keys.verify(key);
    expect(await keys.suspend(GUILD)).toBe(true);
    expect(await keys.suspend(GUILD)).toBe(false);
    await expect(keys.verify(key)).rejects.toMatchObject({ code: 'key_suspended' });
    await expect(keys.verify(fromCli.key)).resolves.toBeDefined();
    clock.advance(30 * DAY_MS - 1);
    expect(await keys.restore(GUILD)).toBe(true);
    expect(await keys.restore(GUILD)).toBe(false);
    await expect(keys.verify(key)).resolves.toBeDefined();
  });

  test.each(['purge', 'restore'] as const)(
    'keeps only keys from the command line after 30 days (%s)',
    async (how) => {
      const { keys, create, clock } = setUp();
      const { key } = await create();
      const fromCli = await create({ name: 'ops', createdBy: 'cli' });
      await keys.suspend(GUILD);
      clock.advance(30 * DAY_MS);
      expect(await keys[how](GUILD)).toBe(true);
      await expect(keys.verify(key)).rejects.toMatchObject({ code: 'key_unknown' });
      await expect(keys.verify(fromCli.key)).resolves.toBeDefined();
      await expect(create()).resolves.toBeDefined();
    },
  );

  test('keeps no record when all its keys were made by admins', async () => {
    const { keys, create, clock } = setUp();
    await create();
    await keys.suspend(GUILD);
    clock.advance(30 * DAY_MS - 1);
    expect(await keys.purge(GUILD)).toBe(false);
    clock.advance(1);
    expect(await keys.purge(GUILD)).toBe(true);
    expect(await keys.isEmpty()).toBe(true);
  });

  test('writes no change when there are no keys', async () => {
    const { keys, storage } = setUp();
    expect(await keys.suspend(GUILD)).toBe(false);
    expect(await keys.restore(GUILD)).toBe(false);
    expect(await keys.purge(GUILD)).toBe(false);
    expect(storage.writes).toBe(0);
  });
});
