import { describe, expect, test } from 'vitest';

import { connectRedis } from '../../src/storage/redis-connection.ts';
import { isMissing, POSTGRES_URL, REDIS_URL } from '../fixtures/storage-services.ts';
import { ROUTE, startOneShard } from './cluster-setup.ts';

const isWithoutServices =
  (await isMissing('Redis', REDIS_URL, 6379)) || (await isMissing('PostgreSQL', POSTGRES_URL, 5432));

const BUSY_MACHINE_MS = 120_000;
const NEVER_MS = 3_600_000;

describe.skipIf(isWithoutServices)(
  'an owner that does not renew its lease',
  { timeout: BUSY_MACHINE_MS },
  () => {
    test('answers nobody else from its good list once it has ended by its own clock', async () => {
      await using shard = await startOneShard(100, { renewMs: NEVER_MS, identifyWindowMs: 100 });
      const owner = await shard.start('0', { leaseMs: 1_500 });
      // To this process leases never end, so whether it gets an answer is up to the owner alone.
      const other = await shard.start('none', { leaseMs: NEVER_MS });
      const key = await shard.createKey();
      const { body } = await other.callUntil(503, ROUTE, key);
      expect(body['code']).toBe('member_list_unavailable');
      expect((await owner.call(ROUTE, key)).body).toMatchObject({ ok: true, returned: 100 });
      // Nothing else was in the way: a notice makes both renew, and the owner answers again.
      const redis = await connectRedis(shard.redisUrl, { commandTimeoutMs: 5_000, connectTimeoutMs: 5_000 });
      const prefix = redis.options.keyPrefix ?? '';
      do await redis.publish(`${prefix}quartermaster:0:shards`, '');
      while ((await other.call(ROUTE, key)).status !== 200);
      redis.disconnect();
    });
  },
);
