import { Constants, PermissionFlagsBits } from 'discord.js';

import type { AnswerOf } from '../../../operations/operation.ts';
import { ON_MEMBERS, ON_ROLES } from '../../../operations/permission-check/decide-action.ts';
import { missingFor } from '../../../operations/permission-check/effective-permissions.ts';
import { permissionCheck } from '../../../operations/permission-check/operation.ts';
import { permissionLabel } from '../../../operations/permissions/permission-labels.ts';
import { ACCENT, container, text } from '../../messages/components.ts';
import { inlineCode } from '../../messages/markdown.ts';
import type { Message } from '../../messages/reply.ts';
import { guildOf, isThread, requirePermission } from '../permitted.ts';
import type { Translator } from '../../locales/translator.ts';
import { commandOf, type CommandCall } from '../command-of.ts';
import { channelOption, required, roleOption, userOption } from '../options.ts';
import { permissionOption } from './permission-option.ts';

type Checked = AnswerOf<typeof permissionCheck>;

const ACTIONS = [...ON_MEMBERS, ...ON_ROLES];
const VOICE: ReadonlySet<unknown> = new Set(Constants.VoiceBasedChannelTypes);

/**
 * `/permissions why`. By default about the user, in this channel, or with a target in the whole server. Questions about
 * other users need Manage Roles.
 */
export const why = commandOf(permissionCheck, {
  options: {
    permission: required(permissionOption),
    member: userOption,
    channel: channelOption,
    target: userOption,
    role: roleOption,
  },
  input({ permission, member, channel, target, role }, interaction) {
    guildOf(interaction);
    const userId = member ?? interaction.user.id;
    if (userId !== interaction.user.id) requirePermission(interaction, PermissionFlagsBits.ManageRoles);
    return {
      user_id: userId,
      channel_id: target === null && role === null ? (channel?.id ?? interaction.channelId) : null,
      permission,
      target_id: target,
      target_role_id: role,
      source: 'gateway',
    };
  },
  show,
});

function show(answer: Checked, { notes, interaction, context, translator }: CommandCall<unknown>): Message {
  const { allowed, because, permission } = answer;
  /** Names the other permission that this one needs to have any effect in the channel. */
  const needsOtherPermission = (name: string): string => {
    const type = interaction.isChatInputCommand()
      ? interaction.options.getChannel('channel')?.type
      : undefined;
    const missing = missingFor(name, BigInt(answer.bitfield), {
      isThread: type === undefined ? context.inThread : isThread(type),
      isVoice: type === undefined || VOICE.has(type),
    });
    return translator.translate('why.implied', { base: nameOf(missing ?? 'VIEW_CHANNEL', translator) });
  };
  const held = answer.permissions.map((name) => inlineCode(name)).join(' ');
  const lines = [
    ...(permission === null || because === null
      ? []
      : [
          `### ${headlineOf(answer, permission, translator)}`,
          sentenceOf(answer, permission, because, translator) ?? needsOtherPermission(permission),
          ...notes.map((note) => translator.translate(`why.${note}`)),
          // The sentence about the order already names the roles.
          ...(because.role_ids.length === 0 || because.kind === 'role_order'
            ? []
            : [
                translator.translate('why.roles', {
                  roles: because.role_ids.map((id) => mention(id, answer.guild_id)).join(' '),
                }),
              ]),
        ]),
    translator.translate(answer.channel_id === null ? 'why.all_server' : 'why.all', {
      names: held === '' ? '–' : held,
    }),
  ];
  return {
    components: [container(allowed === false ? ACCENT.caution : ACCENT.good, text(lines.join('\n')))],
  };
}

function headlineOf(answer: Checked, permission: string, translator: Translator): string {
  const member = `<@${answer.user_id}>`;
  const target = targetOf(answer);
  const action = ACTIONS.find((name) => name === permission);
  if (target !== null && action !== undefined) {
    return translator.translate(answer.allowed === true ? `why.may.${action}` : `why.mayNot.${action}`, {
      member,
      target,
    });
  }
  return translator.translate(answer.allowed === true ? 'why.allowed' : 'why.denied', {
    member,
    permission: nameOf(permission, translator),
  });
}

function sentenceOf(
  answer: Checked,
  permission: string,
  { kind, role_ids: [own = '', other = ''] }: NonNullable<Checked['because']>,
  translator: Translator,
): string | null {
  const target = targetOf(answer) ?? '';
  switch (kind) {
    case 'implied':
      return null;
    case 'thread':
      if (permission === 'VIEW_CHANNEL') return translator.translate('why.thread_private');
      return translator.translate(
        permission === 'SEND_MESSAGES' ? 'why.thread_messages' : 'why.thread_locked',
      );
    case 'not_granted':
      return translator.translate(answer.channel_id === null ? 'why.not_granted_server' : 'why.not_granted');
    case 'self':
      return translator.translate(permission === 'MANAGE_NICKNAMES' ? 'why.self_nickname' : 'why.self');
    case 'target_managed':
      return translator.translate(
        answer.target_role_id === answer.guild_id ? 'why.target_everyone' : 'why.target_managed',
        { target },
      );
    case 'role_order': {
      const names = {
        member: `<@${answer.user_id}>`,
        own: mention(own, answer.guild_id),
        other: mention(other, answer.guild_id),
        target,
      };
      if (own === other || own === answer.guild_id) return translator.translate('why.order_none', names);
      return translator.translate(answer.target_id === null ? 'why.order_role' : 'why.order_member', names);
    }
    default:
      return translator.translate(`why.${kind}`, { target });
  }
}

/** As a mention, or null. */
function targetOf({ guild_id, target_id, target_role_id }: Checked): string | null {
  if (target_id !== null) return `<@${target_id}>`;
  return target_role_id === null ? null : mention(target_role_id, guild_id);
}

/** The name that Discord's client uses, and the one in code. */
function nameOf(permission: string, { language }: Translator): string {
  return `**${permissionLabel(permission, language)}** (${inlineCode(permission)})`;
}

function mention(roleId: string, guildId: string): string {
  return roleId === guildId ? '@everyone' : `<@&${roleId}>`;
}
