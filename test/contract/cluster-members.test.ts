import { describe, expect, test, vi } from 'vitest';

import type { RoleListing } from '../../src/members/member-directory.ts';
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
  openRedis,
  startRedisProxy,
} from '../fixtures/cluster-bench.ts';
import { PATIENCE } from '../fixtures/patience.ts';
import { isMissing, REDIS_URL, throughPort } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

/** The owner of shard 1 of 2, and a process without shards. */
async function twoProcesses(lists: Lists, limits: Record<string, number> = {}) {
  const url = newRedisUrl();
  const owner = await joinCluster(url, { limits });
  owner.joinMembers(lists);
  await owner.holdShard(1, 2);
  const other = await joinCluster(url, { limits });
  return { url, owner, other, members: other.joinMembers(null) };
}

/** Reads the lease that the process with shard 1 has left in Redis. */
async function ownersLease(url: string): Promise<{ origin: string; secret: string }> {
  const redis = await openRedis(url);
  const leases = Object.values(await redis.hgetall('quartermaster:leases'));
  return JSON.parse(leases.find((json) => json.includes('[[1,')) ?? '') as { origin: string; secret: string };
}

/** Lists that say when a piece of them is taken, and which one of its answer it is. */
function onPiece(tell: (at: number) => void): Lists['wrap'] {
  const tellAll = (pieces: Iterable<Uint8Array>) =>
    Iterator.from(pieces).map((piece, at) => {
      tell(at);
      return piece;
    });
  return ({ members, ...listing }) => {
    const numbers = members.idBytes?.bind(members);
    return {
      ...listing,
      members: {
        jsonByteLength: members.jsonByteLength,
        toJSON: () => members.toJSON(),
        jsonBytes: (room) => tellAll(members.jsonBytes(room)),
        ...(numbers === undefined ? {} : { idBytes: () => tellAll(numbers()) }),
      },
    };
  };
}

/** Bytes that 10,000 ids take as numbers, and as JSON. */
const NUMBERS_ROOM = 2 * 65_536;
const JSON_ROOM = 4 * 65_536;

