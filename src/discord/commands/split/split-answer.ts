import type { BaseInteraction } from 'discord.js';

import type { CommandContext, ComponentAction } from '../command.ts';
import type { AnswerOf } from '../../../operations/operation.ts';
import { looksLikeGithub } from '../../../operations/text-splitter/github/looks-like-github.ts';
import { textSplitter } from '../../../operations/text-splitter/operation.ts';
import { TEXT_LENGTH_MAX } from '../../../operations/text-splitter/split-options.ts';
import { Problem } from '../../../kernel/problem.ts';
import { ACCENT, button, container, encodeCustomId, file, row, text } from '../../messages/components.ts';
import { inlineCode } from '../../messages/markdown.ts';
import { privately, type Message, type MessagesReply } from '../../messages/reply.ts';
import { answerTooLarge } from '../../messages/problem-message.ts';
import { translatorFor, type Translator } from '../../locales/translator.ts';
import { callOperation } from '../operation-call.ts';
import { readTextAttachment } from '../read-message.ts';
import { shareable } from '../show-to-everyone.ts';

/** A UTF-16 code unit takes at most three bytes of a file. */
export const FILE_BYTES_MAX = TEXT_LENGTH_MAX * 3;
/** If only the user installed the app, Discord accepts five messages after the first answer. */
const MESSAGES_MAX = 5;
/** Discord's limit for a message. Longer chunks, for embeds and text displays, are sent as a file. */
const MESSAGE_LENGTH_MAX = 2_000;
const FILE_NAME = 'chunks.txt';
const SOURCE_NAME = 'text.md';
/** Below Discord's 4,000, to leave space for the line that names the user who shows a piece. */
const DISPLAY_LENGTH_MAX = 3_900;

export interface SplitOptions {
  readonly limit: string;
  readonly mode: string;
  /** `auto` detects it from the text. */
  readonly dialect: string;
  /** `messages`, `embeds`, `components` or `file`. */
  readonly as: string;
}

/** What each `as` puts into a message, besides plain text. */
const FORMS = new Map<string, 'embed' | 'components'>([
  ['embeds', 'embed'],
  ['components', 'components'],
]);

export const SPLIT_DEFAULTS: SplitOptions = {
  limit: 'message',
  mode: 'markdown',
  dialect: 'auto',
  as: 'messages',
};

/** Encodes the options for a button or a form. */
export function writeSplitOptions({ limit, mode, as, dialect }: SplitOptions): string {
  return `${limit} ${mode} ${as} ${dialect}`;
}

export function readSplitOptions(argument: string): SplitOptions {
  const { limit: message, mode: markdown, as: messages, dialect: auto } = SPLIT_DEFAULTS;
  const [limit = message, mode = markdown, as = messages, dialect = auto] = argument.split(' ');
  return { limit, mode, as, dialect };
}

/**
 * Splits a text and answers with the pieces.
 * @param offersOthers true to end the answer with buttons for other ways, even if the text was not converted
 */
export async function answerSplit(
  input: string,
  options: SplitOptions,
  interaction: BaseInteraction,
  context: CommandContext,
  offersOthers = false,
): Promise<MessagesReply> {
  const isDetected = options.dialect === 'auto' && options.mode === 'markdown' && looksLikeGithub(input);
  const chosen = options.dialect === 'auto' ? 'discord' : options.dialect;
  const dialect = isDetected ? 'github' : chosen;
  const form = FORMS.get(options.as) ?? null;
  const fields = {
    text: input,
    mode: options.mode,
    dialect,
    ...(form === null ? { max_length: options.limit } : { as: form }),
    ...(form === 'components' ? { max_length: DISPLAY_LENGTH_MAX } : {}),
  };
  return callOperation(textSplitter, fields, interaction, context, ({ chunks, payloads }) => {
    if (chunks.length === 0) throw new Problem('missing_field/nothing_to_split');
    const messages = options.as === 'file' ? null : toMessages(chunks, payloads, form);
    const translator = translatorFor(interaction.locale);
    const isExplained = isDetected || offersOthers;
    const reading = (lines: readonly string[]) =>
      describeReading(input, { ...options, dialect }, isDetected, lines, interaction);
    if (messages === null || messages.length + (isExplained ? 1 : 0) > MESSAGES_MAX) {
      const whole = chunkFile(chunks, interaction.attachmentSizeLimit, translator);
      return privately(shareable(interaction, whole, context), ...(isExplained ? [reading([])] : []));
    }
    const count = translator.translate(chunks.length === 1 ? 'split.fits' : 'split.pieces', {
      n: chunks.length,
    });
    // Not in a piece, because pieces are copied as they are.
    const note = isExplained ? reading([count]) : { components: [container(ACCENT.neutral, text(count))] };
    return privately(
      ...messages.map((message) => shareable(interaction, message, context)),
      ...(messages.length < MESSAGES_MAX ? [note] : []),
    );
  });
}

