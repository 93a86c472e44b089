import { describe, expect, test, vi } from 'vitest';

import { changesQuery, type ChangesQuestion } from '../../src/members/changes-query.ts';
import type { MemberDirectory } from '../../src/members/member-directory.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { guildOf, joinCluster, Lists, newRedisUrl, questionAbout } from '../fixtures/cluster-setup.ts';
import { anyCaller, withIds } from '../fixtures/any-caller.ts';
import { countPerIteration } from '../fixtures/iteration-counter.ts';
import { POLL } from '../fixtures/poll.ts';
import { Random } from '../fixtures/random.ts';
import { isMissing, REDIS_URL } from '../fixtures/storage-services.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

const GUILD = guildOf(1, 2);
const [ROLE = ''] = questionAbout(GUILD).all;
const ABOUT = { guildId: GUILD, roleId: ROLE, bots: 'exclude' } as const;
const READER = { ...ABOUT, reader: 'welcome' };

const ask = async (members: MemberDirectory, more: Partial<ChangesQuestion> = {}, caller = anyCaller) =>
  withIds(await members.ask(changesQuery, { ...ABOUT, since: null, reader: null, ...more }, caller));

async function startShardHolder(holders: Readonly<Record<string, number>>) {
  const url = newRedisUrl();
  const lists = new Lists(holders);
  const shardHolder = await joinCluster(url);
  shardHolder.shareMembers(lists);
  await shardHolder.holdShard(1, 2);
  return { url, lists, shardHolder };
}

