import { MessageFlags } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { connectProbe } from './gateway-probe.ts';
import { slash, startCommandBot } from './interaction-bot.ts';
import { startSimulator } from './simulator.ts';

/** The raw JSON of a text display and of a row. */
function text(content: string) {
  return { type: 10, content };
}

function rowOf(...components: object[]) {
  return { type: 1, components };
}

describe('an interaction that Discord refuses', () => {
  test('has no receiver without a connected bot', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    expect(() => slash(discord)).toThrow('not connected');
  });

  const CALLBACK = 'POST /interactions/:interaction/:token/callback';

  test('gets 40060 for a second answer', async () => {
    await using bot = await startCommandBot(async (interaction) => interaction.reply('x'));
    const asked = slash(bot.discord);
    await asked.reply();
    asked.duplicate();
    await asked.until(() => asked.refusals.length === 1);
    expect(asked.refusals).toMatchObject([{ status: 400, code: 40060 }]);
  });

  test('gets 10062 for a late answer, 50027 for an edit after 15 minutes, 10015 for one before any answer', async () => {
    const gate = Promise.withResolvers<void>();
    await using bot = await startCommandBot(async (interaction) => {
      if (interaction.commandName === 'early') return interaction.webhook.send('x');
      if (interaction.commandName === 'late') await gate.promise;
      await interaction.reply('x');
      await gate.promise;
      return interaction.editReply('y');
    });
    const { discord } = bot;
    const asked = ['early', 'late', 'edit'].map((name) => discord.interact.slash(name));
    const [early, late, edit] = asked;
    await edit?.reply();
    late?.expire();
    edit?.expire();
    gate.resolve();
    await discord.until(() => asked.every(({ refusals }) => refusals.length === 1));
    expect([early, late, edit].map((each) => each?.refusals[0]?.code)).toEqual([10015, 10062, 50027]);
  });

  test('gets only five follow-ups when the bot is installed by the user alone', async () => {
    await using bot = await startCommandBot(async (interaction) => {
      await interaction.reply('0');
      for (let count = 1; count <= 6; count += 1) await interaction.followUp(String(count));
    });
    const asked = bot.discord.interact.slash('test', {}, { installedBy: 'user' });
    await asked.until(() => asked.refusals.length > 0);
    expect(asked.followUps.map(({ content }) => content)).toEqual(['1', '2', '3', '4', '5']);
    expect(asked.refusals).toMatchObject([{ code: 40094 }]);
  });

  const link = { type: 2, style: 5, label: 'x', url: 'https://example.com' };
  const click = { type: 2, style: 1, label: 'x', custom_id: 'x' };
  const V2 = MessageFlags.IsComponentsV2;
  const option = { label: 'a', value: 'a' };
  test.each<[string, object, number]>([
    ['nothing in it', {}, 50006],
    ['a content of 2001 characters', { content: 'x'.repeat(2001) }, 50035],
    ['a content that is a number', { content: 5 }, 50035],
    ['content beside components v2', { content: 'x', flags: V2, components: [text('x')] }, 50035],
    ['embeds beside components v2', { embeds: [{ title: 'x' }], flags: V2, components: [text('x')] }, 50035],
    ['a text display without the flag', { components: [text('x')] }, 50035],
    ['no components with the flag', { flags: V2 }, 50006],
    [
      'over 4000 characters of text displays',
      { flags: V2, components: [text('x'.repeat(2001)), text('x'.repeat(2000))] },
      50035,
    ],
    ['41 components', { flags: V2, components: Array.from({ length: 41 }, () => text('x')) }, 50035],
    ['an empty text display', { flags: V2, components: [text('')] }, 50035],
    [
      'a container in a container',
      { flags: V2, components: [{ type: 17, components: [{ type: 17, components: [text('x')] }] }] },
      50035,
    ],
    [
      'a file that was not sent',
      { flags: V2, components: [{ type: 13, file: { url: 'attachment://a.txt' } }] },
      50035,
    ],
    [
      'a file from elsewhere',
      { flags: V2, components: [{ type: 13, file: { url: 'https://example.com/a.txt' } }] },
      50035,
    ],
    ['a section without accessory', { flags: V2, components: [{ type: 9, components: [text('x')] }] }, 50035],
    ['six rows', { content: 'x', components: Array.from({ length: 6 }, () => rowOf(link)) }, 50035],
    [
      'six buttons in a row',
      { content: 'x', components: [rowOf(link, link, link, link, link, link)] },
      50035,
    ],
    ['an empty row', { content: 'x', components: [rowOf()] }, 50035],
    [
      'a custom id of 101 characters',
      { content: 'x', components: [rowOf({ ...click, custom_id: 'x'.repeat(101) })] },
      50035,
    ],
    ['a custom id twice', { content: 'x', components: [rowOf(click, click)] }, 50035],
    [
      'a button without a label',
      { content: 'x', components: [rowOf({ ...click, label: undefined })] },
      50035,
    ],
    [
      'a label of 81 characters',
      { content: 'x', components: [rowOf({ ...click, label: 'x'.repeat(81) })] },
      50035,
    ],
    ['a link to nowhere', { content: 'x', components: [rowOf({ ...link, url: 'ftp://x' })] }, 50035],
    [
      'a select without options',
      { content: 'x', components: [rowOf({ type: 3, custom_id: 's', options: [] })] },
      50035,
    ],
    [
      'a select with a value twice',
      { content: 'x', components: [rowOf({ type: 3, custom_id: 's', options: [option, option] })] },
      50035,
    ],
    [
      'a select beside a button',
      { content: 'x', components: [rowOf(click, { type: 3, custom_id: 's', options: [option] })] },
      50035,
    ],
    ['eleven embeds', { embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) }, 50035],
    ['an embed title of 257 characters', { embeds: [{ title: 'x'.repeat(257) }] }, 50035],
    [
      'over 6000 characters of embeds',
      { embeds: [{ description: 'x'.repeat(4000) }, { description: 'x'.repeat(2001) }] },
      50035,
    ],
    ['an attachment that was not sent', { content: 'x', attachments: [{ id: '0' }] }, 50035],
    [
      'mentions that exclude one another',
      { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
      50035,
    ],
  ])('may be a message with %s', async (_, data, code) => {
    await using discord = await startSimulator({ guilds: [{}] });
    using _probe = await connectProbe(discord);
    const asked = slash(discord);
    const { id, token } = asked.interaction;
    const post = (body: object) =>
      fetch(`${discord.apiUrl}/v10/interactions/${id}/${token}/callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const answer = await post({ type: 4, data });
    expect(await answer.json()).toMatchObject({ code });
    expect(asked.refusals).toHaveLength(1);
    // A refused answer does not count: the interaction can still be answered.
    expect((await post({ type: 4, data: { content: 'x'.repeat(2000) } })).status).toBe(204);
  });

  test.each<[string, object]>([
    ['suggestions for a command', { type: 8, data: { choices: [] } }],
    ['an update without a message', { type: 7, data: { content: 'x' } }],
    ['no type', { data: { content: 'x' } }],
    [
      'a modal with a title of 46 characters',
      { type: 9, data: { custom_id: 'm', title: 'x'.repeat(46), components: [text('x')] } },
    ],
    ['a modal without fields', { type: 9, data: { custom_id: 'm', title: 'x', components: [] } }],
  ])('may be an answer with %s', async (_, body) => {
    await using discord = await startSimulator({ guilds: [{}] });
    using _probe = await connectProbe(discord);
    const { id, token } = slash(discord).interaction;
    const answer = await fetch(`${discord.apiUrl}/v10/interactions/${id}/${token}/callback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(await answer.json()).toMatchObject({ code: 50035 });
  });

  test('may have a file over its limit, or may never have been sent', async () => {
    await using bot = await startCommandBot(async (interaction) => {
      await interaction.reply({ files: [{ attachment: Buffer.alloc(11), name: 'a.txt' }] });
    });
    const asked = bot.discord.interact.slash('test', {}, { attachmentSizeLimit: 10 });
    await asked.until(() => asked.refusals.length === 1);
    expect(asked.refusals).toMatchObject([{ status: 413, code: 40005 }]);
    const unknown = await fetch(`${bot.discord.apiUrl}/v10/interactions/1/x/callback`, {
      method: 'POST',
      body: '{}',
    });
    expect(await unknown.json()).toMatchObject({ code: 10062 });
    const webhook = await fetch(`${bot.discord.apiUrl}/v10/webhooks/1/x`, { method: 'POST', body: '{}' });
    expect(await webhook.json()).toMatchObject({ code: 10015 });
  });

  test('can fail on the way with a fault of REST', async () => {
    await using bot = await startCommandBot(async (interaction) => interaction.reply('x'));
    bot.discord.rest.faults.fail(CALLBACK, 404, { code: 10062, message: 'Unknown interaction' });
    slash(bot.discord);
    await bot.discord.until(() => bot.discord.rest.callsTo(CALLBACK)[0]?.status === 404);
    expect((await slash(bot.discord).reply()).content).toBe('x');
    expect(bot.errors).toMatchObject([{ code: 10062 }]);
  });
});
