import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord.js';

import { IN_GUILDS, type SlashCommand } from '../command.ts';
import { builderOf, KEY_BUILDERS } from '../../../guild-keys/builders.ts';
import { KEY_NAME_LENGTH_MAX } from '../../../guild-keys/guild-keys.ts';
import { Problem } from '../../../kernel/problem.ts';
import { localiseCommand } from '../../locales/localise-command.ts';
import { completeOperations, createKey } from './create-key.ts';
import { completeKey, MANAGE_KEYS } from './find-key.ts';
import { showHelp } from './help.ts';
import { listKeys } from './list-keys.ts';
import { askRevoke } from './revoke-key.ts';
import { OVERLAPS, rotateKey } from './rotate-key.ts';
import { showUsage } from './usage.ts';

/** Days; 0 is never. */
const EXPIRIES = [0, 30, 90, 365];

const KEY_OPTION = {
  type: ApplicationCommandOptionType.String,
  name: 'name',
  required: true,
  autocomplete: true,
  max_length: 100,
} as const;

const data = localiseCommand({
  type: ApplicationCommandType.ChatInput,
  name: 'settings',
  default_member_permissions: MANAGE_KEYS.toString(),
  ...IN_GUILDS,
  options: [
    {
      type: ApplicationCommandOptionType.SubcommandGroup,
      name: 'key',
      options: [
        {
          type: ApplicationCommandOptionType.Subcommand,
          name: 'create',
          options: [
            {
              type: ApplicationCommandOptionType.String,
              name: 'name',
              required: true,
              min_length: 1,
              max_length: KEY_NAME_LENGTH_MAX,
            },
            {
              type: ApplicationCommandOptionType.Integer,
              name: 'expires',
              choices: EXPIRIES.map((value) => ({ name: String(value), value })),
            },
            {
              type: ApplicationCommandOptionType.String,
              name: 'builder',
              // The tools have the same names in every language.
              choices: KEY_BUILDERS.map((value) => ({ name: builderOf(value).label, value })),
            },
            {
              type: ApplicationCommandOptionType.String,
              name: 'operations',
              autocomplete: true,
              max_length: 1_000,
            },
          ],
        },
        {
          type: ApplicationCommandOptionType.Subcommand,
          name: 'list',
        },
        {
          type: ApplicationCommandOptionType.Subcommand,
          name: 'rotate',
          options: [
            KEY_OPTION,
            {
              type: ApplicationCommandOptionType.Integer,
              name: 'old_key',
              choices: OVERLAPS.map((value) => ({ name: String(value), value })),
            },
          ],
        },
        {
          type: ApplicationCommandOptionType.Subcommand,
          name: 'revoke',
          options: [KEY_OPTION],
        },
      ],
    },
    {
      type: ApplicationCommandOptionType.Subcommand,
      name: 'usage',
    },
    {
      type: ApplicationCommandOptionType.Subcommand,
      name: 'help',
    },
  ],
});

const SUBCOMMANDS: Readonly<Record<string, SlashCommand['run']>> = {
  'key create': createKey,
  'key list': listKeys,
  'key rotate': rotateKey,
  'key revoke': askRevoke,
  usage: showUsage,
  help: showHelp,
};

export const settings: SlashCommand = {
  data,
  permission: MANAGE_KEYS,
  operations: [],
  // Every subcommand waits for the storage, and keys must not be made twice.
  defers: () => true,
  async run(interaction, context) {
    const { options } = interaction;
    const path = [options.getSubcommandGroup(), options.getSubcommand()].filter((name) => name !== null);
    const subcommand = SUBCOMMANDS[path.join(' ')];
    if (subcommand === undefined) throw new Problem('not_found/command');
    return subcommand(interaction, context);
  },
  async complete(interaction, context) {
    const path = `${interaction.options.getSubcommand(false)} ${interaction.options.getFocused(true).name}`;
    if (path === 'create operations') return completeOperations(interaction, context);
    return path === 'rotate name' || path === 'revoke name' ? completeKey(interaction, context) : [];
  },
};
