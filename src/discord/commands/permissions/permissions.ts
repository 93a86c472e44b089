import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type ApplicationCommandOptionChoiceData,
  type ChatInputCommandInteraction,
} from 'discord.js';

import { ANYWHERE, CHOICE_LENGTH_MAX, CHOICES_MAX, type SlashCommand } from '../command.ts';
import { permissionDecoder } from '../../../operations/permission-decoder/operation.ts';
import { permissionEncoder } from '../../../operations/permission-encoder/operation.ts';
import { permissionCheck } from '../../../operations/permission-check/operation.ts';
import { listPermissions } from '../../../operations/permissions/operation.ts';
import { foldLabel, permissionLabel } from '../../../operations/permissions/permission-labels.ts';
import { readPermissionNames } from '../../../operations/permissions/permission-names.ts';
import { PERMISSIONS } from '../../../operations/permissions/permission-table.ts';
import { Problem } from '../../../kernel/problem.ts';
import { describeSet, type PermissionSet } from './describe-permissions.ts';
import { ACCENT, container, text } from '../../messages/components.ts';
import { clip, codeBlock } from '../../messages/markdown.ts';
import { callOperation } from '../operation-call.ts';
import { explainPermission } from './why.ts';
import { privately } from '../../messages/reply.ts';
import { localiseCommand } from '../../locales/localise-command.ts';
import { wordsFor, type Words } from '../../locales/words.ts';
import { shareable } from '../show-to-everyone.ts';

/** `permission`, `permission_2` … `permission_10`: a choice has at most 100 characters, so each takes one name. */
const NAME_OPTIONS = ['permission', ...Array.from({ length: 9 }, (_, index) => `permission_${index + 2}`)];

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

export const permissionsCommand: SlashCommand = {
  data,
  // Discord's suggestions while somebody types a name are the list of all permissions.
  operations: [permissionEncoder, permissionDecoder, listPermissions, permissionCheck],
  // Only this subcommand asks Discord.
  defers: ({ options }) => options.getSubcommand() === 'why',
  async run(interaction, context) {
    const words = wordsFor(interaction.locale);
    const show = (answer: PermissionSet) =>
      privately(shareable(interaction, { components: [panelOf(answer, words)] }, context));
    switch (interaction.options.getSubcommand()) {
      case 'encode':
        return callOperation(
          permissionEncoder,
          { permissions: readNames(interaction), client_id: interaction.options.getString('client_id') },
          interaction,
          context,
          show,
        );
      case 'decode': {
        const input = {
          bitfield: interaction.options.getString('bitfield'),
          compare: interaction.options.getString('compare'),
        };
        return callOperation(permissionDecoder, input, interaction, context, show);
      }
      case 'why':
        return explainPermission(interaction, context);
      default:
        throw new Problem('not_found/command');
    }
  },
  /**
   * Suggests the permissions whose name, or label in Discord's client, contains what was typed last. Those that begin
   * with it come first, and those already chosen are left out.
   */
  async complete(interaction): Promise<readonly ApplicationCommandOptionChoiceData[]> {
    const focused = interaction.options.getFocused(true);
    const [, first = '', last = ''] = /^(.*,\s*)?(.*)$/s.exec(focused.value) ?? [];
    const before = namesIn(first);
    const prefix = before.map((name) => `${name}, `).join('');
    const others = NAME_OPTIONS.filter((name) => name !== focused.name);
    const chosen = new Set([
      ...before,
      ...others.flatMap((name) => namesIn(interaction.options.getString(name) ?? '')),
    ]);
    const typed = foldLabel(last);
    const { language } = wordsFor(interaction.locale);
    return PERMISSIONS.filter(({ name }) => !chosen.has(name))
      .map(({ name }) => ({ name, label: permissionLabel(name, language) }))
      .map((each) => ({
        ...each,
        at: positionIn([each.name, each.label, permissionLabel(each.name, 'en')], typed),
      }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => Number(b.at === 0) - Number(a.at === 0))
      .map(({ name, label }) => ({ name: `${prefix}${name}`, label: label.replaceAll(',', '') }))
      .filter(({ name }) => name.length <= CHOICE_LENGTH_MAX)
      .slice(0, CHOICES_MAX)
      .map(({ name, label }) => ({ name: clip(`${name} · ${label}`, CHOICE_LENGTH_MAX), value: name }));
  },
};

function panelOf(answer: PermissionSet, words: Words) {
  return container(
    ACCENT.neutral,
    text(words.say('permissions.heading', { n: answer.permissions.length })),
    text(codeBlock(answer.bitfield)),
    text(describeSet(answer, words)),
  );
}

/** Names and labels in a text. A picked choice arrives as its name with the label. */
function namesIn(text: string): readonly string[] {
  const { known, unknown } = readPermissionNames(text);
  return [...new Set([...known.map(({ name }) => name), ...unknown])];
}

/** Where the typed text first occurs in any of the names: 0 when one begins with it, -1 when none contains it. */
function positionIn(names: readonly string[], typed: string): number {
  const positions = names.map((name) => foldLabel(name).indexOf(typed)).filter((at) => at >= 0);
  return positions.length === 0 ? -1 : Math.min(...positions);
}

/** All options as one list; each may hold several names. */
function readNames(interaction: ChatInputCommandInteraction): string[] {
  return NAME_OPTIONS.map((name) => interaction.options.getString(name)).filter((value) => value !== null);
}
