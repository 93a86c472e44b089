import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { GuildKeyStore } from '../../../src/guild-keys/guild-key-store.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { startSimulator } from '../../../test/simulator/simulator.ts';
import { startService, type ServiceProcess } from '../service-process.ts';

const FIRST_ID = 200_000_000_000_000_000n;
const ID_STEP = 1_000_003n;

export interface Topology extends AsyncDisposable {
  /** One process that holds both shards and knows nothing of Redis. */
  readonly alone: ServiceProcess;
  /** One shard each. */
  readonly shardHolders: readonly [ServiceProcess, ServiceProcess];
  /** HTTP only. */
  readonly replica: ServiceProcess;
  /** A key of a guild of the first one's shard. */
  readonly key: string;
}

export function roleOf(size: number): string {
  return `90000000000${String(size).padStart(8, '0')}`;
}

/** Four processes on one machine, with a guild that has a role for each of these numbers of holders. */
export async function startTopology(redisUrl: string, sizes: readonly number[]): Promise<Topology> {
  await using parts = new AsyncDisposableStack();
  const guildId = String(160_000_000_000n << 22n);
  const discord = parts.use(
    await startSimulator({
      guilds: [
        {
          id: guildId,
          roles: sizes.map((size) => ({ id: roleOf(size), name: `${size} holders` })),
          members: {
            count: Math.max(...sizes),
            firstId: FIRST_ID,
            idStep: ID_STEP,
            rolesOf: (index) => sizes.filter((size) => index < size).map(roleOf),
          },
        },
      ],
      gateway: { maxConcurrency: 16 },
    }),
  );
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-bench-cluster-'));
  parts.defer(() => rmSync(folder, { recursive: true }));
  const storageUrl = `sqlite://${path.join(folder, 'keys.sqlite')}`;
  const bot = {
    DISCORD_TOKEN: discord.bot().token,
    DISCORD_API_URL: discord.apiUrl,
    STORAGE_URL: storageUrl,
  };
  const start = async (env: Record<string, string>) => {
    const service = await startService(env);
    parts.defer(() => service.stop());
    return service;
  };
  const shard = (id: string) =>
    start({ ...bot, REDIS_URL: redisUrl, GATEWAY_SHARDS: id, GATEWAY_SHARD_COUNT: '2' });

  const key = await createKey(storageUrl, guildId);
  const alone = await start({ ...bot, GATEWAY_SHARD_COUNT: '2' });
  const shardHolders = [await shard('0'), await shard('1')] as const;
  const replica = await start({ STORAGE_URL: storageUrl, REDIS_URL: redisUrl, GATEWAY_SHARDS: 'none' });
  for (const service of [alone, ...shardHolders, replica]) await waitForList(service, sizes[0] ?? 0, key);
  const opened = parts.move();
  return { alone, shardHolders, replica, key, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function createKey(storageUrl: string, guildId: string): Promise<string> {
  await using storage = await openStorage(storageUrl);
  const made = await new GuildKeyStore(storage).create({
    guildId,
    name: 'bench',
    createdBy: 'cli',
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  return made.key;
}

async function waitForList(service: ServiceProcess, size: number, key: string): Promise<void> {
  const url = `${service.url}/api/role-members?role_id=${roleOf(size)}&count_only=true`;
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if ((await fetch(url, { headers: { authorization: key } })).status === 200) return;
    await delay(200);
  }
  throw new Error('The member list did not load.');
}
