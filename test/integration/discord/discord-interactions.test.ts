import { GatewayDispatchEvents, InteractionType, Locale } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { GUILD_ID, MEMBER_ID, openDiscordHarness, type DiscordHarness } from './discord-setup.ts';
import { KEY } from '../../fixtures/key-pattern.ts';

const CALLBACK = 'POST /interactions/:interaction/:token/callback';
const EDIT = 'PATCH /webhooks/:application/:token/messages/:message';

// A rejection that nobody handles fails the run, whatever the tests say.

const away = () => Promise.reject(new Problem('storage_unavailable', { retryAfterSeconds: 5 }));

const noAddress = (): never => {
  throw new TypeError('no address');
};

async function states(harness: DiscordHarness): Promise<string[]> {
  return (await harness.keys.list(GUILD_ID)).map(({ state }) => state);
}

describe('a key that cannot be shown', () => {
  test.each([
    ['Discord refuses the message', (harness: DiscordHarness) => harness.discord.rest.faults.fail(EDIT, 400)],
    ['Discord fails', (harness: DiscordHarness) => harness.discord.rest.faults.fail(EDIT, 500, { times: 2 })],
    [
      'the connection breaks',
      (harness: DiscordHarness) => harness.discord.rest.faults.drop(EDIT, { times: 2 }),
    ],
  ])('is revoked, and the admin is informed, when %s', async (_case, fault) => {
    await using harness = await openDiscordHarness();
    fault(harness);
    const interaction = harness.users.slash('settings key create', { name: 'demo' });
    const told = await interaction.followUp();
    expect(told.text).toContain('did not show the key, so it was revoked');
    expect(told.isEphemeral).toBe(true);
    expect(await states(harness)).toEqual(['revoked']);
    expect(harness.logLines.filter((line) => KEY.test(line))).toEqual([]);
  });

  test('is revoked also when the admin has disconnected', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.fail(EDIT, 404, { code: 10_008 });
    const { keys } = harness;
    const withdraw = keys.withdraw.bind(keys);
    const withdrawn = new Promise<void>((resolve) => {
      keys.withdraw = async (guildId, keyId) => {
        await withdraw(guildId, keyId);
        resolve();
      };
    });
    harness.users.slash('settings key create', { name: 'demo' });
    await withdrawn;
    expect(await states(harness)).toEqual(['revoked']);
  });

  test('is named to the admin if it cannot be revoked either', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.fail(EDIT, 400);
    harness.keys.withdraw = () => Promise.reject(new Problem('storage_unavailable'));
    const interaction = harness.users.slash('settings key create', { name: 'demo' });
    const [entry] = [(await interaction.followUp()).text];
    const [key] = await harness.keys.list(GUILD_ID);
    expect(entry).toContain(`Revoke ${key?.publicPart}`);
  });

  test('is revoked when even the message cannot be written', async () => {
    await using harness = await openDiscordHarness({ gateway: { publicUrl: noAddress } });
    const reply = await harness.users.slash('settings key create', { name: 'demo' }).reply();
    expect(reply.text).not.toMatch(KEY);
    expect(await states(harness)).toEqual(['revoked']);
  });

  test.each([0, 3_600])('leaves the old one unchanged when it was to replace one (%i s)', async (old_key) => {
    await using harness = await openDiscordHarness();
    await harness.users.slash('settings key create', { name: 'demo' }).reply();
    const before = await harness.keys.list(GUILD_ID);
    harness.discord.rest.faults.fail(EDIT, 400);
    const told = await harness.users.slash('settings key rotate', { name: 'demo', old_key }).followUp();
    expect(told.text).toContain('Nothing else has changed');
    expect(await states(harness)).toEqual(['revoked', 'current']);
    expect((await harness.keys.list(GUILD_ID)).slice(1)).toEqual(before);
  });
});

