import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type FileUploadType,
} from 'discord-api-types/v10';

import { textSplitter } from '../../operations/text-splitter/operation.ts';
import { TEXT_BYTES_MAX } from '../../operations/text-splitter/split-options.ts';
import { choiceOption } from './choice-option.ts';
import type { Command, ComponentAction } from './command.ts';
import { paragraphModal } from '../messages/components.ts';
import { encodeCustomId } from '../messages/custom-id.ts';
import type { Invocation } from '../interactions/invocation.ts';
import { readTextAttachment } from './read-attachment.ts';
import type { Reply } from '../messages/reply.ts';
import {
  answerSplit,
  readSplitOptions,
  SPLIT_DEFAULTS,
  type SplitOptions,
  writeSplitOptions,
} from './split-answer.ts';
import { SpokenProblem } from '../messages/spoken-problem.ts';
import { localiseCommand, localiseMenuCommand } from '../locales/localise-command.ts';
import { wordsFor } from '../locales/words.ts';
import { contentOf } from './target-message.ts';
import { ANYWHERE } from './where.ts';

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
/** Discord's limit on what a form takes. */
const FORM_LENGTH_MAX = 4_000;

/** Not shown as a picture, sound or film. Whether it is text is seen in its bytes. */
function mayBeText({ content_type = '' }: { readonly content_type?: string | undefined }): boolean {
  return !/^(?:image|audio|video)\//.test(content_type);
}

export const splitCommand: Command = {
  data: localiseCommand({
    type: ApplicationCommandType.ChatInput,
    name: 'split',
    ...ANYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'text',
        max_length: 6_000,
      },
      {
        type: ApplicationCommandOptionType.Attachment,
        name: 'file',
        file_types: [...TEXT_FILE_TYPES],
      },
      choiceOption('limit', ['message', 'text_display', 'embed_description', 'embed_field', 'embed_footer']),
      choiceOption('mode', ['markdown', 'plain', 'code']),
      choiceOption('dialect', ['discord', 'github']),
      choiceOption('as', ['messages', 'embeds', 'components']),
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'as_file',
      },
    ],
  }),
  operations: [textSplitter],
  bucket: 'command',
  // A form can only be the first answer.
  defers: (options) => options.string('file') !== null || options.string('text') !== null,
  async run(call, services): Promise<Reply> {
    const options: SplitOptions = {
      limit: call.options.string('limit') ?? SPLIT_DEFAULTS.limit,
      mode: call.options.string('mode') ?? SPLIT_DEFAULTS.mode,
      dialect: call.options.string('dialect') ?? SPLIT_DEFAULTS.dialect,
      as:
        call.options.boolean('as_file') === true ? 'file' : (call.options.string('as') ?? SPLIT_DEFAULTS.as),
    };
    const attachment = call.options.attachment('file');
    const typed = call.options.string('text');
    if (attachment !== null) {
      if (typed !== null) throw SpokenProblem.of('bad_request', 'split_both');
      return answerSplit(
        await readTextAttachment(attachment.url, TEXT_BYTES_MAX, call.signal),
        options,
        call,
        services,
      );
    }
    if (typed !== null) return answerSplit(typed, options, call, services);
    return { type: 'modal', modal: form(call, options) };
  },
};

function form({ userId, locale }: Invocation, options: SplitOptions) {
  const argument = writeSplitOptions(options);
  const words = wordsFor(locale);
  return paragraphModal({
    customId: encodeCustomId({ action: splitForm.action, userId, argument }),
    title: words.say('split.formTitle'),
    label: words.say('split.formLabel'),
    placeholder: words.say('split.formPlaceholder'),
    fieldId: FIELD_ID,
    lengthMax: FORM_LENGTH_MAX,
  });
}

export const splitForm: ComponentAction = {
  action: 'split-form',
  defer: 'private',
  bucket: 'command',
  async run(call, services) {
    return answerSplit(call.fields.get(FIELD_ID) ?? '', readSplitOptions(call.argument), call, services);
  },
};

/** Takes the file that Discord makes of a long paste, where there is one, else the text of the message. */
export const splitMessageCommand: Command = {
  data: localiseMenuCommand({
    type: ApplicationCommandType.Message,
    name: 'Split text',
    ...ANYWHERE,
  }),
  operations: [textSplitter],
  bucket: 'command',
  defers: () => true,
  async run(call, services) {
    const { content, attachments } = contentOf(call.target);
    const attachment = attachments.find((each) => mayBeText(each));
    if (attachment === undefined && content.trim() === '') {
      throw SpokenProblem.of('missing_field', 'message_without_text');
    }
    const input =
      attachment === undefined
        ? content
        : await readTextAttachment(attachment.url, TEXT_BYTES_MAX, call.signal);
    return answerSplit(input, SPLIT_DEFAULTS, call, services, true);
  },
};
