import { afterEach, describe, expect, test } from 'vitest';

import { KeyUsage, type KeyUsageOptions } from '../../../src/guild-keys/key-usage.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { Clock, DAY_MS, GUILD, TestStorage } from '../../fixtures/guild-key-harness.ts';

const opened: KeyUsage[] = [];
afterEach(async () => {
  for (const usage of opened.splice(0)) await usage.close();
});

function open(storage: TestStorage, clock: Clock, options: KeyUsageOptions = {}): KeyUsage {
  const usage = new KeyUsage(storage, { now: clock.now, ...options });
  opened.push(usage);
  return usage;
}

function setUp(options: KeyUsageOptions = {}) {
  const clock = new Clock();
  const storage = new TestStorage();
  return { clock, storage, usage: open(storage, clock, options) };
}

const listNone = () => Promise.reject(new Problem('storage_unavailable'));
const listFirst = async () => new Set(['aaaaa']);

describe('usage of keys', () => {
  test('is counted by key, UTC day and operation, and shown before it is stored', async () => {
    const { usage, clock, storage } = setUp();
    clock.at = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
    usage.record(GUILD, 'aaaaa', 'parse-args');
    usage.record(GUILD, 'aaaaa', 'parse-args');
    clock.advance(1);
    usage.record(GUILD, 'aaaaa', 'text-splitter');
    usage.record(GUILD, 'bbbbb', 'parse-args');
    usage.record('99', 'aaaaa', 'parse-args');
    const expected = [
      {
        keyId: 'aaaaa',
        lastUsedAt: clock.at,
        days: [
          { day: '2026-02-01', operations: { 'text-splitter': 1 }, outcomes: {} },
          { day: '2026-01-31', operations: { 'parse-args': 2 }, outcomes: {} },
        ],
      },
      {
        keyId: 'bbbbb',
        lastUsedAt: clock.at,
        days: [{ day: '2026-02-01', operations: { 'parse-args': 1 }, outcomes: {} }],
      },
    ];
    expect(await usage.read(GUILD)).toEqual(expected);
    expect(storage.writes).toBe(0);
    await usage.flush();
    expect(storage.writes).toBe(2);
    expect(await usage.read(GUILD)).toEqual(expected);
    expect(await usage.lastUsed(GUILD)).toEqual(
      new Map([
        ['aaaaa', clock.at],
        ['bbbbb', clock.at],
      ]),
    );
  });

  test('includes failed requests and the busiest minute of each limit', async () => {
    const { usage, clock, storage } = setUp();
    clock.at = Date.UTC(2026, 0, 31, 12);
    for (let n = 0; n < 5; n += 1) usage.record(GUILD, 'aaaaa', 'parse-args');
    usage.record(GUILD, 'bbbbb', 'parse-args', { outcome: 'limited' });
    usage.record('99', 'aaaaa', 'parse-args');
    await usage.flush();
    // The minute goes on after the flush.
    usage.record(GUILD, 'aaaaa', 'image-to-base64', { outcome: 'refused', bucket: 'image' });
    usage.record(GUILD, 'aaaaa', 'parse-args', { outcome: 'failed' });
    clock.advance(60_000);
    usage.record(GUILD, 'aaaaa', 'parse-args', { outcome: 'failed' });
    expect(await usage.peaks(GUILD)).toEqual({ guild: 7, image: 1, send: 0 });
    await usage.flush();
    const other = open(storage, clock);
    other.record(GUILD, 'aaaaa', 'parse-args');
    await other.flush();
    expect(await other.peaks(GUILD)).toEqual({ guild: 7, image: 1, send: 0 });
    const [key] = await other.read(GUILD);
    expect(key?.days[0]?.outcomes).toEqual({ refused: 1, failed: 2 });
    expect(await usage.peaks('98')).toEqual({ guild: 0, image: 0, send: 0 });
    clock.advance(30 * DAY_MS);
    expect(await usage.peaks(GUILD)).toEqual({ guild: 0, image: 0, send: 0 });
  });

  test('adds up over several processes', async () => {
    const clock = new Clock();
    const storage = new TestStorage();
    const processes = [open(storage, clock), open(storage, clock), open(storage, clock)];
    for (let n = 0; n < 300; n += 1) processes[n % 3]!.record(GUILD, 'aaaaa', 'parse-args');
    await Promise.all(processes.map((usage) => usage.flush()));
    const [key] = await processes[0]!.read(GUILD);
    expect(key?.days[0]?.operations).toEqual({ 'parse-args': 300 });
  });

  test('is stored when the process ends', async () => {
    const { usage, clock, storage } = setUp();
    usage.record(GUILD, 'aaaaa', 'parse-args');
    const flushing = usage.flush();
    usage.record(GUILD, 'aaaaa', 'parse-args');
    await usage.close();
    await flushing;
    const [key] = await open(storage, clock).read(GUILD);
    expect(key?.days[0]?.operations).toEqual({ 'parse-args': 2 });
  });

  test('delays the end of the process only briefly, and reports lost counts', async () => {
    const failures: unknown[] = [];
    const { usage, storage } = setUp({ closeMsMax: 1, onFlushFailed: (error) => failures.push(error) });
    for (const guildId of ['1', '2', '3']) usage.record(guildId, 'aaaaa', 'parse-args');
    storage.beforeAnswer = () => new Promise(() => {});
    await usage.close();
    expect(failures).toMatchObject([{ message: 'Counts of 3 servers may be lost: the stop was too short' }]);
  });

  test('waits when it cannot be stored, and is counted once when the storage is back', async () => {
    const failures: unknown[] = [];
    const { usage, storage } = setUp({ onFlushFailed: (error) => failures.push(error) });
    for (const guildId of ['1', '2', '3']) usage.record(guildId, 'aaaaa', 'parse-args');
    storage.failure = new Error('disk full');
    await usage.flush();
    // A storage that does not answer is not asked for every guild.
    expect(failures).toHaveLength(1);
    usage.record('1', 'aaaaa', 'parse-args');
    storage.failure = undefined;
    await usage.flush();
    const counts = [];
    for (const guildId of ['1', '2', '3']) counts.push((await usage.read(guildId))[0]?.days[0]?.operations);
    expect(counts).toEqual([{ 'parse-args': 2 }, { 'parse-args': 1 }, { 'parse-args': 1 }]);
  });

  test('is stored for other guilds when the record of one guild is damaged', async () => {
    const { usage, storage } = setUp();
    const raw = storage.namespace('key_usage', (value): value is object => typeof value === 'object');
    await raw.set('1', { v: 7 });
    usage.record('1', 'aaaaa', 'parse-args');
    usage.record('2', 'aaaaa', 'parse-args');
    await usage.flush();
    expect(await raw.get('2')).toMatchObject({ keys: { aaaaa: {} } });
    await expect(usage.read('1')).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('is kept for 30 days, the last use for longer', async () => {
    const { usage, clock } = setUp();
    usage.record(GUILD, 'aaaaa', 'parse-args');
    const usedAt = clock.at;
    await usage.flush();
    clock.advance(29 * DAY_MS);
    expect((await usage.read(GUILD))[0]?.days).toHaveLength(1);
    clock.advance(DAY_MS);
    expect(await usage.read(GUILD)).toEqual([{ keyId: 'aaaaa', lastUsedAt: usedAt, days: [] }]);
  });

  test('is forgotten with its key and its days', async () => {
    const { usage, clock, storage } = setUp();
    usage.record(GUILD, 'aaaaa', 'parse-args');
    usage.record(GUILD, 'bbbbb', 'parse-args');
    await usage.flush();
    const { signal } = new AbortController();
    const { writes } = storage;
    await usage.purge(listFirst, signal, () => {});
    expect(storage.writes).toBe(writes);
    clock.advance(30 * DAY_MS);
    await usage.purge(listFirst, signal, () => {});
    expect((await usage.read(GUILD)).map((key) => key.keyId)).toEqual(['aaaaa']);
    await usage.purge(
      async () => new Set(),
      signal,
      () => {},
    );
    const raw = storage.namespace('key_usage', (value): value is object => typeof value === 'object');
    expect(await raw.get(GUILD)).toBeUndefined();
  });

  test('is cleaned up even if the keys of one guild are unreadable, but not without a storage', async () => {
    const { usage, clock, storage } = setUp();
    for (const guildId of ['1', '2']) usage.record(guildId, 'aaaaa', 'parse-args');
    await usage.flush();
    const keys = storage.namespace('keys', (value): value is never => value === null);
    const raw = storage.namespace('keys', (value): value is object => typeof value === 'object');
    await raw.set('1', { v: 7 });
    clock.advance(30 * DAY_MS);
    const { signal } = new AbortController();
    const told: string[] = [];
    const listKeyIds = async (guildId: string) => {
      await keys.get(guildId);
      return new Set<string>();
    };
    await usage.purge(listKeyIds, signal, (guildId) => told.push(guildId));
    expect(told).toEqual(['1']);
    expect([(await usage.read('1')).length, (await usage.read('2')).length]).toEqual([1, 0]);
    await expect(usage.purge(listNone, signal, (guildId) => told.push(guildId))).rejects.toThrow(Problem);
    expect(told).toEqual(['1']);
  });

  test('holds a bounded number of counts, and is stored early at the bound', async () => {
    const { usage, storage } = setUp({ waitingKeysMax: 3 });
    storage.failure = new Error('away');
    for (let n = 0; n < 100; n += 1) usage.record(String(n), 'aaaaa', 'parse-args');
    await usage.flush();
    for (let n = 0; n < 100; n += 1) usage.record(String(n), 'aaaaa', 'parse-args');
    storage.failure = undefined;
    await usage.flush();
    usage.record('7', 'aaaaa', 'parse-args');
    const used = [];
    for (let n = 0; n < 100; n += 1) used.push(...(await usage.read(String(n))));
    // A place is free while the counts that had it are on their way to the storage.
    expect(used.map((key) => key.days[0]?.operations['parse-args'])).toEqual([2, 2, 2, 2, 1]);
  });

  test('counts a bounded number of keys for a guild', async () => {
    const { usage, clock } = setUp();
    for (let n = 100; n < 200; n += 1) {
      clock.advance(1);
      usage.record(GUILD, `key${n}`, 'parse-args');
    }
    await usage.flush();
    const used = await usage.read(GUILD);
    expect(used).toHaveLength(50);
    expect(used[0]?.keyId).toBe('key199');
  });

  test('is stored from time to time', async () => {
    const { usage, storage } = setUp({ flushEveryMs: 1 });
    const stored = Promise.withResolvers<void>();
    storage.beforeAnswer = async () => stored.resolve();
    usage.record(GUILD, 'aaaaa', 'parse-args');
    await expect(stored.promise).resolves.toBeUndefined();
  });
});
