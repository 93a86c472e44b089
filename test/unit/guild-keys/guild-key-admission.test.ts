import { crc32 } from 'node:zlib';

import { describe, expect, test, vi } from 'vitest';

import { generateKey, toGuildPart } from '../../../src/guild-keys/guild-key.ts';
import { createAdmission } from '../../../src/app/admission.ts';
import type { Problem } from '../../../src/kernel/problem.ts';
import { toAddressGroup } from '../../../src/rate-limit/address-group.ts';
import { FailedKeys, type FailedKeysOptions } from '../../../src/rate-limit/failed-keys.ts';
import { LIMITS } from '../../fixtures/limits.ts';
import { Limiter, toBuckets } from '../../../src/rate-limit/limiter.ts';
import { GUILD, setUp } from '../../fixtures/guild-key-harness.ts';
import { settle } from '../../fixtures/settle.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

const MINUTE_MS = 60_000;

function setUpAdmission(options: FailedKeysOptions = {}) {
  const parts = setUp({ cachedGuildsMax: 1_000 });
  const waits: number[] = [];
  const admission = createAdmission(parts.keys, new Limiter(toBuckets(LIMITS)), {
    now: parts.clock.now,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  const verify = (key: string | undefined, address: () => string) =>
    admission.authenticate({ key, address, isUrgent: false });
  const codeOf = (presented: string | undefined, address: string) =>
    verify(presented, () => address).then(
      () => 'valid',
      (problem: unknown) => (problem as Problem).code,
    );
  const fail = async (address: string, times: number) => {
    for (let n = 0; n < times; n += 1) await codeOf(madeUpKey(n), address);
  };
  return { ...parts, verify, waits, codeOf, fail };
}

/** A complete key with a right checksum, of another guild each time. */
function madeUpKey(n: number): string {
  const checked = `qm_${toGuildPart(String(10_000_000_000 + n))}abcde_${'0'.repeat(32)}`;
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let checksum = '';
  for (let rest = crc32(checked); rest > 0; rest = Math.floor(rest / 62))
    checksum = digits[rest % 62] + checksum;
  return checked + checksum.padStart(6, '0');
}

describe('failed keys', () => {
  test('of thousands of guilds in 10 seconds cost 30 reads and then 20 a second, and the others wait', async () => {
    const { codeOf, storage, clock } = setUpAdmission();
    const codes = new Map<string, number>();
    const guilds = quickOrFull(5_000, 20_000);
    for (let n = 0; n < guilds; n += 1) {
      const code = await codeOf(madeUpKey(n), '203.0.113.7');
      codes.set(code, (codes.get(code) ?? 0) + 1);
      clock.advance(10_000 / guilds);
    }
    // The line is one second long, so up to 20 more have been let in than seconds allow.
    expect(storage.reads).toBeGreaterThanOrEqual(30 + 200);
    expect(storage.reads).toBeLessThanOrEqual(30 + 200 + 21);
    expect(codes.get('key_unknown')).toBe(storage.reads);
    expect(codes.get('busy')).toBe(guilds - storage.reads);
  });

  test('do not delay a valid key of the same IP address whose record is cached', async () => {
    const { codeOf, create, fail, waits } = setUpAdmission();
    const { key } = await create();
    expect(await codeOf(key, '203.0.113.7')).toBe('valid');
    await fail('203.0.113.7', 31);
    waits.length = 0;
    expect(await codeOf(key, '203.0.113.7')).toBe('valid');
    expect(waits).toEqual([]);
  });

  test('delay a valid key of the same IP address briefly when its record has to be read', async () => {
    const { codeOf, create, fail, waits } = setUpAdmission();
    const { key } = await create();
    await fail('203.0.113.7', 34);
    expect(await codeOf(key, '203.0.113.7')).toBe('valid');
    expect(waits).toEqual([50, 100, 150, 200]);
  });

  test('do not affect other IP addresses', async () => {
    const { codeOf, create, fail, waits } = setUpAdmission();
    const { key } = await create();
    await fail('203.0.113.7', 30);
    expect(await codeOf(key, '203.0.113.8')).toBe('valid');
    expect(waits).toEqual([]);
  });

  test('share one queue for all IP addresses beyond the limit', async () => {
    const { codeOf, fail } = setUpAdmission();
    for (const address of ['1.1.1.1', '1.1.1.2', '1.1.1.3']) await fail(address, 30);
    const codes = [];
    for (let n = 0; n < 30; n += 1) codes.push(await codeOf(madeUpKey(1_000 + n), `1.1.1.${1 + (n % 3)}`));
    expect(codes.indexOf('busy')).toBe(21);
    expect(new Set(codes.slice(21))).toEqual(new Set(['busy']));
  });

  test('get 503 with the time to wait when the queue is full', async () => {
    const { verify, fail } = setUpAdmission({ readsPerSecond: 0.5 });
    await fail('1.1.1.1', 31);
    await expect(verify(madeUpKey(1_000), () => '1.1.1.1')).rejects.toMatchObject({
      code: 'busy',
      status: 503,
      retryAfterSeconds: 2,
    });
  });

  test('are forgotten 10 minutes after the first', async () => {
    const { codeOf, fail, clock, waits } = setUpAdmission();
    await fail('1.1.1.1', 30);
    clock.advance(10 * MINUTE_MS - 1);
    await codeOf(madeUpKey(1_000), '1.1.1.1');
    await codeOf(madeUpKey(1_001), '1.1.1.1');
    expect(waits).toEqual([50]);
    clock.advance(1);
    await codeOf(madeUpKey(1_002), '1.1.1.1');
    expect(waits).toEqual([50]);
  });

  test('are those that are unknown or incomplete, but not those that ended or are missing', async () => {
    const { codeOf, create, keys, waits } = setUpAdmission({ failuresMax: 3 });
    const { key, entry } = await create();
    await keys.revoke(GUILD, entry.keyId);
    for (let n = 0; n < 5; n += 1) {
      expect(await codeOf(key, '1.1.1.1')).toBe('key_revoked');
      expect(await codeOf(undefined, '1.1.1.1')).toBe('key_missing');
    }
    await codeOf('half a key', '1.1.1.1');
    await codeOf(madeUpKey(0), '1.1.1.1');
    await codeOf(generateKey(GUILD, entry.keyId), '1.1.1.1');
    await codeOf(madeUpKey(1), '1.1.1.1');
    await codeOf(madeUpKey(2), '1.1.1.1');
    expect(waits).toEqual([50]);
  });

  test('slow down only IP addresses that are new when memory is full', async () => {
    const { codeOf, fail, waits, clock } = setUpAdmission({ addressesMax: 100 });
    for (let n = 0; n < 100; n += 1) await fail(`10.0.0.${n}`, 1);
    await codeOf(madeUpKey(1_000), '10.0.1.1');
    await codeOf(madeUpKey(1_001), '10.0.1.2');
    expect(waits).toEqual([50]);
    await codeOf(madeUpKey(1_002), '10.0.0.1');
    expect(waits).toEqual([50]);
    clock.advance(10 * MINUTE_MS);
    await codeOf(madeUpKey(1_003), '10.0.1.3');
    expect(waits).toEqual([50]);
  });

  test('delay a revocation only in its own queue, where it waits up to 10 seconds', async () => {
    const waits: number[] = [];
    const { keys, clock, create } = setUp({ cachedGuildsMax: 1_000 });
    const { key: leaked } = await create();
    const admission = createAdmission(keys, new Limiter(toBuckets(LIMITS)), {
      now: clock.now,
      wait: async (ms) => void waits.push(ms),
    });
    const codeOf = (key: string, isUrgent: boolean) =>
      admission.authenticate({ key, address: () => '203.0.113.7', isUrgent }).then(
        () => 'valid',
        (problem: unknown) => (problem as Problem).code,
      );
    for (let n = 0; n < 60; n += 1) await codeOf(madeUpKey(n), false);
    expect(await codeOf(leaked, false)).toBe('busy');
    waits.length = 0;
    for (let n = 0; n < 230; n += 1) await codeOf(madeUpKey(1_000 + n), true);
    expect(await codeOf(leaked, true)).toBe('valid');
    expect(waits.at(-1)).toBe(10_000);
    expect(await codeOf(madeUpKey(2_000), true)).toBe('busy');
  });

  test('are not counted when the storage is unavailable', async () => {
    const { codeOf, fail, storage, create, waits } = setUpAdmission();
    const { key } = await create();
    storage.failure = new Error('away');
    await fail('1.1.1.1', 40);
    storage.failure = undefined;
    expect(await codeOf(key, '1.1.1.1')).toBe('valid');
    expect(waits).toEqual([]);
  });
});

/** A store whose reads end when the test ends them. */
function setUpSlow(options: FailedKeysOptions = {}) {
  const parts = setUpAdmission(options);
  const held: (() => void)[] = [];
  parts.storage.beforeAnswer = () => new Promise((resolve) => held.push(resolve));
  const settle = async () => {
    for (;;) {
      // Callers that wait for a read continue within one iteration of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (held.length === 0) return;
      for (const release of held.splice(0)) release();
    }
  };
  return { ...parts, held, settle };
}

/** Many times as many as are read at a time. */
const CONCURRENT = quickOrFull(1_000, 5_000);

describe('many concurrent keys from one IP address', () => {
  test('are read at most 30 at a time from a slow store, and unknown ones 30 times and then 20 times a second', async () => {
    const { codeOf, storage, settle, held } = setUpSlow();
    const codes = Array.from({ length: CONCURRENT }, (_, n) => codeOf(madeUpKey(n), '203.0.113.7'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(held).toHaveLength(30);
    await settle();
    const counts = Object.groupBy(await Promise.all(codes), (code) => code);
    expect(storage.reads).toBe(30 + 21);
    expect(counts['key_unknown']).toHaveLength(30 + 21);
    expect(counts['busy']).toHaveLength(CONCURRENT - 30 - 21);
  });

  test('are all accepted if valid, as with a hosted builder after a start', async () => {
    const { create, codeOf, settle, waits } = setUpSlow();
    const made = [];
    for (let n = 0; n < 200; n += 1) {
      const creating = create({ guildId: String(200_000_000_000_000_000n + BigInt(n)) });
      await settle();
      made.push((await creating).key);
    }
    const codes = made.map((key) => codeOf(key, '203.0.113.7'));
    await settle();
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['valid']));
    expect(waits).toEqual([]);
  });

  test('are forgotten if valid', async () => {
    const { create, codeOf, clock, waits } = setUpAdmission({ addressesMax: 1 });
    const { key } = await create();
    for (let n = 0; n < 5; n += 1) {
      expect(await codeOf(key, `1.1.1.${n}`)).toBe('valid');
      clock.advance(5_000);
    }
    expect(waits).toEqual([]);
  });

  test('wait at most a second for a hanging store', async () => {
    const { codeOf, clock, held, storage } = setUpSlow();
    const codes = Array.from({ length: 100 }, (_, n) => codeOf(madeUpKey(n), '203.0.113.7'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(held).toHaveLength(30);
    clock.advance(1_000);
    held.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    // The one that ended was a guess: 21 of those that wait went into the line, and the others know that they have to come again.
    storage.beforeAnswer = undefined;
    for (const release of held) release();
    const counts = Object.groupBy(await Promise.all(codes), (code) => code);
    expect(counts['busy']?.length).toBe(70 - 21);
  });

  test('join the queue after a second, also when no read of the store ever ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { codeOf, held } = setUpSlow();
      const ended: string[] = [];
      for (let n = 0; n < 100; n += 1) {
        void codeOf(madeUpKey(n), '203.0.113.7').then((code) => ended.push(code));
      }
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect([held.length, ended]).toEqual([30 + 21, Array.from({ length: 70 - 21 }, () => 'busy')]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('cause the IP address to be looked up only when a failure is counted', async () => {
    const { verify, create } = setUpAdmission();
    const { key } = await create();
    let asked = 0;
    const address = () => {
      asked += 1;
      return '1.1.1.1';
    };
    await verify(key, address);
    expect(asked).toBe(1);
    await verify(key, address);
    await verify(undefined, address).catch(() => {});
    expect(asked).toBe(1);
    await verify('half a key', address).catch(() => {});
    expect(asked).toBe(2);
  });
});

function guardAt(failuresMax: number, waitMsMax?: number) {
  const waits: number[] = [];
  let now = 0;
  const failedKeys = new FailedKeys({
    now: () => now,
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    failuresMax,
    ...(waitMsMax === undefined ? {} : { waitMsMax }),
  });
  return { failedKeys, waits, advance: (ms: number) => (now += ms) };
}

describe('a read under way', () => {
  test('moves waiting callers into the queue as soon as the last slot is lost', async () => {
    const { failedKeys } = guardAt(1);
    const end = await failedKeys.beginRead('1.1.1.1');
    let isInLine = false;
    const next = failedKeys.beginRead('1.1.1.1').then(() => (isInLine = true));
    await settle();
    expect(isInLine).toBe(false);
    end(true);
    await settle();
    expect(isInLine).toBe(true);
    await next;
  });

  test.each([
    ['a key that fails', true, 'busy'],
    ['a valid key', false, 'read'],
  ])('counts after the queue as it does elsewhere: %s', async (_name, hasFailed, next) => {
    const { failedKeys } = guardAt(1, 1);
    const end = await failedKeys.beginRead('1.1.1.1');
    const endQueued = await failedKeys.beginRead('1.1.1.1');
    endQueued(hasFailed);
    end(false);
    const read = failedKeys.beginRead('1.1.1.1').then(
      () => 'read',
      (problem: Problem) => problem.code,
    );
    expect(await read).toBe(next);
  });

  test('does not change later failures if it ends late', async () => {
    const { failedKeys, waits, advance } = guardAt(3);
    const end = await failedKeys.beginRead('1.1.1.1');
    advance(10 * MINUTE_MS);
    for (let n = 0; n < 3; n += 1) failedKeys.count('1.1.1.1');
    end(false);
    for (let n = 0; n < 2; n += 1) await failedKeys.beginRead('1.1.1.1');
    expect(waits).toEqual([50]);
  });
});

describe('IP addresses of one household', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2300::1', '2001:db8:1:23/56'],
    ['2001:0DB8:0001:23ff:ffff:ffff:ffff:ffff', '2001:db8:1:23/56'],
    ['2001:db8:1:2400::1', '2001:db8:1:24/56'],
    ['2001:db8::1', '2001:db8:0:0/56'],
    ['2001:db8:1:0:1:1:1:1', '2001:db8:1:0/56'],
    ['::', '0:0:0:0/56'],
    ['::1', '0:0:0:0/56'],
    ['1::', '1:0:0:0/56'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0/56'],
    ['fe80::1%eth0', 'fe80:0:0:0/56'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:FFFF:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8:1:2300::1]:443', '2001:db8:1:23/56'],
    ['', 'none'],
    ['unknown', 'none'],
    ['203.0.113.999', 'none'],
    ['203.0.113.7:', 'none'],
    [`::ffff:${'1'.repeat(60_000)}.1.1.1`, 'none'],
    [`fe80::1%${'a'.repeat(60_000)}`, 'fe80:0:0:0/56'],
    ['x'.repeat(60_000), 'none'],
  ])('are grouped: %.60s belongs to %s', (address, group) => {
    expect(toAddressGroup(address)).toBe(group);
  });
});