describe.skipIf(isWithoutRedis)('the changes of a role in a guild of another process', () => {
  test('equal those of the shard holder, and a reader continues from its last response', async () => {
    const url = newRedisUrl();
    const lists = new Lists({ [GUILD]: 3 });
    const shardHolder = await joinCluster(url);
    shardHolder.shareMembers(lists);
    await shardHolder.holdShard(1, 2);
    const members = (await joinCluster(url)).shareMembers(null);

    const first = await ask(members);
    expect(first).toMatchObject({ added: [], removed: [], count: 3, isReset: false });
    const unknown = await ask(members, { reader: 'welcome' });
    expect(unknown).toMatchObject({ added: [], isReset: true });
    members.commitReaderOffset({ ...READER, offset: unknown.offset });
    lists.change(GUILD);
    lists.remove(GUILD);
    const expected = { added: ['99'], removed: [String(10n ** 17n)], count: 3, isReset: false };
    expect(await ask(members, { since: first.offset })).toMatchObject(expected);
    expect(await ask(lists, { since: first.offset })).toMatchObject(expected);
    // The message is on its way, and Redis keeps the order of what one process says.
    const next = await ask(members, { reader: 'welcome' });
    expect(next).toMatchObject(expected);
    // Its answer has got lost, and the same changes come again.
    expect(await ask(members, { reader: 'welcome' })).toMatchObject(expected);
    members.commitReaderOffset({ ...READER, offset: next.offset });
    expect(await ask(members, { reader: 'welcome' })).toMatchObject({
      added: [],
      removed: [],
      isReset: false,
    });
  });

  test('are reset for cursors and readers when another process takes over', async () => {
    const url = newRedisUrl();
    const [before, after] = [new Lists({ [GUILD]: 3 }), new Lists({ [GUILD]: 4 })];
    const old = await joinCluster(url, { renewMs: 50 });
    old.shareMembers(before);
    await old.holdShard(1, 2);
    const members = (await joinCluster(url, { renewMs: 50 })).shareMembers(null);
    const { offset } = await ask(members);
    members.commitReaderOffset({ ...READER, offset });
    expect(await ask(members, { reader: 'welcome' })).toMatchObject({ isReset: false, count: 3 });

    const young = await joinCluster(url, { renewMs: 50 });
    young.shareMembers(after);
    await young.holdShard(1, 2);
    await vi.waitFor(async () => expect((await ask(members)).count).toBe(4), POLL);
    expect(await ask(members, { since: offset })).toMatchObject({ isReset: true, added: [], removed: [] });
    const reset = await ask(members, { reader: 'welcome' });
    expect(reset).toMatchObject({ isReset: true });
    // Both shard holders hear of it, and only the one that has the log of this epoch uses it.
    members.commitReaderOffset({ ...READER, offset: reset.offset });
    after.change(GUILD);
    expect(await ask(members, { reader: 'welcome' })).toMatchObject({ isReset: false, added: ['99'] });
  });

  test('are reported exactly once while two processes take turns answering for the shard', async () => {
    const url = newRedisUrl();
    const shardHolders = [new Lists({ [GUILD]: 3 }), new Lists({ [GUILD]: 3 })] as const;
    for (const lists of shardHolders) {
      const shardHolder = await joinCluster(url, { renewMs: 50 });
      shardHolder.shareMembers(lists);
      await shardHolder.holdShard(1, 2);
    }
    const asker = await joinCluster(url, { renewMs: 50 });
    const members = asker.shareMembers(null);
    await vi.waitFor(() => expect(asker.state()?.processes).toBe(3), POLL);
    /** What a program that follows the answers believes; null until it has read the whole list. */
    let believed: Set<string> | null = null;
    const toldTwice: string[] = [];
    let counted = 0;
    const random = new Random(7);
    for (let round = 0; round < 60; round += 1) {
      // Somebody comes or goes, and both processes hear of it.
      const id = String(10n ** 18n + BigInt(random.int(0, 4)));
      const stays = random.chance(0.5);
      for (const lists of shardHolders) lists.set(GUILD, id, stays);
      const silent = random.pick([...shardHolders, null]);
      if (silent !== null) silent.problem = new Problem('member_list_unavailable');
      const answer = await ask(members, { reader: 'welcome' });
      if (silent !== null) silent.problem = null;
      if (answer.isReset) believed = new Set(shardHolders[0].ids(GUILD));
      else if (believed !== null) {
        const known = believed;
        toldTwice.push(...answer.added.filter((added) => known.has(added)));
        toldTwice.push(...answer.removed.filter((removed) => !known.has(removed)));
        for (const added of answer.added) believed.add(added);
        for (const removed of answer.removed) believed.delete(removed);
        counted += 1;
      }
      expect([...(believed ?? [])].sort()).toEqual([...shardHolders[0].ids(GUILD)].sort());
      members.commitReaderOffset({ ...READER, offset: answer.offset });
    }
    expect(toldTwice).toEqual([]);
    expect(counted).toBeGreaterThan(10);
  });

  test('are sent as numbers: 9,000 changes take as much memory as a list, and at most 8 bytes each', async () => {
    const { url, lists, shardHolder } = await startShardHolder({ [GUILD]: 9_000 });
    const other = await joinCluster(url, { limits: { heldBytesMax: 8 * 9_000 } });
    const members = other.shareMembers(null);
    const { offset } = await ask(members);
    lists.clear(GUILD);
    const caller = new AbortController();
    const own = await ask(lists, { since: offset });
    const found = await ask(members, { since: offset }, { ...anyCaller, signal: caller.signal });
    expect(found).toEqual(own);
    expect(found.removed).toHaveLength(9_000);
    expect(other.state()?.remoteListBytes).toBe(8 * 9_000);
    await expect(ask(members, { since: offset })).rejects.toMatchObject({ code: 'busy' });
    caller.abort();
    expect(await ask(members, { since: offset })).toEqual(own);
    expect(shardHolder.state()?.openQuestions).toBe(0);
  });

  test('reach 120 concurrent callers of 9,000 changes, each in its own iteration of the event loop', async () => {
    const { url, lists } = await startShardHolder({ [GUILD]: 9_000 });
    const members = (await joinCluster(url)).shareMembers(null);
    const { offset } = await ask(members);
    lists.clear(GUILD);
    const own = await ask(lists, { since: offset });
    const answers = countPerIteration();
    await Promise.all(
      Array.from({ length: 120 }, async () => {
        const question = { ...ABOUT, since: offset, reader: null };
        const { removed } = await members.ask(changesQuery, question, anyCaller);
        expect(removed.length).toBe(own.removed.length);
        answers.note();
      }),
    );
    expect(answers.counts()).toEqual(Array.from({ length: 120 }, () => 1));
  });

  test('are no longer computed once the process that asked has given up', async () => {
    const { url, lists, shardHolder } = await startShardHolder({ [GUILD]: 3 });
    const opening = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<AbortSignal>();
    let made = 0;
    lists.onAnswer = () => (made += 1);
    lists.beforeAnswer = ({ signal }) => {
      begun.resolve(signal);
      return opening.promise;
    };
    const members = (await joinCluster(url, { limits: { answerMs: 300 } })).shareMembers(null);
    await expect(ask(members)).rejects.toMatchObject({ code: 'member_list_unavailable' });
    const signal = await begun.promise;
    await vi.waitFor(() => expect(signal.aborted).toBe(true), POLL);
    opening.resolve();
    lists.beforeAnswer = null;
    await expect(ask(lists)).resolves.toMatchObject({ count: 3 });
    expect(made).toBe(1);
    expect(shardHolder.lines.join('')).not.toContain('a question of another process failed');
  });

  test('fail with the same errors as a member list', async () => {
    const url = newRedisUrl();
    const lists = new Lists({ [GUILD]: 1 });
    const shardHolder = await joinCluster(url);
    shardHolder.shareMembers(lists);
    await shardHolder.holdShard(1, 2);
    const members = (await joinCluster(url)).shareMembers(null);
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
