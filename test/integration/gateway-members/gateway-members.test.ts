import { GatewayDispatchEvents } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { anyCaller } from '../../fixtures/any-caller.ts';
import { countPerIteration } from '../../fixtures/iteration-counter.ts';
import { BLUE, crowd, RED, startFeed, type Feed } from './gateway-members-setup.ts';

/** Every role says what the guild itself says. */
async function expectRight(feed: Feed, guildId = feed.discord.guild().id): Promise<void> {
  const guild = feed.discord.guild(guildId);
  for (const roleId of [guild.id, ...guild.roles.keys()]) {
    const holders = guild.holdersOf(roleId);
    expect(await feed.idsOf(roleId, guildId)).toEqual(holders);
    const counted = await feed.find(roleId, { guildId, countOnly: true });
    expect([counted.count, counted.returned, counted.members.toJSON()]).toEqual([holders.length, 0, []]);
  }
}

describe('a guild is complete', () => {
  test('when GUILD_CREATE carried all its members, without a request', async () => {
    await using feed = await startFeed({ guilds: [{ ...crowd(50), membersInCreate: 'all' }] });
    await feed.untilComplete();
    await expectRight(feed);
    expect(feed.sent).toEqual([]);
  });

  test('when every chunk of our own request has arrived, in whatever order, and not before', async () => {
    await using feed = await startFeed({ guilds: [], gateway: { chunkSize: 100 } });
    const held = feed.discord.gateway.memberRequests.holdNext();
    feed.discord.addGuild(crowd(450));
    const chunks = await held;
    expect(chunks.count).toBe(5);
    expect(Buffer.byteLength(chunks.request.nonce ?? '')).toBeLessThanOrEqual(32);

    const before = await feed.problemOf();
    expect([before.code, before.status]).toEqual(['member_list_unavailable', 503]);
    expect(before.message).toBe('The member list of this server is still loading: 0 of 451 members so far.');
    for (const index of [3, 0, 4, 1]) chunks.send(index);
    // A chunk that came twice, and one that answers somebody else, say nothing about the one that is missing.
    chunks.send(3);
    chunks.send(2, { nonce: 'foreign' });
    await feed.caughtUp();
    const problem = await feed.problemOf();
    expect(problem.message).toBe(
      'The member list of this server is still loading: 351 of 451 members so far.',
    );
    expect(problem.retryAfterSeconds).toBeGreaterThan(0);

    chunks.send(2);
    await feed.untilComplete();
    await expectRight(feed);
  });

  test('when its roles hold 20-digit ids and members come and go', async () => {
    const high = [
      '18446744073709551615',
      '18446744073709551614',
      '9999999999999999999',
      '10000000000000000000',
    ];
    const role = '18446744073709551000';
    await using feed = await startFeed({
      guilds: [
        {
          id: '18446744073709500000',
          roles: [{ id: role }],
          members: high.map((id) => ({ id, roles: [role] })),
        },
      ],
    });
    await feed.untilComplete();
    await expectRight(feed);
    expect(await feed.idsOf(role)).toEqual(high.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)));
    feed.discord.guild().removeMember('18446744073709551615');
    await feed.caughtUp();
    await expectRight(feed);
  });

  test('on a server that omits `unavailable` and lists the guild among the roles of members', async () => {
    await using feed = await startFeed({ spacebar: true, guilds: [crowd(30)] });
    await feed.untilComplete();
    await expectRight(feed);
  });
});

describe('a change while a list is loading', () => {
  test('overrides the chunks: a member who left does not come back, a changed one stays changed', async () => {
    await using feed = await startFeed({ guilds: [], gateway: { chunkSize: 100 } });
    const held = feed.discord.gateway.memberRequests.holdNext();
    const guild = feed.discord.addGuild(crowd(250));
    const chunks = await held;
    const [gone, changed, gone2] = guild.holdersOf(BLUE);
    chunks.send(0);
    guild.removeMember(gone!);
    guild.updateMember(changed!, { roles: [RED] });
    guild.addMember({ id: '199000000000000000', roles: [BLUE] });
    guild.removeMember(gone2!);
    guild.addMember({ id: gone2!, roles: [RED] });
    guild.removeMember(guild.holdersOf(RED).at(-1)!);
    guild.deleteRole(RED);
    chunks.release();
    await feed.untilComplete();
    await expectRight(feed);
    expect(await feed.idsOf(BLUE)).not.toContain(gone);
    expect(await feed.problemOf(RED)).toMatchObject({ code: 'unknown_role', status: 404 });
  });
});

