import { readFileSync } from 'node:fs';
import tls from 'node:tls';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { openStorage } from '../../src/storage/storage.ts';
import {
  find,
  guildOf,
  joinCluster,
  Lists,
  problemOf,
  questionAbout,
  read,
  type ClusterNode,
} from '../fixtures/cluster-setup.ts';
import { RedisDeliveryStore } from '../../src/cluster/redis-delivery-store.ts';
import { POLL } from '../fixtures/poll.ts';
import { isRedisServerMissing, startPrivateRedis, type PrivateRedis } from '../fixtures/private-redis.ts';
import { startTlsRedis } from '../fixtures/tls-redis.ts';
import { startTcpProxy } from '../fixtures/storage-tcp-proxy.ts';

const isWithoutServer = isRedisServerMissing();
const TIMES = { renewMs: 50, commandTimeoutMs: 1_000 };
const GUILD = guildOf(0, 1);

async function start(...args: readonly string[]): Promise<PrivateRedis> {
  const redis = await startPrivateRedis(...args);
  onTestFinished(() => redis[Symbol.asyncDispose]());
  return redis;
}
const join = (url: string) => joinCluster(url, TIMES);
const say = (node: ClusterNode) => node.lines.join('');

/** The same Redis as a user with these rights. */
async function asUser(redis: PrivateRedis, ...rights: readonly string[]): Promise<string> {
  await redis.admin.call('ACL', 'SETUSER', 'bot', 'on', '>hunter2', '~*', '+@all', ...rights);
  return `redis://bot:hunter2@127.0.0.1:${redis.port}`;
}

describe.skipIf(isWithoutServer)('a user of Redis', () => {
  test.each([
    ['without channels', ['resetchannels']],
    ['without the command subscribe', ['allchannels', '-subscribe']],
    ['without the command publish', ['allchannels', '-publish']],
  ])('%s fails startup with a one-sentence reason, and keeps no connection', async (_, rights) => {
    const redis = await start();
    const failure = await joinCluster(await asUser(redis, ...rights), TIMES).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    const { message } = failure as Error;
    expect(message).toMatch(
      /^REDIS_URL: Redis at 127\.0\.0\.1:\d+ does not let this process hear the others: .*NOPERM.*\. Its user needs the commands subscribe and publish and the channels quartermaster:\*/,
    );
    expect(message).not.toContain('hunter2');
    await vi.waitFor(async () => {
      expect(await redis.admin.call('CLIENT', 'LIST')).not.toContain('user=bot');
    }, POLL);
  });

  test('needs only the named rights to start', async () => {
    const redis = await start();
    const url = await asUser(redis, 'resetchannels', '&quartermaster:*');
    expect((await join(url)).state()).toMatchObject({ redis: 'ok', receivesMessages: true });
  });

  test('stops receiving when it loses its channels, and receives again with them', async () => {
    const redis = await start();
    const url = await asUser(redis, 'allchannels');
    const [one, other] = [await join(url), await join(url)];
    await asUser(redis, 'resetchannels');
    await vi.waitFor(() => expect(one.state()?.receivesMessages).toBe(false), POLL);
    expect(one.state()?.redis).toBe('ok');
    expect(say(one)).toContain('this process does not hear the others');
    await asUser(redis, 'allchannels');
    await vi.waitFor(() => {
      expect([one.state()?.receivesMessages, other.state()?.receivesMessages]).toEqual([true, true]);
    }, POLL);
    expect(say(one)).toContain('this process hears the others again');
    const heard: string[] = [];
    other.onKeysChanged((guildId) => heard.push(guildId));
    one.publishKeysChanged(GUILD);
    await vi.waitFor(() => expect(heard).toEqual([GUILD]), POLL);
  });
});

