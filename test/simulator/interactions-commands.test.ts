import {
  ApplicationCommandOptionType,
  AttachmentBuilder,
  Events,
  InteractionContextType,
  MessageFlags,
} from 'discord.js';
import type { ChatInputCommandInteraction, Interaction } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { slash, startBot, startCommandBot } from './interaction-bot.ts';
import { startSimulator } from './simulator.ts';
import { connectClient } from './test-client.ts';

describe('a slash command', () => {
  test('arrives with its subcommands, options and their resolved values', async () => {
    let seen: ChatInputCommandInteraction | undefined;
    await using bot = await startCommandBot(async (interaction) => {
      seen = interaction;
      await interaction.reply({ content: 'done', flags: MessageFlags.Ephemeral });
    });
    const { discord } = bot;
    const guild = discord.guild();
    const asked = discord.interact.slash('settings key create', {
      name: 'shop',
      count: 3,
      ratio: 0.5,
      keep: true,
      role: { role: '901' },
      who: { user: guild.ownerId },
      image: { file: { name: 'a.png', bytes: 'png' } },
    });
    const reply = await asked.reply();
    expect([reply.text, reply.isEphemeral]).toEqual(['done', true]);
    expect(asked.refusals).toEqual([]);
    const { options } = seen!;
    expect([seen?.commandName, options.getSubcommandGroup(), options.getSubcommand()]).toEqual([
      'settings',
      'key',
      'create',
    ]);
    expect([options.getString('name'), options.getInteger('count'), options.getNumber('ratio')]).toEqual([
      'shop',
      3,
      0.5,
    ]);
    expect([options.getBoolean('keep'), options.getRole('role')?.name]).toEqual([true, 'Blue']);
    expect(options.getUser('who')?.id).toBe(guild.ownerId);
    expect(options.getMember('who')).not.toBeNull();
    const attachment = options.getAttachment('image')!;
    expect(await (await fetch(attachment.url)).text()).toBe('png');
    expect([seen?.guildId, seen?.locale, seen?.memberPermissions?.has('Administrator')]).toEqual([
      guild.id,
      'en-US',
      true,
    ]);
    expect([seen?.context, seen?.attachmentSizeLimit]).toEqual([
      InteractionContextType.Guild,
      10 * 1024 * 1024,
    ]);
  });

  test('goes to the shard of its guild, and in a DM to the first', async () => {
    await using discord = await startSimulator({ guilds: [{}, {}, {}] });
    await using client = await connectClient(discord, { shards: [0, 1, 2], shardCount: 3 });
    client.on(Events.InteractionCreate, (interaction) => {
      if (interaction.isChatInputCommand())
        void interaction.reply(String(interaction.guild?.shardId ?? 'DM'));
    });
    const texts: string[] = [];
    for (const { id } of discord.guilds) {
      texts.push((await discord.interact.slash('test', {}, { guildId: id }).reply()).text);
    }
    expect(texts.sort()).toEqual(['0', '1', '2']);
    expect((await discord.interact.slash('test', {}, { guildId: null }).reply()).text).toBe('DM');
  });

  test('is deferred, edited, followed up with files and deleted', async () => {
    await using bot = await startCommandBot(async (interaction) => {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await interaction.editReply({ content: 'first' });
      await interaction.followUp({
        content: 'list',
        files: [
          new AttachmentBuilder(Buffer.from('1\n2'), { name: 'ids.txt' }),
          { attachment: Buffer.from([0, 255]), name: 'b.bin' },
        ],
      });
      const second = await interaction.followUp('second');
      await interaction.editReply({ content: 'last', message: second });
      await interaction.deleteReply();
    });
    const asked = slash(bot.discord);
    const reply = await asked.reply();
    const followUp = await asked.followUp();
    expect(followUp.files.map(({ name }) => name)).toEqual(['ids.txt', 'b.bin']);
    expect(followUp.files[0]?.bytes.toString()).toBe('1\n2');
    expect(followUp.files[1]?.bytes).toEqual(Buffer.from([0, 255]));
    expect(await (await fetch(followUp.attachments[0]?.url ?? '')).text()).toBe('1\n2');
    await asked.until(() => reply.isDeleted);
    expect(asked.followUps.map(({ content, edits }) => [content, edits])).toEqual([
      ['list', 0],
      ['last', 1],
    ]);
    expect([reply.content, reply.isEphemeral, reply.isLoading, reply.edits]).toEqual([
      'first',
      true,
      false,
      1,
    ]);
    expect(bot.errors).toEqual([]);
    const callback = bot.discord.rest.callsTo('POST /interactions/:interaction/:token/callback');
    expect(callback).toMatchObject([{ authorization: null, status: 204 }]);
  });

  test('answers with its message when requested, and edits keep the named files', async () => {
    await using bot = await startCommandBot(async (interaction) => {
      const files = ['a', 'b'].map((name) => ({ attachment: Buffer.from(name), name: `${name}.txt` }));
      const { resource } = await interaction.reply({ content: 'files', files, withResponse: true });
      const kept = resource?.message?.attachments.filter(({ name }) => name === 'b.txt') ?? [];
      await interaction.editReply({
        attachments: [...kept.values()],
        files: [{ attachment: Buffer.from('c'), name: 'c.txt' }],
      });
    });
    const message = await slash(bot.discord).edited();
    expect(message.files.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ['b.txt', 'b'],
      ['c.txt', 'c'],
    ]);
    expect(message.attachments.map(({ filename }) => filename)).toEqual(['b.txt', 'c.txt']);
    expect(message.content).toBe('files');
  });

  test('is checked against the registered command like in the client of Discord', async () => {
    await using bot = await startCommandBot(async (interaction) => {
      await interaction.reply(interaction.options.getRole('role')?.id ?? 'none');
    });
    const { discord, client } = bot;
    await client.application.commands.set([
      {
        name: 'test',
        description: 'Test',
        options: [
          { type: ApplicationCommandOptionType.Role, name: 'role', description: 'Role', required: true },
          { type: ApplicationCommandOptionType.String, name: 'text', description: 'Text', maxLength: 3 },
          {
            type: ApplicationCommandOptionType.Integer,
            name: 'count',
            description: 'Count',
            minValue: 1,
            choices: [{ name: 'Two', value: 2 }],
          },
        ],
      },
    ]);
    const asked = discord.interact.slash('test', { role: '901', text: 'abc' });
    expect((await asked.reply()).content).toBe('901');
    const tries: [string, Parameters<typeof discord.interact.slash>[1], string][] = [
      ['other', {}, 'no command other'],
      ['test', {}, 'needs the option role'],
      ['test', { role: '901', more: 1 }, 'no option more'],
      ['test', { role: '902' }, 'no role 902'],
      ['test', { role: '901', text: 'abcd' }, 'too long'],
      ['test', { role: '901', text: '' }, 'too short'],
      ['test', { role: '901', count: 3 }, 'none of the choices'],
      ['test sub', {}, 'does not exist'],
    ];
    for (const [command, options, message] of tries) {
      expect(() => discord.interact.slash(command, options)).toThrow(message);
    }
  });

  test('can be used by an ordinary member, in a guild where only the user has installed the bot, and in a group', async () => {
    const seen: Interaction[] = [];
    await using bot = await startBot(async (interaction) => {
      seen.push(interaction);
      if (interaction.isChatInputCommand()) await interaction.reply({ content: 'x' });
    });
    const { discord } = bot;
    const { id: member } = discord.guild().addMember();
    await discord.interact.slash('test', {}, { userId: member, locale: 'de' }).reply();
    await discord.interact.slash('test', {}, { guildId: '42', userId: '77' }).reply();
    await discord.interact
      .slash('test', {}, { context: InteractionContextType.PrivateChannel, userId: '77' })
      .reply();
    await discord.interact
      .slash('test', {}, { userId: member, permissions: 32n, installedBy: 'both' })
      .reply();
    expect(
      seen.map((each) => [
        each.guildId,
        each.user.id,
        each.authorizingIntegrationOwners.guildId,
        each.authorizingIntegrationOwners.userId,
        each.context,
      ]),
    ).toEqual([
      [discord.guild().id, member, discord.guild().id, null, 0],
      ['42', '77', null, '77', 0],
      [null, '77', null, '77', 2],
      [discord.guild().id, member, discord.guild().id, member, 0],
    ]);
    expect(seen.map(({ memberPermissions }) => memberPermissions?.has('ManageGuild'))).toEqual([
      false,
      false,
      undefined,
      true,
    ]);
    expect(seen[0]?.locale).toBe('de');
  });
});

