import { expect, test } from 'vitest';

import { newRedisUrl, openRedis } from '../../fixtures/cluster-setup.ts';
import { isMissing, REDIS_URL } from '../../fixtures/storage-services.ts';
import { startDiscordApp } from '../../fixtures/test-app.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

test.skipIf(isWithoutRedis)(
  'a process whose connection ends permanently releases its shards, and reports why it is not ready',
  async () => {
    const url = newRedisUrl();
    const redis = await openRedis(url);
    await using app = await startDiscordApp({ guilds: [{}] }, { REDIS_URL: url });
    const holdsShard = async () =>
      Object.values(await redis.hgetall('quartermaster:leases')).some((lease) => lease.includes('[[0,'));
    await expect.poll(holdsShard).toBe(true);
    app.discord.gateway.shard(0).close(4004);
    await expect.poll(holdsShard).toBe(false);
    const ready = await app.call('/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.body['error']).toContain('DISCORD_TOKEN');
  },
);
