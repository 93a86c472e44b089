import { expect, test } from 'vitest';

import { newRedisUrl } from '../../fixtures/cluster-bench.ts';
import { isMissing, REDIS_URL } from '../../fixtures/storage-services.ts';
import { startDiscordApp } from '../../fixtures/test-app.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

test.skipIf(isWithoutRedis)(
  'a process whose connection ends for good gives its shards back, and says why it is not ready',
  async () => {
    const env = { REDIS_URL: newRedisUrl(), METRICS_PORT: '0' };
    await using app = await startDiscordApp({ guilds: [{}] }, env);
    const shardsHeld = async () => /quartermaster_cluster_shards (\d+)/.exec(await app.metrics())?.[1];
    await expect.poll(shardsHeld).toBe('1');
    app.discord.gateway.shard(0).close(4004);
    await expect.poll(shardsHeld).toBe('0');
    const ready = await app.call('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body['error']).toContain('DISCORD_TOKEN');
  },
);
