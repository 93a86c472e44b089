import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  PermissionFlagsBits,
  time,
  type ChatInputCommandInteraction,
} from 'discord.js';
import * as z from 'zod';

import { choiceOption, IN_GUILDS, type SlashCommand } from './command.ts';
import { BOT_CHOICES } from '../../members/role-question.ts';
import type { AnswerOf } from '../../operations/operation.ts';
import { roleMembers } from '../../operations/role-members/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { ACCENT, container, file, text } from '../messages/components.ts';
import { inlineCode } from '../messages/markdown.ts';
import { privately, type Message } from '../messages/reply.ts';
import { callOperation } from './operation-call.ts';
import { localiseCommand } from '../locales/localise-command.ts';
import { wordsFor } from '../locales/words.ts';
import { shareable } from './show-to-everyone.ts';

/** Members named in the message; the file has all of them. */
const NAMED_MAX = 20;
/** This many winners fit into one message, each as a mention. */
const WINNERS_MAX = 50;
const FILE_NAME = 'members.txt';

type Listed = Exclude<AnswerOf<typeof roleMembers>, { readonly pending: true }>;

/** The roles that the options ask about. */
interface Condition {
  readonly all: readonly string[];
  readonly any: readonly string[];
  readonly none: readonly string[];
}

const roleOption = (name: string) => ({ type: ApplicationCommandOptionType.Role, name }) as const;

export const roleMembersCommand: SlashCommand = {
  data: localiseCommand({
    type: ApplicationCommandType.ChatInput,
    name: 'role-members',
    default_member_permissions: PermissionFlagsBits.ManageRoles.toString(),
    ...IN_GUILDS,
    options: [
      { ...roleOption('role'), required: true },
      roleOption('and'),
      roleOption('or'),
      roleOption('without'),
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'random',
        min_value: 1,
        max_value: WINNERS_MAX,
      },
      choiceOption('bots', BOT_CHOICES),
    ],
  }),
  permission: PermissionFlagsBits.ManageRoles,
  operations: [roleMembers],
  defers: () => true,
  async run(interaction, context) {
    const condition = conditionOf(interaction);
    const sample = interaction.options.getInteger('random');
    const bots = interaction.options.getString('bots');
    const input = { ...condition, sample, bots, source: 'gateway' };
    return callOperation(roleMembers, input, interaction, context, (answer) => {
      if (answer.pending) {
        throw new Problem('member_list_unavailable', { retryAfterSeconds: answer.retry_after });
      }
      const show = sample === null ? showList : showWinners;
      const notifies = sample !== null && answer.returned > 0;
      return privately(
        shareable(interaction, show(answer, condition, interaction), { ...context, notifies }),
      );
    });
  },
};

function conditionOf({ options }: ChatInputCommandInteraction): Condition {
  const idsOf = (name: string) => [options.getRole(name)?.id].filter((id) => id !== undefined);
  const role = options.getRole('role', true).id;
  const [and, none, [other]] = [idsOf('and'), idsOf('without'), idsOf('or')];
  return other === undefined
    ? { all: [role, ...and], any: [], none }
    : { all: and, any: [role, other], none };
}

function showList(answer: Listed, condition: Condition, interaction: ChatInputCommandInteraction): Message {
  const words = wordsFor(interaction.locale);
  const heading = [
    words.say('roles.members', { n: answer.count }),
    ...factsOf(answer, condition, interaction),
  ].join('\n');
  // A line of the file is two bytes shorter than an entry of the JSON list.
  if (answer.members.jsonByteLength - 2 * answer.count > interaction.attachmentSizeLimit) {
    const tooMany = words.say('roles.tooMany', { request: inlineCode(`GET ${roleMembers.path}`) });
    return { components: [container(ACCENT.neutral, text(heading), text(tooMany))] };
  }
  const ids = readIds(answer);
  if (ids.length === 0) return { components: [container(ACCENT.neutral, text(heading))] };
  const more = ids.length - NAMED_MAX;
  const named = [
    mentionsOf(ids.slice(0, NAMED_MAX)),
    ...(more > 0 ? [words.say('roles.more', { n: more })] : []),
  ];
  return {
    components: [container(ACCENT.neutral, text(`${heading}\n${named.join(' ')}`), file(FILE_NAME))],
    files: [{ name: FILE_NAME, attachment: Buffer.from(`${ids.join('\n')}\n`, 'latin1') }],
  };
}

function showWinners(
  answer: Listed,
  condition: Condition,
  interaction: ChatInputCommandInteraction,
): Message {
  const words = wordsFor(interaction.locale);
  const winners = answer.returned === 0 ? [] : [words.say('roles.drawn'), mentionsOf(readIds(answer))];
  const from = [
    words.say('roles.eligible', { n: answer.count }),
    ...factsOf(answer, condition, interaction, 'roles.withBots'),
  ];
  return { components: [container(ACCENT.good, text([...winners, ...from].join('\n')))] };
}

/**
 * Who is counted, and when.
 * @param withBots the words for answers that count bots; null to say nothing
 */
function factsOf(
  answer: Listed,
  { all, any, none }: Condition,
  interaction: ChatInputCommandInteraction,
  withBots: 'roles.withBots' | null = null,
): readonly string[] {
  const words = wordsFor(interaction.locale);
  const name = (ids: readonly string[]) =>
    ids.map((id) => (id === interaction.guildId ? '@everyone' : `<@&${id}>`)).join(', ');
  const isOne = all.length === 1 && any.length === 0;
  const among = { include: withBots, exclude: 'roles.people', only: 'roles.botsOnly' } as const;
  const said = among[answer.bots];
  const parts = [
    ...(isOne ? [name(all)] : all.length > 0 ? [words.say('roles.all', { roles: name(all) })] : []),
    ...(any.length > 0 ? [words.say('roles.any', { roles: name(any) })] : []),
    ...(none.length > 0 ? [words.say('roles.without', { roles: name(none) })] : []),
    ...(said === null ? [] : [words.say(said)]),
  ];
  return [parts.join('; '), words.say('roles.asOf', { at: time(answer.as_of, 'f') })];
}

function readIds(answer: Listed): string[] {
  return z.array(z.string()).parse(answer.members.toJSON());
}

function mentionsOf(ids: readonly string[]): string {
  return ids.map((id) => `<@${id}>`).join(' ');
}
