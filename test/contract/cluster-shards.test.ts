import { describe, expect, test, vi } from 'vitest';

import {
  find,
  guildOf,
  joinCluster,
  Lists,
  newRedisUrl,
  problemOf,
  questionAbout,
  type ClusterNode,
  openRedis,
  startRedisProxy,
} from '../fixtures/cluster-setup.ts';
import { anyCaller } from '../fixtures/any-caller.ts';
import { POLL } from '../fixtures/poll.ts';
import { isMissing, REDIS_URL, throughPort } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);
const heldTwice = (node: ClusterNode) => node.state()?.shardsHeldTwice;
const warnings = (node: ClusterNode) => node.lines.filter((line) => line.includes('another process holds'));

describe.skipIf(isWithoutRedis)('a shard', () => {
  test('is reported once by both processes that hold it, until one releases it', async () => {
    const url = newRedisUrl();
    const [one, other] = [await joinCluster(url, { renewMs: 20 }), await joinCluster(url, { renewMs: 20 })];
    for (const shardId of [0, 1, 2]) await one.holdShard(shardId, 4);
    for (const shardId of [2, 3]) await other.holdShard(shardId, 4);
    await vi.waitFor(() => expect([heldTwice(one), heldTwice(other)]).toEqual([[2], [2]]), POLL);
    expect([one.state()?.shards, other.state()?.shards]).toEqual([3, 2]);
    await other.releaseShards();
    await vi.waitFor(() => expect(heldTwice(one)).toEqual([]), POLL);
    expect([heldTwice(other), other.state()?.shards]).toEqual([[], 0]);
    expect(warnings(one)).toHaveLength(1);
    expect(warnings(one)[0]).toContain('"shards":[2]');
    expect(one.lines.join('')).toContain('held by it alone again');
  });

  test('does not count as held twice after a change of the shard count, which moves guilds', async () => {
    const url = newRedisUrl();
    const [one, other] = [await joinCluster(url, { renewMs: 20 }), await joinCluster(url, { renewMs: 20 })];
    await one.holdShard(0, 1);
    await other.holdShard(0, 2);
    await Promise.all([one.holdShard(0, 1), other.holdShard(0, 2)]);
    expect([heldTwice(one), heldTwice(other)]).toEqual([[], []]);
  });

  test('is free when the lease of a vanished process ends, and its successor does not count as a second shard holder', async () => {
    const url = newRedisUrl();
    const proxy = await startRedisProxy();
    const times = { renewMs: 50, leaseMs: 1_000 };
    const gone = await joinCluster(throughPort(url, proxy.port), times);
    gone.shareMembers(new Lists({ [guildOf(0, 1)]: 1 }));
    await gone.holdShard(0, 1);
    const members = (await joinCluster(url, times)).shareMembers(null);
    await find(members, questionAbout(guildOf(0, 1)));
    await proxy.cut();
    // It takes the place of the other while that lease still runs.
    const next = await joinCluster(url, times);
    await next.holdShard(0, 1);
    next.shareMembers(new Lists({ [guildOf(0, 1)]: 2 }));
    await vi.waitFor(async () => {
      expect(await find(members, questionAbout(guildOf(0, 1)))).toMatchObject({ count: 2 });
    }, POLL);
    await next.releaseShards();
    await vi.waitFor(async () => {
      expect(await problemOf(find(members, questionAbout(guildOf(0, 1))))).toMatchObject({
        code: 'member_list_unavailable',
      });
    }, POLL);
    expect(heldTwice(next)).toEqual([]);
    expect(warnings(next)).toEqual([]);
  });

  test('is forgotten by all processes when its lease has ended', async () => {
    const url = newRedisUrl();
    const redis = await openRedis(url);
    const keys = ['quartermaster:processes', 'quartermaster:leases'];
    const shardHolder = await joinCluster(url, { renewMs: 3_600_000, leaseMs: 1_000 });
    await shardHolder.holdShard(0, 1);
    expect(await redis.exists(...keys)).toBe(2);
    await vi.waitFor(async () => expect(await redis.exists(...keys)).toBe(0), POLL);
  });
});

