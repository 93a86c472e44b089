import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type FileUploadType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

import type { AnswerOf } from '../../operations/operation.ts';
import { looksLikeGithub } from '../../operations/text-splitter/github/looks-like-github.ts';
import { textSplitter } from '../../operations/text-splitter/operation.ts';
import { TEXT_BYTES_MAX } from '../../operations/text-splitter/split-options.ts';
import type { Command, ComponentAction } from './command.ts';
import { ACCENT, container, file, paragraphModal, text } from '../messages/components.ts';
import { encodeCustomId } from '../messages/custom-id.ts';
import type { Invocation } from '../interactions/invocation.ts';
import { inlineCode } from '../messages/markdown.ts';
import type { Message } from '../messages/message.ts';
import { localisedName } from './registration/localise-command.ts';
import { callOperation } from './operation-call.ts';
import { readTextAttachment } from './read-attachment.ts';
import { privately, type MessagesReply, type Reply } from '../messages/reply.ts';
import type { Services } from './services.ts';
import { SpokenProblem } from '../messages/spoken-problem.ts';
import { wordsFor, type Words } from '../texts/words.ts';
import { shareable } from './show-to-everyone.ts';
import { contentOf } from './target-message.ts';
import { ANYWHERE } from './where.ts';

/** Where an app is only installed by the user, Discord takes five messages after the first answer. */
const MESSAGES_MAX = 5;
/** What a message holds. Longer chunks, for embeds and text displays, come as a file. */
const MESSAGE_LENGTH_MAX = 2_000;
const FILE_NAME = 'chunks.txt';
/**
 * What Discord's client offers for the option: at most ten. What a file is, its bytes say; a file of any name goes
 * through "Split text" on its message.
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
/** Discord's limit on what a form takes. */
const FORM_LENGTH_MAX = 4_000;

/** Below Discord's 4,000: the line that says who shows a piece has to fit as well. */
const DISPLAY_LENGTH_MAX = 3_900;

interface SplitOptions {
  readonly limit: string;
  readonly mode: string;
  /** `auto` looks at the text. */
  readonly dialect: string;
  /** `messages`, `embeds`, `components` or `file`. */
  readonly as: string;
}

const DEFAULTS: SplitOptions = { limit: 'message', mode: 'markdown', dialect: 'auto', as: 'messages' };

async function split(
  input: string,
  options: SplitOptions,
  call: Invocation & { readonly signal: AbortSignal },
  services: Services,
): Promise<MessagesReply> {
  const isFound = options.dialect === 'auto' && options.mode === 'markdown' && looksLikeGithub(input);
  const dialect = isFound ? 'github' : options.dialect === 'auto' ? 'discord' : options.dialect;
  const form = options.as === 'embeds' ? 'embed' : options.as === 'components' ? 'components' : null;
  const fields = {
    text: input,
    mode: options.mode,
    dialect,
    ...(form === null ? { max_length: options.limit } : { as: form }),
    ...(form === 'components' ? { max_length: DISPLAY_LENGTH_MAX } : {}),
  };
  return callOperation(textSplitter, fields, call, services, ({ chunks, payloads }) => {
    if (chunks.length === 0) throw SpokenProblem.of('missing_field', 'split_nothing');
    const messages = options.as === 'file' ? null : toMessages(chunks, payloads, form);
    const words = wordsFor(call.locale);
    const notes = isFound ? [note(words)] : [];
    const shown =
      messages !== null && messages.length + notes.length <= MESSAGES_MAX
        ? messages
        : [chunkFile(chunks, call.attachmentBytesMax, words)];
    return privately(...shown.map((message) => shareable(call, message)), ...notes);
  });
}

type Answer = AnswerOf<typeof textSplitter>;

/** Messages that show the chunks; null where a chunk is too long for one. */
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

/** Says that the text was taken for GitHub's Markdown, and how to change that. */
function note(words: Words): Message {
  const name = (path: string, english: string) => localisedName(path, english, words.language);
  const told = words.say('split.github', {
    command: inlineCode(`/${name('split', 'split')}`),
    option: inlineCode(`${name('split dialect', 'dialect')}: Discord`),
  });
  return { components: [container(ACCENT.neutral, text(told))] };
}

