import { afterEach, describe, expect, test, vi } from 'vitest';

import { Problem } from '../../src/problem.ts';
import {
  anyone,
  guildOf,
  joinCluster,
  Lists,
  newRedisUrl,
  problemOf,
  query,
  read,
  type ClusterNode,
} from './cluster-bench.ts';
import { connectRedis } from '../../src/storage/redis-connection.ts';
import { addressOf, isMissing, REDIS_URL, throughPort } from './storage-services.ts';
import { startTcpProxy } from './storage-tcp-proxy.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);
const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const part of opened.splice(0).reverse()) await part[Symbol.asyncDispose]();
});
async function join(...args: Parameters<typeof joinCluster>): Promise<ClusterNode> {
  const node = await joinCluster(...args);
  opened.push(node);
  return node;
}

/** The owner of shard 1 of 2, and a process without shards. */
async function twoProcesses(lists: Lists, limits: Record<string, number> = {}) {
  const url = newRedisUrl();
  const owner = await join(url, { limits });
  owner.joinMembers(lists);
  await owner.holdShard(1, 2);
  const other = await join(url, { limits });
  return { url, owner, other, members: other.joinMembers(null) };
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

const GUILD = guildOf(1, 2);
const LARGE_GUILD = guildOf(1, 2, 2);
const EMPTY_GUILD = guildOf(1, 2, 3);
const AWAY = 'The part of this service that looks after this server cannot be reached at the moment.';

describe.skipIf(isWithoutRedis)('the list of a guild of another process', () => {
  test('is what its owner would answer, to the byte', async () => {
    const lists = new Lists({ [EMPTY_GUILD]: 0, [GUILD]: 1_000, [LARGE_GUILD]: 100_000 });
    const { members } = await twoProcesses(lists);
    const after = String(10n ** 17n + 5n * 7_919n);
    for (const asked of [
      query(GUILD),
      query(GUILD, { countOnly: true }),
      query(GUILD, { limit: 10 }),
      query(GUILD, { limit: 1_000 }),
      query(GUILD, { limit: 700, after }),
      query(GUILD, { all: [GUILD] }),
      query(EMPTY_GUILD),
      query(LARGE_GUILD),
      query(LARGE_GUILD, { countOnly: true }),
      query(LARGE_GUILD, { limit: 50_000, after }),
    ]) {
      expect(await read(members.find(asked, anyone))).toEqual(await read(lists.find(asked)));
    }
    const listing = await members.find(query(LARGE_GUILD), anyone);
    expect(listing.members.toJSON()).toEqual((await lists.find(query(LARGE_GUILD))).members.toJSON());
  });

  test('comes for many who ask at once, long ones a few at a time', async () => {
    const lists = new Lists({ [GUILD]: 10, [LARGE_GUILD]: 20_000 });
    const { other, members } = await twoProcesses(lists, { transfersMax: 2 });
    const [short, long] = [await read(lists.find(query(GUILD))), await read(lists.find(query(LARGE_GUILD)))];
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const isLong = n % 4 === 0;
        const answer = await read(members.find(query(isLong ? LARGE_GUILD : GUILD), anyone));
        return JSON.stringify(answer) === JSON.stringify(isLong ? long : short);
      }),
    );
    expect(answers.filter(Boolean)).toHaveLength(200);
    expect(other.state()?.openQuestions).toBe(0);
  });

  test('is refused in the words of its owner', async () => {
    const lists = new Lists({ [GUILD]: 1 });
    const { members } = await twoProcesses(lists);
    const unknown = await problemOf(members.find(query(GUILD, { all: ['5'] }), anyone));
    expect(unknown).toMatchObject({ code: 'unknown_role', status: 404 });
    lists.problem = new Problem('member_list_unavailable', {
      error: 'The member list of this server is still loading: 1 of 2 members have been read.',
      hint: 'Wait.',
      retryAfterSeconds: 17,
    });
    const loading = await problemOf(members.find(query(GUILD), anyone));
    expect(loading).toBeInstanceOf(Problem);
    expect(loading).toMatchObject({
      code: 'member_list_unavailable',
      message: lists.problem.message,
      hint: 'Wait.',
      retryAfterSeconds: 17,
    });
  });

  test('does not tell what went wrong inside its owner', async () => {
    const { owner, members } = await twoProcesses(new Lists());
    const problem = await problemOf(members.find(query(GUILD), anyone));
    expect(problem).toMatchObject({ code: 'internal', message: 'Something went wrong on our side.' });
    expect(owner.lines.join('')).toContain(`There is no guild ${GUILD}`);
  });

  test('is refused at once when nobody holds the shard', async () => {
    const { owner, members } = await twoProcesses(new Lists({ [GUILD]: 1 }), { answerMs: 3_600_000 });
    const elsewhere = await problemOf(members.find(query(guildOf(0, 2)), anyone));
    expect(elsewhere).toMatchObject({ code: 'member_list_unavailable', message: AWAY, retryAfterSeconds: 5 });
    await owner.releaseShards();
    expect(await problemOf(members.find(query(GUILD), anyone))).toMatchObject({ message: AWAY });
    await owner.holdShard(1, 2);
    expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 1 });
  });

  test('is refused when its owner does not answer in time', async () => {
    const lists = new Lists({ [GUILD]: 1 });
    const { members } = await twoProcesses(lists, { answerMs: 100 });
    const stuck = Promise.withResolvers<never>();
    vi.spyOn(lists, 'find').mockReturnValueOnce(stuck.promise);
    expect(await problemOf(members.find(query(GUILD), anyone))).toMatchObject({ message: AWAY });
    expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 1 });
  });

  test('is refused, not torn, when its owner goes away in the middle', async () => {
    const url = newRedisUrl();
    const proxy = await startTcpProxy(addressOf(REDIS_URL, 6379));
    opened.push(proxy);
    const lists = new Lists({ [LARGE_GUILD]: 100_000 });
    const owner = await join(throughPort(url, proxy.port));
    owner.joinMembers(lists);
    await owner.holdShard(1, 2);
    const other = await join(url, { limits: { pieceMs: 300 } });
    const members = other.joinMembers(null);
    const { wrap } = lists;
    lists.wrap = (listing) => ({
      ...listing,
      members: {
        jsonByteLength: listing.members.jsonByteLength,
        toJSON: () => listing.members.toJSON(),
        *jsonBytes() {
          let pieces = 0;
          for (const piece of listing.members.jsonBytes()) {
            pieces += 1;
            if (pieces === 10) void proxy.cut();
            yield piece;
          }
        },
      },
    });
    expect(await problemOf(members.find(query(LARGE_GUILD), anyone))).toMatchObject({ message: AWAY });
    expect(other.state()).toMatchObject({ openQuestions: 0, foreignListBytes: 0 });
    lists.wrap = wrap;
    await proxy.restore();
    await vi.waitFor(() => members.find(query(LARGE_GUILD), anyone), { timeout: 15_000, interval: 50 });
  });

  test.each(['cut', 'hang'] as const)(
    'is refused when connections %s between here and Redis, and comes when they are back',
    async (fault) => {
      const proxy = await startTcpProxy(addressOf(REDIS_URL, 6379));
      opened.push(proxy);
      const url = newRedisUrl();
      const owner = await join(url);
      owner.joinMembers(new Lists({ [GUILD]: 3 }));
      await owner.holdShard(1, 2);
      const own = new Lists({ [guildOf(0, 2)]: 2 });
      const timeouts = { commandTimeoutMs: 200, connectTimeoutMs: 400, renewMs: 100 };
      const other = await join(throughPort(url, proxy.port), timeouts);
      const members = other.joinMembers({
        find: (asked) =>
          asked.guildId === GUILD
            ? Promise.reject(new Problem('member_list_unavailable', { error: 'Not here.' }))
            : own.find(asked),
      });
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 3 });
      await proxy[fault]();
      expect(await problemOf(members.find(query(GUILD), anyone))).toMatchObject({
        code: 'member_list_unavailable',
        retryAfterSeconds: 5,
      });
      expect(await read(members.find(query(guildOf(0, 2)), anyone))).toMatchObject({ count: 2 });
      await vi.waitFor(() => expect(other.lines.join('')).toContain('Redis is away'), 10_000);
      await proxy.restore();
      await vi.waitFor(() => members.find(query(GUILD), anyone), { timeout: 15_000, interval: 50 });
      await vi.waitFor(() => expect(other.lines.join('')).toContain('Redis is back'), 15_000);
      // What others ask of this process arrives again, too.
      await other.holdShard(0, 2);
      const back = owner.joinMembers(null);
      await vi.waitFor(() => back.find(query(guildOf(0, 2)), anyone), { timeout: 15_000, interval: 50 });
    },
  );

  test('comes only once while it does not change', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 10_000, [GUILD]: 1 });
    const { other, members } = await twoProcesses(lists);
    const sent: string[] = [];
    lists.wrap = (listing) => ({
      ...listing,
      members: {
        jsonByteLength: listing.members.jsonByteLength,
        toJSON: () => listing.members.toJSON(),
        jsonBytes() {
          sent.push(listing.version);
          return listing.members.jsonBytes();
        },
      },
    });
    const ask = async () => read(members.find(query(LARGE_GUILD), anyone));
    const own = async () => read(lists.find(query(LARGE_GUILD)));
    const first = await ask();
    expect(sent).toHaveLength(1);
    expect(await ask()).toEqual(first);
    expect(sent).toHaveLength(1);
    // Held once, however many read it.
    expect(other.state()).toMatchObject({
      foreignListBytes: first.byteLength,
      keptListBytes: first.byteLength,
    });
    lists.change(LARGE_GUILD);
    expect(await ask()).toEqual(await own());
    expect(await ask()).not.toEqual(first);
  });

  test('comes once for many who ask at once, and for the others when the first one leaves', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 20_000 });
    const { members } = await twoProcesses(lists);
    const own = await read(lists.find(query(LARGE_GUILD)));
    const first = new AbortController();
    let pieces = 0;
    let leavesAt = Infinity;
    lists.wrap = (listing) => ({
      ...listing,
      members: {
        jsonByteLength: listing.members.jsonByteLength,
        toJSON: () => listing.members.toJSON(),
        *jsonBytes() {
          for (const piece of listing.members.jsonBytes()) {
            pieces += 1;
            if (pieces === leavesAt) first.abort();
            yield piece;
          }
        },
      },
    });
    const askMany = () =>
      Promise.all(Array.from({ length: 20 }, () => read(members.find(query(LARGE_GUILD), anyone))));
    for (const answer of await askMany()) expect(answer).toEqual(own);
    // One list has 7 pieces; of those who share it, the owner has taken only the first.
    expect(pieces).toBe(7 + 19);

    lists.change(LARGE_GUILD);
    leavesAt = pieces + 3;
    const leaver = problemOf(members.find(query(LARGE_GUILD), first.signal));
    const answers = await askMany();
    expect((await leaver).name).toBe('AbortError');
    for (const answer of answers) expect(answer).toMatchObject({ count: 20_001, returned: 20_001 });
  });

  test('is kept by a process within bounds, the one that was asked for last', async () => {
    const guilds = Array.from({ length: 6 }, (_, n) => guildOf(1, 2, n));
    const lists = new Lists(Object.fromEntries(guilds.map((guildId) => [guildId, 2_000])));
    const { other, members } = await twoProcesses(lists, { keptBytesMax: 180_000 });
    for (const guildId of [...guilds, ...guilds.toReversed()]) {
      expect(await read(members.find(query(guildId), anyone))).toEqual(
        await read(lists.find(query(guildId))),
      );
      expect(other.state()?.keptListBytes).toBeLessThanOrEqual(180_000);
    }
    expect(other.state()?.keptListBytes).toBeGreaterThan(120_000);
  });

  test('counts as held until its caller is done, and others wait for room', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 10_000 });
    const { other, members } = await twoProcesses(lists, { heldBytesMax: 300_000, keptBytesMax: 0 });
    const caller = new AbortController();
    const { members: ids } = await members.find(query(LARGE_GUILD), caller.signal);
    expect(other.state()?.foreignListBytes).toBe(ids.jsonByteLength);
    expect(await problemOf(members.find(query(LARGE_GUILD), anyone))).toMatchObject({
      code: 'busy',
      status: 503,
      retryAfterSeconds: 1,
    });
    expect(await read(members.find(query(LARGE_GUILD, { limit: 5 }), anyone))).toMatchObject({ returned: 5 });
    caller.abort();
    expect(other.state()?.foreignListBytes).toBe(0);
    expect(await read(members.find(query(LARGE_GUILD), anyone))).toMatchObject({ count: 10_000 });
  });

  test('is not asked for by more than so many at once', async () => {
    const { members } = await twoProcesses(new Lists({ [GUILD]: 1 }), { questionsMax: 3 });
    await members.find(query(GUILD), anyone);
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => members.find(query(GUILD), anyone)),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(7);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'busy', retryAfterSeconds: 1 });
  });

  test('is let go when the caller is gone', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 100_000 });
    const { other, members } = await twoProcesses(lists);
    const caller = new AbortController();
    const { wrap } = lists;
    lists.wrap = (listing) => {
      caller.abort();
      return listing;
    };
    await expect(members.find(query(LARGE_GUILD), caller.signal)).rejects.toThrow('aborted');
    expect(other.state()).toMatchObject({ openQuestions: 0, foreignListBytes: 0 });
    await expect(members.find(query(LARGE_GUILD), caller.signal)).rejects.toThrow('aborted');
    lists.wrap = wrap;
    expect(await read(members.find(query(LARGE_GUILD), anyone))).toMatchObject({ count: 100_000 });
  });

  test('comes from whom has it while two hold the shard', async () => {
    const { url, members } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const loading = new Lists();
    loading.problem = new Problem('member_list_unavailable', { error: 'Still loading.' });
    const second = await join(url);
    const own = second.joinMembers(loading);
    await second.holdShard(1, 2);
    for (let n = 0; n < 20; n += 1) {
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
    }
    expect(await read(own.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
  });

  test('is told as its own process sees it when nobody else has it', async () => {
    const { owner, other } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const loading = new Lists();
    loading.problem = new Problem('member_list_unavailable', { error: 'Still loading.' });
    const own = other.joinMembers(loading);
    await other.holdShard(0, 2);
    const guildId = guildOf(0, 2);
    expect(await problemOf(own.find(query(guildId), anyone))).toMatchObject({ message: 'Still loading.' });
    await owner.releaseShards();
    expect(await problemOf(own.find(query(GUILD), anyone))).toMatchObject({ message: AWAY });
  });

  test('is found while the bot is being sharded anew', async () => {
    const { url, members, owner } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const anew = new Lists();
    anew.problem = new Problem('member_list_unavailable', { error: 'Still loading.' });
    const second = await join(url);
    second.joinMembers(anew);
    for (let shardId = 0; shardId < 8; shardId += 1) await second.holdShard(shardId, 8);
    await vi.waitFor(async () => {
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
    });
    await owner.releaseShards();
    expect(await problemOf(members.find(query(GUILD), anyone))).toMatchObject({ message: 'Still loading.' });
  });

  test('does not suffer from messages that are none', async () => {
    const { url, members } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const redis = await connectRedis(url, { commandTimeoutMs: 1_000, connectTimeoutMs: 2_000 });
    const { searchParams } = new URL(url);
    const channels = (await redis.pubsub('CHANNELS', `${searchParams.get('keyPrefix')}*`)) as string[];
    expect(channels).toHaveLength(4);
    for (const channel of channels) {
      for (const message of [
        '',
        '\n',
        'x',
        '{"kind":',
        line(null),
        line({ kind: 'question', id: '1', from: '../x', query: {} }),
        line({ kind: 'question', id: '1', from: 'nobody', query: { ...query('x') } }),
        line({ kind: 'question', id: '1', from: 'nobody', query: query(GUILD) }),
        line({ kind: 'listing', id: '1', byteLength: -1 }),
        line({ kind: 'piece', id: '1', number: 7 }),
        line({ kind: 'pull', id: '1', from: 'nobody', pieces: 1e9 }),
        line({ kind: 'drop', id: '1', from: 'nobody' }),
        line({ kind: 'constructor' }),
        Buffer.alloc(100_000),
      ]) {
        await redis.publish(channel, message);
      }
    }
    redis.disconnect();
    expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
  });

  test('stays apart from those of another bot on the same Redis', async () => {
    const { url } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const foreign = await join(newRedisUrl());
    expect(await problemOf(foreign.joinMembers(null).find(query(GUILD), anyone))).toMatchObject({
      message: AWAY,
    });
    const database = new URL(url);
    database.pathname = '/9';
    const elsewhere = await join(database.href);
    await elsewhere.holdShard(0, 2);
    elsewhere.joinMembers(new Lists());
    expect(await problemOf(elsewhere.joinMembers(null).find(query(GUILD), anyone))).toMatchObject({
      message: AWAY,
    });
  });
});
