import { Events, GatewayIntentBits, GatewayOpcodes } from 'discord.js';
import { expect, test } from 'vitest';
import { GatewayProbe } from './gateway-probe.ts';
import type { JsonObject } from './read-json.ts';
import { startSimulator } from './simulator.ts';
import type { SimulatorOptions } from './simulator.ts';
import { connectClient } from './test-client.ts';

const ALL = { query: '', limit: 0 };

async function startWithProbe(options: SimulatorOptions, intents = 3) {
  const discord = await startSimulator(options);
  const probe = new GatewayProbe(discord);
  await probe.identify(discord.bot().token, { intents });
  await probe.dispatch('READY');
  const request = (change: JsonObject = {}): Promise<void> =>
    probe.send(GatewayOpcodes.RequestGuildMembers, { guild_id: discord.guild().id, ...ALL, ...change });
  return { discord, probe, request, [Symbol.asyncDispose]: () => discord.close() };
}

function chunksOf(probe: GatewayProbe): JsonObject[] {
  return probe.received.filter(({ t }) => t === 'GUILD_MEMBERS_CHUNK').map(({ d }) => d as JsonObject);
}

test('discord.js fetches all members of a large guild in chunks', async () => {
  await using discord = await startSimulator({
    guilds: [
      { roles: [{ id: '901' }], members: { count: 2501, rolesOf: (index) => (index % 2 ? ['901'] : []) } },
    ],
  });
  await using client = await connectClient(discord);
  let chunks = 0;
  client.on(Events.GuildMembersChunk, (_members, _guild, { index, count }) => {
    expect(index).toBe(chunks);
    expect(count).toBe(3);
    chunks += 1;
  });
  const members = await client.guilds.cache.get(discord.guild().id)?.members.fetch();
  expect([...(members?.keys() ?? [])]).toEqual(discord.guild().holdersOf(discord.guild().id));
  expect(members?.filter((member) => member.roles.cache.has('901')).size).toBe(1250);
  expect(chunks).toBe(3);
  expect(discord.gateway.memberRequests.received).toMatchObject([
    { userIds: null, limit: 0, outcome: 'chunks' },
  ]);
});

test('members are found by id, with unknown ids, and by the first letters of the name', async () => {
  await using discord = await startSimulator({
    guilds: [
      {
        members: [
          { id: '11', username: 'ada' },
          { id: '12', username: 'adele' },
          { id: '13', username: 'bob' },
        ],
      },
    ],
  });
  await using client = await connectClient(discord);
  const guild = client.guilds.cache.get(discord.guild().id);
  const found = await guild?.members.fetch({ user: ['13', '99'], time: 5000 });
  expect([...(found?.keys() ?? [])]).toEqual(['13']);
  const named = await guild?.members.fetch({ query: 'ad', limit: 10 });
  expect([...(named?.keys() ?? [])]).toEqual(['11', '12']);
});

test('held chunks arrive in any order, with foreign nonces, and show who has left since', async () => {
  await using setup = await startWithProbe({
    guilds: [{ members: { count: 29 } }],
    gateway: { chunkSize: 10 },
  });
  const { discord, probe, request } = setup;
  const held = discord.gateway.memberRequests.holdNext(discord.guild().id);
  await request({ nonce: 'mine' });
  const chunks = await held;
  expect(chunks).toMatchObject({ count: 3, request: { nonce: 'mine', outcome: 'held' } });
  const leaver = '200000000000000000';
  discord.guild().removeMember(leaver);
  await probe.dispatch('GUILD_MEMBER_REMOVE');
  chunks.send(2);
  chunks.send(0, { nonce: 'foreign' });
  chunks.release();
  await probe.find(({ d }) => (d as JsonObject | null)?.['chunk_index'] === 1);
  const seen = chunksOf(probe);
  expect(seen.map(({ chunk_index, nonce }) => [chunk_index, nonce])).toEqual([
    [2, 'mine'],
    [0, 'foreign'],
    [0, 'mine'],
    [1, 'mine'],
  ]);
  expect(JSON.stringify(seen[2])).toContain(leaver);
  expect(seen.every(({ chunk_count }) => chunk_count === 3)).toBe(true);
});

test('silence and RATE_LIMITED hit one request for one guild', async () => {
  await using setup = await startWithProbe({ guilds: [{}, {}] });
  const { discord, probe, request } = setup;
  const { memberRequests } = discord.gateway;
  memberRequests.silenceNext(discord.guilds[0]?.id);
  memberRequests.rateLimitNext(12.5);
  await request({ nonce: 'a' });
  await request({ nonce: 'b' });
  await request({ nonce: 'c', guild_id: discord.guilds[1]?.id });
  expect(await probe.dispatch('RATE_LIMITED')).toEqual({
    opcode: 8,
    retry_after: 12.5,
    meta: { guild_id: discord.guild().id, nonce: 'b' },
  });
  expect(await probe.dispatch('GUILD_MEMBERS_CHUNK')).toMatchObject({ nonce: 'c' });
  expect(memberRequests.received.map(({ outcome }) => outcome)).toEqual([
    'silence',
    'rate limited',
    'chunks',
  ]);
});

test('a second request for all members within the window gets RATE_LIMITED; one by ids does not', async () => {
  await using setup = await startWithProbe({ guilds: [{}], gateway: { memberRequestWindowMs: 60_000 } });
  const { discord, request } = setup;
  await request();
  await request();
  await request({ user_ids: [discord.bot().id], query: undefined });
  const { received } = discord.gateway.memberRequests;
  await discord.until(() => received.length === 3);
  expect(received.map(({ outcome }) => outcome)).toEqual(['chunks', 'rate limited', 'chunks']);
});

test('a request without the intent, or for a guild without the bot, gets no reply', async () => {
  await using setup = await startWithProbe({ guilds: [{}] }, GatewayIntentBits.Guilds);
  const { discord, request } = setup;
  await request();
  await request({ guild_id: '5' });
  const { received } = discord.gateway.memberRequests;
  await discord.until(() => received.length === 2);
  expect(received.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
});

test('a nonce of more than 32 bytes is ignored, and an empty list is one empty chunk', async () => {
  await using setup = await startWithProbe({ guilds: [{}] });
  const { discord, probe, request } = setup;
  await request({ user_ids: ['1'], nonce: 'x'.repeat(33) });
  const chunk = await probe.dispatch('GUILD_MEMBERS_CHUNK');
  expect(chunk).toEqual({
    guild_id: discord.guild().id,
    members: [],
    chunk_index: 0,
    chunk_count: 1,
    not_found: ['1'],
  });
});
