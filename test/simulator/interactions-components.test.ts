import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ContainerBuilder,
  MessageFlags,
  ModalBuilder,
  RoleSelectMenuBuilder,
  StringSelectMenuBuilder,
  TextDisplayBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import type { ModalActionRowComponentBuilder } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { slash, startBot } from './interaction-bot.ts';

function row(...buttons: ButtonBuilder[]) {
  return new ActionRowBuilder<ButtonBuilder>().addComponents(buttons);
}

function button(id: string) {
  return new ButtonBuilder().setCustomId(id).setLabel(`Do ${id}`).setStyle(ButtonStyle.Primary);
}

function modal() {
  const input = new TextInputBuilder()
    .setCustomId('name')
    .setLabel('Name')
    .setStyle(TextInputStyle.Short)
    .setMaxLength(5);
  return new ModalBuilder()
    .setCustomId('m')
    .setTitle('New key')
    .addComponents(new ActionRowBuilder<ModalActionRowComponentBuilder>().addComponents(input));
}

describe('components and modals', () => {
  test('change the message after a click by label or custom id, immediately or later, or send a new one', async () => {
    await using bot = await startBot(async (interaction) => {
      if (interaction.isChatInputCommand()) {
        await interaction.reply({
          content: 'start',
          components: [row(button('now'), button('later'), button('new'))],
        });
      }
      if (!interaction.isButton()) return;
      if (interaction.customId === 'now')
        await interaction.update({ content: `now by ${interaction.user.id}` });
      if (interaction.customId === 'new') await interaction.reply('another');
      if (interaction.customId === 'later') {
        await interaction.deferUpdate();
        await interaction.editReply({ content: 'later', components: [row(button('end').setDisabled(true))] });
      }
    });
    const asked = slash(bot.discord);
    const message = await asked.reply();
    expect(message.text).toBe('start');
    const now = await asked.click('Do now', { userId: '55' });
    expect(await now.reply()).toBe(message);
    expect(message.content).toBe('now by 55');
    expect((await (await asked.click('new')).reply()).content).toBe('another');
    const later = await asked.click('later');
    await later.edited(2);
    // A caller who asks only now gets the message too.
    expect(await later.reply()).toBe(message);
    expect(message.content).toBe('later');
    await expect(asked.click('end')).rejects.toThrow('disabled');
    await expect(asked.click('now')).rejects.toThrow('only: Do end (end)');
    expect(bot.errors).toEqual([]);
  });

  test('accept choices in a string select and in a role select', async () => {
    await using bot = await startBot(async (interaction) => {
      if (interaction.isChatInputCommand()) {
        const strings = new StringSelectMenuBuilder()
          .setCustomId('s')
          .setPlaceholder('Builder')
          .addOptions([{ label: 'Kite', value: 'kite' }]);
        const roles = new RoleSelectMenuBuilder().setCustomId('r');
        await interaction.reply({
          components: [
            new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(strings),
            new ActionRowBuilder<RoleSelectMenuBuilder>().addComponents(roles),
          ],
        });
      }
      if (interaction.isStringSelectMenu()) await interaction.reply(interaction.values.join());
      if (interaction.isRoleSelectMenu()) await interaction.reply(interaction.roles.first()?.name ?? '');
    });
    const asked = slash(bot.discord);
    expect((await (await asked.select('Builder', ['kite'])).reply()).content).toBe('kite');
    expect((await (await asked.select('r', ['901'])).reply()).content).toBe('Blue');
  });

  test('open a modal, fill it in and answer it; from a button it can change the message', async () => {
    await using bot = await startBot(async (interaction) => {
      if (interaction.isChatInputCommand() && interaction.commandName === 'ask')
        await interaction.showModal(modal());
      else if (interaction.isChatInputCommand())
        await interaction.reply({ content: 'b', components: [row(button('ask'))] });
      if (interaction.isButton()) await interaction.showModal(modal());
      if (!interaction.isModalSubmit()) return;
      const name = interaction.fields.getTextInputValue('name');
      if (interaction.isFromMessage()) await interaction.update({ content: `named ${name}` });
      else await interaction.reply(`hello ${name}`);
    });
    const asked = bot.discord.interact.slash('ask');
    expect((await asked.modal()).title).toBe('New key');
    await expect(asked.submit({ other: 'x' })).rejects.toThrow('must be filled in');
    await expect(asked.submit({ name: 'abcdef' })).rejects.toThrow('too long');
    expect((await (await asked.submit({ name: 'ada' })).reply()).content).toBe('hello ada');
    const shown = slash(bot.discord);
    const message = await shown.reply();
    const clicked = await shown.click('ask');
    expect(await (await clicked.submit({ name: 'bob' })).reply()).toBe(message);
    expect(message.content).toBe('named bob');
  });

  test('show the texts of components v2, whose flag comes with the edit and not with the defer', async () => {
    const container = new ContainerBuilder()
      .addTextDisplayComponents(new TextDisplayBuilder().setContent('# Keys'))
      .addActionRowComponents(row(button('inside')));
    await using bot = await startBot(async (interaction) => {
      if (interaction.isButton()) await interaction.reply('clicked');
      if (!interaction.isChatInputCommand()) return;
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await interaction.editReply({ components: [container], flags: MessageFlags.IsComponentsV2 });
    });
    const asked = slash(bot.discord);
    const message = await asked.reply();
    expect([message.text, message.isComponentsV2, message.isEphemeral]).toEqual(['# Keys', true, true]);
    expect((await (await asked.click('inside')).reply()).content).toBe('clicked');
    expect(bot.errors).toEqual([]);
  });
});