describe.skipIf(isWithoutServer)('a Redis that refuses writes', () => {
  test.each([
    [
      'became a replica',
      async (old: PrivateRedis, next: PrivateRedis) => {
        await old.admin.replicaof('127.0.0.1', next.port);
      },
    ],
    [
      'has lost its master',
      async (old: PrivateRedis) => {
        await old.admin.config('SET', 'replica-serve-stale-data', 'no');
        await old.admin.replicaof('127.0.0.1', 1);
      },
    ],
    [
      'is reading its data',
      async (old: PrivateRedis) => {
        await old.admin.call('DEBUG', 'POPULATE', '2000');
        await old.admin.config('SET', 'key-load-delay', '5000');
        void old.admin.call('DEBUG', 'RELOAD').catch(() => undefined);
      },
    ],
  ])('and %s is replaced by the one that its URL leads to now', async (_, fail) => {
    const debug = ['--enable-debug-command', 'yes', '--loading-process-events-interval-bytes', '1024'];
    const [old, next] = [await start(...debug), await start()];
    const target = { host: '127.0.0.1', port: old.port };
    const proxy = await startTcpProxy(target);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const url = `redis://127.0.0.1:${proxy.port}`;
    const [shardHolder, other] = [await join(url), await join(url)];
    shardHolder.shareMembers(new Lists({ [GUILD]: 3 }));
    await shardHolder.holdShard(0, 1);
    await using storage = await openStorage(url);
    const texts = storage.namespace('texts', (value): value is string => typeof value === 'string');
    const members = other.shareMembers(null);
    await vi.waitFor(() => find(members, questionAbout(GUILD)), POLL);

    // As a failover does: the address leads elsewhere, and connections of before stay where they are.
    target.port = next.port;
    await fail(old, next);
    await vi.waitFor(async () => expect(await next.admin.hlen('quartermaster:leases')).toBe(2), POLL);
    await vi.waitFor(() => texts.set('key', 'value'), POLL);
    await vi.waitFor(() => {
      for (const node of [shardHolder, other])
        expect(node.state()).toMatchObject({ redis: 'ok', receivesMessages: true });
    }, POLL);
    expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 3 });
    const heard: string[] = [];
    other.onKeysChanged((guildId) => heard.push(guildId));
    shardHolder.publishKeysChanged(GUILD);
    await vi.waitFor(() => expect(heard).toEqual([GUILD]), POLL);
  });

  test('counts as unavailable until it takes writes again, unless another one replaces it', async () => {
    const [redis, master] = [await start(), await start()];
    const node = await join(redis.url);
    await redis.admin.replicaof('127.0.0.1', master.port);
    await vi.waitFor(() => expect(node.state()?.redis).toBe('away'), POLL);
    expect(say(node)).toContain('Redis is away');
    expect(say(node)).toContain('READONLY');
    await redis.admin.replicaof('NO', 'ONE');
    await vi.waitFor(() => expect(node.state()?.redis).toBe('ok'), POLL);
    expect(say(node).split('Redis is away')).toHaveLength(2);
    expect(say(node).split('Redis is back')).toHaveLength(2);
  });

  test('fails startup with a one-sentence error', async () => {
    const [redis, master] = [await start(), await start()];
    await redis.admin.replicaof('127.0.0.1', master.port);
    await expect(joinCluster(redis.url, TIMES)).rejects.toThrow(
      /^REDIS_URL: Redis at 127\.0\.0\.1:\d+ cannot be used: READONLY/,
    );
  });
});

describe.skipIf(isWithoutServer)('a Redis 6.2', () => {
  test('is supported, although SET with NX and GET needs 7.0', async () => {
    const redis = await start();
    const said: string[][] = [];
    const monitor = await redis.admin.monitor();
    onTestFinished(() => monitor.disconnect());
    monitor.on('monitor', (_time: string, args: string[]) => said.push(args));
    const node = await join(redis.url);
    await node.holdShard(0, 1);
    const { deliveryStore } = node;
    expect(await deliveryStore?.reserveKey('key', 'one')).toBeNull();
    expect(await deliveryStore?.reserveKey('key', 'two')).toBe('one');
    expect([
      await deliveryStore?.lockWebhook('1', 'one'),
      await deliveryStore?.lockWebhook('1', 'two'),
    ]).toEqual([true, false]);
    await deliveryStore?.unlockWebhook('1', 'two');
    expect(await deliveryStore?.hasWebhook('1', 'one')).toBe(true);
    await deliveryStore?.unlockWebhook('1', 'one');
    expect(await deliveryStore?.lockWebhook('1', 'two')).toBe(true);
    await vi.waitFor(() => expect(said.flat().join(' ')).toContain('two'), POLL);
    const words = said.map((args) => args.map((arg) => arg.toUpperCase()));
    expect(words.filter((args) => args[0] === 'SET' && args.includes('NX') && args.includes('GET'))).toEqual(
      [],
    );
  });
});

test.skipIf(isWithoutServer)('a key that is released while it is requested is reserved', async () => {
  const { admin } = await start();
  const deliveryStore = new RedisDeliveryStore({ redis: admin, lockMs: 30_000, noLocksMs: 23_000 });
  expect(await deliveryStore.reserveKey('key', 'one')).toBeNull();
  vi.spyOn(admin, 'get').mockImplementationOnce(async () => {
    await deliveryStore.releaseKey('key', 'one');
    return null;
  });
  expect(await deliveryStore.reserveKey('key', 'two')).toBeNull();
  expect(await deliveryStore.reserveKey('key', 'three')).toBe('two');
});

