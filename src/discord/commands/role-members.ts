import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  PermissionFlagsBits,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord-api-types/v10';
import * as z from 'zod';

import type { AnswerOf } from '../../operations/operation.ts';
import { roleMembers } from '../../operations/role-members/operation.ts';
import { Problem } from '../../problem.ts';
import type { Command } from './command.ts';
import { ACCENT, container, file, text } from '../messages/components.ts';
import type { Message } from '../messages/message.ts';
import { callOperation } from './operation-call.ts';
import { privately } from '../messages/reply.ts';
import { texts } from '../messages/texts.ts';
import { shareable } from './show-to-everyone.ts';
import { IN_GUILDS } from './where.ts';

/** Members named in the message; the file has all. */
const NAMED_MAX = 20;
const FILE_NAME = 'members.txt';

type Listed = Exclude<AnswerOf<typeof roleMembers>, { readonly pending: true }>;

export const roleMembersCommand: Command = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'role-members',
    description: 'Who has a role: how many, the first of them, and all ids as a file',
    default_member_permissions: PermissionFlagsBits.ManageRoles.toString(),
    ...IN_GUILDS,
    options: [
      {
        type: ApplicationCommandOptionType.Role,
        name: 'role',
        description: 'The role; @everyone means all members',
        required: true,
      },
    ],
  } satisfies RESTPostAPIChatInputApplicationCommandsJSONBody,
  permission: PermissionFlagsBits.ManageRoles,
  operations: [roleMembers],
  bucket: 'command',
  defers: () => true,
  async run(call, services) {
    const input = { role_id: call.options.string('role'), source: 'gateway' };
    return callOperation(roleMembers, input, call, services, (answer) => {
      if (answer.pending) {
        throw new Problem('member_list_unavailable', { retryAfterSeconds: answer.retry_after });
      }
      return privately(shareable(call, show(answer, call.guildId, call.attachmentBytesMax)));
    });
  },
};

function show(answer: Listed, guildId: string | null, bytesMax: number): Message {
  const isEveryone = answer.role_id === guildId;
  // A line is two bytes shorter than an entry of the JSON list.
  if (answer.members.jsonByteLength - 2 * answer.count > bytesMax) {
    return {
      components: [
        container(
          ACCENT.neutral,
          text(texts.roleMembers.heading(answer, isEveryone)),
          text(texts.roleMembers.tooMany),
        ),
      ],
    };
  }
  const ids = z.array(z.string()).parse(answer.members.toJSON());
  const heading = text(
    [
      texts.roleMembers.heading(answer, isEveryone),
      ...(ids.length === 0 ? [] : [texts.roleMembers.first(ids.slice(0, NAMED_MAX), ids.length)]),
    ].join('\n'),
  );
  if (ids.length === 0) return { components: [container(ACCENT.neutral, heading)] };
  return {
    components: [container(ACCENT.neutral, heading, file(FILE_NAME))],
    files: [{ name: FILE_NAME, bytes: Buffer.from(`${ids.join('\n')}\n`, 'latin1') }],
  };
}
