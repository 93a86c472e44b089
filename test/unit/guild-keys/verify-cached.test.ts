import { describe, expect, test } from 'vitest';

import { generateKey } from '../../../src/guild-keys/guild-key.ts';
import { DAY_MS, GUILD, setUp } from '../../fixtures/guild-key-harness.ts';

/** A key that has been verified once, so that it can be answered from memory. */
async function setUpKnown(expiresInDays: 30 | null = null) {
  const parts = setUp();
  const { key, entry } = await parts.create({ expiresInDays });
  expect(parts.keys.verifyCached(key)).toBeNull();
  const verified = await parts.keys.verify(key);
  expect(parts.keys.verifyCached(key)).toBe(verified);
  return { ...parts, key, entry };
}

describe('a key that was verified a moment ago', () => {
  test('is known without a read', async () => {
    const { keys, key, storage } = await setUpKnown();
    const { reads } = storage;
    expect(keys.verifyCached(key)).toMatchObject({ guildId: GUILD, name: 'bot' });
    expect(storage.reads).toBe(reads);
  });

  test('is not known with another secret, another id, or none', async () => {
    const { keys, entry } = await setUpKnown();
    expect(keys.verifyCached(generateKey(GUILD, entry.keyId))).toBeNull();
    expect(keys.verifyCached(generateKey(GUILD, 'aaaaa'))).toBeNull();
    expect(keys.verifyCached(undefined)).toBeNull();
  });

  test('is known until the instant at which it expires, and not then', async () => {
    const { keys, key, clock } = await setUpKnown(30);
    clock.advance(30 * DAY_MS - 1);
    await keys.verify(key);
    expect(keys.verifyCached(key)).not.toBeNull();
    clock.advance(1);
    expect(keys.verifyCached(key)).toBeNull();
  });

  test('is not known once it is revoked or its bot has left, whoever has read that', async () => {
    const revoked = await setUpKnown();
    await revoked.keys.revoke(GUILD, revoked.entry.keyId);
    await expect(revoked.keys.verify(revoked.key)).rejects.toMatchObject({ code: 'key_revoked' });
    expect(revoked.keys.verifyCached(revoked.key)).toBeNull();

    const left = await setUpKnown();
    await left.keys.suspend(GUILD);
    await expect(left.keys.verify(left.key)).rejects.toMatchObject({ code: 'key_suspended' });
    expect(left.keys.verifyCached(left.key)).toBeNull();
  });

  test('is not known when the read is five seconds old, or in the future', async () => {
    const { keys, key, clock } = await setUpKnown();
    clock.advance(4_999);
    expect(keys.verifyCached(key)).not.toBeNull();
    clock.advance(1);
    expect(keys.verifyCached(key)).toBeNull();
    clock.advance(-5_001);
    expect(keys.verifyCached(key)).toBeNull();
  });
});
