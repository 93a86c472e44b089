import { describe, expect, onTestFinished, test } from 'vitest';

import { KeyUsage } from '../../../src/guild-keys/key-usage.ts';
import { GUILD, setUp } from '../../fixtures/guild-key-harness.ts';

/** Loses the reply to the next write alone. */
const once = () => {
  let isLost = false;
  return () => !isLost && (isLost = true);
};

describe('a change whose reply is lost', () => {
  test('returns a new key to its caller, and stores only one', async () => {
    const { keys, create, storage } = setUp();
    storage.losesReply = once();
    const { key } = await create();
    await expect(keys.verify(key)).resolves.toMatchObject({ name: 'bot' });
    expect(await keys.list(GUILD)).toHaveLength(1);
  });

  test('returns the new key of a rotation that ended the old key immediately', async () => {
    const { keys, create, storage } = setUp();
    const old = await create();
    storage.losesReply = once();
    const { key } = await keys.rotate({
      guildId: GUILD,
      keyId: old.entry.keyId,
      overlapSeconds: 0,
      createdBy: '42',
    });
    await expect(keys.verify(key)).resolves.toMatchObject({ name: 'bot' });
    expect((await keys.list(GUILD)).map(({ state }) => state)).toEqual(['current', 'revoked']);
  });

  test('reports a revocation as done', async () => {
    const { keys, create, storage } = setUp();
    const { key, entry } = await create();
    await keys.verify(key);
    storage.losesReply = once();
    await expect(keys.revoke(GUILD, entry.keyId)).resolves.toMatchObject({ state: 'revoked' });
    await expect(keys.verify(key)).rejects.toMatchObject({ code: 'key_revoked' });
  });

  test('is reported as uncertain, not failed, when the storage cannot be read either', async () => {
    const { keys, create, storage } = setUp({}, { outcomeMs: 0 });
    const { entry } = await create();
    storage.losesReply = () => {
      storage.failure = new Error('gone');
      return true;
    };
    await expect(keys.revoke(GUILD, entry.keyId)).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: 'The change may or may not have been stored.',
    });
  });

  test('never loses usage, and counts calls in flight at most twice', async () => {
    const { clock, storage } = setUp({}, { outcomeMs: 0 });
    const usage = new KeyUsage(storage, { now: clock.now });
    onTestFinished(() => usage.close());
    const requests = async () => Number((await usage.read(GUILD))[0]?.days[0]?.operations['parse-args']);
    usage.record(GUILD, 'aaaaa', 'parse-args');
    storage.losesReply = () => {
      storage.failure = new Error('gone');
      return true;
    };
    await usage.flush();
    storage.losesReply = undefined;
    storage.failure = undefined;
    usage.record(GUILD, 'aaaaa', 'parse-args');
    await usage.flush();
    const counted = await requests();
    expect([2, 3]).toContain(counted);
    usage.record(GUILD, 'aaaaa', 'parse-args');
    await usage.flush();
    expect(await requests()).toBe(counted + 1);
  });
});
