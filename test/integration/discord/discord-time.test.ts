import { GatewayDispatchEvents, InteractionResponseType, REST, Routes } from 'discord.js';
import { describe, expect, test } from 'vitest';

import { BoundedMap } from '../../../src/bounded-map.ts';
import { restOptions } from '../../../src/discord/client/rest-options.ts';
import { COMMANDS, COMPONENT_ACTIONS } from '../../../src/discord/commands/index.ts';
import { KeptConnection } from '../../../src/discord/connection/kept-connection.ts';
import { Interactions } from '../../../src/discord/interactions/interactions.ts';
import { GapWatch } from '../../../src/members/gateway/gap-watch.ts';
import { ShardTruth } from '../../../src/members/gateway/shard-truth.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Problem } from '../../../src/problem.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { makeRest } from '../../simulator/test-client.ts';
import { GUILD_ID, openDiscordBench } from './discord-setup.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';

const unexpected = () => Promise.reject(new Problem('internal'));

describe('time', () => {
  test('is bought when an answer is not at hand, without a deferral when it is', async () => {
    await using bench = await openDiscordBench();
    const quick = await bench.users.slash('parse', { text: '!ban' }).response();
    expect(quick.type).toBe(InteractionResponseType.ChannelMessageWithSource);
    for (const command of ['settings help', 'base64']) {
      const slow = await bench.users.slash(command).response();
      expect(slow).toEqual({
        type: InteractionResponseType.DeferredChannelMessageWithSource,
        data: { flags: 64 },
      });
    }
  });

  test('is bought for a quick command too, when it is slow this once', async () => {
    const gate = Promise.withResolvers<void>();
    await using bench = await openDiscordBench({ gateway: { admit: () => gate.promise, deferAfterMs: 5 } });
    const interaction = bench.users.slash('parse', { text: '!ban' });
    expect((await interaction.response()).type).toBe(
      InteractionResponseType.DeferredChannelMessageWithSource,
    );
    gate.resolve();
    expect((await interaction.reply()).text).toContain('ban');
  });

  test('that a user has used up is told in seconds, images on their own', async () => {
    const taken: string[] = [];
    await using bench = await openDiscordBench({
      gateway: {
        admit: async (userId, bucket) => {
          taken.push(`${bucket} ${userId}`);
          throw new Problem('rate_limited', { retryAfterSeconds: 7, hint: 'Wait 7 seconds.' });
        },
      },
    });
    const scene = { userId: '200000000000000002' };
    const reply = await bench.users.slash('parse', { text: '!ban' }, scene).reply();
    expect(reply.text.match(/Wait 7 seconds\./g)).toHaveLength(1);
    await bench.users.slash('base64', { url: 'https://example.com/a.png' }, scene).reply();
    expect(taken).toEqual(['command 200000000000000002', 'image 200000000000000002']);
  });

  test('is not lost to the limit of other calls, which does not count answers', () => {
    expect(restOptions({ apiUrl: 'http://127.0.0.1' }).globalRequestsPerSecond).toBe(Infinity);
  });

  test('that a user has used up counts clicks that do work, and never the one that hides a key', async () => {
    const taken: string[] = [];
    await using bench = await openDiscordBench({
      gateway: {
        admit: async (_userId, bucket) => {
          taken.push(bucket);
        },
      },
    });
    const parsed = bench.users.slash('parse', { text: '!ban' });
    await (await parsed.click('Show to everyone')).followUp();
    expect(taken).toEqual(['command', 'command']);
    const form = await bench.users.slash('split').submit({ text: 'a' });
    await form.reply();
    expect(taken).toHaveLength(4);
    const created = bench.users.slash('settings key create', { name: 'demo' });
    await (await created.click('Saved it')).reply();
    expect(taken).toHaveLength(5);
  });

  test('of a process that ends: what runs is answered, what comes is told to come back', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    await using bench = await openDiscordBench({
      gateway: {
        admit: async () => {
          reached.resolve();
          await gate.promise;
        },
      },
    });
    const running = bench.users.slash('parse', { text: '!ban' });
    await reached.promise;
    const closed = bench.gateway.close(10_000);
    const late = bench.users.slash('parse', { text: '!kick' });
    expect((await late.reply()).text).toContain('restarting');
    gate.resolve();
    expect((await running.reply()).text).toContain('ban');
    await closed;
  });
});

test('more interactions than can run at once are told that the service is busy', async () => {
  await using discord = await startSimulator({ guilds: [{ id: GUILD_ID }] });
  const gate = Promise.withResolvers<void>();
  await using bench = await openDiscordBench();
  const interactions = new Interactions({
    rest: new REST(restOptions({ apiUrl: discord.apiUrl })),
    log: createLog('silent', { destination: { write: () => {} } }),
    commands: COMMANDS,
    components: COMPONENT_ACTIONS,
    admit: () => gate.promise,
    runningMax: 1,
    services: {
      keys: bench.keys,
      usage: { read: unexpected, peaks: unexpected, lastUsed: unexpected },
      operations: [],
      commands: [],
      parsedLines: new BoundedMap({ entriesMax: 10 }),
      now: Date.now,
      images: { fetch: unexpected },
      members: { find: unexpected },
      deliveries: NO_DELIVERIES,
      tokenMembers: { find: unexpected, readFacts: unexpected },
      publicUrl: () => '',
      requestsPerMinute: 1,
      imagesPerMinute: 1,
      inviteUrl: () => '',
      mention: (path) => path,
      isInGuild: () => true,
    },
  });
  const gaps = new GapWatch();
  const rest = makeRest(discord);
  const connection = new KeptConnection({
    token: discord.bot().token,
    shards: 'auto',
    shardCount: 'auto',
    log: createLog('silent', { destination: { write: () => {} } }),
    gaps,
    truth: new ShardTruth({ gaps }),
    fetchGateway: () => rest.get(Routes.gatewayBot()),
    onDispatch: (_shardId, { t, d }) => {
      if (t === GatewayDispatchEvents.InteractionCreate) interactions.handle(d);
    },
    onShardDown: () => {},
    onMembersIntentOff: () => {},
    onEnd: () => {},
  });
  await connection.open();
  await discord.until(() => discord.gateway.live.length === 1);
  const first = discord.interact.slash('parse', { text: '!ban' });
  const second = discord.interact.slash('parse', { text: '!ban' });
  expect((await second.reply()).text).toContain('busy');
  const typing = discord.interact.autocomplete('permissions encode', { permission: 's' }, 'permission');
  expect(await typing.choices()).toEqual([]);
  gate.resolve();
  expect((await first.reply()).text).toContain('ban');
  await interactions.close(1_000);
  await connection.close();
  gaps.close();
});
