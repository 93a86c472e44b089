import { ChannelType, PermissionFlagsBits } from 'discord-api-types/v10';

import type { AnswerOf } from '../../operations/operation.ts';
import { missingFor } from '../../operations/permission-check/effective-permissions.ts';
import { permissionCheck } from '../../operations/permission-check/operation.ts';
import { permissionLabel } from '../../operations/permissions/permission-labels.ts';
import type { CommandCall } from './command.ts';
import { isPermitted } from '../interactions/invocation.ts';
import { ACCENT, container, text } from '../messages/components.ts';
import { inlineCode } from '../messages/markdown.ts';
import { privately, type Reply } from '../messages/reply.ts';
import { SpokenProblem } from '../messages/spoken-problem.ts';
import { permissionNeeded } from '../interactions/permission-needed.ts';
import { wordsFor, type Words } from '../locales/words.ts';
import { callOperation } from './operation-call.ts';
import type { Services } from './services.ts';
import { shareable } from './show-to-everyone.ts';

type Checked = AnswerOf<typeof permissionCheck>;

const THREADS: ReadonlySet<unknown> = new Set([
  ChannelType.AnnouncementThread,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
]);
const VOICE: ReadonlySet<unknown> = new Set([ChannelType.GuildVoice, ChannelType.GuildStageVoice]);

/** `/permissions why`: by default about the user, in this channel. Questions about others need Manage Roles. */
export async function explainPermission(call: CommandCall, services: Services): Promise<Reply> {
  if (call.guildId === null) throw SpokenProblem.of('bad_request', 'guild_only');
  const userId = call.options.string('member') ?? call.userId;
  if (userId !== call.userId && !isPermitted(call, PermissionFlagsBits.ManageRoles)) {
    throw permissionNeeded(PermissionFlagsBits.ManageRoles, call.locale);
  }
  const input = {
    user_id: userId,
    channel_id: call.options.string('channel') ?? call.channelId,
    permission: call.options.string('permission'),
    source: 'gateway',
  };
  return callOperation(permissionCheck, input, call, services, (answer) =>
    privately(shareable(call, show(answer, call))),
  );
}

function show(answer: Checked, call: CommandCall) {
  const words = wordsFor(call.locale);
  const { allowed, because, permission } = answer;
  const held = answer.permissions.map((name) => inlineCode(name)).join(' ');
  const lines = [
    ...(permission === null || because === null
      ? []
      : [
          `### ${words.say(allowed === true ? 'why.allowed' : 'why.denied', {
            member: `<@${answer.user_id}>`,
            permission: nameOf(permission, words),
          })}`,
          sentenceOf(permission, because.kind, answer, call),
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
  answer: Checked,
  call: CommandCall,
): string {
  const words = wordsFor(call.locale);
  if (kind === 'thread') {
    if (permission === 'VIEW_CHANNEL') return words.say('why.thread_private');
    return words.say(permission === 'SEND_MESSAGES' ? 'why.thread_messages' : 'why.thread_locked');
  }
  if (kind !== 'implied') return words.say(`why.${kind}`);
  const type = call.options.channelType('channel');
  const missing = missingFor(permission, BigInt(answer.bitfield), {
    isThread: type === null ? call.inThread : THREADS.has(type),
    isVoice: type === null || VOICE.has(type),
  });
  return words.say('why.implied', { base: nameOf(missing ?? 'VIEW_CHANNEL', words) });
}

/** As Discord's client calls it, and as code does. */
function nameOf(permission: string, { language }: Words): string {
  return `${permissionLabel(permission, language)} (${inlineCode(permission)})`;
}

function mention(roleId: string, guildId: string): string {
  return roleId === guildId ? '@everyone' : `<@&${roleId}>`;
}
