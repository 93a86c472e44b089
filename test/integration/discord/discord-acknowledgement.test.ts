import { GatewayDispatchEvents } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { GUILD_ID, MEMBER_ID, openDiscordBench } from './discord-setup.ts';
import { KEY } from '../../fixtures/key-pattern.ts';

const CALLBACK = 'POST /interactions/:interaction/:token/callback';
const EDIT = 'PATCH /webhooks/:application/:token/messages/:message';
/** The time is short and a busy machine is slow, so there are many tries. */
const ANSWERS = { firstAnswerMs: 30, retryAnswerMs: Array.from({ length: 500 }, () => 10) };

describe('an acknowledgement', () => {
  test('is waited for when Discord accepts it late, and the key replaces "is thinking"', async () => {
    await using bench = await openDiscordBench({ gateway: { interactions: ANSWERS } });
    const gate = bench.discord.rest.faults.hold(CALLBACK);
    const asked = bench.users.slash('settings key create', { name: 'late' });
    await gate.reached;
    await bench.discord.until(() => bench.discord.rest.callsTo(EDIT).some(({ status }) => status === 404));
    gate.release();
    const key = KEY.exec((await asked.reply()).text)?.[0] ?? '';
    await expect(bench.keys.verify(key)).resolves.toMatchObject({ name: 'late' });
  });

  test('counts when its reply is lost, and the key is shown once', async () => {
    await using bench = await openDiscordBench();
    bench.discord.rest.faults.loseAnswer(CALLBACK);
    const asked = bench.users.slash('settings key create', { name: 'lost' });
    const key = KEY.exec((await asked.reply()).text)?.[0] ?? '';
    await expect(bench.keys.verify(key)).resolves.toMatchObject({ name: 'lost' });
    expect(await bench.keys.list(GUILD_ID)).toHaveLength(1);
  });

  test('is sent again when it is lost on its way', async () => {
    await using bench = await openDiscordBench();
    bench.discord.rest.faults.drop(CALLBACK);
    const reply = await bench.users.slash('parse', { text: '!ban' }).reply();
    expect(reply.text).toContain('ban');
  });

  test('leaves no key behind when it never arrives', async () => {
    await using bench = await openDiscordBench({
      gateway: { interactions: { firstAnswerMs: 30, retryAnswerMs: [1, 1, 1, 1] } },
    });
    const gate = bench.discord.rest.faults.hold(CALLBACK);
    bench.users.slash('settings key create', { name: 'never' });
    await gate.reached;
    await bench.logged('an answer did not reach Discord');
    await bench.logged('"outcome":"late"');
    expect((await bench.keys.list(GUILD_ID)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
    expect(bench.discord.rest.callsTo(EDIT).length).toBeGreaterThanOrEqual(5);
    gate.release();
  });

  test('counts when Discord accepts it with a body that is not a message, and the key stays', async () => {
    await using bench = await openDiscordBench();
    bench.discord.rest.faults.garble(EDIT);
    bench.users.slash('settings key create', { name: 'garbled' });
    await bench.logged('"outcome":"ok"');
    expect(bench.discord.rest.callsTo(EDIT)).toHaveLength(1);
    expect((await bench.keys.list(GUILD_ID)).map(({ state }) => state)).toEqual(['live']);
  });

  test('is sent again after a moment when Discord delays it for that moment', async () => {
    await using bench = await openDiscordBench();
    bench.discord.rest.faults.rateLimit(CALLBACK, 0.05);
    expect((await bench.users.slash('parse', { text: '!ban' }).reply()).text).toContain('ban');
    expect(bench.discord.rest.callsTo(CALLBACK).map(({ status }) => status)).toEqual([429, 204]);
  });

  test('is given up when Discord delays it too long, and leaves no key behind', async () => {
    await using bench = await openDiscordBench();
    bench.discord.rest.faults.rateLimit(CALLBACK, 60, { times: 10 });
    bench.users.slash('settings key create', { name: 'limited' });
    await bench.logged('an answer did not reach Discord');
    await bench.logged('"msg":"interaction"');
    expect(await bench.keys.list(GUILD_ID)).toEqual([]);
  });

  test('does not count as an answer when Discord refuses it: the user reads what went wrong', async () => {
    await using bench = await openDiscordBench();
    bench.discord.rest.faults.fail(CALLBACK, 400);
    const reply = await bench.users.slash('parse', { text: '!ban' }).reply();
    expect(reply.text).toContain('Discord did not accept the answer.');
    expect(reply.isEphemeral).toBe(true);
  });
});

test('a server that sends no permissions has granted none', async () => {
  await using bench = await openDiscordBench();
  const { interaction } = bench.users.slash('settings help', {}, { userId: MEMBER_ID, guildId: null });
  const { user } = interaction;
  const inServer = { guild_id: GUILD_ID, member: { user, roles: [] } };
  const sent = { ...interaction, ...inServer, id: '900000000000000001', token: 'other' };
  bench.discord.dispatch(bench.discord.guild(), GatewayDispatchEvents.InteractionCreate, sent as never);
  const answered = () => bench.discord.rest.callsTo(CALLBACK).find(({ path }) => path.includes('/other/'));
  await bench.discord.until(() => answered() !== undefined);
  expect(JSON.stringify(answered()?.body)).toContain('Manage Server');
});
