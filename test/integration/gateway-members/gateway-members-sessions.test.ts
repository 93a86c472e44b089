import { GatewayDispatchEvents, GatewayOpcodes } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { createLog } from '../../../src/telemetry/log.ts';
import { ProcessPauseDetector } from '../../../src/members/gateway/process-pause-detector.ts';
import { GatewayMembers } from '../../../src/members/gateway/gateway-members.ts';
import { ShardStates } from '../../../src/members/gateway/shard-states.ts';
import { membersQuestion, membersQuery } from '../../../src/members/members-query.ts';
import { BLUE, crowd, RED, startFeed, type Feed } from './gateway-members-setup.ts';
import { anyCaller } from '../../fixtures/any-caller.ts';

const messageOf = async (feed: Feed, guildId?: string) => (await feed.problemOf(BLUE, guildId)).message;

describe('requests for members', () => {
  test('are sent again when Discord refuses them, with another nonce', async () => {
    await using feed = await startFeed({ guilds: [] });
    const { memberRequests } = feed.discord.gateway;
    memberRequests.rateLimitNext(45);
    const guild = feed.discord.addGuild(crowd(20));
    await feed.requests(1);
    await feed.caughtUp();
    feed.timers.advance(44_000);
    expect((await feed.problemOf()).retryAfterSeconds).toBe(3);
    expect(feed.sent.length).toBe(1);
    feed.timers.advance(1_000);
    await feed.untilComplete();
    expect(await feed.idsOf(BLUE)).toEqual(guild.holdersOf(BLUE));
    expect(new Set(memberRequests.received.map(({ nonce }) => nonce)).size).toBe(2);
  });

  test('keep waiting for their chunks when a refusal has an unrelated nonce', async () => {
    await using feed = await startFeed({ guilds: [] });
    const held = feed.discord.gateway.memberRequests.holdNext();
    const guild = feed.discord.addGuild(crowd(20));
    const chunks = await held;
    feed.discord.dispatch(guild, GatewayDispatchEvents.RateLimited, {
      opcode: GatewayOpcodes.RequestGuildMembers,
      retry_after: 10,
      meta: { guild_id: guild.id, nonce: 'foreign' },
    });
    await feed.caughtUp();
    chunks.release();
    await feed.untilComplete();
    expect(feed.sent.length).toBe(1);
  });

  test('are sent again without an answer; late chunks of the first one are ignored', async () => {
    await using feed = await startFeed({ guilds: [], gateway: { chunkSize: 10 } });
    const held = feed.discord.gateway.memberRequests.holdNext();
    const guild = feed.discord.addGuild(crowd(25));
    const first = await held;
    first.send(0);
    await feed.caughtUp();
    feed.timers.advance(29_999);
    expect(feed.sent.length).toBe(1);
    const heldAgain = feed.discord.gateway.memberRequests.holdNext();
    feed.timers.advance(1);
    const second = await heldAgain;
    first.send(1);
    first.send(2);
    second.send(0);
    await feed.caughtUp();
    expect(await messageOf(feed)).toContain('10 of 26');
    second.release();
    await feed.untilComplete();
    expect(await feed.idsOf(RED)).toEqual(guild.holdersOf(RED));
  });

  test('of 1,000 guilds on one shard keep to 100 in 65 s, and requested guilds do not wait', async () => {
    const small = { roles: [{ id: BLUE }], members: [{ id: '7', roles: [BLUE] }, { id: '8' }] };
    await using feed = await startFeed({
      guilds: Array.from({ length: 1_000 }, () => small),
      // The clock of the simulator is another one.
      gateway: { sendLimit: { count: 10_000, windowMs: 60_000 } },
    });
    const ids = feed.discord.guilds.map(({ id }) => id);
    await feed.until(() => feed.members.stats.guilds.complete === 100);
    await feed.caughtUp();
    expect(feed.sent.map(({ guild_id: id }) => id)).toEqual(ids.slice(0, 100));

    const wanted = [ids[990]!, ids[500]!];
    for (const id of wanted)
      expect((await feed.problemOf(BLUE, id)).retryAfterSeconds).toBeLessThanOrEqual(2);
    for (const id of wanted) await feed.untilComplete(id);
    for (const id of wanted) expect(await feed.idsOf(BLUE, id)).toEqual(['7']);
    expect(feed.sent.slice(100).map(({ guild_id: id }) => id)).toEqual(wanted);

    feed.timers.advance(64_999);
    expect(feed.sent.length).toBe(102);
    for (let window = 1; window <= 10; window += 1) {
      feed.timers.advance(1);
      await feed.until(() => feed.members.stats.guilds.complete >= Math.min(1_000, 100 * (window + 1)));
      expect(feed.sent.length).toBeLessThanOrEqual(100 * (window + 1) + 2);
      feed.timers.advance(64_999);
    }
    expect(new Set(feed.sent.map(({ guild_id: id }) => id))).toEqual(new Set(ids));
    expect(feed.members.stats.guilds).toEqual({ complete: 1_000, loading: 0, stale: 0 });
  });
});