describe('an interaction that comes too late or twice', () => {
  test('makes no key when it has expired', async () => {
    await using harness = await openDiscordHarness();
    const interaction = harness.users.slash('settings key create', { name: 'demo' });
    interaction.expire();
    await harness.logged('did not reach Discord');
    expect(await harness.keys.list(GUILD_ID)).toEqual([]);
  });

  test('makes one key when it is delivered twice', async () => {
    await using harness = await openDiscordHarness();
    const interaction = harness.users.slash('settings key create', { name: 'demo' });
    interaction.duplicate();
    await interaction.reply();
    await harness.logged('did not reach Discord');
    expect(await states(harness)).toEqual(['current']);
  });

  test('gets no answer if its command only shows data', async () => {
    await using harness = await openDiscordHarness();
    const late = harness.users.slash('parse', { text: '!ban' });
    late.expire();
    await harness.logged('did not reach Discord');
    expect((await harness.users.slash('parse', { text: '!kick' }).reply()).text).toContain('kick');
  });

  test('revokes twice without an error', async () => {
    await using harness = await openDiscordHarness();
    await harness.users.slash('settings key create', { name: 'demo' }).reply();
    const clicked = await harness.users
      .slash('settings key revoke', { name: 'demo' })
      .click('Revoke this key');
    clicked.duplicate();
    expect((await clicked.reply()).text).toContain('is revoked');
    expect(await states(harness)).toEqual(['revoked']);
  });
});

describe('a failing storage', () => {
  test.each([
    ['settings key create', { name: 'demo' }],
    ['settings key list', {}],
    ['settings key rotate', { name: 'demo' }],
    ['settings key revoke', { name: 'demo' }],
    ['settings usage', {}],
  ])('gives a clear message from /%s', async (command, options) => {
    await using harness = await openDiscordHarness();
    Object.assign(harness.keys, { create: away, list: away });
    const reply = await harness.users.slash(command, options).reply();
    expect(reply.text).toContain('Wait 5 seconds.');
    expect(reply.isEphemeral).toBe(true);
  });

  test.each(['Rotate', 'Revoke'])('leads to a clear message from the button "%s"', async (label) => {
    await using harness = await openDiscordHarness();
    await harness.users.slash('settings key create', { name: 'demo' }).reply();
    const list = harness.users.slash('settings key list');
    await list.reply();
    harness.keys.list = away;
    const told = await (await list.click(label)).followUp();
    expect(told.text).toContain('Wait 5 seconds.');
    expect(told.isEphemeral).toBe(true);
  });

  test('leaves the list of suggestions empty', async () => {
    await using harness = await openDiscordHarness();
    harness.keys.list = () => Promise.reject(new Problem('storage_unavailable'));
    const choices = harness.users.autocomplete('settings key revoke', { name: '' }, 'name').choices();
    expect(await choices).toEqual([]);
  });

  test('still lets the shown key be hidden', async () => {
    await using harness = await openDiscordHarness();
    const interaction = harness.users.slash('settings key create', { name: 'demo' });
    await interaction.reply();
    harness.keys.list = () => Promise.reject(new Problem('storage_unavailable'));
    expect((await (await interaction.click('Saved it')).reply()).text).not.toMatch(KEY);
  });
});

