import { GatewayIntentBits } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { COMMANDS } from '../../../src/discord/commands/index.ts';
import type { GatewayState } from '../../../src/discord/gateway.ts';
import { membersQuestion, membersQuery } from '../../../src/members/members-query.ts';
import { GUILD_ID, openDiscordHarness } from './discord-setup.ts';
import { anyCaller } from '../../fixtures/any-caller.ts';

async function harnessWithKey() {
  const harness = await openDiscordHarness();
  const { key } = await harness.keys.create({
    guildId: GUILD_ID,
    name: 'demo',
    createdBy: '1',
    expiresInDays: null,
    flat: false,
    always200: false,
  });
  return { harness, key };
}

/** The same with defaults left out or written down, and keys in another order. */
function rewrite<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((entry: unknown) => rewrite(entry)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, field]) => field !== false)
    .map(([name, field]): [string, unknown] => [name, rewrite(field)])
    .toReversed();
  const unset = 'type' in value ? { description_localizations: null } : {};
  return { ...unset, ...Object.fromEntries(entries) } as Value;
}

describe('connecting', () => {
  test('reports where the bot is, with which shards, and its invite link', async () => {
    await using harness = await openDiscordHarness();
    expect(harness.gateway.state()).toEqual({
      connected: true,
      ended: false,
      identifiesLeft: 999,
      shardsReady: 1,
      shards: 1,
      guilds: 1,
      hasMembersIntent: true,
      reason: null,
    });
    const line = harness.logLines.find((each) => each.includes('oauth2/authorize')) ?? '';
    const invite = new URL(/https:[^"]*/.exec(line)?.[0] ?? '');
    expect(Object.fromEntries(invite.searchParams)).toEqual({
      client_id: harness.discord.bot().id,
      scope: 'bot applications.commands',
      permissions: '0',
      integration_type: '0',
    });
  });

  test('uses only the shards that it was given', async () => {
    await using harness = await openDiscordHarness({
      connection: { shards: [1], shardCount: 2 },
      simulator: { guilds: [{ id: String(1n << 22n) }, { id: String(2n << 22n) }] },
    });
    expect(harness.gateway.state()).toMatchObject({ shards: 1, shardsReady: 1, guilds: 1 });
    expect(harness.discord.gateway.identifies.map(({ shard }) => shard)).toEqual([[1, 2]]);
  });

  test('continues without member lists when the Server Members intent is off, and reports it once', async () => {
    await using harness = await openDiscordHarness({
      simulator: { bots: [{ privilegedIntents: [] }], guilds: [{ id: GUILD_ID }] },
    });
    expect(harness.gateway.state()).toMatchObject({ connected: true, hasMembersIntent: false, reason: null });
    expect(harness.discord.gateway.identifies.map(({ intents, outcome }) => [intents, outcome])).toEqual([
      [GatewayIntentBits.Guilds | GatewayIntentBits.GuildMembers, 'closed 4014'],
      [GatewayIntentBits.Guilds, 'accepted'],
    ]);
    expect(harness.logLines.filter((line) => line.includes('Server Members intent'))).toHaveLength(1);
    const everyone = membersQuestion({ guildId: GUILD_ID, all: [GUILD_ID], countOnly: true });
    const answer = harness.gateway.members.ask(membersQuery, everyone, anyCaller);
    await expect(answer).rejects.toMatchObject({ code: 'member_list_unavailable' });
  });

  test.each([
    ['a token that Discord does not know', { token: 'x'.repeat(60) }, /DISCORD_TOKEN/],
    ['shards that do not exist', { shards: [3], shardCount: 2 }, /GATEWAY_SHARDS/],
  ])('refuses to start with %s', async (_case, connection, message) => {
    await expect(openDiscordHarness({ connection })).rejects.toThrow(message);
  });

  test('waits for an unreachable Discord, without delaying the start', async () => {
    await using harness = await openDiscordHarness({
      beforeOpen: (discord) => discord.rest.faults.fail('GET /gateway/bot', 503, { times: 4 }),
    });
    await harness.discord.until(() => harness.discord.gateway.live.length === 1);
    expect(harness.logLines.filter((line) => line.includes('cannot be reached'))).not.toHaveLength(0);
    expect(harness.gateway.state()).toMatchObject({ connected: true, reason: null });
  });

  test('recognises the page of a firewall, reports it once, and recovers on its own', async () => {
    await using harness = await openDiscordHarness({
      beforeOpen: (discord) =>
        discord.rest.faults.garble('GET /gateway/bot', {
          status: 403,
          contentType: 'text/html',
          text: '<html>error code: 1015</html>',
          times: 3,
        }),
    });
    await harness.discord.until(() => harness.discord.gateway.live.length === 1);
    expect(harness.logLines.filter((line) => line.includes('another customer'))).toHaveLength(1);
    expect(harness.gateway.state()).toMatchObject({ connected: true, reason: null });
  });

  test('waits when Discord allows no further logins', async () => {
    await using harness = await openDiscordHarness({
      simulator: { gateway: { identifiesLeft: 0 }, guilds: [{ id: GUILD_ID }] },
      beforeOpen: (discord) => {
        void discord
          .until(() => discord.rest.callsTo('GET /gateway/bot').length > 1)
          .then(() => (discord.gateway.settings.identifiesLeft = 1_000));
      },
    });
    expect(harness.gateway.state().connected).toBe(true);
    expect(await harness.logged('no further logins')).toContain('"level":"warn"');
  });

  test('does not delay the start for long', async () => {
    const opened = Promise.withResolvers<GatewayState>();
    await using harness = await openDiscordHarness({
      connection: { startMs: 5 },
      beforeOpen: (discord) => {
        const gate = discord.rest.faults.hold('GET /gateway/bot');
        void opened.promise.then(() => gate.release());
      },
      afterOpen: (gateway) => opened.resolve(gateway.state()),
    });
    expect(await opened.promise).toMatchObject({ connected: false, reason: expect.any(String) });
    expect(harness.gateway.state()).toMatchObject({ connected: true, reason: null });
  });

  test('recovers after a lost connection', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.gateway.shard(0).drop();
    await harness.discord.until(() => harness.discord.gateway.resumes.length === 1);
    const reply = await harness.users.slash('settings help').reply();
    expect(reply.text).toContain('https://api.example');
    await harness.logged('a shard lost its connection');
  });

  test('continues without the intent when it is switched off while running', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.bot().privilegedIntents.clear();
    harness.discord.gateway.shard(0).invalidateSession(false);
    await harness.discord.until(
      () =>
        harness.discord.gateway.identifies.at(-1)?.outcome === 'accepted' &&
        harness.discord.gateway.identifies.length === 3,
    );
    await harness.users.slash('settings help').reply();
    expect(harness.gateway.state()).toMatchObject({ connected: true, hasMembersIntent: false });
  });

  test.each(['', '127.0.0.1:1', 'gateway.example'])(
    'recovers when READY named %j as the URL of the session',
    async (resumeUrl) => {
      await using harness = await openDiscordHarness({
        simulator: { gateway: { resumeUrl }, guilds: [{ id: GUILD_ID }] },
      });
      harness.discord.gateway.shard(0).reconnect();
      await harness.discord.until(() => harness.discord.gateway.resumes.length === 1);
      await harness.discord.until(() => harness.discord.gateway.live.length === 1);
      expect(harness.discord.gateway.identifies).toHaveLength(1);
    },
  );

  test('opens several shards, and answers on the others while one is disconnected', async () => {
    const guilds = [0n, 1n, 2n].map((shard) => ({ id: String((1_000n + shard) << 22n) }));
    await using harness = await openDiscordHarness({
      simulator: { gateway: { recommendedShards: 3 }, guilds },
    });
    await harness.discord.until(() => harness.discord.gateway.live.length === 3);
    const sent = harness.discord.gateway.shard(1);
    sent.drop();
    await harness.logged('a shard lost its connection');
    expect(harness.gateway.state()).toMatchObject({ connected: false, shards: 3, shardsReady: 2, guilds: 3 });
    expect(harness.gateway.state().reason).toContain('Not all shards');
    // 1,001 leaves 2 when divided by 3.
    const scene = { guildId: guilds[1]?.id ?? null };
    expect((await harness.users.slash('settings help', {}, scene).reply()).text).toContain('Quartermaster');
    await harness.discord.until(() => harness.discord.gateway.resumes.length === 1);
  });

  test('works with another server that speaks the same protocol', async () => {
    await using harness = await openDiscordHarness({
      simulator: { spacebar: true, gateway: { needsUserAgent: true }, guilds: [{ id: GUILD_ID }] },
    });
    harness.discord.gateway.shard(0).drop();
    await harness.discord.until(() => harness.discord.gateway.identifies.length === 2);
    expect((await harness.users.slash('settings help').reply()).text).toContain('Quartermaster');
    expect(harness.gateway.state().guilds).toBe(1);
  });

  test('ends immediately on close, also while Discord is unreachable', async () => {
    const harness = await openDiscordHarness();
    harness.discord.rest.faults.fail('*', 503, { times: 1_000 });
    harness.discord.gateway.shard(0).close(4000);
    await harness[Symbol.asyncDispose]();
    expect(harness.gateway.state().connected).toBe(false);
  });
});