describe('a lost connection', () => {
  test('leaves the list complete when it is resumed, with what happened in the meantime', async () => {
    await using feed = await startFeed({ guilds: [crowd(30)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const version = (await feed.find(RED)).version;
    feed.discord.gateway.shard(0).drop();
    guild.removeMember(guild.holdersOf(BLUE)[0]!);
    await feed.discord.until(() => feed.discord.gateway.resumes.length === 1);
    await feed.caughtUp();
    expect(feed.sent.length).toBe(1);
    expect(await feed.idsOf(BLUE)).toEqual(guild.holdersOf(BLUE));
    expect((await feed.find(RED)).version).toBe(version);
  });

  test('is bridged only for 30 s: after that the list may be out of date', async () => {
    await using feed = await startFeed({ guilds: [crowd(30)] });
    await feed.untilComplete();
    feed.shardStates.lost(0, { isUpToDate: true });
    feed.timers.advance(29_999);
    expect((await feed.find(BLUE)).count).toBe(20);
    feed.timers.advance(1);
    expect(await messageOf(feed)).toBe(
      'The connection to Discord is lost, so the member list may be out of date.',
    );
    expect((await feed.problemOf()).retryAfterSeconds).toBe(5);
  });

  test('with a new session makes the list stale, but never incomplete, until it was read again', async () => {
    await using feed = await startFeed({ guilds: [{ ...crowd(30), membersInCreate: 'discord' }] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const version = (await feed.find(RED)).version;
    const held = feed.discord.gateway.memberRequests.holdNext();
    feed.discord.gateway.shard(0).invalidateSession(false);
    // The new session gets no events about these.
    const [gone, changed] = guild.holdersOf(BLUE);
    guild.members.delete(gone!);
    guild.members.set({ ...guild.members.get(changed!)!, roles: [] });
    // All members of a guild may be asked for once in 30 s.
    await feed.until(() => feed.members.stats.guilds.stale === 1);
    await feed.discord.until(() => feed.discord.gateway.live.length === 1);
    await feed.caughtUp();
    expect(await messageOf(feed)).toContain('is being read again after a lost connection: 0 of 30');
    expect(feed.sent.length).toBe(1);
    feed.timers.advance(30_000);
    const chunks = await held;
    expect(await messageOf(feed)).toContain('is being read again after a lost connection: 0 of 30');
    chunks.release();
    await feed.untilComplete();
    expect(await feed.idsOf(BLUE)).toEqual(guild.holdersOf(BLUE));
    expect(await feed.idsOf(guild.id)).toEqual(guild.holdersOf(guild.id));
    // Whom nothing happened to is answered with the same version, so that an ETag stays good.
    expect((await feed.find(RED)).version).toBe(version);
  });

  test('drops guilds that a new session does not name: the bot has left meanwhile', async () => {
    await using feed = await startFeed({ guilds: [crowd(5), crowd(6)] });
    const [stays, leaves] = feed.discord.guilds;
    await feed.untilComplete(stays!.id);
    await feed.untilComplete(leaves!.id);
    leaves!.bots.clear();
    feed.discord.gateway.shard(0).invalidateSession(false);
    await feed.until(() => feed.members.stats.guilds.complete === 0);
    await feed.discord.until(() => feed.discord.gateway.live.length === 1);
    await feed.caughtUp(stays!.id);
    expect(await messageOf(feed, leaves!.id)).toBe('The bot of this service is not in this server.');
    expect(feed.members.stats.guilds).toEqual({ complete: 0, loading: 0, stale: 1 });
  });
});

describe('a guild', () => {
  test('is kept during an outage, not answered, and read again when it is back', async () => {
    await using feed = await startFeed({ guilds: [crowd(9)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    guild.startOutage();
    await feed.caughtUp();
    expect(await messageOf(feed)).toContain('Discord has an outage that affects this server');
    expect(feed.members.stats).toMatchObject({ guilds: { complete: 0, stale: 1 }, members: 10 });
    guild.members.delete(guild.holdersOf(RED)[0]!);
    guild.endOutage();
    await feed.caughtUp();
    expect(await messageOf(feed)).toContain('is being read again after a lost connection');
    feed.timers.advance(30_000);
    await feed.untilComplete();
    expect(await feed.idsOf(RED)).toEqual(guild.holdersOf(RED));
    expect(await feed.idsOf(guild.id)).toEqual(guild.holdersOf(guild.id));
  });

  test('never counts as complete when it is in an outage from the start', async () => {
    await using feed = await startFeed({ guilds: [crowd(3), { ...crowd(9), unavailable: true }] });
    const [other, out] = feed.discord.guilds;
    await feed.untilComplete(other!.id);
    expect((await feed.problemOf(BLUE, out!.id)).code).toBe('member_list_unavailable');
    out!.endOutage();
    await feed.untilComplete(out!.id);
    expect(await feed.idsOf(BLUE, out!.id)).toEqual(out!.holdersOf(BLUE));
  });

  test('is dropped when the bot leaves it, and known again when the bot comes back', async () => {
    await using feed = await startFeed({ guilds: [crowd(2), crowd(9)] });
    const [other, guild] = feed.discord.guilds;
    await feed.untilComplete(guild!.id);
    await feed.untilComplete(other!.id);
    guild!.removeBot(feed.discord.bot());
    await feed.caughtUp(other!.id);
    expect(await messageOf(feed, guild!.id)).toBe('The bot of this service is not in this server.');
    expect(feed.members.stats.members).toBe(3);
    guild!.addBot(feed.discord.bot());
    await feed.untilComplete(guild!.id);
    expect(await feed.idsOf(BLUE, guild!.id)).toEqual(guild!.holdersOf(BLUE));
  });

  test('may still arrive before the first READY when it is unknown', async () => {
    await using feed = await startFeed({ guilds: [crowd(2)] });
    await feed.untilComplete();
    expect(await messageOf(feed, '123456789012345678')).toBe(
      'The bot of this service is not in this server.',
    );
    const unfed = new GatewayMembers({
      requestMembers: () => undefined,
      fetchRoleCounts: null,
      shardStates: new ShardStates({ processPauses: new ProcessPauseDetector() }),
      log: createLog('silent'),
    });
    const question = membersQuestion({ guildId: '123456789012345678', all: [BLUE], countOnly: true });
    await expect(unfed.ask(membersQuery, question, anyCaller)).rejects.toMatchObject({
      code: 'member_list_unavailable',
      retryAfterSeconds: 5,
    });
  });
});

describe('a bot without the Server Members intent', () => {
  test('is closed with 4014 when it asks for it; connected without it, the response says where to switch it on', async () => {
    const bots = [{ privilegedIntents: [] }];
    await using feed = await startFeed({ bots, guilds: [crowd(9)] });
    expect(feed.discord.gateway.identifies.map(({ outcome }) => outcome)).toEqual([
      'closed 4014',
      'accepted',
    ]);
    await feed.caughtUp();
    const problem = await feed.problemOf();
    expect(problem).toMatchObject({ code: 'member_list_unavailable', retryAfterSeconds: 60 });
    expect(problem.message).toContain('Server Members Intent is off');
    expect(problem.hint).toContain('Discord developer portal, on the Bot page');
    expect(feed.sent).toEqual([]);
  });
});

describe('a list that differs from Discord', () => {
  test('in the number of members is not answered until a second sync agrees with Discord or with the first', async () => {
    await using feed = await startFeed({ guilds: [crowd(9)] });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    // Told twice, a join that nobody saw.
    guild.startOutage();
    await feed.caughtUp();
    feed.timers.advance(30_000);
    const held = feed.discord.gateway.memberRequests.holdNext();
    guild.endOutage();
    const chunks = await held;
    guild.members.set({ id: '7', username: 'seven', roles: [BLUE], nick: null, bot: false });
    feed.discord.dispatch(guild, GatewayDispatchEvents.GuildMemberRemove, {
      guild_id: guild.id,
      user: { id: '9', username: 'nobody', discriminator: '0', global_name: null, avatar: null },
    });
    chunks.release();
    await feed.caughtUp();
    expect((await feed.problemOf()).code).toBe('member_list_unavailable');
    // The second has one more than the first, and the third agrees with it.
    feed.timers.advance(30_000);
    await feed.requests(3);
    await feed.caughtUp();
    expect((await feed.problemOf()).code).toBe('member_list_unavailable');
    feed.timers.advance(60_000);
    await feed.untilComplete();
    expect(await feed.idsOf(BLUE)).toEqual(guild.holdersOf(BLUE));
    feed.timers.advance(600_000);
    expect(feed.sent.length).toBe(4);
  });

  test('in the holders of a role for longer is read again, with a line in the log and a count', async () => {
    await using feed = await startFeed({ guilds: [crowd(30)] }, { selfCheck: true });
    await feed.untilComplete();
    const guild = feed.discord.guild();
    const [one, two] = guild.holdersOf(BLUE);
    guild.members.set({ ...guild.members.get(one!)!, roles: [RED] });
    guild.members.set({ ...guild.members.get(two!)!, roles: [BLUE, RED] });
    const checks = () => feed.discord.rest.callsTo('GET /guilds/:guild/roles/member-counts').length;

    feed.timers.advance(15_000);
    await feed.timers.waited();
    expect([checks(), feed.sent.length]).toEqual([1, 1]);
    feed.timers.advance(30_000);
    await feed.until(() => feed.members.stats.resynced === 1);
    expect(checks()).toBe(2);
    expect(await feed.idsOf(BLUE)).toEqual(guild.holdersOf(BLUE));
    expect(await feed.idsOf(RED)).toEqual(guild.holdersOf(RED));
    expect(feed.lines.filter(({ msg }) => msg.includes('was fixed'))).toMatchObject([
      { level: 'info', guild_id: guild.id, members: 2 },
    ]);

    feed.timers.advance(15_000);
    await feed.timers.waited();
    expect([checks(), feed.sent.length]).toEqual([3, 2]);
  });
});
