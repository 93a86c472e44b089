import { setTimeout } from 'node:timers/promises';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { Problem } from '../../src/kernel/problem.ts';
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
import { anyCaller } from '../fixtures/any-caller.ts';
import { POLL } from '../fixtures/poll.ts';
import { isRedisServerMissing, startPrivateRedis, type PrivateRedis } from '../fixtures/private-redis.ts';

const isWithoutServer = isRedisServerMissing();
/** The deadline of a question is short: none of these answers needs it. */
const TIMES = { renewMs: 100, leaseMs: 2_000, commandTimeoutMs: 1_000, limits: { answerMs: 1_000 } };
const LONG = guildOf(0, 2);
const SHORT = guildOf(0, 2, 2);
const OWN = guildOf(1, 2);

async function startRedis(...args: readonly string[]): Promise<PrivateRedis> {
  const redis = await startPrivateRedis(...args);
  onTestFinished(() => redis[Symbol.asyncDispose]());
  return redis;
}

/** Two shard holders, of which the second asks the first over and over until the test ends, or `stop` is called. */
async function startAsking(shardHolderUrl: string, askerUrl = shardHolderUrl) {
  const lists = new Lists({ [LONG]: 20_000, [SHORT]: 10 });
  const shardHolder = await joinCluster(shardHolderUrl, TIMES);
  shardHolder.shareMembers(lists);
  await shardHolder.holdShard(0, 2);
  const asker = await joinCluster(askerUrl, TIMES);
  const members = asker.shareMembers(new Lists({ [OWN]: 2 }));
  await asker.holdShard(1, 2);
  const expected = new Map<string, string>();
  for (const guildId of [LONG, SHORT])
    expected.set(guildId, (await read(find(lists, questionAbout(guildId)))).bytes);

  const found = { right: 0, unavailable: 0, wrong: [] as unknown[] };
  const end = new AbortController();
  const askAgainAndAgain = async (guildId: string) => {
    while (!end.signal.aborted) {
      try {
        const { bytes } = await read(find(members, questionAbout(guildId), end));
        if (bytes === expected.get(guildId)) found.right += 1;
        else found.wrong.push(bytes.length);
      } catch (problem) {
        const isRight = problem instanceof Problem && problem.code === 'member_list_unavailable';
        if (isRight && problem.retryAfterSeconds === 5) found.unavailable += 1;
        else if (!end.signal.aborted) found.wrong.push(problem);
      }
      await setTimeout(5);
    }
  };
  const asking = [LONG, SHORT, SHORT].map(askAgainAndAgain);
  const stop = async () => {
    end.abort();
    await Promise.all(asking);
    return found;
  };
  onTestFinished(() => void stop());
  const more = async (kind: 'right' | 'unavailable') => {
    const wanted = found[kind] + 5;
    await vi.waitFor(() => expect(found[kind]).toBeGreaterThanOrEqual(wanted), POLL);
  };
  return { shardHolder, asker, members, more, stop };
}

const say = (node: ClusterNode) => node.lines.join('');

describe.skipIf(isWithoutServer)('a request to another process', () => {
  test('fails as soon as Redis does not accept it, however long a response may take', async () => {
    const redis = await startRedis();
    const shardHolder = await joinCluster(redis.url);
    shardHolder.shareMembers(new Lists({ [SHORT]: 10 }));
    await shardHolder.holdShard(0, 2);
    const asker = await joinCluster(redis.url, { messageTimeoutMs: 200 });
    const members = asker.shareMembers(null);
    await find(members, questionAbout(SHORT));
    redis.signal('SIGSTOP');
    try {
      expect(await problemOf(find(members, questionAbout(SHORT)))).toMatchObject({
        code: 'member_list_unavailable',
        retryAfterSeconds: 5,
        cause: { message: 'Command timed out' },
      });
    } finally {
      redis.signal('SIGCONT');
    }
  });
});

