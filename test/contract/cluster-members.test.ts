import { describe, expect, test, vi } from 'vitest';

import { countsQuery } from '../../src/members/counts-query.ts';
import { Problem } from '../../src/kernel/problem.ts';
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
import { anyCaller } from '../fixtures/any-caller.ts';
import { POLL } from '../fixtures/poll.ts';
import { isMissing, REDIS_URL } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

/** The holder of shard 1 of 2, and a process without shards. */
async function twoProcesses(lists: Lists, limits: Record<string, number> = {}) {
  const url = newRedisUrl();
  const shardHolder = await joinCluster(url, { limits });
  shardHolder.shareMembers(lists);
  await shardHolder.holdShard(1, 2);
  const other = await joinCluster(url, { limits });
  return { url, shardHolder, other, members: other.shareMembers(null) };
}

const GUILD = guildOf(1, 2);
const LARGE_GUILD = guildOf(1, 2, 2);
const EMPTY_GUILD = guildOf(1, 2, 3);
const AWAY = "The process with this server's member list cannot be reached right now.";
const STARTING = 'The service is starting and is not connected to Discord yet.';

describe.skipIf(isWithoutRedis)('the list of a guild of another process', () => {
  test('equals what its shard holder would answer, to the byte', async () => {
    const lists = new Lists({ [EMPTY_GUILD]: 0, [GUILD]: 1_000, [LARGE_GUILD]: 100_000 });
    const { members } = await twoProcesses(lists);
    const after = String(10n ** 17n + 5n * 7_919n);
    for (const asked of [
      questionAbout(GUILD),
      questionAbout(GUILD, { countOnly: true }),
      questionAbout(GUILD, { limit: 10 }),
      questionAbout(GUILD, { limit: 1_000 }),
      questionAbout(GUILD, { limit: 700, after }),
      questionAbout(GUILD, { all: [GUILD] }),
      questionAbout(EMPTY_GUILD),
      questionAbout(LARGE_GUILD),
      questionAbout(LARGE_GUILD, { countOnly: true }),
      questionAbout(LARGE_GUILD, { limit: 50_000, after }),
    ]) {
      expect(await read(find(members, asked))).toEqual(await read(find(lists, asked)));
    }
    const listing = await find(members, questionAbout(LARGE_GUILD));
    expect(listing.members.toJSON()).toEqual(
      (await find(lists, questionAbout(LARGE_GUILD))).members.toJSON(),
    );
  });

  test('is drawn by its shard holder, in the order of the draw, and again for each caller', async () => {
    const lists = new Lists({ [GUILD]: 1_000 });
    const { members } = await twoProcesses(lists);
    const draw = async () => {
      const listing = await find(members, questionAbout(GUILD, { sample: 100 }));
      expect(listing).toMatchObject({ count: 1_000, returned: 100 });
      const text = Buffer.concat([...listing.members.jsonBytes()]).toString();
      expect(listing.members.jsonByteLength).toBe(text.length);
      return JSON.parse(text) as string[];
    };
    const [one, other] = [await draw(), await draw()];
    expect(one).not.toEqual(other);
    expect(one).not.toEqual(one.toSorted());
  });

  test('has the counts of its shard holder for all roles', async () => {
    const lists = new Lists({ [GUILD]: 7 });
    const { members } = await twoProcesses(lists);
    const counts = await members.ask(countsQuery, { guildId: GUILD }, anyCaller);
    expect(counts).toEqual(await lists.ask(countsQuery, { guildId: GUILD }, anyCaller));
    expect(counts).toMatchObject({ members: 7, roles: [{ count: 7 }] });
    lists.problem = new Problem('member_list_unavailable/starting');
    expect(await problemOf(members.ask(countsQuery, { guildId: GUILD }, anyCaller))).toMatchObject({
      message: STARTING,
    });
  });

  test('is sent to many concurrent callers', async () => {
    const lists = new Lists({ [GUILD]: 10, [LARGE_GUILD]: 20_000 });
    const { other, members } = await twoProcesses(lists);
    const [short, long] = [
      await read(find(lists, questionAbout(GUILD))),
      await read(find(lists, questionAbout(LARGE_GUILD))),
    ];
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const isLong = n % 4 === 0;
        const answer = await read(find(members, questionAbout(isLong ? LARGE_GUILD : GUILD)));
        return JSON.stringify(answer) === JSON.stringify(isLong ? long : short);
      }),
    );
    expect(answers.filter(Boolean)).toHaveLength(200);
    expect(other.state()?.openQuestions).toBe(0);
  });

  test('is refused with the sentence of its shard holder', async () => {
    const lists = new Lists({ [GUILD]: 1 });
    const { members } = await twoProcesses(lists);
    const unknown = await problemOf(find(members, questionAbout(GUILD, { all: ['5'] })));
    expect(unknown).toMatchObject({ code: 'unknown_role', status: 404 });
    lists.problem = new Problem('member_list_unavailable/loading', {
      values: { rows: 1, total: 2 },
      retryAfterSeconds: 17,
    });
    const loading = await problemOf(find(members, questionAbout(GUILD)));
    expect(loading).toBeInstanceOf(Problem);
    expect(loading).toMatchObject({
      code: 'member_list_unavailable',
      message: lists.problem.message,
      hint: expect.stringContaining('front of the queue') as string,
      retryAfterSeconds: 17,
    });
  });

  test('does not reveal internal errors of its shard holder', async () => {
    const { shardHolder, members } = await twoProcesses(new Lists());
    const problem = await problemOf(find(members, questionAbout(GUILD)));
    expect(problem).toMatchObject({ code: 'internal', message: 'Something went wrong on our side.' });
    expect(shardHolder.lines.join('')).toContain(`There is no guild ${GUILD}`);
  });

  test('is refused immediately when no process holds the shard', async () => {
    const { shardHolder, members } = await twoProcesses(new Lists({ [GUILD]: 1 }), { answerMs: 3_600_000 });
    const elsewhere = await problemOf(find(members, questionAbout(guildOf(0, 2))));
    expect(elsewhere).toMatchObject({ code: 'member_list_unavailable', message: AWAY, retryAfterSeconds: 5 });
    await shardHolder.releaseShards();
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({ message: AWAY });
    await shardHolder.holdShard(1, 2);
    await vi.waitFor(async () => {
      expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 1 });
    }, POLL);
  });

  test('is refused when its shard holder does not answer in time', async () => {
    const lists = new Lists({ [GUILD]: 1 });
    const { members } = await twoProcesses(lists, { answerMs: 100 });
    lists.beforeAnswer = () => Promise.withResolvers<never>().promise;
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({ message: AWAY });
    lists.beforeAnswer = null;
    expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 1 });
  });

  test('is requested by a bounded number of concurrent callers', async () => {
    const { members } = await twoProcesses(new Lists({ [GUILD]: 1 }), { questionsMax: 3 });
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => find(members, questionAbout(GUILD, { limit: n + 1 }))),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(7);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'busy', retryAfterSeconds: 1 });
  });

  test('is read from the process that got the shard last, and from the other one while that has no list', async () => {
    const { url, members } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const newer = new Lists({ [GUILD]: 7 });
    const second = await joinCluster(url);
    const own = second.shareMembers(newer);
    await second.holdShard(1, 2);
    await vi.waitFor(async () => {
      expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 7 });
    }, POLL);
    for (const code of ['member_list_unavailable', 'busy', 'internal'] as const) {
      newer.problem = new Problem(code);
      for (let n = 0; n < 20; n += 1) {
        expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 5 });
      }
    }
    newer.problem = new Problem('member_list_unavailable');
    expect(await read(find(own, questionAbout(GUILD)))).toMatchObject({ count: 5 });
    // What is wrong with the question is wrong everywhere: the older list is not asked for another opinion.
    newer.problem = new Problem('unknown_role');
    for (let n = 0; n < 20; n += 1) {
      expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({ code: 'unknown_role' });
    }
  });

  test('is read from the older process when the newer one does not answer, and waits for that only once', async () => {
    const { url, members } = await twoProcesses(new Lists({ [GUILD]: 5 }), { answerMs: 600 });
    const stuck = new Lists({ [GUILD]: 5 });
    const second = await joinCluster(url, { renewMs: 3_600_000 });
    second.shareMembers(stuck);
    await second.holdShard(1, 2);
    stuck.beforeAnswer = () => Promise.withResolvers<never>().promise;
    const asked = vi.spyOn(stuck, 'ask');
    await vi.waitFor(async () => {
      expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 5 });
      expect(asked).toHaveBeenCalled();
    }, POLL);
    for (let n = 0; n < 20; n += 1) {
      expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 5 });
    }
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('is missing with the reason of the process itself when no other has it', async () => {
    const { shardHolder, other } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const loading = new Lists();
    loading.problem = new Problem('member_list_unavailable/starting');
    const own = other.shareMembers(loading);
    await other.holdShard(0, 2);
    const guildId = guildOf(0, 2);
    expect(await problemOf(find(own, questionAbout(guildId)))).toMatchObject({ message: STARTING });
    await shardHolder.releaseShards();
    expect(await problemOf(find(own, questionAbout(GUILD)))).toMatchObject({ message: AWAY });
  });

  test('is found while the bot is changing its number of shards', async () => {
    const { url, members, shardHolder } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const reloaded = new Lists();
    reloaded.problem = new Problem('member_list_unavailable/starting');
    const second = await joinCluster(url);
    second.shareMembers(reloaded);
    for (let shardId = 0; shardId < 8; shardId += 1) await second.holdShard(shardId, 8);
    await vi.waitFor(async () => {
      expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ count: 5 });
    });
    await shardHolder.releaseShards();
    await vi.waitFor(async () => {
      const problem = await problemOf(find(members, questionAbout(GUILD)));
      expect(problem).toMatchObject({ message: STARTING });
    }, POLL);
  });

  test('is unaffected by invalid data in Redis and in messages', async () => {
    const lists = new Lists({ [GUILD]: 5 });
    const { url, members } = await twoProcesses(lists);
    const redis = await openRedis(url);
    const far = Date.now() + 1e6;
    const ofBefore = {
      origin: 'http://127.0.0.1:1',
      secret: 'x'.repeat(40),
      shardCount: 2,
      shards: [[1, far]],
    };
    for (const [n, text] of ['', 'x', '{}', 'null', '[]', JSON.stringify(ofBefore)].entries()) {
      await redis.zadd('quartermaster:processes', far, `junk-${n}`);
      await redis.hset('quartermaster:leases', `junk-${n}`, text);
    }
    const { searchParams } = new URL(url);
    const channels = (await redis.pubsub('CHANNELS', `${searchParams.get('keyPrefix')}*`)) as string[];
    expect(channels).toHaveLength(4);
    const known = { id: '1', from: 'nobody', kind: 'members', idsMax: 0, question: questionAbout(GUILD) };
    const rubbish = [
      '',
      'x',
      '\n',
      '{}',
      '[]',
      '{"kind":1}',
      JSON.stringify(known),
      JSON.stringify({ ...known, idsMax: -1 }),
      JSON.stringify({ ...known, kind: 'changes' }),
      JSON.stringify({ ...known, question: { guildId: 1 } }),
      JSON.stringify({ ...known, more: 'x'.repeat(70_000) }),
      JSON.stringify({ id: '1', head: {}, idCount: 1 }),
      `${JSON.stringify({ id: '1', head: {}, idCount: 1 })}\n1234567`,
      JSON.stringify({ id: '1', problem: { code: 'x' } }),
    ];
    for (const channel of channels) for (const text of rubbish) await redis.publish(channel, text);
    expect(await read(find(members, questionAbout(GUILD)))).toEqual(
      await read(find(lists, questionAbout(GUILD))),
    );
  });

  test('is rejected when its response is not as it claims', async () => {
    const { url, shardHolder, members } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const redis = await openRedis(url);
    await shardHolder.releaseShards();
    // Another process claims the shard, and answers with three ids where it says two.
    const lease = { asked: 'by channel', shardCount: 2, shards: [[1, 1]] };
    await redis.zadd('quartermaster:processes', Date.now() + 1e6, 'liar');
    await redis.hset('quartermaster:leases', 'liar', JSON.stringify(lease));
    const prefix = new URL(url).searchParams.get('keyPrefix') ?? '';
    const liar = await openRedis(url);
    await liar.subscribe(`${prefix}quartermaster:0:process:liar`);
    liar.on('message', (_, text) => {
      if (text === '') return;
      const { id, from } = JSON.parse(text) as { id: string; from: string };
      const head = { count: 2, returned: 2, nextAfter: null, asOf: 1, version: 'v' };
      const line = Buffer.from(`${JSON.stringify({ id, head, idCount: 2 })}\n`);
      void redis.publish(
        `${prefix}quartermaster:0:process:${from}`,
        Buffer.concat([line, Buffer.alloc(24, 1)]),
      );
    });
    const seen = await joinCluster(url);
    expect(await problemOf(find(seen.shareMembers(null), questionAbout(GUILD)))).toMatchObject({
      message: AWAY,
    });
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({ message: AWAY });
  });

  test('stays separate from those of another bot on the same Redis', async () => {
    const { url } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const foreign = await joinCluster(newRedisUrl());
    expect(await problemOf(find(foreign.shareMembers(null), questionAbout(GUILD)))).toMatchObject({
      message: AWAY,
    });
    const database = new URL(url);
    database.pathname = '/9';
    const elsewhere = await joinCluster(database.href);
    await elsewhere.holdShard(0, 2);
    elsewhere.shareMembers(new Lists());
    expect(await problemOf(find(elsewhere.shareMembers(null), questionAbout(GUILD)))).toMatchObject({
      message: AWAY,
    });
  });
});
