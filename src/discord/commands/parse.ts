import { randomUUID } from 'node:crypto';

import { time } from 'discord.js';

import { ANYWHERE, type ComponentAction } from './command.ts';
import { commandOf, menuCommandOf, slashCommand, type CommandCall } from './command-of.ts';
import { flagOption, required, textOption } from './options.ts';
import type { AnswerOf } from '../../operations/operation.ts';
import { parseArgs } from '../../operations/parse-args/operation.ts';
import { LINE_LENGTH_MAX } from '../../operations/parse-args/request.ts';
import { findDurationInReason } from '../../operations/parse-args/duration-in-reason.ts';
import { Problem } from '../../kernel/problem.ts';
import { ACCENT, button, container, encodeCustomId, file, row, text } from '../messages/components.ts';
import { clip, codeBlock, inlineCode } from '../messages/markdown.ts';
import { privately, type Message, type ComponentsMessage } from '../messages/reply.ts';
import { callOperation } from './operation-call.ts';
import { translatorFor, type Translator } from '../locales/translator.ts';

/** Characters of JSON in a message. A longer answer comes as a file. */
const BLOCK_LENGTH_MAX = 2_000;
/** Most characters of one value in a summary; the JSON has all. */
const SHOWN_LENGTH_MAX = 200;
/** As many as fit a message with everything else. */
const USERS_SHOWN = 50;
const FILE_NAME = 'parse-args.json';

type ParseInput = Parameters<typeof parseArgs.answer>[0];
type Parsed = AnswerOf<typeof parseArgs>;

const show = (
  answer: Parsed,
  { input, interaction, context, translator }: CommandCall<ParseInput>,
): Message => {
  const id = randomUUID();
  context.parsedLines.set(id, input);
  const customId = encodeCustomId({ action: showJson.action, userId: interaction.user.id, argument: id });
  const summaryContainer = container(ACCENT.neutral, text(summary(answer, translator)));
  return {
    components: [summaryContainer, row(button('Secondary', translator.translate('parse.json'), customId))],
  };
};

function summary(parsed: Parsed, translator: Translator): string {
  const { command, user, user_id, channel_id, role_id, reason, mentions, flags } = parsed;
  const none = translator.translate('none');
  const hasTime = parsed.duration !== null || parsed.until !== null;
  const unread =
    reason === null || hasTime ? null : findDurationInReason(reason, parsed.subcommand ?? command ?? '');
  const userText = user === null ? none : `${shown(user)}${user_id === null ? '' : ` <@${user_id}>`}`;
  const isAmongUsers = mentions.length > 1 && user_id !== null && mentions.includes(user_id);
  return [
    command === null
      ? translator.translate('parse.noCommand')
      : translator.translate('parse.command', { command: shown(command) }),
    translator.translate('parse.time', { value: describeTime(parsed, translator) }),
    ...(isAmongUsers ? [] : [translator.translate('parse.user', { value: userText })]),
    ...(mentions.length < 2 ? [] : [translator.translate('parse.users', { value: describeUsers(mentions) })]),
    ...(channel_id === null ? [] : [translator.translate('parse.channel', { value: `<#${channel_id}>` })]),
    ...(role_id === null ? [] : [translator.translate('parse.role', { value: `<@&${role_id}>` })]),
    translator.translate('parse.reason', { value: reason === null ? none : shown(reason) }),
    ...(Object.keys(flags).length === 0
      ? []
      : [translator.translate('parse.flags', { value: describeFlags(flags) })]),
    ...(unread === null ? [] : [translator.translate('parse.unread', { time: shown(unread) })]),
  ].join('\n');
}

function describeUsers(ids: Parsed['mentions']): string {
  const mentions = ids.slice(0, USERS_SHOWN).map((id) => `<@${id}>`);
  return [...mentions, ...(ids.length > USERS_SHOWN ? ['…'] : [])].join(' ');
}

function describeFlags(flags: Parsed['flags']): string {
  const written = Object.entries(flags).map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${value}`,
  );
  return shown(written.join(' '));
}

function describeTime(
  { duration, duration_seconds, permanent, until }: Parsed,
  translator: Translator,
): string {
  if (until !== null) {
    const untilText = translator.translate('parse.until', { at: time(until, 'f'), left: time(until, 'R') });
    return duration_seconds === null ? untilText : `${translator.duration(duration_seconds)}, ${untilText}`;
  }
  if (duration === null) return translator.translate('none');
  const meant = permanent
    ? translator.translate('parse.forever')
    : translator.duration(duration_seconds ?? 0);
  return `${meant} (${shown(duration)})`;
}

function shown(value: string): string {
  return inlineCode(clip(value, SHOWN_LENGTH_MAX));
}

/** Shows the JSON answer of the API, for developers. The same line is parsed again. */
export const showJson: ComponentAction = {
  action: 'json',
  defer: null,
  bucket: 'command',
  async run(interaction, argument, context) {
    const input = context.parsedLines.get(argument);
    if (input === undefined) throw new Problem('not_found/line');
    return callOperation(parseArgs, input, interaction, context, (answer) =>
      privately(jsonMessage(JSON.stringify(answer, null, 2), translatorFor(interaction.locale))),
    );
  },
};

function jsonMessage(json: string, translator: Translator): ComponentsMessage {
  const heading = translator.translate('parse.answer');
  const block = codeBlock(json, 'json');
  return block.length <= BLOCK_LENGTH_MAX
    ? { components: [container(ACCENT.neutral, text(`${heading}\n${block}`))] }
    : {
        components: [container(ACCENT.neutral, text(heading), file(FILE_NAME))],
        files: [{ name: FILE_NAME, attachment: Buffer.from(json) }],
      };
}

export const parseCommand = slashCommand(
  { name: 'parse', ...ANYWHERE },
  commandOf(parseArgs, {
    options: {
      text: required(textOption({ min_length: 1, max_length: LINE_LENGTH_MAX })),
      pingtoid: flagOption,
      args_only: flagOption,
      timestamps: flagOption,
    },
    defers: false,
    input: (given) => given,
    show,
  }),
);

export const parseMessageCommand = menuCommandOf(parseArgs, {
  name: 'Parse command line',
  defers: false,
  input({ content }) {
    if (content.trim() === '') throw new Problem('missing_field/message_text');
    return { text: content };
  },
  show,
});
