import {
  ApplicationCommandType,
  ComponentType,
  TextInputStyle,
  type APIModalInteractionResponseCallbackData,
  type Attachment,
  type BaseInteraction,
  type FileUploadType,
} from 'discord.js';

import { ANYWHERE, type ComponentAction, type MessageCommand } from '../command.ts';
import { commandBody, slashCommand } from '../command-of.ts';
import { choiceOption, fileOption, flagOption, textOption } from '../options.ts';
import { textSplitter } from '../../../operations/text-splitter/operation.ts';
import { Problem } from '../../../kernel/problem.ts';
import { encodeCustomId } from '../../messages/components.ts';
import { contentOf, readTextAttachment } from '../read-message.ts';
import type { Reply } from '../../messages/reply.ts';
import {
  answerSplit,
  FILE_BYTES_MAX,
  readSplitOptions,
  SPLIT_DEFAULTS,
  type SplitOptions,
  writeSplitOptions,
} from './split-answer.ts';
import { localiseMenuCommand } from '../../locales/localise-command.ts';
import { translatorFor } from '../../locales/translator.ts';

/**
 * Discord's client offers files of these types, at most ten. The bytes decide whether a file is text. A file with
 * another name goes through "Split text" on its message.
 * @see https://docs.discord.com/developers/reference#file-type-filtering
 */
const TEXT_FILE_TYPES: readonly FileUploadType[] = [
  '.txt',
  '.md',
  '.log',
  '.json',
  '.csv',
  '.html',
  '.yml',
  '.js',
  '.ts',
  '.py',
];
const FIELD_ID = 'text';
/** Discord's limit for a form field. */
const FORM_LENGTH_MAX = 4_000;

/** False for pictures, sound and video. For all other types, the bytes decide whether it is text. */
function mayBeText({ contentType }: Attachment): boolean {
  return !/^(?:image|audio|video)\//.test(contentType ?? '');
}

export const splitCommand = slashCommand(
  { name: 'split', ...ANYWHERE },
  commandBody({
    options: {
      text: textOption({ max_length: 6_000 }),
      file: fileOption(TEXT_FILE_TYPES),
      limit: choiceOption(['message', 'text_display', 'embed_description', 'embed_field', 'embed_footer']),
      mode: choiceOption(['markdown', 'plain', 'code']),
      dialect: choiceOption(['discord', 'github']),
      as: choiceOption(['messages', 'embeds', 'components']),
      as_file: flagOption,
    },
    operations: [textSplitter],
    // A form can only be the first answer.
    defers: ({ file, text }) => file !== null || text !== null,
    async run({ text, file, limit, mode, dialect, as, as_file }, interaction, context): Promise<Reply> {
      const options: SplitOptions = {
        limit: limit ?? SPLIT_DEFAULTS.limit,
        mode: mode ?? SPLIT_DEFAULTS.mode,
        dialect: dialect ?? SPLIT_DEFAULTS.dialect,
        as: as_file === true ? 'file' : (as ?? SPLIT_DEFAULTS.as),
      };
      if (file !== null && text !== null) throw new Problem('bad_request/text_and_file');
      const input = file === null ? text : await readTextAttachment(file, FILE_BYTES_MAX, context.signal);
      return input === null
        ? { type: 'modal', modal: makeForm(interaction, options) }
        : answerSplit(input, options, interaction, context);
    },
  }),
);

function makeForm(
  { user, locale }: BaseInteraction,
  options: SplitOptions,
): APIModalInteractionResponseCallbackData {
  const argument = writeSplitOptions(options);
  const translator = translatorFor(locale);
  return {
    custom_id: encodeCustomId({ action: splitForm.action, userId: user.id, argument }),
    title: translator.translate('split.formTitle'),
    components: [
      {
        type: ComponentType.Label,
        label: translator.translate('split.formLabel'),
        component: {
          type: ComponentType.TextInput,
          custom_id: FIELD_ID,
          style: TextInputStyle.Paragraph,
          placeholder: translator.translate('split.formPlaceholder'),
          min_length: 1,
          max_length: FORM_LENGTH_MAX,
          required: true,
        },
      },
    ],
  };
}

export const splitForm: ComponentAction = {
  action: 'split-form',
  defer: 'private',
  bucket: 'command',
  async run(interaction, argument, context) {
    if (!interaction.isModalSubmit()) throw new Problem('not_found/component');
    const typed = interaction.fields.getTextInputValue(FIELD_ID);
    return answerSplit(typed, readSplitOptions(argument), interaction, context);
  },
};

/** Takes the file that Discord makes from a long paste, if there is one, else the text of the message. */
export const splitMessageCommand: MessageCommand = {
  data: localiseMenuCommand({
    type: ApplicationCommandType.Message,
    name: 'Split text',
    ...ANYWHERE,
  }),
  operations: [textSplitter],
  defers: () => true,
  async run(interaction, context) {
    const { content, attachments } = contentOf(interaction.targetMessage);
    const attachment = attachments.find((each) => mayBeText(each));
    if (attachment === undefined && content.trim() === '') {
      throw new Problem('missing_field/message_text');
    }
    const input =
      attachment === undefined
        ? content
        : await readTextAttachment(attachment.url, FILE_BYTES_MAX, context.signal);
    return answerSplit(input, SPLIT_DEFAULTS, interaction, context, true);
  },
};
