import { describe, expect, test } from 'vitest';

import { digestKey, generateKey } from '../../../src/guild-keys/guild-key.ts';
import { isStoredGuildRecord } from '../../../src/guild-keys/guild-record.ts';
import { GUILD, setUp } from '../../fixtures/guild-key-harness.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A key as the first version of the record has it. */
function firstVersionKey(id: string, name: string, flat: boolean, always200: boolean) {
  const key = generateKey(GUILD, id);
  const stored = {
    id,
    hash: digestKey(key),
    name,
    created_by: '42',
    created_at: 1,
    expires_at: null,
    revoked_at: null,
    replaced_by: null,
    flat,
    always_200: always200,
  };
  return { key, stored };
}

describe('the record of a guild', () => {
  test('works in its first version, and is migrated with the next change', async () => {
    const { keys, create, storage } = setUp();
    const old = [
      firstVersionKey('aaaaa', 'plain', false, false),
      firstVersionKey('bbbbb', 'loops', true, false),
      firstVersionKey('ccccc', 'ghost', true, true),
    ];
    const raw = storage.namespace('guild_keys', isObject);
    await raw.set(GUILD, { v: 1, suspended_at: null, keys: old.map(({ stored }) => stored) });
    for (const { key } of old) expect(await keys.verify(key)).toMatchObject({ operations: null });
    expect((await keys.list(GUILD)).map(({ name, builder }) => [name, builder])).toEqual([
      ['ghost', 'botghost'],
      ['loops', 'bdfd'],
      ['plain', null],
    ]);
    expect(await raw.get(GUILD)).toMatchObject({ v: 1 });

    await create({ name: 'new', builder: 'kite', operations: ['parse-args'] });
    const record = await raw.get(GUILD);
    expect(record).toMatchObject({
      v: 2,
      keys: [
        { builder: null, operations: null },
        { builder: 'bdfd', operations: null },
        { builder: 'botghost', operations: null },
        { builder: 'kite', operations: ['parse-args'] },
      ],
    });
    for (const { key } of old) await keys.verify(key);
  });

  test('stays the same when housekeeping finds no change to make', async () => {
    const { keys, storage } = setUp();
    const { stored } = firstVersionKey('aaaaa', 'plain', false, false);
    await storage.namespace('guild_keys', isObject).set(GUILD, { v: 1, suspended_at: null, keys: [stored] });
    expect([await keys.purge(GUILD), await keys.restore(GUILD), storage.writes]).toEqual([false, false, 0]);
  });

  test('is refused in a newer version, so that a downgrade never gives a key more rights', () => {
    expect(isStoredGuildRecord({ v: 2, suspended_at: null, keys: [] })).toBe(true);
    expect(isStoredGuildRecord({ v: 3, suspended_at: null, keys: [] })).toBe(false);
  });

  test('keeps builder and operations through a rotation', async () => {
    const { keys, create } = setUp();
    const { entry } = await create({ builder: 'bdfd', operations: ['parse-args', 'text-splitter'] });
    const fresh = await keys.rotate({
      guildId: GUILD,
      keyId: entry.keyId,
      overlapSeconds: 0,
      createdBy: '42',
    });
    expect(fresh.entry).toMatchObject({ builder: 'bdfd', operations: ['parse-args', 'text-splitter'] });
    expect(await keys.verify(fresh.key)).toMatchObject({ operations: ['parse-args', 'text-splitter'] });
  });
});
