import { describe, expect, test } from 'vitest';

import { changesQuery, type ChangesQuestion } from '../../../src/members/changes-query.ts';
import type { ChangeOffset } from '../../../src/members/changes/reader.ts';
import { BLUE, crowd, RED, startFeed, type Feed } from '../gateway-members/gateway-members-setup.ts';
import { anyCaller, withIds } from '../../fixtures/any-caller.ts';

async function ask(feed: Feed, more: Partial<ChangesQuestion> = {}) {
  const guildId = feed.discord.guild().id;
  const question = { guildId, roleId: BLUE, bots: 'include', since: null, reader: null, ...more } as const;
  return withIds(await feed.members.ask(changesQuery, question, anyCaller));
}

async function since(feed: Feed, offset: ChangeOffset) {
  const { added, removed, isReset, count } = await ask(feed, { since: offset });
  return { added, removed, isReset, count };
}

/** Makes the list stale with a new session, which gets no event about what `change` does. */
async function loseSession(feed: Feed, change: () => void): Promise<void> {
  feed.discord.gateway.shard(0).invalidateSession(false);
  change();
  await feed.until(() => feed.members.stats.guilds.stale === 1);
  await feed.discord.until(() => feed.discord.gateway.live.length === 1);
  await feed.caughtUp();
}

describe('the changes of a role', () => {
  test('follow the changes of each member', async () => {
    await using feed = await startFeed({ guilds: [crowd(30)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const [gone = '', changed = '', back = ''] = guild.holdersOf(BLUE);
    const { offset } = await ask(feed);
    const joined = guild.addMember({ roles: [BLUE] }).id;
    guild.removeMember(gone);
    guild.updateMember(changed, { roles: [RED] });
    guild.updateMember(back, { roles: [] });
    guild.updateMember(back, { roles: [BLUE] });
    await feed.caughtUp();
    expect(await since(feed, offset)).toEqual({
      added: [joined],
      removed: [gone, changed],
      isReset: false,
      count: guild.holdersOf(BLUE).length,
    });
  });

  test('are complete after a connection that was resumed', async () => {
    await using feed = await startFeed({ guilds: [crowd(30)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const { offset } = await ask(feed);
    feed.discord.gateway.shard(0).drop();
    const [gone = ''] = guild.holdersOf(BLUE);
    guild.removeMember(gone);
    await feed.discord.until(() => feed.discord.gateway.resumes.length === 1);
    await feed.caughtUp();
    expect(await since(feed, offset)).toMatchObject({ added: [], removed: [gone], isReset: false });
  });

  test('are complete after a lost session, although no event arrived for them', async () => {
    await using feed = await startFeed({ guilds: [{ ...crowd(30), membersInCreate: 'discord' }] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const [gone = '', changed = ''] = guild.holdersOf(BLUE);
    const [got = ''] = guild.holdersOf(RED);
    const { offset } = await ask(feed);
    const everyone = await ask(feed, { roleId: guild.id });
    const reader = { guildId: guild.id, roleId: BLUE, bots: 'include', reader: 'welcome' } as const;
    feed.members.commitReaderOffset({ ...reader, offset: (await ask(feed, reader)).offset });
    await loseSession(feed, () => {
      guild.members.delete(gone);
      guild.members.set({ ...guild.members.get(changed)!, roles: [] });
      guild.members.set({ ...guild.members.get(got)!, roles: [BLUE] });
    });
    // While the list is not complete, nobody is answered, and nobody moves.
    for (const more of [{ since: offset }, { reader: 'welcome' }]) {
      await expect(ask(feed, more)).rejects.toMatchObject({ code: 'member_list_unavailable' });
    }
    feed.timers.advance(30_000);
    await feed.untilComplete();
    const expected = { added: [got], removed: [gone, changed], isReset: false };
    expect(await since(feed, offset)).toMatchObject(expected);
    expect(await ask(feed, { reader: 'welcome' })).toMatchObject(expected);
    expect(await ask(feed, { roleId: guild.id, since: everyone.offset })).toMatchObject({
      added: [],
      removed: [gone],
    });
    expect(feed.members.stats.changes).toMatchObject({ logs: 2 });
  });

  test('omit members who are still there when a sync lacks some rows', async () => {
    await using feed = await startFeed({ guilds: [{ ...crowd(30), membersInCreate: 'discord' }] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const { offset } = await ask(feed);
    const [missing = ''] = guild.holdersOf(BLUE);
    const record = guild.members.get(missing)!;
    await loseSession(feed, () => {});
    // The guild has said how many members it has, and a row is missing once: the sync is not accepted.
    guild.members.delete(missing);
    const held = feed.discord.gateway.memberRequests.holdNext();
    feed.timers.advance(30_000);
    const chunks = await held;
    chunks.release();
    await feed.caughtUp();
    await expect(ask(feed)).rejects.toMatchObject({ code: 'member_list_unavailable' });
    guild.members.set(record);
    feed.timers.advance(60_000);
    await feed.untilComplete();
    expect(await since(feed, offset)).toMatchObject({ added: [], removed: [], isReset: false });
  });

  test('end with 404 when the role is deleted, as does its change log', async () => {
    await using feed = await startFeed({ guilds: [crowd(30)] });
    await feed.untilComplete();
    const { offset } = await ask(feed);
    feed.discord.guild().deleteRole(BLUE);
    await feed.caughtUp();
    await expect(ask(feed, { since: offset })).rejects.toMatchObject({ code: 'unknown_role' });
    expect(feed.members.stats.changes.logs).toBe(0);
  });

  test('end when the bot leaves the guild, and are reset when it comes back', async () => {
    await using feed = await startFeed({ guilds: [crowd(30)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const { offset } = await ask(feed);
    const bot = feed.discord.bot();
    guild.removeBot(bot);
    await feed.until(() => feed.members.stats.guilds.complete === 0);
    await expect(ask(feed, { since: offset })).rejects.toMatchObject({ code: 'member_list_unavailable' });
    expect(feed.members.stats.changes.logs).toBe(0);
    guild.addBot(bot);
    await feed.untilComplete();
    expect(await since(feed, offset)).toMatchObject({ added: [], removed: [], isReset: true });
  });
});
