import { describe, expect, test } from 'vitest';

import { offerFirstKey } from '../../../src/app/offer-first-key.ts';
import { GuildKeyStore } from '../../../src/guild-keys/guild-key-store.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { setUp, TestStorage } from '../../fixtures/guild-key-harness.ts';

const log = createLog('silent');

/** The keys that a start at a terminal shows. */
async function start(keys: Pick<GuildKeyStore, 'isEmpty' | 'create'>): Promise<string[]> {
  const shown: string[] = [];
  await offerFirstKey(keys, { show: (key) => shown.push(key), isShared: true, log });
  return shown;
}

describe('a first start', () => {
  test('makes one key for no server, and none when there are keys', async () => {
    const { keys } = setUp();
    const [first] = await start(keys);
    expect(await keys.verify(first)).toMatchObject({
      guildId: null,
      tenantId: '0',
      flat: false,
      always200: false,
    });
    expect(await start(keys)).toEqual([]);
  });

  test('reports that the key could not be stored', async () => {
    const failing = {
      isEmpty: async () => true,
      create: () => Promise.reject(new Problem('storage_unavailable')),
    };
    await expect(start(failing)).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('makes one key even with two concurrent processes', async () => {
    const storage = new TestStorage();
    const shown = await Promise.all([start(new GuildKeyStore(storage)), start(new GuildKeyStore(storage))]);
    expect(shown.flat()).toHaveLength(1);
  });
});
