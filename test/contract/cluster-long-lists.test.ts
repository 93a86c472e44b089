import { describe, expect, test, vi } from 'vitest';

import { changesQuery } from '../../src/members/changes-query.ts';
import { countsQuery } from '../../src/members/counts-query.ts';
import {
  find,
  guildOf,
  joinCluster,
  Lists,
  newRedisUrl,
  problemOf,
  questionAbout,
  read,
} from '../fixtures/cluster-setup.ts';
import { anyCaller } from '../fixtures/any-caller.ts';
import { POLL } from '../fixtures/poll.ts';
import { isMissing, REDIS_URL } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

const GUILD = guildOf(0, 1);
const HOLDERS = 10_000;
const LIST_BYTES = 8 * HOLDERS;

/** A shard holder with a long list, and a process that asks it. */
async function startTwo(limits: Parameters<typeof joinCluster>[1] = {}) {
  const url = newRedisUrl();
  const lists = new Lists({ [GUILD]: HOLDERS });
  const shardHolder = await joinCluster(url, limits);
  shardHolder.shareMembers(lists);
  await shardHolder.holdShard(0, 1);
  const other = await joinCluster(url, limits);
  return {
    url,
    lists,
    shardHolder,
    other,
    members: other.shareMembers(null),
    own: await read(find(lists, questionAbout(GUILD))),
  };
}

/** Calls `at` each time when the shard holder is asked, with how often it was asked before. */
function onAsked(lists: Lists, at: (before: number) => void): void {
  let asked = 0;
  lists.onAnswer = () => {
    at(asked);
    asked += 1;
  };
}

describe.skipIf(isWithoutRedis)('a long list of another process', () => {
  test('uses memory until its caller is done, and a short one does not', async () => {
    const { other, members } = await startTwo();
    const caller = new AbortController();
    const listing = await find(members, questionAbout(GUILD), caller);
    await find(members, questionAbout(GUILD, { limit: 2_000 }));
    expect(other.state()).toMatchObject({ remoteListBytes: LIST_BYTES, openQuestions: 0 });
    caller.abort();
    expect(other.state()?.remoteListBytes).toBe(0);
    // Who still reads it reads the same list.
    expect(listing.members.toJSON()).toHaveLength(HOLDERS);
  });

  test('is refused as busy without memory for it, while short ones are sent', async () => {
    const { other, members, own } = await startTwo({ limits: { heldBytesMax: LIST_BYTES } });
    const caller = new AbortController();
    await find(members, questionAbout(GUILD), caller);
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({
      code: 'busy',
      status: 503,
      retryAfterSeconds: 1,
    });
    expect(await read(find(members, questionAbout(GUILD, { limit: 5 })))).toMatchObject({ returned: 5 });
    caller.abort();
    expect(await read(find(members, questionAbout(GUILD)))).toEqual(own);
    expect(other.state()?.openQuestions).toBe(0);
  });

  test('waits until the one before it has arrived', async () => {
    const { other, members, own, lists } = await startTwo({ limits: { comingBytesMax: LIST_BYTES } });
    const askers = 8;
    let arrived = 0;
    const arrivedBefore: number[] = [];
    // Each is asked for its length, and then for itself.
    onAsked(lists, (before) => {
      if (before >= askers) arrivedBefore.push(arrived);
    });
    const answers = await Promise.all(
      Array.from({ length: askers }, async () => {
        const answer = await read(find(members, questionAbout(GUILD)));
        arrived += 1;
        return answer;
      }),
    );
    for (const answer of answers) expect(answer).toEqual(own);
    expect(arrivedBefore).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(other.state()?.openQuestions).toBe(0);
  });

  test('is sent alone when it exceeds what may be sent concurrently, and refused with a hint at pages beyond the bound', async () => {
    const limits = { comingBytesMax: 1_000, listBytesMax: LIST_BYTES - 1 };
    const { members, own } = await startTwo({ limits: { ...limits, listBytesMax: LIST_BYTES } });
    expect(await Promise.all([1, 2, 3].map(() => read(find(members, questionAbout(GUILD)))))).toEqual([
      own,
      own,
      own,
    ]);
    const bounded = await startTwo({ limits });
    const problem = await problemOf(find(bounded.members, questionAbout(GUILD)));
    expect(problem).toMatchObject({ code: 'busy', status: 503, field: 'limit' });
    expect(problem.hint).toContain('limit');
    expect(await read(find(bounded.members, questionAbout(GUILD, { limit: HOLDERS - 1 })))).toMatchObject({
      returned: HOLDERS - 1,
    });
  });

  test('is refused as busy when it has grown between the two requests, and is sent on the next request', async () => {
    const { other, lists, members } = await startTwo();
    onAsked(lists, (before) => {
      if (before === 0) lists.change(GUILD);
    });
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({ code: 'busy' });
    expect(other.state()?.remoteListBytes).toBe(0);
    expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ returned: HOLDERS + 1 });
  });

  test('is sent in its current state, not as it was when its length was asked', async () => {
    const { lists, members } = await startTwo();
    onAsked(lists, (before) => {
      if (before === 0) lists.remove(GUILD);
    });
    const answer = await read(find(members, questionAbout(GUILD)));
    lists.onAnswer = () => {};
    expect(answer).toEqual(await read(find(lists, questionAbout(GUILD))));
    expect(answer.returned).toBe(HOLDERS - 1);
  });

  test('is refused as busy, like every other response, by a shard holder with too much left to send', async () => {
    const { members } = await startTwo({ limits: { unsentBytesMax: -1 } });
    const { guildId, all, bots } = questionAbout(GUILD);
    const [roleId = ''] = all;
    const answers = [
      find(members, questionAbout(GUILD)),
      find(members, questionAbout(GUILD, { countOnly: true })),
      members.ask(countsQuery, { guildId }, anyCaller),
      members.ask(changesQuery, { guildId, roleId, bots, since: null, reader: null }, anyCaller),
    ];
    for (const answer of answers) expect(await problemOf(answer)).toMatchObject({ code: 'busy' });
  });

  test('is refused, not cut off, when its shard holder disappears in the middle', async () => {
    const { other, shardHolder, lists, members } = await startTwo({ limits: { answerMs: 3_600_000 } });
    let asked = 0;
    lists.beforeAnswer = async () => {
      asked += 1;
      if (asked === 2) await shardHolder[Symbol.asyncDispose]();
    };
    expect(await problemOf(find(members, questionAbout(GUILD)))).toMatchObject({
      code: 'member_list_unavailable',
    });
    expect(other.state()).toMatchObject({ openQuestions: 0, remoteListBytes: 0 });
  });

  test('releases its memory when its caller disconnects while it is sent, or while it waits', async () => {
    const { other, lists, members } = await startTwo({ limits: { comingBytesMax: LIST_BYTES } });
    const callers = Array.from({ length: 3 }, () => new AbortController());
    onAsked(lists, (before) => {
      if (before >= 3) for (const caller of callers) caller.abort();
    });
    const left = await Promise.all(
      callers.map((caller) => problemOf(find(members, questionAbout(GUILD), caller))),
    );
    expect(left.map(({ name }) => name)).toEqual(['AbortError', 'AbortError', 'AbortError']);
    await vi.waitFor(() => expect(other.state()?.remoteListBytes).toBe(0), POLL);
    lists.onAnswer = () => {};
    expect(await read(find(members, questionAbout(GUILD)))).toMatchObject({ returned: HOLDERS });
  });
});
