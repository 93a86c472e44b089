import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isRedisServerMissing, startPrivateRedis, type PrivateRedis } from '../fixtures/private-redis.ts';
import { quickOrFull } from '../fixtures/full-run.ts';
import { isMissing, POSTGRES_URL } from '../fixtures/storage-services.ts';
import type { SimulatedGuild } from '../simulator/guild-model.ts';
import { PausableProxy } from './pausable-proxy.ts';
import {
  ROLE,
  ROUTE,
  startOneShard,
  type Answer,
  type ServiceHere,
  type ServiceProcess,
} from './cluster-setup.ts';

const isWithoutServices = isRedisServerMissing() || (await isMissing('PostgreSQL', POSTGRES_URL, 5432));

const BUSY_MACHINE_MS = 120_000;
/** Longer than what counts as a pause of the process, and shorter than the deadline of a question. */
const STOOD_STILL_MS = 4_000;
/** Twice what passes before a process disappears. */
const MEMBERS = quickOrFull(25_000, 120_000);
const LIST_BYTES = MEMBERS * 8;
/** The lists that may be on their way to a process. */
const COMING_MAX = 2;
const CLUSTER = {
  identifyWindowMs: 100,
  limits: { answerMs: 8_000, comingBytesMax: COMING_MAX * LIST_BYTES },
};