describe('an error', () => {
  test('of the service is a sentence with a reference for the user, and one log line', async () => {
    await using harness = await openDiscordHarness();
    harness.usage.lastUsed = () => Promise.reject(new TypeError('inner detail'));
    const interaction = harness.users.slash('settings key list');
    const reply = await interaction.reply();
    expect(reply.text).not.toContain('inner detail');
    expect(reply.text).toContain(interaction.interaction.id);
    expect(await harness.logged('inner detail')).toContain(interaction.interaction.id);
  });

  test('of Discord on the first answer is only logged, without the token', async () => {
    await using harness = await openDiscordHarness({
      gateway: { interactions: { retryAnswerMs: [1, 1, 1, 1] } },
    });
    harness.discord.rest.faults.fail(CALLBACK, 500, { times: 2 });
    harness.users.slash('parse', { text: '!ban' });
    const line = await harness.logged('did not reach Discord');
    expect(line).not.toContain('interaction-token');
    expect((await harness.users.slash('parse', { text: '!ban' }).reply()).text).toContain('ban');
  });

  test('of Discord while answering is shown where that is still possible', async () => {
    await using harness = await openDiscordHarness();
    harness.discord.rest.faults.fail(EDIT, 413);
    const interaction = harness.users.slash('settings help');
    expect((await interaction.followUp()).text).toContain('Discord did not accept the answer');
  });

  test.each([
    ['a button of another program', 'whatever'],
    ['a button of an older version', `gone|${'2'.repeat(18)}|x`],
  ])('is explained: %s', async (_case, customId) => {
    await using harness = await openDiscordHarness();
    const help = harness.users.slash('parse', { text: '!ban' });
    const message = await help.reply();
    const clicked = harness.users.click(message, { custom_id: customId, type: 2, id: 1 }, {});
    expect((await clicked.reply()).text).toContain('older version');
  });

  test('is explained: a command that was removed', async () => {
    await using harness = await openDiscordHarness();
    const [command] = harness.discord.bot().commands;
    harness.discord.bot().commands.push({ ...command!, id: '1', name: 'gone', options: [] });
    expect((await harness.users.slash('gone').reply()).text).toContain('does not have this command');
  });

  test('in a malformed payload does not end the process', async () => {
    await using harness = await openDiscordHarness();
    for (const nonsense of [
      {},
      { type: 2 },
      { type: 3, data: {} },
      { type: 99 },
      { type: 2, data: { name: 'parse', type: 1 } },
    ]) {
      harness.discord.dispatch(null, GatewayDispatchEvents.InteractionCreate, nonsense as never);
    }
    expect((await harness.users.slash('parse', { text: '!ban' }).reply()).text).toContain('ban');
  });

  test.each([
    ['a command', InteractionType.ApplicationCommand],
    ['a click', InteractionType.MessageComponent],
    ['a form', InteractionType.ModalSubmit],
  ])('is answered and counted: %s without data', async (_case, type) => {
    const recorded = Promise.withResolvers<unknown>();
    await using harness = await openDiscordHarness({ gateway: { onInteraction: recorded.resolve } });
    dispatchBare(harness, type);
    expect(await recorded.promise).toMatchObject({ command: 'unknown', problem: { code: 'internal' } });
    const [call] = harness.discord.rest.callsTo(CALLBACK);
    expect(JSON.stringify(call?.body)).toContain('Something went wrong');
  });

  test('is an empty list for an autocomplete without data', async () => {
    await using harness = await openDiscordHarness();
    dispatchBare(harness, InteractionType.ApplicationCommandAutocomplete);
    await harness.discord.until(() => harness.discord.rest.callsTo(CALLBACK).length > 0);
    expect(harness.discord.rest.callsTo(CALLBACK)[0]?.body).toEqual({ type: 8, data: { choices: [] } });
  });
});

/** An interaction as another server might send it, with nothing that says what was used. */
function dispatchBare({ discord }: DiscordHarness, type: InteractionType): void {
  const user = { id: MEMBER_ID, username: 'someone', discriminator: '0', avatar: null };
  const where = { application_id: discord.bot().id, version: 1, locale: 'en-US', user, channel_id: '5' };
  const bare = { id: '900000000000000001', token: 'bare', type, ...where };
  discord.dispatch(null, GatewayDispatchEvents.InteractionCreate, bare as never);
}

describe('/help', () => {
  test.each([
    ['https://api.example', '[message-check](https://api.example/docs/message-check)'],
    ['http://localhost:3000', '`message-check`'],
  ])('names what only HTTP has: at %s as %s', async (url, shown) => {
    await using harness = await openDiscordHarness({ gateway: { publicUrl: () => url } });
    const { text } = await harness.users.slash('help', {}, { locale: Locale.German }).reply();
    expect(text).toContain(`Nur über HTTP:\n- `);
    expect(text).toContain(`- ${shown} sagt, warum Discord eine Nachricht ablehnt`);
    const missing = OPERATIONS.filter(
      ({ noCommandReason, name }) => noCommandReason !== null && !text.includes(name),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe('a command that Discord would not send', () => {
  test.each([
    ['settings', ['/settings key create', '/settings usage']],
    ['settings key', ['/settings key create', '/settings key revoke']],
    ['permissions', ['/permissions encode', '/permissions why']],
  ])('such as /%s alone is answered with its subcommands', async (path, commands) => {
    await using harness = await openDiscordHarness();
    const { text } = await harness.users.slash(path).reply();
    for (const command of commands) expect(text).toContain(command);
    expect(text).not.toContain('/help');
    expect(text).not.toMatch(/our side|try again/i);
    expect(harness.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test.each([
    ['settings gone', 'usage', {}],
    ['settings key gone', 'list', {}],
    ['permissions gone', 'decode', { bitfield: '8' }],
  ])('such as /%s is not in this version, and gets no advice to retry', async (path, known, options) => {
    await using harness = await openDiscordHarness();
    const bot = harness.discord.bot();
    bot.commands = JSON.parse(JSON.stringify(bot.commands).replaceAll(`"name":"${known}"`, '"name":"gone"'));
    const { text } = await harness.users.slash(path, options).reply();
    expect(text).toContain('does not have this command');
    expect(text).not.toMatch(/try again|minute/i);
  });
});