describe('a complete list reflects', () => {
  test('joins, leaves, role changes, and roles that are made and deleted', async () => {
    await using feed = await startFeed({ guilds: [crowd(40)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const green = guild.createRole({ name: 'Green' });
    const [one, two, three] = guild.holdersOf(BLUE);
    guild.updateMember(one!, { roles: [BLUE, RED, green.id] });
    guild.updateMember(two!, { roles: [] });
    guild.updateMember(three!, { nick: 'only a name' });
    const joined = guild.addMember({ roles: [green.id, green.id] });
    guild.removeMember(guild.holdersOf(RED)[0]!);
    guild.deleteRole(BLUE);
    await feed.caughtUp();
    await expectRight(feed);
    expect(await feed.idsOf(green.id)).toContain(joined.id);
    expect(await feed.problemOf(BLUE)).toMatchObject({ code: 'unknown_role' });
  });

  test('an update of an unknown member, repeated joins, and unknown roles', async () => {
    await using feed = await startFeed({ guilds: [crowd(10)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const { dispatch } = bind(feed);
    const newRole = '905000000000000000';
    const known = guild.holdersOf(BLUE)[0]!;
    const stranger = guild.toMember({
      id: '7',
      username: 'x',
      roles: [newRole, newRole],
      nick: null,
      bot: false,
    });
    dispatch(GatewayDispatchEvents.GuildMemberUpdate, {
      ...stranger,
      avatar: null,
      banner: null,
      guild_id: guild.id,
    });
    dispatch(GatewayDispatchEvents.GuildMemberAdd, { ...stranger, guild_id: guild.id });
    dispatch(GatewayDispatchEvents.GuildMemberAdd, { ...stranger, guild_id: guild.id });
    // A member without `roles` changes nothing; neither does a leave of nobody.
    dispatch(GatewayDispatchEvents.GuildMemberUpdate, {
      user: { ...stranger.user, id: known },
      guild_id: guild.id,
    } as never);
    dispatch(GatewayDispatchEvents.GuildMemberRemove, {
      user: { ...stranger.user, id: '8' },
      guild_id: guild.id,
    });
    await feed.caughtUp();
    expect(feed.members.stats.members).toBe(guild.memberCount + 1);
    expect(await feed.idsOf(newRole)).toEqual(['7']);
    expect(await feed.idsOf(BLUE)).toContain(known);
    expect((await feed.find(newRole)).count).toBe(1);
  });

  test('the deletion of a role, even if an update of a former holder arrives late', async () => {
    await using feed = await startFeed({ guilds: [crowd(9)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const member = guild.toMember({
      id: guild.holdersOf(RED)[1] ?? '',
      username: 'late',
      roles: [RED],
      nick: null,
      bot: false,
    });
    guild.deleteRole(RED);
    feed.discord.dispatch(guild, GatewayDispatchEvents.GuildMemberUpdate, {
      ...member,
      avatar: null,
      banner: null,
      guild_id: guild.id,
    });
    await feed.caughtUp();
    expect((await feed.problemOf(RED)).code).toBe('unknown_role');
  });

  test.each(['an outage', 'a lost session'])(
    'the existing roles, and not one that was deleted unseen during %s, even without holders',
    async (gap) => {
      await using feed = await startFeed({ guilds: [crowd(50)] });
      await feed.untilComplete();
      const guild = feed.discord.guild();
      const empty = guild.createRole({ name: 'Empty' }).id;
      await feed.caughtUp();
      expect(await feed.idsOf(empty)).toEqual([]);
      if (gap === 'an outage') guild.startOutage();
      for (const role of [empty, RED]) {
        guild.roles.delete(role);
        guild.members.dropRole(role);
      }
      if (gap === 'an outage') guild.endOutage();
      else feed.discord.gateway.shard(0).invalidateSession(false);
      await feed.until(() => feed.members.completeIndex(guild.id) === null);
      feed.timers.advance(30_000);
      await feed.untilComplete();
      for (const role of [empty, RED]) expect((await feed.problemOf(role)).code).toBe('unknown_role');
      expect(await feed.idsOf(BLUE)).toEqual(guild.holdersOf(BLUE));
    },
  );

  test('all members under the id of the guild, and 404 for an unknown role', async () => {
    await using feed = await startFeed({ guilds: [crowd(12)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    expect(await feed.idsOf(guild.id)).toEqual(guild.holdersOf(guild.id));
    expect((await feed.find(guild.id)).count).toBe(guild.memberCount);
    expect(await feed.problemOf('12345678901234567')).toMatchObject({ code: 'unknown_role', status: 404 });
  });

  test('pages, versions and the time of the list', async () => {
    await using feed = await startFeed({ guilds: [crowd(100)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const holders = guild.holdersOf(BLUE);
    const page = await feed.find(BLUE, { limit: 10, after: holders[4]! });
    expect(page.members.toJSON()).toEqual(holders.slice(5, 15));
    expect(page).toMatchObject({
      count: holders.length,
      returned: 10,
      nextAfter: holders[14],
      asOf: 1_767_225_600,
    });
    const beyond = await feed.find(BLUE, { limit: 10, after: '18446744073709551615' });
    expect(beyond).toMatchObject({ count: holders.length, returned: 0, nextAfter: null });

    feed.timers.advance(60_000);
    guild.updateMember(holders[0]!, { nick: 'other' });
    guild.updateMember(guild.holdersOf(RED)[0]!, { roles: [] });
    await feed.caughtUp();
    expect((await feed.find(RED)).asOf).toBe(1_767_225_660);
    expect(await feed.find(BLUE)).toMatchObject({ asOf: 1_767_225_600, version: page.version });
    guild.updateMember(holders[0]!, { roles: [] });
    await feed.caughtUp();
    expect((await feed.find(BLUE)).version).not.toBe(page.version);
  });
});

function bind(feed: Feed) {
  return {
    dispatch: <Event extends GatewayDispatchEvents>(
      event: Event,
      data: Parameters<typeof feed.discord.dispatch<Event>>[2],
    ) => feed.discord.dispatch(feed.discord.guild(), event, data),
  };
}

test('120 concurrent callers of responses that take 6 ms get them in 120 iterations of the event loop', async () => {
  await using feed = await startFeed({ guilds: [crowd(3)] });
  await feed.untilComplete();
  const answers = countPerIteration();
  const query = {
    answer: () => {
      feed.timers.advance(6);
      answers.note();
    },
  };
  const question = { guildId: feed.discord.guild().id };
  await Promise.all(Array.from({ length: 120 }, () => feed.members.ask(query, question, anyCaller)));
  expect(answers.counts()).toEqual(Array.from({ length: 120 }, () => 1));
});
