import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';

import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { NO_GUILD_ID, type IssuedKey, type OverlapSeconds } from '../../src/guild-keys/guild-keys.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { quickOrFull } from '../fixtures/full-run.ts';
import { isMissing, POSTGRES_URL, REDIS_URL } from '../fixtures/storage-services.ts';
import { TestStorage } from '../fixtures/guild-key-harness.ts';

const folder = await mkdtemp(join(tmpdir(), 'quartermaster-revocations-'));
afterAll(() => rm(folder, { recursive: true }));

const HOUR_MS = 3_600_000;

type Step =
  | { readonly do: 'create'; readonly name: number; readonly process: number }
  | {
      readonly do: 'rotate';
      readonly key: number;
      readonly overlap: OverlapSeconds;
      readonly process: number;
    }
  | {
      readonly do: 'revoke' | 'delete' | 'withdraw';
      readonly key: number;
      readonly process: number;
    };

const key = fc.nat(20);
const process = fc.nat(1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), name: fc.nat(2), process }),
  fc.record({
    do: fc.constant('rotate' as const),
    key,
    overlap: fc.constantFrom<OverlapSeconds>(0, 0, 3_600, 86_400),
    process,
  }),
  fc.record({ do: fc.constantFrom('revoke' as const, 'delete' as const), key, process }),
  fc.record({ do: fc.constant('withdraw' as const), key, process }),
);
/** Steps done at once, and the hours until the next ones. The last keys are chosen most often. */
const moments = fc.array(
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), hours: fc.nat(3) }),
  { minLength: 4, maxLength: 14 },
);

/** Two processes of one storage, and what they have acknowledged. */
async function expectRevocationsToLast(
  storages: readonly Storage[],
  guildId: string,
  happened: readonly { readonly steps: readonly Step[]; readonly hours: number }[],
): Promise<void> {
  let at = Date.UTC(2026, 0, 31);
  const stores = storages.map(
    (storage) => new GuildKeyStore(storage, { now: () => at, cacheAgeMsMax: 0, unknownAgeMsMax: 0 }),
  );
  const issued: IssuedKey[] = [];
  const revoked = new Set<IssuedKey>();

  async function take(each: Step): Promise<void> {
    const store = stores[each.process % stores.length]!;
    if (each.do === 'create') {
      issued.push(
        await store.create({
          guildId,
          name: `bot ${each.name}`,
          createdBy: '42',
          expiresInDays: null,
          flat: false,
          always200: false,
        }),
      );
      return;
    }
    const meant = issued.at(-1 - (each.key % Math.max(1, issued.length)));
    if (meant === undefined) return;
    const { keyId } = meant.entry;
    switch (each.do) {
      case 'rotate': {
        const endsOlder = issued.map(({ entry }) => entry.keyId);
        const overlapSeconds = each.overlap;
        issued.push(await store.rotate({ guildId, keyId, overlapSeconds, createdBy: '42', endsOlder }));
        return;
      }
      case 'withdraw':
        await store.withdraw(guildId, keyId);
        revoked.add(meant);
        return;
      case 'delete':
        await store.verify(meant.key);
        await store.revoke(guildId, keyId);
        revoked.add(meant);
        return;
      case 'revoke':
        await store.revoke(guildId, keyId);
        revoked.add(meant);
    }
  }

  for (const { steps, hours } of happened) {
    await Promise.all(
      steps.map((each) =>
        take(each).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.code === 'internal') throw error;
        }),
      ),
    );
    for (const each of revoked) {
      for (const store of stores) {
        const works = await store.verify(each.key).then(
          () => true,
          () => false,
        );
        if (works) throw new Error(`${each.entry.keyId} works again`);
      }
    }
    at += hours * HOUR_MS;
  }
}

const backends = [
  { name: 'memory', url: 'memory:', runs: quickOrFull(80, 300), missing: false },
  { name: 'SQLite', url: `sqlite://${folder}/store.sqlite`, runs: quickOrFull(10, 25), missing: false },
  {
    name: 'Redis',
    url: REDIS_URL,
    runs: quickOrFull(10, 25),
    missing: await isMissing('Redis', REDIS_URL, 6379),
  },
  {
    name: 'PostgreSQL',
    url: POSTGRES_URL,
    runs: quickOrFull(10, 25),
    missing: await isMissing('PostgreSQL', POSTGRES_URL, 5432),
  },
];

/** One for each run; those of this process are deleted by the next run of the same guild. */
const newGuildId = () => `8${String(Math.floor(Math.random() * 1e15)).padStart(17, '0')}`;

describe('an acknowledged revocation is final', () => {
  test.each(backends.filter(({ missing }) => !missing))(
    'in $name',
    async ({ url, runs }) => {
      const first = await openStorage(url);
      const storages = url === 'memory:' ? [first, first] : [first, await openStorage(url)];
      try {
        await fc.assert(
          fc.asyncProperty(moments, async (happened) => {
            const guildId = newGuildId();
            await expectRevocationsToLast(storages, guildId, happened);
            await first.namespace('guild_keys', (value): value is unknown => value !== null).delete(guildId);
          }),
          { seed: 20_260_131, numRuns: runs },
        );
      } finally {
        await Promise.all(storages.map((storage) => storage.close()));
      }
    },
    60_000,
  );

  test('when replies are lost', async () => {
    await fc.assert(
      fc.asyncProperty(moments, fc.infiniteStream(fc.nat(3)), async (happened, chances) => {
        const storage = new TestStorage();
        storage.losesReply = () => chances.next().value === 0;
        await expectRevocationsToLast([storage, storage], NO_GUILD_ID, happened);
      }),
      { seed: 20_260_131, numRuns: quickOrFull(20, 60) },
    );
  });
});