describe.skipIf(isWithoutServices)(
  'a long list when a process disappears in the middle',
  { timeout: BUSY_MACHINE_MS },
  () => {
    const parts = new AsyncDisposableStack();
    let redis: PrivateRedis;
    /** The oldest first. */
    const shardHolders: ServiceProcess[] = [];
    const proxies: PausableProxy[] = [];
    let asker: ServiceProcess;
    let askerProxy: PausableProxy;
    /** It also asks when the other one has been killed. */
    let lastAsker: ServiceHere;
    let key = '';
    let guild: SimulatedGuild;
    let expected: readonly string[] = [];

    beforeAll(async () => {
      redis = parts.use(await startPrivateRedis());
      const shard = parts.use(await startOneShard(MEMBERS, CLUSTER, redis.url));
      ({ guild } = shard);
      expected = guild.holdersOf(ROLE);
      const { search } = new URL(shard.redisUrl);
      const openProxy = async (): Promise<[PausableProxy, { REDIS_URL: string }]> => {
        const proxy = new PausableProxy(redis.port);
        parts.defer(() => proxy.close());
        return [proxy, { REDIS_URL: (await proxy.open()) + search }];
      };
      for (let n = 0; n < 2; n += 1) {
        const [proxy, env] = await openProxy();
        proxies.push(proxy);
        shardHolders.push(await shard.start(env));
      }
      const [proxy, env] = await openProxy();
      askerProxy = proxy;
      asker = await shard.startPlain(env);
      lastAsker = await shard.startPlainHere();
      key = await shard.createKey();
    }, BUSY_MACHINE_MS);
    afterAll(() => parts.disposeAsync(), BUSY_MACHINE_MS);

    /** The difference between two such lists would be too long to print. */
    const isWhole = ({ body }: Answer) => isDeepStrictEqual(body['members'], expected);

    /** On a busy machine a shard holder may pause by itself, and doubt its list until Discord has answered. */
    async function expectWhole(answer: Answer): Promise<void> {
      const { status, ...rest } = answer.status === 503 ? await lastAsker.callUntil(200, ROUTE, key) : answer;
      expect([status, isWhole({ status, ...rest })]).toEqual([200, true]);
    }

    /** Asks, and stops or kills the shard holder when a part of its answer has passed. */
    async function askWhile(
      service: ServiceHere | ServiceProcess,
      shardHolder: number,
      signal: 'SIGSTOP' | 'SIGKILL',
    ) {
      const proxy = proxies[shardHolder]!;
      const held = proxy.holdAfter('sent', 100_000).then(() => 'held');
      let answer = service.call(ROUTE, key);
      // While a shard holder doubts its list, the other one answers.
      while ((await Promise.race([held, answer])) !== 'held') answer = service.call(ROUTE, key);
      if (signal === 'SIGSTOP') shardHolders[shardHolder]?.signal('SIGSTOP');
      else {
        await shardHolders[shardHolder]?.stop('SIGKILL');
        proxy.cut();
      }
      return answer;
    }

    test('stays within its bounds when 64 of them wait for a paused process', async () => {
      const arrived = 10;
      const held = askerProxy.holdAfter('received', arrived * LIST_BYTES);
      const answers = Array.from({ length: 64 }, () => asker.call(ROUTE, key));
      await held;
      asker.signal('SIGSTOP');
      askerProxy.release();
      // The shard holder goes on.
      expect((await shardHolders[1]!.call(`${ROUTE}&count_only=true`, key)).status).toBe(200);
      await delay(STOOD_STILL_MS);
      expect(askerProxy.bytes).toBeLessThan((arrived + COMING_MAX + 1) * LIST_BYTES);
      asker.signal('SIGCONT');
      const found = { right: 0, unavailable: 0, wrong: [] as unknown[] };
      for (const answer of await Promise.all(answers)) {
        const { status, body } = answer;
        if (status === 200 && isWhole(answer)) found.right += 1;
        else if (status === 503 && Number(body['retry_after']) > 0) found.unavailable += 1;
        else found.wrong.push([status, body['code']]);
      }
      expect(found).toMatchObject({ wrong: [] });
      expect(found.right + found.unavailable).toBe(64);
      await asker.callUntil(200, ROUTE, key);
    });

    test('is sent by the older one when the newest is paused', async () => {
      const [, newest] = shardHolders;
      await expectWhole(await askWhile(asker, 1, 'SIGSTOP'));
      // Half of it is on its way, and the other half comes late.
      newest?.signal('SIGCONT');
      proxies[1]?.release();
      await expectWhole(await asker.call(ROUTE, key));
      await newest?.readyUntil({ member_lists: { complete: 1, loading: 0, stale: 0 } });
    });

    test('is sent by the older one when the newest is killed', async () => {
      // The other process has found it silent, and would ask it only after it has renewed its lease.
      await expectWhole(await askWhile(lastAsker, 1, 'SIGKILL'));
      expect(proxies[1]?.bytes).toBeLessThan(LIST_BYTES);
    });

    test('is not answered with old data after the requesting process was paused', async () => {
      const shardHolder = shardHolders[0]!;
      // What is left fits into the socket: all of it is there when the process goes on.
      const held = askerProxy.holdAfter('received', LIST_BYTES - 30_000);
      const answer = asker.call(ROUTE, key);
      await held;
      asker.signal('SIGSTOP');
      guild.removeMember(expected[0] ?? '');
      expected = guild.holdersOf(ROLE);
      await shardHolder.listsUntil(expected.length, key);
      askerProxy.release();
      await delay(STOOD_STILL_MS);
      asker.signal('SIGCONT');
      const { status, body } = await answer;
      expect([status, body['code']]).toEqual([503, 'member_list_unavailable']);
      const next = await asker.callUntil(200, ROUTE, key);
      expect(isWhole(next)).toBe(true);
    });

    test('is still sent to others if a requesting process is killed', async () => {
      const held = askerProxy.holdAfter('received', 100_000);
      const answer = asker.call(ROUTE, key).catch(() => 'gone');
      await held;
      await asker.stop('SIGKILL');
      expect(await answer).toBe('gone');
      expect(asker.output).not.toContain('"level":"error"');
      await expectWhole(await lastAsker.call(ROUTE, key));
      expect(shardHolders[0]?.output).not.toContain('"level":"error"');
    });

    test('is refused when there is no other process', async () => {
      const { status, body } = await askWhile(lastAsker, 0, 'SIGKILL');
      expect({ status, code: body['code'], members: body['members'] }).toEqual({
        status: 503,
        code: 'member_list_unavailable',
        members: undefined,
      });
      expect(proxies[0]?.bytes).toBeLessThan(LIST_BYTES);
      expect(lastAsker.output).not.toContain('"level":"error"');
    });
  },
);