describe.skipIf(isWithoutRedis)('changed keys', () => {
  test('are published to all processes', async () => {
    const url = newRedisUrl();
    const nodes = [await joinCluster(url), await joinCluster(url), await joinCluster(url)];
    const heard = nodes.map((): string[] => []);
    for (const [index, node] of nodes.entries()) node.onKeysChanged((id) => heard[index]?.push(id));
    nodes[0]?.publishKeysChanged('123456789012345678');
    nodes[1]?.publishKeysChanged('0');
    await vi.waitFor(() => {
      for (const list of heard) expect(list.toSorted()).toEqual(['0', '123456789012345678']);
    }, POLL);
  });
});

describe.skipIf(isWithoutRedis)('identifies', () => {
  const plenty = { left: 1_000, reserve: 0 };

  test('wait for one another in a bucket, whichever process requests them', async () => {
    const url = newRedisUrl();
    const identifyWindowMs = 100;
    const nodes = [
      await joinCluster(url, { identifyWindowMs }),
      await joinCluster(url, { identifyWindowMs }),
    ];
    const redis = await openRedis(url);
    const seconds = async () => {
      const [second = 0, micros = 0] = (await redis.time()).map(Number);
      return second * 1_000 + micros / 1_000;
    };
    const startedAt = await seconds();
    const times = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        await nodes[n % 2]?.waitForIdentify(0, anyCaller.signal, plenty);
        return seconds();
      }),
    );
    // The clock of Redis counts whole milliseconds.
    for (const [place, at] of times.toSorted((a, b) => a - b).entries()) {
      expect(at - startedAt).toBeGreaterThanOrEqual(place * (identifyWindowMs - 2));
    }
  });

  test('do not wait for other buckets', async () => {
    const node = await joinCluster(newRedisUrl(), { identifyWindowMs: 3_600_000 });
    for (let bucket = 0; bucket < 16; bucket += 1)
      await node.waitForIdentify(bucket, anyCaller.signal, plenty);
    const stop = new AbortController();
    const waits = node.waitForIdentify(15, stop.signal, plenty);
    stop.abort();
    await expect(waits).rejects.toThrow('aborted');
  });

  test('continue after a lock that would never end', async () => {
    const url = newRedisUrl();
    const node = await joinCluster(url, { identifyWindowMs: 50 });
    const redis = await openRedis(url);
    await redis.set('quartermaster:identify:0', 'somebody');
    await redis.set('quartermaster:identify:1', 'somebody', 'EX', 100_000);
    await Promise.all([
      node.waitForIdentify(0, anyCaller.signal, plenty),
      node.waitForIdentify(1, anyCaller.signal, plenty),
    ]);
    expect(await redis.mget('quartermaster:identify:0', 'quartermaster:identify:1')).not.toContain(
      'somebody',
    );
  });

  test.each(['cut', 'hang'] as const)('are possible without Redis when its connections %s', async (fault) => {
    const proxy = await startRedisProxy();
    const url = newRedisUrl();
    const times = { identifyWindowMs: 3_600_000, commandTimeoutMs: 1_000 };
    const node = await joinCluster(throughPort(url, proxy.port), times);
    await node.waitForIdentify(0, anyCaller.signal, plenty);
    await proxy[fault]();
    await node.waitForIdentify(0, anyCaller.signal, plenty);
    expect(node.lines.join('')).toContain('this process identifies at its own pace');
    // The identify before the outage still counts for the others.
    const other = await joinCluster(url, times);
    const stop = new AbortController();
    const waits = other.waitForIdentify(0, stop.signal, plenty);
    stop.abort();
    await expect(waits).rejects.toThrow('aborted');
  });
});
