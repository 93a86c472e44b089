import { expect, test } from 'vitest';

import { startDiscordApp } from '../../fixtures/test-app.ts';
import { startSimulator } from '../../simulator/simulator.ts';

const ROLE = '400000000000000001';
const LIST = `/api/role-members?role_id=${ROLE}`;

/** One guild on each shard. */
const startShards = (count: number) =>
  startSimulator({
    guilds: Array.from({ length: count }, (_, shardId) => ({
      id: String((BigInt(shardId) + 40_000_000_000n * BigInt(count)) << 22n),
      roles: [{ id: ROLE, name: 'Blue' }],
      members: { count: 30, rolesOf: () => [ROLE] },
    })),
    gateway: { recommendedShards: count, maxConcurrency: count },
  });

test('four starting shards survive a gateway that answers handshakes with 520, without losing a session', async () => {
  await using discord = await startShards(4);
  discord.gateway.refuseHandshakes(520, 3);
  await using _app = await startDiscordApp(discord);
  await discord.until(() => discord.gateway.live.length === 4);
  const shards = discord.gateway.identifies.map(({ shard }) => shard[0]);
  expect(shards.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  expect(discord.gateway.handshakes).toBe(7);
});

test('after a token reset, lists are refused and readiness is 503 with the reason, while the rest works', async () => {
  await using discord = await startShards(2);
  await using app = await startDiscordApp(discord);
  await discord.until(() => discord.gateway.live.length === 2);
  const keys = await Promise.all(discord.guilds.map(({ id }) => app.createKey({ guildId: id })));
  const callWith = (authorization: string, route: string) => app.call(route, { headers: { authorization } });
  for (const key of keys) await expect.poll(async () => (await callWith(key, LIST)).status).toBe(200);
  discord.gateway.shard(1).close(4004);
  await expect.poll(async () => (await app.call('/health/ready')).status).toBe(503);
  const { body } = await app.call('/health/ready');
  expect(body['error']).toContain('Discord does not accept DISCORD_TOKEN');
  for (const key of keys) {
    expect(await callWith(key, LIST)).toMatchObject({
      status: 503,
      body: { code: 'member_list_unavailable' },
    });
  }
  expect((await app.call('/health/live')).status).toBe(200);
  expect((await app.call('/api/parse-args?text=!ban')).status).toBe(200);
});