describe.skipIf(isWithoutServer)(
  'lists of another process are complete or missing, and recover on their own',
  () => {
    test('when Redis is killed and started again', async () => {
      const redis = await startRedis();
      const { members, more, stop, asker } = await startAsking(redis.url);
      await more('right');
      await redis.kill();
      await more('unavailable');
      // A process that is not connected does not wait for the deadline, and has its own lists.
      expect(await read(find(members, questionAbout(OWN)))).toMatchObject({ count: 2 });
      await redis.start();
      await more('right');
      expect((await stop()).wrong).toEqual([]);
      expect(asker.state()).toMatchObject({ openQuestions: 0, remoteListBytes: 0 });
    });

    test('when Redis is paused', async () => {
      const redis = await startRedis();
      const { members, more, stop } = await startAsking(redis.url);
      await more('right');
      redis.signal('SIGSTOP');
      try {
        await more('unavailable');
        expect(await read(find(members, questionAbout(OWN)))).toMatchObject({ count: 2 });
      } finally {
        redis.signal('SIGCONT');
      }
      await more('right');
      expect((await stop()).wrong).toEqual([]);
    });

    test('when Redis drops connections in the middle of long lists repeatedly', async () => {
      const redis = await startRedis();
      const { more, stop } = await startAsking(redis.url);
      for (let n = 0; n < 5; n += 1) {
        await more('right');
        await redis.admin.call('CLIENT', 'KILL', 'TYPE', n % 2 === 0 ? 'pubsub' : 'normal', 'SKIPME', 'yes');
      }
      await more('right');
      expect((await stop()).wrong).toEqual([]);
    });

    test('when Redis revokes the channel rights of a user and grants them again', async () => {
      const redis = await startRedis();
      const setRights = (...rights: readonly string[]) =>
        redis.admin.call('ACL', 'SETUSER', 'bot', 'on', '>hunter2', '~*', '+@all', ...rights);
      await setRights('allchannels');
      const { more, stop, asker } = await startAsking(`redis://bot:hunter2@127.0.0.1:${redis.port}`);
      await more('right');
      await setRights('resetchannels');
      await more('unavailable');
      await vi.waitFor(
        () => expect(asker.state()).toMatchObject({ redis: 'ok', receivesMessages: false }),
        POLL,
      );
      expect(say(asker)).toContain('this process does not hear the others');
      await setRights('allchannels');
      await more('right');
      expect((await stop()).wrong).toEqual([]);
    });
  },
);

describe.skipIf(isWithoutServer)('a Redis that refuses long messages', () => {
  test('leads to a hint to use pages, which work', async () => {
    const redis = await startRedis('--proto-max-bulk-len', String(2 ** 20));
    const lists = new Lists({ [LONG]: 140_000 });
    const shardHolder = await joinCluster(redis.url);
    shardHolder.shareMembers(lists);
    await shardHolder.holdShard(0, 2);
    const members = (await joinCluster(redis.url, { limits: { answerMs: 2_000 } })).shareMembers(null);
    // What the shard holder says of it may be lost with the connection that Redis closes; then the caller asks again.
    await vi.waitFor(async () => {
      const problem = await problemOf(find(members, questionAbout(LONG)));
      expect(problem).toMatchObject({ code: 'busy', field: 'limit' });
    }, POLL);
    await vi.waitFor(async () => {
      expect(await read(find(members, questionAbout(LONG, { limit: 100_000 })))).toMatchObject({
        returned: 100_000,
      });
    }, POLL);
  });
});

/** What scale.md and security.md say. */
const RIGHTS = (prefix: string) => [
  'reset',
  'on',
  '>hunter2',
  `~${prefix}quartermaster:*`,
  `&${prefix}quartermaster:*`,
  '+@all',
  '-@admin',
  '-@dangerous',
  '+info',
];

describe.skipIf(isWithoutServer)('two bots on one Redis', () => {
  test('work with a user and a keyPrefix each, and cannot receive, ask or read one another', async () => {
    const redis = await startRedis();
    const nodes = [];
    for (const [bot, count] of [
      ['red', 3],
      ['blue', 4],
    ] as const) {
      await redis.admin.call('ACL', 'SETUSER', bot, ...RIGHTS(`${bot}:`));
      const url = `redis://${bot}:hunter2@127.0.0.1:${redis.port}/?keyPrefix=${bot}:`;
      const shardHolder = await joinCluster(url, TIMES);
      shardHolder.shareMembers(new Lists({ [SHORT]: count }));
      await shardHolder.holdShard(0, 2);
      const asker = await joinCluster(url, TIMES);
      nodes.push({ url, shardHolder, asker, members: asker.shareMembers(null), count });
    }
    for (const { members, asker, shardHolder, count } of nodes) {
      expect(await read(find(members, questionAbout(SHORT)))).toMatchObject({ count });
      expect(asker.state()).toMatchObject({ redis: 'ok', receivesMessages: true, processes: 2 });
      expect(await asker.limiter.take('guild', '1')).toMatchObject({ isAllowed: true });
      expect(await asker.waitForIdentify(0, anyCaller.signal, { left: 10, reserve: 0 })).toBe(true);
      expect(say(shardHolder) + say(asker)).not.toContain('NOPERM');
    }
    // The user of one with the names of the other.
    const url = new URL(nodes[0]?.url ?? '');
    url.searchParams.set('keyPrefix', 'blue:');
    await expect(joinCluster(url.href, TIMES)).rejects.toThrow('NOPERM');
  });
});
