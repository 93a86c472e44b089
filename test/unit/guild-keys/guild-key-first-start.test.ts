import { describe, expect, test } from 'vitest';

import { createFirstKey } from '../../../src/guild-keys/create-first-key.ts';
import { createGuildKeys } from '../../../src/guild-keys/guild-key-store.ts';
import { setUp, TestStorage } from '../../fixtures/guild-key-harness.ts';

describe('a first start', () => {
  test('makes one key for no server at all, and none when there are keys', async () => {
    const { keys } = setUp();
    const first = await createFirstKey(keys);
    expect(await keys.verify(first?.key)).toMatchObject({ guildId: null, ownerId: '0' });
    expect(await createFirstKey(keys)).toBeNull();
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
