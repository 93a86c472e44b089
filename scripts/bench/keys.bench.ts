import { hash, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { createGuildKeys } from '../../src/guild-keys/guild-key-store.ts';
import { generateKey } from '../../src/guild-keys/guild-key.ts';
import { createKeyGuard } from '../../src/guild-keys/key-guard.ts';
import { FailedKeys } from '../../src/rate-limit/failed-keys.ts';
import { createKeyUsage } from '../../src/guild-keys/key-usage.ts';
import { Limiter, toBuckets, toLimitHeaders } from '../../src/rate-limit/limiter.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { describeMachine, markdownTable, median, timeMs } from './measure.ts';

const CALLS = 20_000;
const ROUNDS = 9;
const READS = 2_000;
const WRITES = 100;
const MADE_UP_KEYS = 1_000_000;

/**
 * What a request pays for its key, against the one hash that cannot be avoided; what storages cost; what a
 * million made-up keys cost. `npm run bench -- keys [storage url …]` measures further storages.
 */
export async function run(urls: readonly string[]): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-bench-'));
  try {
    console.log(`${describeMachine()}\n`);
    console.log(`${await benchRequests()}\n`);
    console.log(`${await benchStorages([`sqlite://${folder}/bench.sqlite`, ...urls])}\n`);
    console.log(await benchMadeUpKeys());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const toOptions = (guildId: string, name: string) => ({
  guildId,
  name,
  createdBy: 'cli',
  expiresInDays: null,
  flat: false,
  always200: false,
});

async function benchRequests(): Promise<string> {
  await using storage = await openStorage('memory:');
  const keys = createGuildKeys(storage);
  await using usage = createKeyUsage(storage);
  const guard = createKeyGuard(keys, new FailedKeys());
  const limiter = new Limiter(toBuckets({ requestsPerMinute: 1_000_000_000 }));
  const guildIds = Array.from({ length: 1_000 }, (_, n) =>
    String(123_456_789_012_345_678n + (BigInt(n) << 22n)),
  );
  const issued: string[] = [];
  for (const guildId of guildIds) issued.push((await keys.create(toOptions(guildId, 'bench'))).key);
  const digest = Buffer.from(hash('sha256', issued[0] ?? '', 'hex'));
  const scratch = Buffer.alloc(64);

  let turn = 0;
  const next = <Item>(items: readonly Item[]) => items[(turn += 1) % items.length] as Item;
  const steps: readonly (readonly [string, () => unknown])[] = [
    [
      'floor: SHA-256 and a comparison in constant time',
      () => {
        scratch.write(hash('sha256', next(issued), 'hex'), 'latin1');
        return timingSafeEqual(scratch, digest);
      },
    ],
    ['verify a key (1,000 guilds in turn)', () => guard.verify(next(issued), () => '203.0.113.7')],
    [
      'take from a bucket, with headers',
      async () => toLimitHeaders(await limiter.take('guild', next(guildIds))),
    ],
    ['count the usage', () => usage.record(next(guildIds), 'abcde', 'parse-args')],
  ];
  // In turn, so that what else the machine does falls on all of them.
  const roundsUs: number[][] = steps.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, [, step]] of steps.entries()) {
      roundsUs[index]?.push((await timeMs(step, { calls: CALLS, rounds: 1 })) * 1_000);
    }
  }
  return markdownTable(
    ['a request', 'µs', 'of the floor'],
    steps.map(([name], index) => {
      const ratios = (roundsUs[index] ?? []).map((us, round) => us / (roundsUs[0]?.[round] ?? NaN));
      return [name, median(roundsUs[index] ?? []).toFixed(2), `${median(ratios).toFixed(1)}x`];
    }),
  );
}

async function benchStorages(urls: readonly string[]): Promise<string> {
  const rows: string[][] = [];
  for (const url of ['memory:', ...urls]) {
    await using storage = await openStorage(url);
    const keys = createGuildKeys(storage, { cacheAgeMsMax: 0, unknownAgeMsMax: 0 });
    const guildId = String(BigInt(Date.now()) << 22n);
    const { key, entry } = await keys.create(toOptions(guildId, 'bench'));
    const readMs = await timeMs(() => keys.verify(key), { calls: READS });
    let count = 0;
    const writeMs = await timeMs(
      async () => {
        count += 1;
        const made = await keys.create(toOptions(guildId, `bench ${count}`));
        await keys.revoke(guildId, made.entry.keyId);
      },
      { calls: WRITES, rounds: 3 },
    );
    await keys.revoke(guildId, entry.keyId);
    rows.push([new URL(url).protocol, (readMs * 1_000).toFixed(0), ((writeMs / 2) * 1_000).toFixed(0)]);
  }
  return markdownTable(['storage', 'verify without the cache, µs', 'create or revoke a key, µs'], rows);
}

async function benchMadeUpKeys(): Promise<string> {
  await using storage = await openStorage('memory:');
  const keys = createGuildKeys(storage);
  let reads = 0;
  let at = 0;
  const guard = createKeyGuard(
    {
      verify: (presented, options) =>
        keys.verify(presented, {
          beforeRead: async () => {
            await options?.beforeRead?.();
            reads += 1;
          },
        }),
    },
    new FailedKeys({ now: () => at, wait: async () => {} }),
  );
  const startedAt = performance.now();
  for (let n = 0; n < MADE_UP_KEYS; n += 1) {
    at += 0.1;
    await guard.verify(generateKey(String(n + 1), 'abcde'), () => '203.0.113.7').catch(() => {});
  }
  const us = ((performance.now() - startedAt) / MADE_UP_KEYS) * 1_000;
  const seconds = Math.round(at / 1_000);
  return `${MADE_UP_KEYS.toLocaleString('en')} made-up keys of as many guilds in ${seconds} s of the injected clock: ${reads.toLocaleString('en')} reads of the storage (30 and 20 a second); ${us.toFixed(1)} µs a key, making it included`;
}