type Answer = AnswerOf<typeof textSplitter>;

/** Messages that show the chunks, or null where a chunk is too long for one. */
function toMessages(
  chunks: readonly string[],
  payloads: Answer['payloads'],
  form: 'embed' | 'components' | null,
): readonly Message[] | null {
  if (form === 'embed') return (payloads ?? []).map(({ embeds = [] }) => ({ embeds }));
  if (form === 'components') return chunks.map((chunk) => ({ components: [text(chunk)] }));
  if (chunks.some((chunk) => chunk.length > MESSAGE_LENGTH_MAX)) return null;
  return chunks.map((content) => ({ content }));
}

/**
 * Says how the text was read, with buttons to split it in other ways. The message has the text as a file, because the
 * service does not store it.
 * @param lines shown first
 */
function describeReading(
  input: string,
  options: SplitOptions,
  isDetected: boolean,
  lines: readonly string[],
  interaction: BaseInteraction,
): Message {
  const translator = translatorFor(interaction.locale);
  const bytes = Buffer.from(input);
  const told = text(
    [...lines, isDetected ? readAsGithub(translator) : translator.translate('split.otherWays')].join('\n'),
  );
  if (bytes.length > interaction.attachmentSizeLimit)
    return { components: [container(ACCENT.neutral, told)] };
  const other = (label: string, changed: Partial<SplitOptions>) => {
    const argument = writeSplitOptions({ ...options, ...changed });
    const customId = encodeCustomId({ action: splitAgain.action, userId: interaction.user.id, argument });
    return button('Secondary', label, customId);
  };
  const dialect =
    options.dialect === 'github'
      ? other(translator.translate('split.asTyped'), { dialect: 'discord' })
      : other(translator.translate('split.fromGithub'), { dialect: 'github', mode: SPLIT_DEFAULTS.mode });
  const forms = [
    { as: 'messages', label: translator.translate('split.messages') },
    { as: 'embeds', label: translator.translate('split.embeds') },
    { as: 'components', label: translator.translate('split.components') },
  ];
  const others = forms.filter(({ as }) => as !== options.as).map(({ as, label }) => other(label, { as }));
  return {
    components: [container(ACCENT.neutral, told, file(SOURCE_NAME), row(dialect, ...others))],
    files: [{ name: SOURCE_NAME, attachment: bytes }],
  };
}

function readAsGithub(translator: Translator): string {
  return translator.translate('split.github', {
    command: inlineCode(`/${translator.name('split.name')}`),
    option: inlineCode(
      `${translator.name('split.options.dialect.name')}: ${translator.name('split.options.dialect.choices.discord')}`,
    ),
  });
}

/** Splits the text of an answer again, in the way that the clicked button names. */
export const splitAgain: ComponentAction = {
  action: 'split-again',
  defer: 'private',
  bucket: 'command',
  async run(interaction, argument, context) {
    const source = interaction.message?.attachments.first();
    if (source === undefined) throw new Problem('not_found/component');
    const input = await readTextAttachment(source.url, FILE_BYTES_MAX, context.signal);
    return answerSplit(input, readSplitOptions(argument), interaction, context, true);
  },
};

function chunkFile(chunks: readonly string[], bytesMax: number, translator: Translator): Message {
  const parts = chunks.map(
    (chunk, index) =>
      `${translator.translate('split.chunk', { index: index + 1, count: chunks.length })}\n${chunk}`,
  );
  const bytes = Buffer.from(parts.join('\n\n'));
  if (bytes.length > bytesMax) {
    throw answerTooLarge('text_too_long', bytesMax);
  }
  return {
    components: [
      container(
        ACCENT.neutral,
        text(translator.translate('split.asFile', { n: chunks.length })),
        file(FILE_NAME),
      ),
    ],
    files: [{ name: FILE_NAME, attachment: bytes }],
  };
}