function chunkFile(chunks: readonly string[], bytesMax: number, words: Words): Message {
  const parts = chunks.map(
    (chunk, index) => `${words.say('split.chunk', { index: index + 1, count: chunks.length })}\n${chunk}`,
  );
  const bytes = Buffer.from(parts.join('\n\n'));
  if (bytes.length > bytesMax) {
    const mib = Math.floor(bytesMax / 1_048_576);
    throw SpokenProblem.of('text_too_long', 'answer_too_large', { mib });
  }
  return {
    components: [
      container(ACCENT.neutral, text(words.say('split.asFile', { n: chunks.length })), file(FILE_NAME)),
    ],
    files: [{ name: FILE_NAME, bytes }],
  };
}

/** Not shown as a picture, sound or film. Whether it is text is seen in its bytes. */
function mayBeText({ content_type = '' }: { readonly content_type?: string | undefined }): boolean {
  return !/^(?:image|audio|video)\//.test(content_type);
}

export const splitCommand: Command = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'split',
    description: 'Split a text into pieces that each fit a message; without options a form opens',
    ...ANYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'text',
        description: 'The text; a form or a file keeps its line breaks',
        max_length: 6_000,
      },
      {
        type: ApplicationCommandOptionType.Attachment,
        name: 'file',
        description: 'A text file in UTF-8',
        file_types: [...TEXT_FILE_TYPES],
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'limit',
        description: 'What each piece is to fit (a message, unless you choose)',
        choices: [
          { name: 'Message (2,000)', value: 'message' },
          { name: 'Text display (4,000)', value: 'text_display' },
          { name: 'Embed description (4,096)', value: 'embed_description' },
          { name: 'Embed field (1,024)', value: 'embed_field' },
          { name: 'Embed footer (2,048)', value: 'embed_footer' },
        ],
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'mode',
        description: 'What is kept whole (Markdown, unless you choose)',
        choices: [
          { name: 'Markdown', value: 'markdown' },
          { name: 'Plain text', value: 'plain' },
          { name: 'Code', value: 'code' },
        ],
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'dialect',
        description: 'Whose Markdown the text is (found out, unless you choose)',
        choices: [
          { name: 'Discord', value: 'discord' },
          { name: 'GitHub: README files, answers of language models', value: 'github' },
        ],
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'as',
        description: 'What the pieces are (messages, unless you choose)',
        choices: [
          { name: 'Messages', value: 'messages' },
          { name: 'Embeds', value: 'embeds' },
          { name: 'Components', value: 'components' },
        ],
      },
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'as_file',
        description: 'Get one file instead of messages',
      },
    ],
  } satisfies RESTPostAPIChatInputApplicationCommandsJSONBody,
  operations: [textSplitter],
  bucket: 'command',
  // A form can only be the first answer.
  defers: (options) => options.string('file') !== null || options.string('text') !== null,
  async run(call, services): Promise<Reply> {
    const options: SplitOptions = {
      limit: call.options.string('limit') ?? DEFAULTS.limit,
      mode: call.options.string('mode') ?? DEFAULTS.mode,
      dialect: call.options.string('dialect') ?? DEFAULTS.dialect,
      as: call.options.boolean('as_file') === true ? 'file' : (call.options.string('as') ?? DEFAULTS.as),
    };
    const attachment = call.options.attachment('file');
    const typed = call.options.string('text');
    if (attachment !== null) {
      if (typed !== null) throw SpokenProblem.of('bad_request', 'split_both');
      return split(
        await readTextAttachment(attachment.url, TEXT_BYTES_MAX, call.signal),
        options,
        call,
        services,
      );
    }
    if (typed !== null) return split(typed, options, call, services);
    return { type: 'modal', modal: form(call, options) };
  },
};

function form({ userId, locale }: Invocation, { limit, mode, dialect, as }: SplitOptions) {
  const argument = `${limit} ${mode} ${as} ${dialect}`;
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
    const [limit = DEFAULTS.limit, mode = DEFAULTS.mode, as = DEFAULTS.as, dialect = DEFAULTS.dialect] =
      call.argument.split(' ');
    return split(call.fields.get(FIELD_ID) ?? '', { limit, mode, as, dialect }, call, services);
  },
};

/** Takes the file that Discord makes of a long paste, where there is one, else the text of the message. */
export const splitMessageCommand: Command = {
  data: {
    type: ApplicationCommandType.Message,
    name: 'Split text',
    ...ANYWHERE,
  } satisfies RESTPostAPIContextMenuApplicationCommandsJSONBody,
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
    return split(input, DEFAULTS, call, services);
  },
};
