import { Events, GatewayDispatchEvents, GatewayIntentBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { GatewayProbe } from './gateway-probe.ts';
import { startSimulator } from './simulator.ts';
import { connectClient, next } from './test-client.ts';

describe('a change in a guild', () => {
  test('is dispatched for members who join, change and leave', async () => {
    await using discord = await startSimulator({
      guilds: [{ roles: [{ id: '901' }], membersInCreate: 'all' }],
    });
    await using client = await connectClient(discord);
    const guild = discord.guild();
    const joined = next(client, Events.GuildMemberAdd);
    const { id } = guild.addMember({ username: 'ada' });
    expect((await joined)[0].user.username).toBe('ada');
    const updated = next(client, Events.GuildMemberUpdate);
    guild.updateMember(id, { roles: ['901'], nick: 'Ada' });
    const [, member] = await updated;
    expect([member.nickname, member.roles.cache.has('901')]).toEqual(['Ada', true]);
    const left = next(client, Events.GuildMemberRemove);
    guild.removeMember(id);
    expect((await left)[0].id).toBe(id);
    expect(client.guilds.cache.get(guild.id)?.memberCount).toBe(2);
  });

  test('is dispatched for roles that are made, changed and deleted; a deleted one is taken from its holders silently', async () => {
    await using discord = await startSimulator({ guilds: [{ members: [{ id: '1001' }] }] });
    await using client = await connectClient(discord);
    const guild = discord.guild();
    const created = next(client, Events.GuildRoleCreate);
    const role = guild.createRole({ name: 'Red' });
    expect((await created)[0].name).toBe('Red');
    guild.updateMember('1001', { roles: [role.id] });
    const updated = next(client, Events.GuildRoleUpdate);
    guild.updateRole(role.id, { name: 'Blue' });
    expect((await updated)[1].name).toBe('Blue');
    expect(guild.holdersOf(role.id)).toEqual(['1001']);
    const deleted = next(client, Events.GuildRoleDelete);
    guild.deleteRole(role.id);
    expect((await deleted)[0].id).toBe(role.id);
    expect(guild.holdersOf(role.id)).toEqual([]);
    expect(guild.members.get('1001')?.roles).toEqual([]);
  });

  test('is dispatched for an outage and its end, and for a bot that is kicked and invited again', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    await using client = await connectClient(discord);
    const guild = discord.guild();
    const gone = next(client, Events.GuildUnavailable);
    guild.startOutage();
    expect((await gone)[0].available).toBe(false);
    const back = next(client, Events.GuildAvailable);
    guild.endOutage();
    expect((await back)[0].available).toBe(true);
    const kicked = next(client, Events.GuildDelete);
    guild.removeBot(discord.bot());
    await kicked;
    expect(client.guilds.cache.size).toBe(0);
    await expect(client.guilds.fetch(guild.id)).rejects.toMatchObject({ code: 50001 });
    const invited = next(client, Events.GuildCreate);
    guild.addBot(discord.bot());
    expect((await invited)[0].id).toBe(guild.id);
    const founded = next(client, Events.GuildCreate);
    const { id } = discord.addGuild();
    expect((await founded)[0].id).toBe(id);
  });

  test('adds an invited bot as a new member for the others, and counts it once for itself', async () => {
    await using discord = await startSimulator({ bots: [{}, { name: 'other', guilds: [] }], guilds: [{}] });
    await using first = await connectClient(discord);
    await using second = await connectClient(discord, {}, discord.bot('other').token);
    const [added, created] = [next(first, Events.GuildMemberAdd), next(second, Events.GuildCreate)];
    discord.guild().addBot(discord.bot('other'));
    expect((await added)[0].id).toBe(discord.bot('other').id);
    const [guild] = await created;
    // A dispatch that comes after all others of the invitation.
    const marked = next(second, Events.GuildRoleCreate);
    discord.guild().createRole();
    await marked;
    expect(guild.memberCount).toBe(discord.guild().memberCount);
  });

  test('may set the permissions of @everyone, which has the id of the guild', async () => {
    await using discord = await startSimulator({
      guilds: [{ id: '42000000000000000', roles: [{ id: '42000000000000000', permissions: '8' }] }],
    });
    expect(discord.guild().roles.get('42000000000000000')).toMatchObject({
      name: '@everyone',
      permissions: '8',
    });
    const { id } = discord.guild().addMember();
    expect(discord.guild().permissionsOf(id) & 32n).toBe(32n);
  });

  test('removes another bot that leaves like any member', async () => {
    await using discord = await startSimulator({
      bots: [{}, { name: 'other' }],
      guilds: [{ membersInCreate: 'all' }],
    });
    await using client = await connectClient(discord);
    const left = next(client, Events.GuildMemberRemove);
    discord.guild().removeBot(discord.bot('other'));
    expect((await left)[0].id).toBe(discord.bot('other').id);
    expect(client.guilds.cache.size).toBe(1);
  });

  test('is not dispatched for members without the intent, and any dispatch can be sent by hand', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    using probe = new GatewayProbe(discord);
    await probe.identify(discord.bot().token, { intents: GatewayIntentBits.Guilds });
    await probe.dispatch('GUILD_CREATE');
    discord.guild().addMember();
    const user = { id: '7', username: 'seven', discriminator: '0', global_name: null, avatar: null };
    discord.dispatch(null, GatewayDispatchEvents.UserUpdate, user);
    expect(await probe.dispatch('USER_UPDATE')).toEqual(user);
    expect(probe.names).toEqual(['READY', 'GUILD_CREATE', 'USER_UPDATE']);
  });
});

describe('the number of members in GUILD_CREATE', () => {
  const PRESENCES = 1 << 8;
  test.each([
    ['discord', 3, 50, 1],
    ['discord', 3 | PRESENCES, 250, 101],
    ['discord', 3 | PRESENCES, 50, 1],
    ['all', 1, 50, 101],
    [7, 1, 50, 7],
    [0, 1, 50, 0],
  ] as const)(
    'is decided by %s with intents %i and a large_threshold of %i: %i',
    async (membersInCreate, intents, threshold, count) => {
      await using discord = await startSimulator({
        bots: [{ privilegedIntents: ['GuildMembers', 'GuildPresences'] }],
        guilds: [{ members: { count: 100 }, membersInCreate }],
      });
      using probe = new GatewayProbe(discord);
      await probe.identify(discord.bot().token, { intents, large_threshold: threshold });
      const created = await probe.dispatch('GUILD_CREATE');
      expect(created['members']).toHaveLength(count);
      expect(created).toMatchObject({ member_count: 101, large: threshold < 101, unavailable: false });
    },
  );
});
