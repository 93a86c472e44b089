import { GatewayDispatchEvents } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { GUILD_ID, MEMBER_ID, openDiscordHarness } from './discord-setup.ts';
import { KEY } from '../../fixtures/key-pattern.ts';

const CALLBACK = 'POST /interactions/:interaction/:token/callback';
const EDIT = 'PATCH /webhooks/:application/:token/messages/:message';
/** The time is short and a busy machine is slow, so there are many tries. */
const ANSWERS = { firstAnswerMs: 30, retryAnswerMs: Array.from({ length: 500 }, () => 10) };

describe('an acknowledgement', () => {
  test('is waited for when Discord accepts it late, and the key replaces "is thinking"', async () => {
    await using harness = await openDiscordHarness({ gateway: { interactions: ANSWERS } });
    const gate = harness.discord.rest.faults.hold(CALLBACK);
    const asked = harness.users.slash('settings key create', { name: 'late' });
    await gate.reached;
    await harness.discord.until(() =>
      harness.discord.rest.callsTo(EDIT).some(({ status }) => status === 404),
    );
    gate.release();
    const key = KEY.exec((await asked.reply()).text)?.[0] ?? '';
    await expect(harness.keys.verify(key)).resolves.toMatchObject({ name: 'late' });
  });

  test('counts when its reply is lost, and the key is shown once', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.loseAnswer(CALLBACK);
    const asked = harness.users.slash('settings key create', { name: 'lost' });
    const key = KEY.exec((await asked.reply()).text)?.[0] ?? '';
    await expect(harness.keys.verify(key)).resolves.toMatchObject({ name: 'lost' });
    expect(await harness.keys.list(GUILD_ID)).toHaveLength(1);
  });

  test('is sent again when it is lost on its way', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.drop(CALLBACK);
    const reply = await harness.users.slash('parse', { text: '!ban' }).reply();
    expect(reply.text).toContain('ban');
  });

  test('leaves no key behind when it never arrives', async () => {
    await using harness = await openDiscordHarness({
      gateway: { interactions: { firstAnswerMs: 30, retryAnswerMs: [1, 1, 1, 1] } },
    });
    const gate = harness.discord.rest.faults.hold(CALLBACK);
    harness.users.slash('settings key create', { name: 'never' });
    await gate.reached;
    await harness.logged('an answer did not reach Discord');
    await harness.logged('"outcome":"late"');
    expect((await harness.keys.list(GUILD_ID)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
    expect(harness.discord.rest.callsTo(EDIT).length).toBeGreaterThanOrEqual(5);
    gate.release();
  });

  test('counts when Discord accepts it with a body that is not a message, and the key stays', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.garble(EDIT);
    harness.users.slash('settings key create', { name: 'garbled' });
    await harness.logged('"outcome":"ok"');
    expect(harness.discord.rest.callsTo(EDIT)).toHaveLength(1);
    expect((await harness.keys.list(GUILD_ID)).map(({ state }) => state)).toEqual(['current']);
  });

  test('is sent again after a moment when Discord delays it for that moment', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.rateLimit(CALLBACK, 0.05);
    expect((await harness.users.slash('parse', { text: '!ban' }).reply()).text).toContain('ban');
    expect(harness.discord.rest.callsTo(CALLBACK).map(({ status }) => status)).toEqual([429, 204]);
  });

  test('is given up when Discord delays it too long, and leaves no key behind', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.rateLimit(CALLBACK, 60, { times: 10 });
    harness.users.slash('settings key create', { name: 'limited' });
    await harness.logged('an answer did not reach Discord');
    await harness.logged('"msg":"interaction"');
    expect(await harness.keys.list(GUILD_ID)).toEqual([]);
  });

  test('does not count as an answer when Discord refuses it: the user reads what went wrong', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.fail(CALLBACK, 400);
    const reply = await harness.users.slash('parse', { text: '!ban' }).reply();
    expect(reply.text).toContain('Discord did not accept the answer.');
    expect(reply.isEphemeral).toBe(true);
  });
});

test('a server that sends no permissions has granted none', async () => {
  await using harness = await openDiscordHarness();
  const { interaction } = harness.users.slash('settings help', {}, { userId: MEMBER_ID, guildId: null });
  const { user } = interaction;
  const inServer = { guild_id: GUILD_ID, member: { user, roles: [] } };
  const sent = { ...interaction, ...inServer, id: '900000000000000001', token: 'other' };
  harness.discord.dispatch(harness.discord.guild(), GatewayDispatchEvents.InteractionCreate, sent as never);
  const answered = () => harness.discord.rest.callsTo(CALLBACK).find(({ path }) => path.includes('/other/'));
  await harness.discord.until(() => answered() !== undefined);
  expect(JSON.stringify(answered()?.body)).toContain('Manage Server');
});
