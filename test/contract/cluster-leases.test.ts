import { describe, expect, test, vi } from 'vitest';

import {
  find,
  guildOf,
  joinCluster,
  Lists,
  newRedisUrl,
  problemOf,
  questionAbout,
  read,
  openRedis,
} from '../fixtures/cluster-setup.ts';
import { isMissing, REDIS_URL } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);
const GUILD = guildOf(0, 1);

/** The holder of the only shard, and a process that asks it. */
async function startTwo(options: Parameters<typeof joinCluster>[1] = {}) {
  const url = newRedisUrl();
  const lists = new Lists({ [GUILD]: 3 });
  const shardHolder = await joinCluster(url);
  shardHolder.shareMembers(lists);
  await shardHolder.holdShard(0, 1);
  const other = await joinCluster(url, options);
  return { url, lists, shardHolder, members: other.shareMembers(null), redis: await openRedis(url) };
}

describe.skipIf(isWithoutRedis)('the lease of a process', () => {
  test('ends with the shards, and the process no longer answers for them, even if asked', async () => {
    const { url, shardHolder, members, lists, redis } = await startTwo({ renewMs: 3_600_000 });
    expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 3 });
    const [id = '', lease = ''] =
      Object.entries(await redis.hgetall('quartermaster:leases')).find(([, json]) => json.includes('[[0,')) ??
      [];
    await shardHolder.releaseShards();
    // As of a process that has not heard of it yet.
    await redis.hset('quartermaster:leases', id, lease);
    const asked = vi.spyOn(lists, 'ask');
    const late = (await joinCluster(url)).shareMembers(null);
    expect(await problemOf(find(late, questionAbout(GUILD)))).toMatchObject({
      code: 'member_list_unavailable',
    });
    expect(asked).not.toHaveBeenCalled();
  });

  test('is removed from Redis when the process ends', async () => {
    const { shardHolder, redis } = await startTwo();
    expect(await redis.hlen('quartermaster:leases')).toBe(2);
    await shardHolder[Symbol.asyncDispose]();
    expect(await redis.hlen('quartermaster:leases')).toBe(1);
    expect(await redis.zcard('quartermaster:processes')).toBe(1);
  });

  test('is not offered to processes of an earlier version, and those are not asked', async () => {
    const { url, redis, shardHolder } = await startTwo();
    await shardHolder[Symbol.asyncDispose]();
    const old = { origin: 'http://127.0.0.1:1', secret: 'x'.repeat(40), shardCount: 1, shards: [[0, 1]] };
    await redis.zadd('quartermaster:processes', Date.now() + 1e6, 'old');
    await redis.hset('quartermaster:leases', 'old', JSON.stringify(old));
    const next = await joinCluster(url, { limits: { answerMs: 3_600_000 } });
    expect(await problemOf(find(next.shareMembers(null), questionAbout(GUILD)))).toMatchObject({
      code: 'member_list_unavailable',
      retryAfterSeconds: 5,
    });
    const leases = Object.values(await redis.hgetall('quartermaster:leases'));
    const own = leases.find((json) => json !== JSON.stringify(old)) ?? '';
    expect(Object.keys(JSON.parse(own) as object)).not.toContain('origin');
  });
});

describe.skipIf(isWithoutRedis)('a process that requests', () => {
  test('does not use a response that is late because the process was paused', async () => {
    let pausedAt = -Infinity;
    const { lists, members } = await startTwo({ lastProcessPauseAt: () => pausedAt });
    lists.onAnswer = () => {
      pausedAt = performance.now();
    };
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({
      code: 'member_list_unavailable',
    });
    lists.onAnswer = () => {};
    expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 3 });
  });

  test('does not wait for a shard holder that is killed before it answers', async () => {
    const { lists, shardHolder, members } = await startTwo({ limits: { answerMs: 3_600_000 } });
    lists.beforeAnswer = () => shardHolder[Symbol.asyncDispose]();
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({
      code: 'member_list_unavailable',
    });
  });

  test('does not wait for a caller that has disconnected', async () => {
    const { lists, members } = await startTwo({ limits: { answerMs: 3_600_000 } });
    const caller = new AbortController();
    lists.beforeAnswer = () => {
      caller.abort();
      return Promise.withResolvers<never>().promise;
    };
    expect((await problemOf(find(members, questionAbout(GUILD), caller))).name).toBe('AbortError');
    await expect(find(members, questionAbout(GUILD), caller)).rejects.toThrow('aborted');
  });
});
