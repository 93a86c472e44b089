import { describe, expect, test, vi } from 'vitest';

import {
  anyone,
  guildOf,
  joinCluster,
  Lists,
  newRedisUrl,
  problemOf,
  query,
  read,
  openRedis,
  startRedisProxy,
} from '../fixtures/cluster-bench.ts';
import { PATIENCE } from '../fixtures/patience.ts';
import { isMissing, REDIS_URL, throughPort } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);
const GUILD = guildOf(0, 1);
const NEVER_MS = 3_600_000;

/** The owner of the only shard, and what another process that has read its lease asks it. */
async function startOwner(options: Parameters<typeof joinCluster>[1] = {}) {
  const url = newRedisUrl();
  const proxy = await startRedisProxy();
  const owner = await joinCluster(throughPort(url, proxy.port), options);
  owner.joinMembers(new Lists({ [GUILD]: 3 }));
  await owner.holdShard(0, 1);
  const redis = await openRedis(url);
  const readLease = async () => {
    const [json = '{}'] = Object.values(await redis.hgetall('quartermaster:leases'));
    return JSON.parse(json) as { origin: string; secret: string };
  };
  const { origin } = await readLease();
  const ask = async (secret: string) => {
    const path = `/members?${Buffer.from(JSON.stringify(query(GUILD))).toString('base64url')}`;
    const response = await fetch(origin + path, { headers: { authorization: secret } });
    return response.status;
  };
  return { url, proxy, owner, redis, readLease, ask };
}

describe.skipIf(isWithoutRedis)('the lease of a process', () => {
  test('ends by its own clock when it cannot be renewed, and questions are refused from then on', async () => {
    const { proxy, readLease, ask } = await startOwner({
      renewMs: 50,
      leaseMs: 2_000,
      commandTimeoutMs: 1_000,
    });
    const { secret } = await readLease();
    expect(await ask(secret)).toBe(200);
    proxy.hang();
    await vi.waitFor(async () => expect(await ask(secret)).toBe(503), PATIENCE);
    await proxy.restore();
    await vi.waitFor(async () => expect(await ask((await readLease()).secret)).toBe(200), PATIENCE);
  });

  test('does not count after the process has stood still, until it is renewed', async () => {
    let gapAt = -Infinity;
    const { owner, readLease, ask } = await startOwner({ renewMs: NEVER_MS, lastGapAt: () => gapAt });
    const { secret } = await readLease();
    expect(await ask(secret)).toBe(200);
    gapAt = performance.now();
    expect(await ask(secret)).toBe(503);
    await owner.holdShard(0, 1);
    expect(await ask(secret)).toBe(200);
  });

  test('changes its secret with time, without a question that fails', async () => {
    const times = { renewMs: 20, leaseMs: 1_000 };
    const { url, readLease, ask } = await startOwner(times);
    const other = await joinCluster(url, times);
    const members = other.joinMembers(null);
    const { secret } = await readLease();
    const secrets = new Set<string>();
    while (secrets.size < 3) {
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 3 });
      secrets.add((await readLease()).secret);
    }
    expect(await ask(secret)).toBe(401);
  });

  test('is given up with the shards: the port answers nobody for them any more', async () => {
    const { owner, readLease, ask } = await startOwner();
    const { secret } = await readLease();
    await owner.releaseShards();
    expect(await ask(secret)).toBe(503);
  });

  test('is taken out of Redis when the process ends', async () => {
    const { owner, redis } = await startOwner();
    expect(await redis.hlen('quartermaster:leases')).toBe(1);
    await owner[Symbol.asyncDispose]();
    expect(await redis.exists('quartermaster:leases', 'quartermaster:processes')).toBe(0);
  });
});

describe.skipIf(isWithoutRedis)('a process that asks', () => {
  test('and has stood still meanwhile does not take the answer for a new one', async () => {
    const url = newRedisUrl();
    const lists = new Lists({ [GUILD]: 3 });
    const owner = await joinCluster(url);
    owner.joinMembers(lists);
    await owner.holdShard(0, 1);
    let gapAt = -Infinity;
    const members = (await joinCluster(url, { lastGapAt: () => gapAt })).joinMembers(null);
    lists.wrap = (listing) => {
      gapAt = performance.now();
      return listing;
    };
    expect(await problemOf(members.find(query(GUILD), anyone))).toMatchObject({
      code: 'member_list_unavailable',
    });
    lists.wrap = (listing) => listing;
    expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 3 });
  });

  test('says in its state when it cannot reach an owner, until it can', async () => {
    const url = newRedisUrl();
    const [owner, other] = [await joinCluster(url, { renewMs: 20 }), await joinCluster(url, { renewMs: 20 })];
    await owner.holdShard(0, 1);
    expect(other.state()).toMatchObject({ processes: 2, unreachable: 0 });
    const redis = await openRedis(url);
    // As of an owner behind a wall: its lease runs, and nothing answers where it says that it can be asked.
    const lease = { origin: 'http://127.0.0.1:1', secret: 'x'.repeat(40), shardCount: 1, shards: [[0, 1]] };
    await redis.zadd('quartermaster:processes', 4e12, 'walled-off');
    await redis.hset('quartermaster:leases', 'walled-off', JSON.stringify(lease));
    await vi.waitFor(() => expect(other.state()).toMatchObject({ processes: 3, unreachable: 1 }), PATIENCE);
    expect(other.lines.join('')).toContain('check CLUSTER_HOST and CLUSTER_PORT');
    await redis.zrem('quartermaster:processes', 'walled-off');
    await vi.waitFor(() => expect(other.state()).toMatchObject({ unreachable: 0 }), PATIENCE);
  });
});
