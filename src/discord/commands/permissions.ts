import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type APIApplicationCommandOptionChoice,
} from 'discord-api-types/v10';

import { permissionDecoder } from '../../operations/permission-decoder/operation.ts';
import { permissionEncoder } from '../../operations/permission-encoder/operation.ts';
import { permissionCheck } from '../../operations/permission-check/operation.ts';
import { listPermissions } from '../../operations/permissions/operation.ts';
import { PERMISSIONS } from '../../operations/permissions/permission-table.ts';
import { describeSet, type PermissionSet } from './describe-permissions.ts';
import type { Command, CommandCall } from './command.ts';
import { ACCENT, container, text } from '../messages/components.ts';
import { codeBlock } from '../messages/markdown.ts';
import { callOperation } from './operation-call.ts';
import { explainPermission } from './permissions-why.ts';
import { privately } from '../messages/reply.ts';
import { SpokenProblem } from '../messages/spoken-problem.ts';
import { localiseCommand } from '../locales/localise-command.ts';
import { wordsFor } from '../locales/words.ts';
import { shareable } from './show-to-everyone.ts';
import { ANYWHERE } from './where.ts';

/** `permission`, `permission_2` … `permission_10`: a choice has at most 100 characters, so each takes one name. */
const NAME_OPTIONS = ['permission', ...Array.from({ length: 9 }, (_, index) => `permission_${index + 2}`)];
const CHOICES_MAX = 25;
const CHOICE_LENGTH_MAX = 100;

const data = localiseCommand({
  type: ApplicationCommandType.ChatInput,
  name: 'permissions',
  ...ANYWHERE,
  options: [
    {
      type: ApplicationCommandOptionType.Subcommand,
      name: 'encode',
      options: [
        ...NAME_OPTIONS.map((name, index) => ({
          type: ApplicationCommandOptionType.String as const,
          name,
          required: index === 0,
          autocomplete: true,
        })),
        {
          type: ApplicationCommandOptionType.String,
          name: 'client_id',
          max_length: 100,
        },
      ],
    },
    {
      type: ApplicationCommandOptionType.Subcommand,
      name: 'decode',
      options: [
        {
          type: ApplicationCommandOptionType.String,
          name: 'bitfield',
          required: true,
          max_length: 100,
        },
        {
          type: ApplicationCommandOptionType.String,
          name: 'compare',
          max_length: 100,
        },
      ],
    },
    {
      type: ApplicationCommandOptionType.Subcommand,
      name: 'why',
      options: [
        {
          type: ApplicationCommandOptionType.String,
          name: 'permission',
          required: true,
          autocomplete: true,
        },
        {
          type: ApplicationCommandOptionType.User,
          name: 'member',
        },
        {
          type: ApplicationCommandOptionType.Channel,
          name: 'channel',
        },
      ],
    },
  ],
});

export const permissionsCommand: Command = {
  data,
  // The list of all permissions is what Discord shows while names are being typed.
  operations: [permissionEncoder, permissionDecoder, listPermissions, permissionCheck],
  bucket: 'command',
  // Only this one asks Discord.
  defers: (options) => options.path === 'why',
  async run(call, services) {
    const words = wordsFor(call.locale);
    const show = (answer: PermissionSet) =>
      privately(
        shareable(call, {
          components: [
            container(
              ACCENT.neutral,
              text(words.say('permissions.heading', { n: answer.permissions.length })),
              text(codeBlock(answer.bitfield)),
              text(describeSet(answer, words)),
            ),
          ],
        }),
      );
    switch (call.options.path) {
      case 'encode':
        return callOperation(
          permissionEncoder,
          { permissions: readNames(call), client_id: call.options.string('client_id') },
          call,
          services,
          show,
        );
      case 'decode': {
        const input = {
          bitfield: call.options.string('bitfield'),
          compare: call.options.string('compare'),
        };
        return callOperation(permissionDecoder, input, call, services, show);
      }
      case 'why':
        return explainPermission(call, services);
      default:
        throw SpokenProblem.of('not_found', 'unknown_command');
    }
  },
  /** Names that hold what was typed last, those that begin with it first, without those already chosen. */
  async complete(call): Promise<readonly APIApplicationCommandOptionChoice[]> {
    const [, before = '', last = ''] = /^(.*,\s*)?(.*)$/s.exec(call.options.focused?.value ?? '') ?? [];
    const typed = fold(last);
    const chosen = new Set(
      NAME_OPTIONS.filter((name) => name !== call.options.focused?.name)
        .map((name) => call.options.string(name) ?? '')
        .concat(before)
        .flatMap((names) => names.split(','))
        .map((name) => fold(name)),
    );
    return PERMISSIONS.filter(({ name }) => !chosen.has(fold(name)) && fold(name).includes(typed))
      .toSorted((a, b) => Number(fold(b.name).startsWith(typed)) - Number(fold(a.name).startsWith(typed)))
      .map(({ name }) => `${before}${name}`)
      .filter((names) => names.length <= CHOICE_LENGTH_MAX)
      .slice(0, CHOICES_MAX)
      .map((names) => ({ name: names, value: names }));
  },
};

/** All options as one list; each may hold several names. */
function readNames(call: CommandCall): string[] {
  return NAME_OPTIONS.map((name) => call.options.string(name)).filter((value) => value !== null);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
