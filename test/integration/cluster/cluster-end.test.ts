import { expect, test, vi } from 'vitest';

import { newRedisUrl } from '../../fixtures/cluster-bench.ts';
import { isMissing, REDIS_URL } from '../../fixtures/storage-services.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { startTestApp } from '../../fixtures/test-app.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);
const waiting = { timeout: 20_000, interval: 20 };

test.skipIf(isWithoutRedis)(
  'a process whose connection ends for good gives its shards back, and says why it is not ready',
  async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    await using test = await startTestApp({
      REDIS_URL: newRedisUrl(),
      METRICS_PORT: '0',
      DISCORD_TOKEN: discord.bot().token,
      DISCORD_API_URL: discord.apiUrl,
    });
    const shardsHeld = async () => {
      const metrics = await fetch(`http://127.0.0.1:${test.app.metricsPort}/metrics`);
      return /quartermaster_cluster_shards (\d+)/.exec(await metrics.text())?.[1];
    };
    await vi.waitFor(async () => expect(await shardsHeld()).toBe('1'), waiting);
    discord.gateway.shard(0).close(4004);
    await vi.waitFor(async () => expect(await shardsHeld()).toBe('0'), waiting);
    const ready = await test.call('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body['error']).toContain('DISCORD_TOKEN');
  },
);
