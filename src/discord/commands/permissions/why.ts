import { Constants, PermissionFlagsBits } from 'discord.js';

import type { AnswerOf } from '../../../operations/operation.ts';
import { missingFor } from '../../../operations/permission-check/effective-permissions.ts';
import { permissionCheck } from '../../../operations/permission-check/operation.ts';
import { permissionLabel } from '../../../operations/permissions/permission-labels.ts';
import { ACCENT, container, text } from '../../messages/components.ts';
import { inlineCode } from '../../messages/markdown.ts';
import type { Message } from '../../messages/reply.ts';
import { guildOf, isThread, requirePermission } from '../permitted.ts';
import type { Words } from '../../locales/words.ts';
import { commandOf, type Call } from '../command-of.ts';
import { channelOption, required, userOption } from '../options.ts';
import { permissionOption } from './permission-option.ts';

type Checked = AnswerOf<typeof permissionCheck>;

const VOICE: ReadonlySet<unknown> = new Set(Constants.VoiceBasedChannelTypes);

/** `/permissions why`: by default about the user, in this channel. Questions about others need Manage Roles. */
export const why = commandOf(permissionCheck, {
  options: { permission: required(permissionOption), member: userOption, channel: channelOption },
  input({ permission, member, channel }, interaction) {
    guildOf(interaction);
    const userId = member ?? interaction.user.id;
    if (userId !== interaction.user.id) requirePermission(interaction, PermissionFlagsBits.ManageRoles);
    return {
      user_id: userId,
      channel_id: channel?.id ?? interaction.channelId,
      permission,
      source: 'gateway',
    };
  },
  show,
});

function show(answer: Checked, { interaction, context, words }: Call<unknown>): Message {
  const { allowed, because, permission } = answer;
  /** Names the other permission that this one needs to have any effect in the channel. */
  const implied = (name: string): string => {
    const type = interaction.isChatInputCommand()
      ? interaction.options.getChannel('channel')?.type
      : undefined;
    const missing = missingFor(name, BigInt(answer.bitfield), {
      isThread: type === undefined ? context.inThread : isThread(type),
      isVoice: type === undefined || VOICE.has(type),
    });
    return words.say('why.implied', { base: nameOf(missing ?? 'VIEW_CHANNEL', words) });
  };
  const held = answer.permissions.map((name) => inlineCode(name)).join(' ');
  const lines = [
    ...(permission === null || because === null
      ? []
      : [
          `### ${words.say(allowed === true ? 'why.allowed' : 'why.denied', {
            member: `<@${answer.user_id}>`,
            permission: nameOf(permission, words),
          })}`,
          sentenceOf(permission, because.kind, words) ?? implied(permission),
          ...(because.role_ids.length === 0
            ? []
            : [
                words.say('why.roles', {
                  roles: because.role_ids.map((id) => mention(id, answer.guild_id)).join(' '),
                }),
              ]),
        ]),
    words.say('why.all', { names: held === '' ? '–' : held }),
  ];
  return {
    components: [container(allowed === false ? ACCENT.caution : ACCENT.good, text(lines.join('\n')))],
  };
}

function sentenceOf(
  permission: string,
  kind: NonNullable<Checked['because']>['kind'],
  words: Words,
): string | null {
  if (kind === 'implied') return null;
  if (kind !== 'thread') return words.say(`why.${kind}`);
  if (permission === 'VIEW_CHANNEL') return words.say('why.thread_private');
  return words.say(permission === 'SEND_MESSAGES' ? 'why.thread_messages' : 'why.thread_locked');
}
/** The name that Discord's client uses, and the one in code. */
function nameOf(permission: string, { language }: Words): string {
  return `${permissionLabel(permission, language)} (${inlineCode(permission)})`;
}

function mention(roleId: string, guildId: string): string {
  return roleId === guildId ? '@everyone' : `<@&${roleId}>`;
}