/** As an owner sends lists that it does not have as numbers. */
function withoutNumbers({ members, ...listing }: RoleListing): RoleListing {
  const { jsonByteLength } = members;
  return {
    ...listing,
    members: { jsonByteLength, toJSON: () => members.toJSON(), jsonBytes: (room) => members.jsonBytes(room) },
  };
}

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

  test('comes for many who ask at once', async () => {
    const lists = new Lists({ [GUILD]: 10, [LARGE_GUILD]: 20_000 });
    const { other, members } = await twoProcesses(lists);
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
    await vi.waitFor(async () => {
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 1 });
    }, PATIENCE);
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
    const lists = new Lists({ [LARGE_GUILD]: 100_000 });
    const { other, owner, members } = await twoProcesses(lists);
    lists.wrap = onPiece((at) => {
      if (at === 2) throw new Error('The owner fails.');
    });
    expect(await problemOf(members.find(query(LARGE_GUILD), anyone))).toMatchObject({ message: AWAY });
    expect(other.state()).toMatchObject({ openQuestions: 0, foreignListBytes: 0 });
    expect(owner.lines.join('')).toContain('The owner fails.');
    lists.wrap = (listing) => listing;
    expect(await read(members.find(query(LARGE_GUILD), anyone))).toMatchObject({ count: 100_000 });
  });

  test.each(['cut', 'hang'] as const)(
    'comes while its lease runs when connections %s between here and Redis, then not until they are back',
    async (fault) => {
      const proxy = await startRedisProxy();
      const url = newRedisUrl();
      const times = { commandTimeoutMs: 1_000, connectTimeoutMs: 2_000, renewMs: 100, leaseMs: 2_000 };
      const owner = await joinCluster(url, times);
      owner.joinMembers(new Lists({ [GUILD]: 3 }));
      await owner.holdShard(1, 2);
      const other = await joinCluster(throughPort(url, proxy.port), times);
      const members = other.joinMembers(new Lists({ [guildOf(0, 2)]: 2 }));
      await other.holdShard(0, 2);
      await proxy[fault]();
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 3 });
      await vi.waitFor(async () => {
        expect(await problemOf(members.find(query(GUILD), anyone))).toMatchObject({
          code: 'member_list_unavailable',
          retryAfterSeconds: 5,
        });
      }, PATIENCE);
      expect(await read(members.find(query(guildOf(0, 2)), anyone))).toMatchObject({ count: 2 });
      await vi.waitFor(() => expect(other.lines.join('')).toContain('Redis is away'), PATIENCE);
      expect(other.state()?.redis).toBe('away');
      await proxy.restore();
      await vi.waitFor(() => members.find(query(GUILD), anyone), PATIENCE);
      await vi.waitFor(() => expect(other.lines.join('')).toContain('Redis is back'), PATIENCE);
      // What others ask of this process is answered again, too.
      const back = owner.joinMembers(null);
      await vi.waitFor(() => back.find(query(guildOf(0, 2)), anyone), PATIENCE);
    },
  );

  test('comes once for many who ask at once, and for the others when the first one leaves', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 10_000 });
    const { other, members } = await twoProcesses(lists);
    const own = await read(lists.find(query(LARGE_GUILD)));
    const first = new AbortController();
    let sent = 0;
    lists.wrap = onPiece((at) => {
      sent += Number(at === 0);
      first.abort();
    });
    const leaver = problemOf(members.find(query(LARGE_GUILD), first));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => read(members.find(query(LARGE_GUILD), anyone))),
    );
    expect((await leaver).name).toBe('AbortError');
    for (const answer of answers) expect(answer).toEqual(own);
    expect(sent).toBe(1);
    expect(other.state()).toMatchObject({ openQuestions: 0, foreignListBytes: NUMBERS_ROOM });
    await expect(members.find(query(LARGE_GUILD), first)).rejects.toThrow('aborted');
  });

  test('counts as held until its caller is done, and others wait for room', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 10_000 });
    const { other, members } = await twoProcesses(lists, { listBytesMax: NUMBERS_ROOM });
    const caller = new AbortController();
    await members.find(query(LARGE_GUILD), caller);
    expect(other.state()?.foreignListBytes).toBe(NUMBERS_ROOM);
    const almostAll = query(LARGE_GUILD, { limit: 9_999 });
    expect(await problemOf(members.find(almostAll, anyone))).toMatchObject({
      code: 'busy',
      status: 503,
      retryAfterSeconds: 1,
    });
    expect(await read(members.find(query(LARGE_GUILD, { limit: 5 }), anyone))).toMatchObject({ returned: 5 });
    // One that has changed meanwhile does not push the old one out of the count.
    lists.change(LARGE_GUILD);
    expect(await problemOf(members.find(query(LARGE_GUILD), anyone))).toMatchObject({ code: 'busy' });
    caller.abort();
    expect(await read(members.find(almostAll, anyone))).toMatchObject({ count: 10_001, returned: 9_999 });
  });

  test('is held for each caller until that one is done, also as JSON', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 10_000 });
    const { other, members } = await twoProcesses(lists);
    const own = await read(lists.find(query(LARGE_GUILD)));
    lists.wrap = withoutNumbers;
    const [first, second, third] = Array.from({ length: 3 }, () => new AbortController());
    const asked = [first, second, third].map((caller) => members.find(query(LARGE_GUILD), caller ?? anyone));
    const one = (await Promise.all(asked))[0];
    first?.abort();
    second?.abort();
    expect(JSON.stringify(one?.members.toJSON())).toBe(own.bytes);
    expect(other.state()?.foreignListBytes).toBe(JSON_ROOM);
    expect([...(one?.members.jsonBytes() ?? [])].map(({ length }) => length)).toEqual([
      65_536, 65_536, 65_536, 13_393,
    ]);
    third?.abort();
    await expect.poll(() => other.state()?.foreignListBytes, PATIENCE).toBe(0);
    expect(() => one?.members.toJSON()).toThrow('too late');
  });

  test('leaves its memory to others also when all who asked are gone before it comes', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 10_000 });
    const { other, members } = await twoProcesses(lists);
    const [first, second] = [new AbortController(), new AbortController()];
    lists.wrap = onPiece(() => second.abort());
    const gone = [problemOf(members.find(query(LARGE_GUILD), first))];
    first.abort();
    gone.push(problemOf(members.find(query(LARGE_GUILD), second)));
    for (const { name } of await Promise.all(gone)) expect(name).toBe('AbortError');
    await expect.poll(() => other.state()?.foreignListBytes, PATIENCE).toBe(0);
  });

  test('is never read out of memory that holds another list by then', async () => {
    const lists = new Lists({ [LARGE_GUILD]: 10_000, [GUILD]: 10_000 });
    const { other, members } = await twoProcesses(lists);
    const caller = new AbortController();
    const { members: ids } = await members.find(query(LARGE_GUILD), caller);
    const pieces = ids.jsonBytes(Buffer.alloc(1_024))[Symbol.iterator]();
    expect(pieces.next()).toMatchObject({ done: false });
    caller.abort();
    await expect.poll(() => other.state()?.foreignListBytes, PATIENCE).toBe(0);
    await members.find(query(GUILD), anyone);
    expect(() => pieces.next()).toThrow('too late');
    expect(() => ids.toJSON()).toThrow('too late');
  });

  test('is asked for by a bounded number of callers at once', async () => {
    const { members } = await twoProcesses(new Lists({ [GUILD]: 1 }), { questionsMax: 3 });
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => members.find(query(GUILD, { limit: n + 1 }), anyone)),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(7);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'busy', retryAfterSeconds: 1 });
  });

  test('comes from the process that got the shard last, and from the other one while that has no list', async () => {
    const { url, members } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const newer = new Lists({ [GUILD]: 7 });
    const second = await joinCluster(url);
    const own = second.joinMembers(newer);
    await second.holdShard(1, 2);
    await vi.waitFor(async () => {
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 7 });
    }, PATIENCE);
    for (const code of ['member_list_unavailable', 'busy', 'internal'] as const) {
      newer.problem = new Problem(code);
      for (let n = 0; n < 20; n += 1) {
        expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
      }
    }
    newer.problem = new Problem('member_list_unavailable');
    expect(await read(own.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
    // What is wrong with the question is wrong everywhere: the older list is not asked for another opinion.
    newer.problem = new Problem('unknown_role');
    for (let n = 0; n < 20; n += 1) {
      expect(await problemOf(members.find(query(GUILD), anyone))).toMatchObject({ code: 'unknown_role' });
    }
  });

  test('comes from the older process when the newer one does not answer, and waits for that only once', async () => {
    const { url, members } = await twoProcesses(new Lists({ [GUILD]: 5 }), { answerMs: 600 });
    const stuck = new Lists({ [GUILD]: 5 });
    const second = await joinCluster(url, { renewMs: 3_600_000 });
    second.joinMembers(stuck);
    await second.holdShard(1, 2);
    const find = vi.spyOn(stuck, 'find').mockReturnValue(Promise.withResolvers<never>().promise);
    await vi.waitFor(async () => {
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
      expect(find).toHaveBeenCalled();
    }, PATIENCE);
    for (let n = 0; n < 20; n += 1) {
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
    }
    expect(find).toHaveBeenCalledTimes(1);
  });

  test('is described as its own process sees it when nobody else has it', async () => {
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

  test('is found while the bot is changing its number of shards', async () => {
    const { url, members, owner } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const reloaded = new Lists();
    reloaded.problem = new Problem('member_list_unavailable', { error: 'Still loading.' });
    const second = await joinCluster(url);
    second.joinMembers(reloaded);
    for (let shardId = 0; shardId < 8; shardId += 1) await second.holdShard(shardId, 8);
    await vi.waitFor(async () => {
      expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
    });
    await owner.releaseShards();
    await vi.waitFor(async () => {
      const problem = await problemOf(members.find(query(GUILD), anyone));
      expect(problem).toMatchObject({ message: 'Still loading.' });
    }, PATIENCE);
  });

  test('does not suffer from rubbish in Redis, in notices and at its port', async () => {
    const { url, members } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const redis = await openRedis(url);
    const lease = await ownersLease(url);
    const far = Date.now() + 1e6;
    for (const [n, text] of ['', 'x', '{}', 'null', '[]', '{"origin":"file:///etc"}'].entries()) {
      await redis.zadd('quartermaster:processes', far, `junk-${n}`);
      await redis.hset('quartermaster:leases', `junk-${n}`, text);
    }
    const { searchParams } = new URL(url);
    const channels = (await redis.pubsub('CHANNELS', `${searchParams.get('keyPrefix')}*`)) as string[];
    expect(channels).toHaveLength(4);
    for (const channel of channels) for (const text of ['', 'x', '\n']) await redis.publish(channel, text);
    const call = async (path: string, secret = lease.secret) => {
      const response = await fetch(lease.origin + path, { headers: { authorization: secret } });
      return { status: response.status, text: await response.text() };
    };
    const right = `/members?${Buffer.from(JSON.stringify(query(GUILD))).toString('base64url')}`;
    expect(await call(right)).toMatchObject({ status: 200 });
    for (const secret of [
      '',
      'x',
      lease.secret.slice(1),
      `${lease.secret}x`,
      'é'.repeat(lease.secret.length),
    ]) {
      const headers = secret.startsWith('é') ? encodeURIComponent(secret) : secret;
      expect(await call(right, headers)).toEqual({ status: 401, text: '' });
    }
    for (const path of ['/members?', '/members?%', '/members?e30', '/members?bnVsbA', `${right}eHg`]) {
      expect(await call(path)).toMatchObject({ status: 400 });
    }
    expect(await call('/api/role-members')).toEqual({ status: 404, text: '' });
    expect(await read(members.find(query(GUILD), anyone))).toMatchObject({ count: 5 });
  });

  test('stays apart from those of another bot on the same Redis', async () => {
    const { url } = await twoProcesses(new Lists({ [GUILD]: 5 }));
    const foreign = await joinCluster(newRedisUrl());
    expect(await problemOf(foreign.joinMembers(null).find(query(GUILD), anyone))).toMatchObject({
      message: AWAY,
    });
    const database = new URL(url);
    database.pathname = '/9';
    const elsewhere = await joinCluster(database.href);
    await elsewhere.holdShard(0, 2);
    elsewhere.joinMembers(new Lists());
    expect(await problemOf(elsewhere.joinMembers(null).find(query(GUILD), anyone))).toMatchObject({
      message: AWAY,
    });
  });
});
