import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

import { BUILDERS } from '../../../guild-keys/builders.ts';
import { KEY_NAME_LENGTH_MAX } from '../../../guild-keys/guild-keys.ts';
import { choiceOption } from '../choice-option.ts';
import type { Command, CommandCall } from '../command.ts';
import type { Reply } from '../../messages/reply.ts';
import type { Services } from '../services.ts';
import { SpokenProblem } from '../../messages/spoken-problem.ts';
import { IN_GUILDS } from '../where.ts';
import { completeOperations } from './operations-option.ts';
import { createKey } from './create-key.ts';
import { completeKey, MANAGE_KEYS } from './find-key.ts';
import { showHelp } from './help.ts';
import { listKeys } from './list-keys.ts';
import { askRevoke } from './revoke-key.ts';
import { OVERLAP_NAMES, rotateKey } from './rotate-key.ts';
import { showUsage } from './usage.ts';

const KEY_OPTION = {
  type: ApplicationCommandOptionType.String,
  name: 'name',
  description: 'Which key',
  required: true,
  autocomplete: true,
  max_length: 100,
} as const;

const data = {
  type: ApplicationCommandType.ChatInput,
  name: 'settings',
  description: 'API keys of this server, what they are used for, and help',
  default_member_permissions: MANAGE_KEYS.toString(),
  ...IN_GUILDS,
  options: [
    {
      type: ApplicationCommandOptionType.SubcommandGroup,
      name: 'key',
      description: 'API keys of this server',
      options: [
        {
          type: ApplicationCommandOptionType.Subcommand,
          name: 'create',
          description: 'Make a new API key; it is shown once, only to you',
          options: [
            {
              type: ApplicationCommandOptionType.String,
              name: 'name',
              description: 'What the key is for, so that you recognise it later',
              required: true,
              min_length: 1,
              max_length: KEY_NAME_LENGTH_MAX,
            },
            {
              type: ApplicationCommandOptionType.Integer,
              name: 'expires',
              description: 'When the key expires (never by default)',
              choices: [
                { name: 'Never', value: 0 },
                { name: '30 days', value: 30 },
                { name: '90 days', value: 90 },
                { name: '365 days', value: 365 },
              ],
            },
            choiceOption(
              'builder',
              'The tool you build your bot with: sets how answers look',
              Object.entries(BUILDERS).map(([value, { label }]) => [value, label]),
            ),
            {
              type: ApplicationCommandOptionType.String,
              name: 'operations',
              description: 'What the key can call (everything by default)',
              autocomplete: true,
              max_length: 1_000,
            },
          ],
        },
        {
          type: ApplicationCommandOptionType.Subcommand,
          name: 'list',
          description: 'Show the API keys of this server, with buttons to rotate and revoke them',
        },
        {
          type: ApplicationCommandOptionType.Subcommand,
          name: 'rotate',
          description: 'Get a new key with the same name; the old one keeps working for a while',
          options: [
            KEY_OPTION,
            {
              type: ApplicationCommandOptionType.Integer,
              name: 'old_key',
              description: 'How long the old key keeps working (one day by default)',
              choices: Object.entries(OVERLAP_NAMES).map(([seconds, name]) => ({
                name,
                value: Number(seconds),
              })),
            },
          ],
        },
        {
          type: ApplicationCommandOptionType.Subcommand,
          name: 'revoke',
          description: 'Stop a key for good, after asking you',
          options: [KEY_OPTION],
        },
      ],
    },
    {
      type: ApplicationCommandOptionType.Subcommand,
      name: 'usage',
      description: 'How often the keys were used in 30 days, what was refused, and your limits',
    },
    {
      type: ApplicationCommandOptionType.Subcommand,
      name: 'help',
      description: 'How to start, the address of the API, and the link that adds the bot',
    },
  ],
} satisfies RESTPostAPIChatInputApplicationCommandsJSONBody;

const SUBCOMMANDS: Readonly<Record<string, (call: CommandCall, services: Services) => Promise<Reply>>> = {
  'key create': createKey,
  'key list': listKeys,
  'key rotate': rotateKey,
  'key revoke': askRevoke,
  usage: showUsage,
  help: showHelp,
};

export const settings: Command = {
  data,
  permission: MANAGE_KEYS,
  operations: [],
  bucket: 'command',
  // All of it waits for the storage, and keys must not be made twice.
  defers: () => true,
  async run(call, services) {
    const subcommand = SUBCOMMANDS[call.options.path];
    if (subcommand === undefined) throw SpokenProblem.of('not_found', 'unknown_command');
    return subcommand(call, services);
  },
  complete: (call, services) =>
    call.options.focused?.name === 'operations'
      ? completeOperations(call, services)
      : completeKey(call, services),
};
