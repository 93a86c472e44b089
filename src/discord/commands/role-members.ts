import { PermissionFlagsBits, time } from 'discord.js';
import * as z from 'zod';

import { IN_GUILDS } from './command.ts';
import { commandOf, slashCommand, type CommandCall } from './command-of.ts';
import { choiceOption, required, roleOption, wholeOption } from './options.ts';
import { BOT_FILTERS } from '../../members/bot-filter.ts';
import type { AnswerOf } from '../../operations/operation.ts';
import { roleMembers } from '../../operations/role-members/operation.ts';
import { ACCENT, container, file, text } from '../messages/components.ts';
import { inlineCode } from '../messages/markdown.ts';
import type { Message } from '../messages/reply.ts';

/** Members named in the message; the file has all of them. */
const NAMED_MAX = 20;
/** This many winners fit into one message, each as a mention. */
const WINNERS_MAX = 50;
const FILE_NAME = 'members.txt';

type Listed = AnswerOf<typeof roleMembers>;

/** The roles that the options ask about. */
interface Condition {
  readonly all: readonly string[];
  readonly any: readonly string[];
  readonly none: readonly string[];
}

export const roleMembersCommand = slashCommand(
  { name: 'role-members', permission: PermissionFlagsBits.ManageRoles, ...IN_GUILDS },
  commandOf(roleMembers, {
    options: {
      role: required(roleOption),
      and: roleOption,
      or: roleOption,
      without: roleOption,
      random: wholeOption({ min_value: 1, max_value: WINNERS_MAX }),
      bots: choiceOption(BOT_FILTERS),
    },
    input: ({ role, and, or, without, random, bots }) => ({
      all: [or === null ? role : null, and].filter((id) => id !== null),
      any: or === null ? [] : [role, or],
      none: without === null ? [] : [without],
      sample: random,
      bots,
      source: 'gateway',
    }),
    show: (answer, call) => (call.input.sample === null ? showList(answer, call) : showWinners(answer, call)),
    notifies: ({ returned }, { input }) => input.sample !== null && returned > 0,
  }),
);

function showList(answer: Listed, call: CommandCall<Condition>): Message {
  const { interaction, translator } = call;
  const heading = [translator.translate('roles.members', { n: answer.count }), ...factsOf(answer, call)].join(
    '\n',
  );
  // A line of the file is two bytes shorter than an entry of the JSON list.
  if (answer.members.jsonByteLength - 2 * answer.count > interaction.attachmentSizeLimit) {
    const tooMany = translator.translate('roles.tooMany', { request: inlineCode(`GET ${roleMembers.path}`) });
    return { components: [container(ACCENT.neutral, text(heading), text(tooMany))] };
  }
  const ids = readIds(answer);
  if (ids.length === 0) return { components: [container(ACCENT.neutral, text(heading))] };
  const more = ids.length - NAMED_MAX;
  const named = [
    mentionsOf(ids.slice(0, NAMED_MAX)),
    ...(more > 0 ? [translator.translate('roles.more', { n: more })] : []),
  ];
  return {
    components: [container(ACCENT.neutral, text(`${heading}\n${named.join(' ')}`), file(FILE_NAME))],
    files: [{ name: FILE_NAME, attachment: Buffer.from(`${ids.join('\n')}\n`, 'latin1') }],
  };
}

function showWinners(answer: Listed, call: CommandCall<Condition>): Message {
  const { translator } = call;
  const winners =
    answer.returned === 0 ? [] : [translator.translate('roles.drawn'), mentionsOf(readIds(answer))];
  const from = [
    translator.translate('roles.eligible', { n: answer.count }),
    ...factsOf(answer, call, 'roles.withBots'),
  ];
  return { components: [container(ACCENT.good, text([...winners, ...from].join('\n')))] };
}

/**
 * Says which members are counted, and when.
 * @param withBots the words for answers that count bots, or null to leave them out
 */
function factsOf(
  answer: Listed,
  { input: { all, any, none }, interaction, translator }: CommandCall<Condition>,
  withBots: 'roles.withBots' | null = null,
): readonly string[] {
  const name = (ids: readonly string[]) =>
    ids.map((id) => (id === interaction.guildId ? '@everyone' : `<@&${id}>`)).join(', ');
  const allText =
    all.length === 1 && any.length === 0
      ? name(all)
      : translator.translate('roles.all', { roles: name(all) });
  const among = { include: withBots, exclude: 'roles.people', only: 'roles.botsOnly' } as const;
  const botsKey = among[answer.bots];
  const parts = [
    ...(all.length > 0 ? [allText] : []),
    ...(any.length > 0 ? [translator.translate('roles.any', { roles: name(any) })] : []),
    ...(none.length > 0 ? [translator.translate('roles.without', { roles: name(none) })] : []),
    ...(botsKey === null ? [] : [translator.translate(botsKey)]),
  ];
  const contradiction = excludesItself({ all, any, none }, interaction.guildId)
    ? [translator.translate('roles.nobody', { roles: name(none) })]
    : [];
  return [
    parts.join('; '),
    ...contradiction,
    translator.translate('roles.asOf', { at: time(answer.as_of, 'f') }),
  ];
}

/** True when the conditions contradict each other, so that no member can match. */
function excludesItself({ all, any, none }: Condition, guildId: string | null): boolean {
  const isExcluded = (id: string) => none.includes(id);
  return (
    none.some((id) => id === guildId) || all.some(isExcluded) || (any.length > 0 && any.every(isExcluded))
  );
}

function readIds(answer: Listed): string[] {
  return z.array(z.string()).parse(answer.members.toJSON());
}

function mentionsOf(ids: readonly string[]): string {
  return ids.map((id) => `<@${id}>`).join(' ');
}
