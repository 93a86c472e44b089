import { Events, GatewayIntentBits, GatewayOpcodes, Status } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { connectProbe, GatewayProbe } from './gateway-probe.ts';
import { startSimulator } from './simulator.ts';
import { shardOf } from './snowflakes.ts';
import { connectClient, makeClient, next } from './test-client.ts';

describe('logging in', () => {
  test('makes discord.js ready with its guilds, their roles and their true size', async () => {
    await using discord = await startSimulator({
      guilds: [
        { name: 'Home', roles: [{ id: '901', name: 'Blue' }], members: { count: 5000 } },
        { name: 'Away' },
      ],
    });
    await using client = await connectClient(discord);
    const home = client.guilds.cache.get(discord.guild().id);
    expect(home?.name).toBe('Home');
    expect(home?.memberCount).toBe(5001);
    expect(home?.roles.cache.get('901')?.name).toBe('Blue');
    expect(home?.members.me?.id).toBe(discord.bot().id);
    expect(home?.members.cache.size).toBe(1);
    expect(client.guilds.cache.size).toBe(2);
    expect(client.application.id).toBe(discord.bot().id);
  });

  test('refuses a wrong token over REST before the gateway is asked', async () => {
    await using discord = await startSimulator();
    const client = makeClient(discord);
    await expect(client.login('MTIz.wrong.token')).rejects.toMatchObject({ code: 'TokenInvalid' });
    expect(discord.gateway.connections).toEqual([]);
  });

  test('closes with 4004 for a token that is reset between REST and IDENTIFY', async () => {
    await using discord = await startSimulator();
    using probe = new GatewayProbe(discord);
    await probe.identify('wrong');
    expect(await probe.closed()).toBe(4004);
    expect(discord.gateway.identifies).toMatchObject([{ botId: '', outcome: 'closed 4004' }]);
  });

  test('closes with 4014 for a privileged intent that is off, and succeeds without it', async () => {
    await using discord = await startSimulator({ bots: [{ privilegedIntents: [] }], guilds: [{}] });
    const refused = makeClient(discord);
    await expect(refused.login(discord.bot().token)).rejects.toThrow('disallowed intents');
    await using client = await connectClient(discord, { intents: [GatewayIntentBits.Guilds] });
    expect(client.guilds.cache.size).toBe(1);
    expect(discord.gateway.identifies.map(({ outcome }) => outcome)).toEqual(['closed 4014', 'accepted']);
  });

  test('shows several bots the guilds that they are in', async () => {
    await using discord = await startSimulator({
      bots: [{ name: 'one' }, { name: 'two', guilds: ['42000000000000000'] }],
      guilds: [{ id: '42000000000000000' }, { id: '43000000000000000' }],
    });
    await using one = await connectClient(discord);
    await using two = await connectClient(discord, {}, discord.bot('two').token);
    expect([...one.guilds.cache.keys()]).toEqual(['42000000000000000', '43000000000000000']);
    expect([...two.guilds.cache.keys()]).toEqual(['42000000000000000']);
  });

  test.each([
    ['unknown opcode', GatewayOpcodes.Hello, {}, 4001],
    ['a request before IDENTIFY', GatewayOpcodes.RequestGuildMembers, {}, 4003],
    ['IDENTIFY without a token', GatewayOpcodes.Identify, { intents: 1 }, 4002],
  ])('closes the connection for %s', async (_, op, d, code) => {
    await using discord = await startSimulator();
    using probe = new GatewayProbe(discord);
    await probe.send(op, d);
    expect(await probe.closed()).toBe(code);
  });

  test.each([
    ['shard 2 of 2', { shard: [2, 2] }, 4010],
    ['intents that do not exist', { intents: 1 << 30 }, 4013],
    ['intents that are no number', { intents: 'all' }, 4013],
  ])('closes the connection for IDENTIFY with %s', async (_, change, code) => {
    await using discord = await startSimulator();
    using probe = new GatewayProbe(discord);
    await probe.identify(discord.bot().token, change);
    expect(await probe.closed()).toBe(code);
  });

  test('closes the connection for a second IDENTIFY, for invalid JSON, and for more than 4096 bytes', async () => {
    await using discord = await startSimulator();
    using twice = new GatewayProbe(discord);
    await twice.identify(discord.bot().token);
    await twice.identify(discord.bot().token);
    expect(await twice.closed()).toBe(4005);
    using broken = new GatewayProbe(discord);
    await broken.sendText('{');
    expect(await broken.closed()).toBe(4002);
    using large = new GatewayProbe(discord);
    await large.sendText(JSON.stringify({ op: 3, d: 'x'.repeat(4096) }));
    expect(await large.closed()).toBe(4002);
    using old = new GatewayProbe(discord, '?v=6&encoding=json');
    expect(await old.closed()).toBe(4012);
  });

  test('closes the next IDENTIFY only, when that is planned', async () => {
    await using discord = await startSimulator();
    discord.gateway.closeNextIdentify(4011);
    using first = new GatewayProbe(discord);
    await first.identify(discord.bot().token);
    expect(await first.closed()).toBe(4011);
    using second = new GatewayProbe(discord);
    await second.identify(discord.bot().token);
    expect(await second.dispatch('READY')).toMatchObject({ v: 10 });
  });
});