test.skipIf(isWithoutServer)(
  'a result that Redis refused is saved a second later, and none twice',
  async () => {
    const { admin } = await start();
    const deliveryStore = new RedisDeliveryStore({ redis: admin, lockMs: 30_000, noLocksMs: 23_000 });
    const set = vi.spyOn(admin, 'set');
    await deliveryStore.saveResult('one', 'sent');
    set.mockRejectedValueOnce(new Error('away'));
    await deliveryStore.saveResult('two', 'sent');
    // A second attempt for the first one would come before that of the second.
    await expect.poll(() => admin.get('quartermaster:send:two'), POLL).toBe('sent');
    expect(set.mock.calls.map(([name]) => String(name).split(':').at(-1))).toEqual(['one', 'two', 'two']);
  },
);

describe.skipIf(isWithoutServer)('a Redis that was full', () => {
  test('is soon used again, and the other processes then see the lease that it refused', async () => {
    const redis = await start();
    // A lease lasts longer than the test, so nothing but the return of Redis renews it.
    const times = { renewMs: 3_600_000, leaseMs: 7_200_000, retryMs: 50 };
    const [shardHolder, other] = [await joinCluster(redis.url, times), await joinCluster(redis.url, times)];
    shardHolder.shareMembers(new Lists({ [GUILD]: 3 }));
    const members = other.shareMembers(null);
    await redis.admin.config('SET', 'maxmemory', '1');
    await shardHolder.holdShard(0, 1);
    await vi.waitFor(() => expect(shardHolder.state()?.redis).toBe('away'), POLL);
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({
      code: 'member_list_unavailable',
    });
    await redis.admin.config('SET', 'maxmemory', '0');
    await vi.waitFor(async () => {
      expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 3 });
    }, POLL);
    for (const node of [shardHolder, other])
      expect(node.state()).toMatchObject({ redis: 'ok', receivesMessages: true });
  });
});

describe.skipIf(isWithoutServer)('a URL with the wrong scheme', () => {
  test('fails startup with a sentence that names the right one', async () => {
    await using redis = await startTlsRedis();
    const tlsAddress = `127.0.0.1:${redis.tlsPort}`;
    await expect(joinCluster(`redis://${tlsAddress}`, TIMES)).rejects.toThrow(
      /^REDIS_URL: Redis at \S+ cannot be used: .+\. If this port expects TLS, begin the URL with rediss:\/\/\.$/,
    );
    await expect(
      joinCluster(`rediss://127.0.0.1:${redis.port}`, { ...TIMES, connectTimeoutMs: 200 }),
    ).rejects.toThrow(/\. If this port does not use TLS, begin the URL with redis:\/\/\.$/);
    // Nothing listens there at all, and this certificate is one that nobody has signed.
    await expect(joinCluster('redis://127.0.0.1:1', TIMES)).rejects.toThrow(/ECONNREFUSED 127\.0\.0\.1:1$/);
    await expect(joinCluster(`rediss://${tlsAddress}`, TIMES)).rejects.toThrow(
      /self-signed certificate.*[^.]$/,
    );
  });
});

test.skipIf(isWithoutServer)('processes answer for each other over rediss://, long lists too', async () => {
  await using redis = await startTlsRedis();
  const before = tls.getCACertificates('default');
  onTestFinished(() => tls.setDefaultCACertificates(before));
  // As NODE_EXTRA_CA_CERTS does at the start of a process.
  tls.setDefaultCACertificates([...before, readFileSync(redis.certFile, 'utf8')]);
  const url = `rediss://localhost:${redis.tlsPort}`;
  await using _storage = await openStorage(`${url}/1`);
  const [holder, other] = [await join(url), await join(url)];
  holder.shareMembers(new Lists({ [GUILD]: 5_000 }));
  await holder.holdShard(0, 1);
  const members = other.shareMembers(null);
  await vi.waitFor(async () => {
    expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 5_000 });
  }, POLL);
  const clients = String(await redis.admin.call('CLIENT', 'LIST', 'TYPE', 'pubsub'));
  expect(clients.trim().split('\n')).toHaveLength(2);
});

describe.skipIf(isWithoutServer)('a Redis without the database of its URL', () => {
  test('fails startup permanently with a one-sentence error', async () => {
    const redis = await start('--databases', '2');
    await expect(join(`${redis.url}/2`)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^REDIS_URL: Redis at \S+ cannot be used: database 2 cannot be selected \(.*DB index.*\)$/,
      ) as string,
      isFinal: true,
    });
  });

  test('counts as unavailable when it replaces one that held a lease', async () => {
    const [redis, other] = [await start(), await start('--databases', '2')];
    const target = { host: '127.0.0.1', port: redis.port };
    const proxy = await startTcpProxy(target);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const node = await join(`redis://127.0.0.1:${proxy.port}/2`);
    target.port = other.port;
    await proxy.restore();
    await vi.waitFor(async () => {
      expect(await other.admin.info('commandstats')).toMatch(/cmdstat_select:.*failed_calls=[1-9]/);
      expect(node.state()?.redis).toBe('away');
    }, POLL);
    expect(await other.admin.dbsize()).toBe(0);
  });
});