describe('slash commands', () => {
  test('are registered as they are in the source, in one request', async () => {
    await using harness = await openDiscordHarness();
    const registered = harness.discord.bot().commands.map(({ name }) => name);
    expect(registered).toEqual(COMMANDS.map(({ data }) => data.name));
    expect(harness.discord.rest.callsTo('PUT /applications/:application/commands')).toHaveLength(1);
  });

  test('are not sent again when Discord has them already', async () => {
    await using first = await openDiscordHarness();
    const { commands } = first.discord.bot();
    await using harness = await openDiscordHarness({
      beforeOpen: (discord) => {
        discord.bot().commands = structuredClone(commands);
      },
    });
    await harness.logged('up to date');
    expect(harness.discord.rest.callsTo('PUT /applications/:application/commands')).toHaveLength(0);
  });

  test('are not sent again either when Discord writes them differently', async () => {
    await using first = await openDiscordHarness();
    const commands = first.discord.bot().commands.map((command) => ({
      ...rewrite(command),
      default_member_permissions: command.default_member_permissions?.toString() ?? null,
      contexts: command.contexts?.toReversed() ?? null,
    }));
    await using harness = await openDiscordHarness({
      beforeOpen: (discord) => {
        discord.bot().commands = commands.toReversed();
      },
    });
    await harness.logged('up to date');
    expect(harness.discord.rest.callsTo('PUT /applications/:application/commands')).toHaveLength(0);
  });

  test('are sent again when a text has changed', async () => {
    await using first = await openDiscordHarness();
    const commands = structuredClone(first.discord.bot().commands);
    commands[0]!.description = 'Something else';
    await using harness = await openDiscordHarness({
      beforeOpen: (discord) => {
        discord.bot().commands = commands;
      },
    });
    await harness.discord.until(() => harness.discord.bot().commands[0]?.description !== 'Something else');
    expect(harness.discord.rest.callsTo('PUT /applications/:application/commands')).toHaveLength(1);
  });

  test('are registered later when Discord refuses at first', async () => {
    await using harness = await openDiscordHarness({
      beforeOpen: (discord) => discord.rest.faults.fail('GET /applications/:application/commands', 403),
    });
    expect(harness.discord.bot().commands.length).toBe(COMMANDS.length);
  });
});

describe('keys of a server', () => {
  test('stop working when the bot leaves and work again when it is back', async () => {
    const { harness, key } = await harnessWithKey();
    await using _ = harness;
    const guild = harness.discord.guild();
    guild.removeBot(harness.discord.bot());
    await harness.logged('has left a server');
    await expect(harness.keys.verify(key)).rejects.toMatchObject({ code: 'key_suspended' });
    guild.addBot(harness.discord.bot());
    await harness.logged('has joined a server');
    await expect(harness.keys.verify(key)).resolves.toMatchObject({ name: 'demo' });
  });

  test('keep working through an outage', async () => {
    const { harness, key } = await harnessWithKey();
    await using _ = harness;
    harness.discord.guild().startOutage();
    await harness.users.slash('settings help', {}, { guildId: null }).reply();
    await harness.membership.settled();
    await expect(harness.keys.verify(key)).resolves.toMatchObject({ name: 'demo' });
    expect(harness.gateway.state().guilds).toBe(1);
  });
});
