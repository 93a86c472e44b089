import { Routes } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';
import { startSimulator } from './simulator.ts';
import { makeRest } from './test-client.ts';

describe('the registration of commands', () => {
  const COMMANDS = [
    {
      name: 'settings',
      name_localizations: { de: 'einstellungen' },
      description: 'Keys of this server',
      default_member_permissions: '32',
      contexts: [0],
      integration_types: [0],
      options: [
        {
          type: 2,
          name: 'key',
          description: 'Keys',
          options: [{ type: 1, name: 'list', description: 'List' }],
        },
      ],
    },
    { name: 'Split text', type: 3 },
  ];

  test('replaces all with a bulk overwrite, keeps the ids of those that stay, and omits translations in the list', async () => {
    await using discord = await startSimulator();
    const rest = makeRest(discord);
    const path = Routes.applicationCommands(discord.bot().id);
    expect(await rest.get(path)).toEqual([]);
    const first = await rest.put(path, { body: COMMANDS });
    expect(first).toMatchObject([
      { name: 'settings', type: 1, application_id: discord.bot().id, default_member_permissions: '32' },
      { name: 'Split text', type: 3, description: '', contexts: null, integration_types: [0] },
    ]);
    const before = discord.bot().commands.map(({ id }) => id);
    await rest.put(path, { body: COMMANDS.slice(0, 1) });
    expect(discord.bot().commands.map(({ id }) => id)).toEqual(before.slice(0, 1));
    const [plain] = (await rest.get(path)) as object[];
    expect(plain).not.toHaveProperty('name_localizations');
    const translated = await rest.get(path, { query: new URLSearchParams({ with_localizations: 'true' }) });
    expect(translated).toMatchObject([{ name_localizations: { de: 'einstellungen' } }]);
    const guildPath = Routes.applicationGuildCommands(discord.bot().id, '5');
    expect(await rest.put(guildPath, { body: COMMANDS.slice(1) })).toMatchObject([{ guild_id: '5' }]);
    expect(await rest.get(guildPath)).toHaveLength(1);
    expect(await rest.get(path)).toHaveLength(1);
  });

  const option = { type: 3, name: 'text', description: 'Text' };
  const command = { name: 'a', description: 'A' };
  test.each([
    ['a name in capitals', [{ ...command, name: 'Settings' }]],
    ['no description', [{ name: 'a' }]],
    ['a description that is too long', [{ ...command, description: 'x'.repeat(101) }]],
    ['a translated name with a space', [{ ...command, name_localizations: { de: 'a b' } }]],
    ['two of a name', [command, command]],
    ['a context menu with a description', [{ name: 'A', type: 3, description: 'A' }]],
    [
      '26 options',
      [{ ...command, options: Array.from({ length: 26 }, (_, i) => ({ ...option, name: `o${i}` })) }],
    ],
    ['two options of a name', [{ ...command, options: [option, option] }]],
    [
      'a required option after another',
      [{ ...command, options: [option, { ...option, name: 'b', required: true }] }],
    ],
    ['a text of over 6000 characters', [{ ...command, options: [{ ...option, max_length: 6001 }] }]],
    [
      'a choice of over 100 characters',
      [{ ...command, options: [{ ...option, choices: [{ name: 'x', value: 'x'.repeat(101) }] }] }],
    ],
    [
      'autocomplete with choices',
      [{ ...command, options: [{ ...option, autocomplete: true, choices: [{ name: 'x', value: 'x' }] }] }],
    ],
    [
      'a subcommand beside an option',
      [{ ...command, options: [{ type: 1, name: 's', description: 'S' }, option] }],
    ],
    ['no list', {}],
  ])('refuses %s', async (_, body) => {
    await using discord = await startSimulator();
    const put = makeRest(discord).put(Routes.applicationCommands(discord.bot().id), { body });
    await expect(put).rejects.toMatchObject({ status: 400, code: 50035 });
    expect(discord.bot().commands).toEqual([]);
  });
});
