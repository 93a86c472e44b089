import { PermissionFlagsBits, time } from 'discord.js';

import { IN_GUILDS } from './command.ts';
import { commandOf, slashCommand, type CommandCall } from './command-of.ts';
import type { AnswerOf } from '../../operations/operation.ts';
import { roleCounts } from '../../operations/role-counts/operation.ts';
import { ACCENT, container, file, text } from '../messages/components.ts';
import type { Message } from '../messages/reply.ts';

/** Roles named in the message; the file has all of them. */
const NAMED_MAX = 25;
const FILE_NAME = 'roles.csv';

export const roleCountsCommand = slashCommand(
  { name: 'role-counts', permission: PermissionFlagsBits.ManageRoles, ...IN_GUILDS },
  commandOf(roleCounts, { input: () => ({ source: 'gateway' }), show }),
);

function show(answer: AnswerOf<typeof roleCounts>, { translator }: CommandCall<unknown>): Message {
  const common = answer.roles.toSorted((a, b) => b.count - a.count);
  const more = common.length - NAMED_MAX;
  const lines = [
    translator.translate('roles.counts'),
    `@everyone: ${translator.number(answer.members)}`,
    ...common.slice(0, NAMED_MAX).map((role) => `<@&${role.role_id}>: ${translator.number(role.count)}`),
    ...(more > 0 ? [translator.translate('roles.more', { n: more })] : []),
    translator.translate('roles.asOf', { at: time(answer.as_of, 'f') }),
  ];
  if (common.length === 0) return { components: [container(ACCENT.neutral, text(lines.join('\n')))] };
  const rows = ['role_id,count', ...common.map((role) => `${role.role_id},${role.count}`)];
  return {
    components: [container(ACCENT.neutral, text(lines.join('\n')), file(FILE_NAME))],
    files: [{ name: FILE_NAME, attachment: Buffer.from(`${rows.join('\n')}\n`, 'latin1') }],
  };
}
