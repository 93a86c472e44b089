import { afterEach, describe, expect, test } from 'vitest';

import { GuildMembership } from '../../../src/guild-keys/guild-membership.ts';
import { Housekeeping } from '../../../src/guild-keys/housekeeping.ts';
import { KeyUsage } from '../../../src/guild-keys/key-usage.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { DAY_MS, setUp, type TestStorage } from '../../fixtures/guild-key-harness.ts';

const log = createLog('silent');
const opened: GuildMembership[] = [];
afterEach(async () => {
  for (const membership of opened.splice(0)) await membership.close();
});

// Discord's shard of a guild is (id >> 22) % count; these three, of 18 digits, lie on shards 0, 1 and 0 of 2.
const [A, B, C] = [50_000_000_000n, 50_000_000_001n, 50_000_000_002n].map((part) => String(part << 22n)) as [
  string,
  string,
  string,
];

async function setUpGuilds(unreadableRetryMs = 60_000) {
  const parts = setUp();
  const membership = new GuildMembership(parts.keys, { log, retryMs: 1, unreadableRetryMs });
  opened.push(membership);
  const made = new Map<string, string>();
  for (const guildId of [A, B, C]) made.set(guildId, (await parts.create({ guildId })).key);
  const isValid = (guildId: string) =>
    parts.keys.verify(made.get(guildId)).then(
      () => true,
      () => false,
    );
  const valid = async () => [await isValid(A), await isValid(B), await isValid(C)];
  return { ...parts, membership, valid };
}

function failedCalls(storage: TestStorage, count: number): Promise<void> {
  return new Promise((resolve) => {
    let failed = 0;
    storage.onFailedCall = () => {
      failed += 1;
      if (failed === count) resolve();
    };
  });
}

describe('the membership of the bot in guilds', () => {
  test('decides whether keys work', async () => {
    const { membership, valid } = await setUpGuilds();
    membership.left(A);
    await membership.settled();
    expect(await valid()).toEqual([false, true, true]);
    membership.joined(A);
    membership.joined('77');
    await membership.settled();
    expect(await valid()).toEqual([true, true, true]);
  });

  test('takes effect for other servers while the record of one is unreadable, and for that one later', async () => {
    const { membership, valid, storage } = await setUpGuilds(1);
    const raw = storage.namespace('guild_keys', (value): value is object => typeof value === 'object');
    const record = await raw.get(A);
    await raw.set(A, { v: 1, keys: 'none' });
    membership.left(A);
    membership.left(B);
    await membership.settled();
    membership.left(C);
    membership.joined(B);
    await membership.settled();
    expect(await valid()).toEqual([false, true, false]);
    await raw.set(A, record ?? {});
    await expect.poll(valid).toEqual([false, true, false]);
    await expect
      .poll(async () => (await raw.get(A)) as { readonly suspended_at: number | null })
      .toMatchObject({ suspended_at: expect.any(Number) as number });
  });

  test('is taken from READY for the guilds of that shard', async () => {
    const { membership, valid } = await setUpGuilds();
    membership.shardReady(0, 2, [C]);
    await membership.settled();
    expect(await valid()).toEqual([false, true, true]);
    membership.shardReady(1, 2, []);
    membership.shardReady(0, 2, [A, C]);
    await membership.settled();
    expect(await valid()).toEqual([true, false, true]);
  });

  test('follows the latest event', async () => {
    const { membership, valid } = await setUpGuilds();
    membership.shardReady(0, 1, [A]);
    membership.joined(B);
    membership.left(A);
    membership.left(C);
    membership.joined(C);
    membership.left(C);
    await membership.settled();
    expect(await valid()).toEqual([false, true, false]);
  });

  test('stays true for a guild that is joined while READY is compared', async () => {
    const { membership, valid, storage } = await setUpGuilds();
    membership.shardReady(0, 1, [A, C]);
    storage.beforeAnswer = async () => {
      storage.beforeAnswer = undefined;
      membership.joined(B);
    };
    await membership.settled();
    expect(await valid()).toEqual([true, true, true]);
  });

  test('is written to the storage when it is back', async () => {
    const { membership, valid, storage } = await setUpGuilds();
    storage.failure = new Error('away');
    membership.left(A);
    await failedCalls(storage, 3);
    storage.failure = undefined;
    await membership.settled();
    expect(await valid()).toEqual([false, true, true]);
  });

  test('overrides an earlier READY that could not be compared yet', async () => {
    const { membership, valid, storage } = await setUpGuilds();
    storage.failure = new Error('away');
    membership.shardReady(0, 1, [A, C]);
    await failedCalls(storage, 1);
    membership.joined(B);
    membership.left(C);
    storage.failure = undefined;
    await membership.settled();
    expect(await valid()).toEqual([true, true, false]);
  });

  test('does not keep the process from ending if it cannot be stored', async () => {
    const { membership, storage } = await setUpGuilds();
    storage.failure = new Error('away');
    membership.left(A);
    await expect(membership.close()).resolves.toBeUndefined();
  });
});

describe('housekeeping', () => {
  test('deletes keys and their usage 30 days after the bot has left', async () => {
    const { keys, create, storage, clock } = setUp();
    const usage = new KeyUsage(storage, { now: clock.now });
    const { entry } = await create({ guildId: A });
    await create({ guildId: B });
    usage.record(A, entry.keyId, 'parse-args');
    await usage.flush();
    await keys.suspend(A);

    const housekeeping = new Housekeeping({ keys, usage, log });
    await housekeeping.run();
    expect(await keys.list(A)).toHaveLength(1);
    clock.advance(30 * DAY_MS);
    await housekeeping.run();
    expect(await keys.list(A)).toHaveLength(0);
    expect(await usage.read(A)).toEqual([]);
    expect(await keys.list(B)).toHaveLength(1);
    await housekeeping.close();
    await usage.close();
  });

  test('continues after a failure of the storage', async () => {
    const { keys, create, storage, clock } = setUp();
    const usage = new KeyUsage(storage, { now: clock.now });
    await create({ guildId: A });
    await keys.suspend(A);
    clock.advance(30 * DAY_MS);
    storage.failure = new Error('away');
    const housekeeping = new Housekeeping({ keys, usage, log });
    await housekeeping.run();
    storage.failure = undefined;
    await housekeeping.run();
    expect(await keys.isEmpty()).toBe(true);
    await housekeeping.close();
    await usage.close();
  });

  test('logs once that usage cannot be read, and leaves it', async () => {
    const { keys, storage } = setUp();
    const usage = new KeyUsage(storage);
    const raw = storage.namespace('key_usage', (value): value is object => typeof value === 'object');
    for (const guildId of [A, B, C]) await raw.set(guildId, { v: 9 });
    const lines: string[] = [];
    const log = createLog('warn', { destination: { write: (line) => void lines.push(line) } });
    const housekeeping = new Housekeeping({ keys, usage, log });
    await housekeeping.run();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      records: 3,
      msg: 'usage counts cannot be read, for example those of this server',
    });
    expect(await raw.get(A)).toEqual({ v: 9 });
    await housekeeping.close();
    await usage.close();
  });
});