describe('a gateway with shards', () => {
  test('gives each shard its guilds and their dispatches', async () => {
    await using discord = await startSimulator({ guilds: Array.from({ length: 8 }, () => ({})) });
    await using client = await connectClient(discord, { shards: [0, 1, 2, 3], shardCount: 4 });
    expect(client.guilds.cache.size).toBe(8);
    for (const guild of client.guilds.cache.values()) expect(guild.shardId).toBe(shardOf(guild.id, 4));
    const shards = [...client.guilds.cache.values()].map(({ shardId }) => shardId);
    expect(shards.toSorted((one, other) => one - other)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
    const added = next(client, Events.GuildMemberAdd);
    const { id } = discord.guild().addMember();
    expect((await added)[0].id).toBe(id);
  });

  test('lists the guilds as unavailable in READY, then sends GUILD_CREATE for each', async () => {
    await using discord = await startSimulator({ guilds: [{}, { unavailable: true }, {}] });
    using probe = new GatewayProbe(discord);
    await probe.identify(discord.bot().token, { shard: [0, 1] });
    const ready = await probe.dispatch('READY');
    expect(ready['guilds']).toEqual(discord.guilds.map(({ id }) => ({ id, unavailable: true })));
    expect(ready['shard']).toEqual([0, 1]);
    expect(probe.names.slice(0, 1)).toEqual(['READY']);
    discord.guilds[1]?.endOutage();
    await probe.find((payload) => payload['s'] === 4);
    expect(probe.names).toEqual(['READY', 'GUILD_CREATE', 'GUILD_CREATE', 'GUILD_CREATE']);
  });

  test('invalidates the session of an identify too early for its bucket; another bucket does not wait', async () => {
    await using discord = await startSimulator({ gateway: { maxConcurrency: 2, identifyWindowMs: 60_000 } });
    const { token } = discord.bot();
    const probes = [0, 1, 2].map(() => new GatewayProbe(discord));
    for (const [index, probe] of probes.entries()) {
      await probe.identify(token, { shard: [index, 3] });
      await probe.find(({ op, t }) => t === 'READY' || op === GatewayOpcodes.InvalidSession);
    }
    expect(discord.gateway.identifies.map(({ bucket, outcome }) => [bucket, outcome])).toEqual([
      [0, 'accepted'],
      [1, 'accepted'],
      [0, 'invalid session'],
    ]);
    for (const probe of probes) probe.close();
  });

  test('reports shards, buckets and the remaining identifies in GET /gateway/bot', async () => {
    await using discord = await startSimulator({ gateway: { recommendedShards: 3, maxConcurrency: 16 } });
    await using client = await connectClient(discord, { shards: 'auto' });
    expect(client.ws.shards.size).toBe(3);
    const answer = await client.rest.get('/gateway/bot');
    expect(answer).toMatchObject({ shards: 3, session_start_limit: { remaining: 997, max_concurrency: 16 } });
  });
});

// At once, because discord.js waits half a second before it connects again.
describe.concurrent('a broken connection', () => {
  test('is resumed after a dropped socket, and what happened in the meantime is replayed in order', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    await using client = await connectClient(discord);
    const seen: string[] = [];
    client.on(Events.GuildMemberAdd, (member) => seen.push(member.id));
    const resumed = next(client, Events.ShardResume);
    discord.gateway.shard(0).drop();
    await discord.until(() => discord.gateway.live.length === 0);
    const ids = [1, 2, 3].map(() => discord.guild().addMember().id);
    // RESUMED itself counts as the fourth.
    expect((await resumed)[1]).toBe(4);
    expect(seen).toEqual(ids);
    expect(discord.gateway.resumes).toMatchObject([{ outcome: 'accepted' }]);
    expect(discord.gateway.identifies).toHaveLength(1);
  });

  test('is resumed after opcode 7', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    await using client = await connectClient(discord);
    const resumed = next(client, Events.ShardResume);
    discord.gateway.shard(0).reconnect();
    await resumed;
    expect(discord.gateway.connections.map(({ closeCode }) => closeCode)).toEqual([4200, null]);
  });

  test('is resumed when an invalid session is resumable, and leads to a new IDENTIFY otherwise', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    await using client = await connectClient(discord);
    const resumed = next(client, Events.ShardResume);
    discord.gateway.shard(0).invalidateSession(true);
    await resumed;
    expect(discord.gateway.identifies).toHaveLength(1);
    const ready = next(client, Events.ShardReady);
    discord.gateway.shard(0).invalidateSession(false);
    await ready;
    expect(discord.gateway.identifies).toHaveLength(2);
  });

  test.each([4000, 4001, 4002, 1012])('keeps the session after close code %i', async (code) => {
    await using discord = await startSimulator({ guilds: [{}] });
    await using client = await connectClient(discord);
    const resumed = next(client, Events.ShardResume);
    discord.gateway.shard(0).close(code);
    await resumed;
    expect(discord.gateway.identifies).toHaveLength(1);
  });

  test.each([4007, 4009])('loses the session after close code %i', async (code) => {
    await using discord = await startSimulator({ guilds: [{}] });
    await using client = await connectClient(discord);
    const ready = next(client, Events.ShardReady);
    discord.gateway.shard(0).close(code);
    await ready;
    expect(discord.gateway.identifies).toHaveLength(2);
  });

  test.each([['1'], [99], [null]])('is closed with 4007 after RESUME with the sequence %j', async (seq) => {
    await using discord = await startSimulator();
    using first = await connectProbe(discord);
    const { session_id } = await first.dispatch('READY');
    first.close();
    using again = new GatewayProbe(discord);
    await again.send(GatewayOpcodes.Resume, { token: discord.bot().token, session_id, seq });
    expect(await again.closed()).toBe(4007);
  });

  test('is dropped when its session is resumed elsewhere', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    using first = await connectProbe(discord);
    const { session_id } = await first.dispatch('READY');
    using second = new GatewayProbe(discord);
    await second.send(GatewayOpcodes.Resume, { token: discord.bot().token, session_id, seq: 1 });
    await second.dispatch('RESUMED');
    expect(second.names).toEqual(['GUILD_CREATE', 'RESUMED']);
    expect(await first.closed()).toBe(1006);
    discord.guild().createRole();
    await second.dispatch('GUILD_ROLE_CREATE');
    expect(first.names).toEqual(['READY', 'GUILD_CREATE']);
  });

  test('cannot be resumed when its session is forgotten in the meantime', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    await using client = await connectClient(discord);
    const ready = next(client, Events.ShardReady);
    discord.gateway.shard(0).drop();
    await discord.until(() => discord.gateway.live.length === 0);
    discord.gateway.forgetSessions();
    await ready;
    expect(discord.gateway.resumes).toMatchObject([{ outcome: 'invalid session' }]);
    expect(discord.gateway.identifies).toHaveLength(2);
  });

  test('is replaced by the client when heartbeats are not acknowledged', async () => {
    await using discord = await startSimulator({ guilds: [{}], gateway: { heartbeatIntervalMs: 250 } });
    await using client = await connectClient(discord);
    await discord.until(() => discord.gateway.shard(0).heartbeats >= 2);
    const resumed = next(client, Events.ShardResume);
    discord.gateway.shard(0).ignoreHeartbeats = true;
    await resumed;
    expect(discord.gateway.connections).toHaveLength(2);
    expect(client.ws.status).toBe(Status.Ready);
  });

  test('is closed with 4008 at the 121st payload in a minute', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    using probe = new GatewayProbe(discord);
    await probe.identify(discord.bot().token);
    for (let sent = 1; sent < 120; sent += 1) await probe.send(GatewayOpcodes.Heartbeat, null);
    await discord.until(() => discord.gateway.connections[0]?.heartbeats === 119);
    expect(probe.closeCode).toBeNull();
    await probe.send(GatewayOpcodes.Heartbeat, null);
    expect(await probe.closed()).toBe(4008);
  });

  test('loses its session when the client closes with 1000', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    const client = await connectClient(discord);
    expect(discord.gateway.sessions.size).toBe(1);
    await client.destroy();
    await discord.until(() => discord.gateway.sessions.size === 0);
  });
});
