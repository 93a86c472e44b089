import { Events, GatewayDispatchEvents, GatewayIntentBits, type GatewayDispatchPayload } from 'discord.js';
import { describe, expect, test } from 'vitest';

import type { Gateway } from '../../../src/discord/gateway.ts';
import { GUILD_ID, openDiscordHarness, ROLE_ID } from './discord-setup.ts';

/** Records the packets that the client of discord.js sees, and counts how often it says that it is ready. */
function watchClient() {
  const packets: GatewayDispatchPayload[] = [];
  const watched = { packets, ready: 0 };
  const onCreated = ({ client }: Gateway) => {
    client.on(Events.Raw, (packet: GatewayDispatchPayload) => void packets.push(packet));
    client.on(Events.ClientReady, () => (watched.ready += 1));
  };
  return { watched, onCreated };
}

/** Packets that the client keeps until it is ready. */
const queueOf = ({ client }: Gateway): readonly unknown[] =>
  Reflect.get(client.ws, 'packetQueue') as readonly unknown[];

/** One guild on each of two shards. */
const TWO_GUILDS = [0n, 1n].map((shard) => ({
  id: String((1_000n + shard) << 22n),
  members: { count: 10, rolesOf: () => [] },
}));

test('the client sees the first READY, without its guilds, and interactions alone', async () => {
  const { watched, onCreated } = watchClient();
  await using harness = await openDiscordHarness({
    onCreated,
    simulator: {
      guilds: [
        { id: GUILD_ID, roles: [{ id: ROLE_ID, name: 'Blue' }], members: { count: 250, rolesOf: () => [] } },
      ],
      gateway: { chunkSize: 100 },
    },
  });
  const { discord, gateway } = harness;
  await discord.until(() => gateway.members.completeIndex(GUILD_ID) !== null);
  discord.gateway.shard(0).drop();
  await discord.until(() => discord.gateway.resumes.length === 1 && discord.gateway.live.length === 1);
  discord.gateway.shard(0).reconnect();
  await discord.until(() => discord.gateway.resumes.length === 2 && discord.gateway.live.length === 1);
  discord.gateway.shard(0).invalidateSession(false);
  await discord.until(() => discord.gateway.identifies.length === 2 && discord.gateway.live.length === 1);
  expect((await harness.users.slash('parse', { text: '!ban' }).reply()).text).toContain('ban');

  expect(watched.packets.map(({ t }) => t)).toEqual(['READY', 'INTERACTION_CREATE']);
  expect(watched.packets[0]?.d).toMatchObject({ guilds: [], user: { id: discord.bot().id } });
  expect(watched.ready).toBe(1);
  expect(gateway.client.guilds.cache.size).toBe(0);
});

test.each([
  ['the first', 0, 1],
  ['the second', 1, 0],
] as const)(
  'commands are answered and no queue grows while %s of two shards has never been ready',
  async (_case, out, up) => {
    const { watched, onCreated } = watchClient();
    await using harness = await openDiscordHarness({
      onCreated,
      connection: { startMs: 60_000 },
      simulator: { guilds: TWO_GUILDS, gateway: { recommendedShards: 2, refusedShard: out } },
    });
    const { discord, gateway } = harness;
    const [guild, other] = [up, out].map((at) => TWO_GUILDS[at]?.id ?? '');
    const user = { id: '200000000000000009', username: 'x', discriminator: '0', avatar: null };
    for (let update = 0; update < 20_000; update += 1) {
      const member = { guild_id: guild, user, roles: [], joined_at: null };
      discord.dispatch(discord.guild(guild), GatewayDispatchEvents.GuildMemberUpdate, member as never);
    }
    const asked = harness.users.slash('parse', { text: '!ban' }, { guildId: guild ?? null });
    expect((await asked.reply()).text).toContain('ban');
    expect(gateway.state()).toMatchObject({ connected: false, shards: 2, shardsReady: 1 });
    expect(watched.packets.map(({ t }) => t)).toEqual(['READY', 'INTERACTION_CREATE']);
    expect(queueOf(gateway)).toHaveLength(0);

    discord.gateway.settings.refusedShard = null;
    await discord.until(() => discord.gateway.live.length === 2);
    const late = harness.users.slash('parse', { text: '!kick' }, { guildId: other ?? null });
    expect((await late.reply()).text).toContain('kick');
    expect(watched.ready).toBe(1);
  },
);

describe('a connection that has to start again', () => {
  test('with more shards keeps its client, and answers in a guild of a new shard', async () => {
    const { watched, onCreated } = watchClient();
    await using harness = await openDiscordHarness({ onCreated, simulator: { guilds: TWO_GUILDS } });
    const { discord } = harness;
    discord.gateway.closeNextIdentify(4011);
    discord.gateway.shard(0).invalidateSession(false);
    await discord.until(() => discord.gateway.live.length === 2);
    const scene = { guildId: TWO_GUILDS[1]?.id ?? null };
    expect((await harness.users.slash('parse', { text: '!ban' }, scene).reply()).text).toContain('ban');
    expect(harness.gateway.state()).toMatchObject({ connected: true, shards: 2 });
    expect(watched.ready).toBe(1);
  });

  test('without the Server Members intent keeps its client, and commands are answered', async () => {
    const { watched, onCreated } = watchClient();
    await using harness = await openDiscordHarness({
      onCreated,
      simulator: { bots: [{ privilegedIntents: [] }], guilds: [{ id: GUILD_ID }] },
    });
    expect((await harness.users.slash('parse', { text: '!ban' }).reply()).text).toContain('ban');
    expect(harness.discord.gateway.identifies.at(-1)?.intents).toBe(GatewayIntentBits.Guilds);
    expect(watched.ready).toBe(1);
  });
});

test('a connection that ends permanently ends its client, and is not retried', async () => {
  const ended = Promise.withResolvers<void>();
  await using harness = await openDiscordHarness({ gateway: { onRefused: ended.resolve } });
  const { discord, gateway } = harness;
  expect(gateway.client.isReady()).toBe(true);
  discord.gateway.shard(0).close(4004);
  await ended.promise;
  expect(gateway.client.isReady()).toBe(false);
  expect(gateway.state()).toMatchObject({ ended: true, reason: expect.stringContaining('DISCORD_TOKEN') });
  const { handshakes } = discord.gateway;
  await gateway.close(0);
  expect(discord.gateway.handshakes).toBe(handshakes);
  expect(harness.logLines.filter((line) => line.includes('closed for good'))).toHaveLength(1);
});

test('a start that is closed immediately ends, and leaves no connection', async () => {
  const opened = Promise.withResolvers<unknown>();
  const harness = openDiscordHarness({
    onCreated: (gateway) => {
      queueMicrotask(() => void gateway.close(0).then(opened.resolve));
    },
  });
  await opened.promise;
  await expect(harness).rejects.toThrow(/abort/i);
});
