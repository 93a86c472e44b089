import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, expect, test } from 'vitest';

import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { quickOrFull } from '../fixtures/full-run.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { openStorage } from '../../src/storage/storage.ts';

const CHILD = join(import.meta.dirname, 'kill-nine-child.ts');
const ACKNOWLEDGED = quickOrFull(180, 1_000);
const KILLED_AFTER = [1, 60, 119, 200, 257];

const folder = await mkdtemp(join(tmpdir(), 'quartermaster-kill-'));
afterAll(() => rm(folder, { recursive: true }));

const FIRST_GUILD = 100_000_000_000_000_000n;

type Fate = 'created' | 'revoking' | 'revoked';

/** Two processes write to the same guilds until this number of changes is acknowledged. Then both are killed. */
async function killWhileWriting(
  storageUrl: string,
  firstGuild: bigint,
  killedAfter: number,
  fates: Map<string, Fate>,
): Promise<number> {
  const children = ['a', 'b'].map((name) =>
    spawn(process.execPath, [CHILD, storageUrl, String(firstGuild), name], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let acknowledged = 0;
  await Promise.all(
    children.map(async (child) => {
      const exited = once(child, 'exit');
      for await (const line of createInterface(child.stdout)) {
        const [fate, key] = line.split(' ') as [Fate, string];
        // The last line can be torn by the kill.
        if (key?.length !== 58) continue;
        fates.set(key, fate);
        if (fate !== 'revoking') acknowledged += 1;
        if (acknowledged >= killedAfter) for (const each of children) each.kill('SIGKILL');
      }
      expect(await exited).toEqual([null, 'SIGKILL']);
    }),
  );
  return acknowledged;
}

test('kill -9 loses no acknowledged key or revocation', async () => {
  const storageUrl = `sqlite://${folder}/store.sqlite`;
  const fates = new Map<string, Fate>();
  let acknowledged = 0;
  for (let round = 0; acknowledged < ACKNOWLEDGED; round += 1) {
    const killedAfter = KILLED_AFTER[round % KILLED_AFTER.length]!;
    acknowledged += await killWhileWriting(
      storageUrl,
      FIRST_GUILD + 1_000n * BigInt(round),
      killedAfter,
      fates,
    );
  }

  await using storage = await openStorage(storageUrl);
  const keys = new GuildKeyStore(storage);
  const lost: string[] = [];
  for (const [key, fate] of fates) {
    const found = await keys.verify(key).then(
      () => 'created',
      (error: unknown) =>
        error instanceof Problem && error.code === 'key_revoked' ? 'revoked' : String(error),
    );
    const expected = fate === 'revoking' ? ['created', 'revoked'] : [fate];
    if (!expected.includes(found)) lost.push(`${fate}, found: ${found}`);
  }
  expect(lost).toEqual([]);
  expect([...fates.values()].filter((fate) => fate === 'revoked').length).toBeGreaterThan(ACKNOWLEDGED / 5);
});