describe('autocomplete and context menus', () => {
  test('return suggestions', async () => {
    await using bot = await startBot(async (interaction) => {
      if (!interaction.isAutocomplete()) return;
      const focused = interaction.options.getFocused(true);
      await interaction.respond([{ name: `${focused.name} ${focused.value}`, value: 'x' }]);
    });
    const asked = bot.discord.interact.autocomplete(
      'permissions encode',
      { permission: 'man', permission_2: '' },
      'permission',
    );
    expect(await asked.choices()).toEqual([{ name: 'permission man', value: 'x' }]);
    await expect(asked.reply()).rejects.toThrow('ApplicationCommandAutocompleteResult');
  });

  test('refuse more than 25 suggestions, or one of over 100 characters', async () => {
    const lists = [
      Array.from({ length: 26 }, (_, i) => ({ name: `n${i}`, value: `v${i}` })),
      [{ name: 'n', value: 'x'.repeat(101) }],
    ];
    await using bot = await startBot(async (interaction) => {
      if (interaction.isAutocomplete()) await interaction.respond(lists.shift() ?? []);
    });
    for (let run = 0; run < 2; run += 1) {
      const asked = bot.discord.interact.autocomplete('test', { a: '' }, 'a');
      await asked.until(() => asked.refusals.length === 1);
      expect(asked.refusals).toMatchObject([{ code: 50035 }]);
    }
  });

  test('send a message with its files, and a user', async () => {
    await using bot = await startBot(async (interaction) => {
      if (interaction.isMessageContextMenuCommand()) {
        const { content, attachments, author } = interaction.targetMessage;
        await interaction.reply(`${content} ${attachments.first()?.name} ${author.id}`);
      }
      if (interaction.isUserContextMenuCommand()) await interaction.reply(interaction.targetUser.id);
    });
    const { interact } = bot.discord;
    const { ownerId } = bot.discord.guild();
    const message = { content: 'hello', files: [{ name: 'a.txt', bytes: 'a' }] };
    expect((await interact.messageCommand('Split text', message).reply()).content).toBe(
      `hello a.txt ${ownerId}`,
    );
    expect(
      (await interact.messageCommand('Split text', message, { guildId: null, userId: '5' }).reply()).content,
    ).toBe('hello a.txt 5');
    expect((await interact.userCommand('Who', ownerId).reply()).content).toBe(ownerId);
  });
});
