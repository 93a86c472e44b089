import {
  ApplicationCommandType,
  PermissionFlagsBits,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

import type { AnswerOf } from '../../operations/operation.ts';
import { roleCounts } from '../../operations/role-counts/operation.ts';
import type { Command, CommandCall } from './command.ts';
import { ACCENT, container, file, text } from '../messages/components.ts';
import { timestamp } from '../messages/markdown.ts';
import type { Message } from '../messages/message.ts';
import { callOperation } from './operation-call.ts';
import { privately } from '../messages/reply.ts';
import { roleTexts } from './role-texts.ts';
import { shareable } from './show-to-everyone.ts';
import { IN_GUILDS } from './where.ts';

/** Roles named in the message; the file has all. */
const NAMED_MAX = 25;
const FILE_NAME = 'roles.csv';

export const roleCountsCommand: Command = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'role-counts',
    description: 'How many members each role has, and all counts as a file',
    default_member_permissions: PermissionFlagsBits.ManageRoles.toString(),
    ...IN_GUILDS,
  } satisfies RESTPostAPIChatInputApplicationCommandsJSONBody,
  permission: PermissionFlagsBits.ManageRoles,
  operations: [roleCounts],
  bucket: 'command',
  defers: () => true,
  run: async (call, services) =>
    callOperation(roleCounts, { source: 'gateway' }, call, services, (answer) =>
      privately(shareable(call, show(answer, call))),
    ),
};

function show(answer: AnswerOf<typeof roleCounts>, { locale }: CommandCall): Message {
  const words = roleTexts(locale);
  const common = answer.roles.toSorted((a, b) => b.count - a.count);
  const number = (count: number) => count.toLocaleString(locale);
  const lines = [
    `### ${words.counts}`,
    `@everyone: ${number(answer.members)}`,
    ...common.slice(0, NAMED_MAX).map((role) => `<@&${role.role_id}>: ${number(role.count)}`),
    ...(common.length > NAMED_MAX ? [words.more.replace('{n}', number(common.length - NAMED_MAX))] : []),
    `-# ${words.asOf.replace('{t}', timestamp(answer.as_of * 1_000, 'f'))}`,
  ];
  if (common.length === 0) return { components: [container(ACCENT.neutral, text(lines.join('\n')))] };
  const rows = ['role_id,count', ...common.map((role) => `${role.role_id},${role.count}`)];
  return {
    components: [container(ACCENT.neutral, text(lines.join('\n')), file(FILE_NAME))],
    files: [{ name: FILE_NAME, bytes: Buffer.from(`${rows.join('\n')}\n`, 'latin1') }],
  };
}
