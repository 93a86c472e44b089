import { describe, expect, test } from 'vitest';

import { createFirstKey } from '../../../src/guild-keys/create-first-key.ts';
import { createGuildKeys } from '../../../src/guild-keys/guild-key-store.ts';
import { Problem } from '../../../src/problem.ts';
import { setUp, TestStorage } from '../../fixtures/guild-key-harness.ts';

describe('a first start', () => {
  test('makes one key for no server at all, and none when there are keys', async () => {
    const { keys } = setUp();
    const first = await createFirstKey(keys);
    expect(await keys.verify(first?.key)).toMatchObject({
      guildId: null,
      ownerId: '0',
      flat: false,
      always200: false,
    });
    expect(await createFirstKey(keys)).toBeNull();
  });

  test('does not hide that the key could not be stored', async () => {
    const failing = {
      isEmpty: async () => true,
      create: () => Promise.reject(new Problem('storage_unavailable')),
    };
    await expect(createFirstKey(failing)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('of two processes at once makes one key', async () => {
    const storage = new TestStorage();
    const made = await Promise.all([
      createFirstKey(createGuildKeys(storage)),
      createFirstKey(createGuildKeys(storage)),
    ]);
    expect(made.filter((key) => key !== null)).toHaveLength(1);
  });
});
