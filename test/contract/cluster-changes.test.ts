import { describe, expect, test, vi } from 'vitest';

import type { ChangesQuestion } from '../../src/members/changes-question.ts';
import type { MemberDirectory } from '../../src/members/member-directory.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { anyone, guildOf, joinCluster, Lists, newRedisUrl, query } from '../fixtures/cluster-bench.ts';
import { PATIENCE } from '../fixtures/patience.ts';
import { isMissing, REDIS_URL } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

const GUILD = guildOf(1, 2);
const [ROLE = ''] = query(GUILD).all;
const ABOUT = { guildId: GUILD, roleId: ROLE, bots: 'exclude' } as const;
const READER = { ...ABOUT, reader: 'welcome' };

const ask = (members: MemberDirectory, more: Partial<ChangesQuestion> = {}) =>
  members.findChanges({ ...ABOUT, since: null, reader: null, ...more }, anyone);

describe.skipIf(isWithoutRedis)('who got and who lost a role in a guild of another process', () => {
  test('is what its owner says, and a reader that got an answer there goes on from there', async () => {
    const url = newRedisUrl();
    const lists = new Lists({ [GUILD]: 3 });
    const owner = await joinCluster(url);
    owner.joinMembers(lists);
    await owner.holdShard(1, 2);
    const members = (await joinCluster(url)).joinMembers(null);

    const first = await ask(members);
    expect(first).toMatchObject({ added: [], removed: [], count: 3, isReset: false });
    const unknown = await ask(members, { reader: 'welcome' });
    expect(unknown).toMatchObject({ added: [], isReset: true });
    members.moveReader({ ...READER, place: unknown.place });
    lists.change(GUILD);
    lists.remove(GUILD);
    const expected = { added: ['99'], removed: [String(10n ** 17n)], count: 3, isReset: false };
    expect(await ask(members, { since: first.place })).toMatchObject(expected);
    expect(await ask(lists, { since: first.place })).toMatchObject(expected);
    // The message is on its way, and Redis keeps the order of what one process says.
    const next = await ask(members, { reader: 'welcome' });
    expect(next).toMatchObject(expected);
    // Its answer has got lost, and the same changes come again.
    expect(await ask(members, { reader: 'welcome' })).toMatchObject(expected);
    members.moveReader({ ...READER, place: next.place });
    expect(await ask(members, { reader: 'welcome' })).toMatchObject({
      added: [],
      removed: [],
      isReset: false,
    });
  });

  test('is a reset where another process has taken over, for cursors and for readers', async () => {
    const url = newRedisUrl();
    const [before, after] = [new Lists({ [GUILD]: 3 }), new Lists({ [GUILD]: 4 })];
    const old = await joinCluster(url, { renewMs: 50 });
    old.joinMembers(before);
    await old.holdShard(1, 2);
    const members = (await joinCluster(url, { renewMs: 50 })).joinMembers(null);
    const { place } = await ask(members);
    members.moveReader({ ...READER, place });
    expect(await ask(members, { reader: 'welcome' })).toMatchObject({ isReset: false, count: 3 });

    const young = await joinCluster(url, { renewMs: 50 });
    young.joinMembers(after);
    await young.holdShard(1, 2);
    await vi.waitFor(async () => expect((await ask(members)).count).toBe(4), PATIENCE);
    expect(await ask(members, { since: place })).toMatchObject({ isReset: true, added: [], removed: [] });
    const reset = await ask(members, { reader: 'welcome' });
    expect(reset).toMatchObject({ isReset: true });
    // Both owners hear of it, and only the one that has this record uses it.
    members.moveReader({ ...READER, place: reset.place });
    after.change(GUILD);
    expect(await ask(members, { reader: 'welcome' })).toMatchObject({ isReset: false, added: ['99'] });
  });

  test('is refused like a list: an unknown role, and a list that is not there', async () => {
    const url = newRedisUrl();
    const lists = new Lists({ [GUILD]: 1 });
    const owner = await joinCluster(url);
    owner.joinMembers(lists);
    await owner.holdShard(1, 2);
    const members = (await joinCluster(url)).joinMembers(null);
    await expect(ask(members, { roleId: '902000000000000000' })).rejects.toMatchObject({
      code: 'unknown_role',
    });
    lists.problem = new Problem('member_list_unavailable');
    await expect(ask(members)).rejects.toMatchObject({ code: 'member_list_unavailable' });
    await expect(ask(members, { guildId: guildOf(0, 2) })).rejects.toMatchObject({
      code: 'member_list_unavailable',
    });
  });
});
