import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

import type { AnswerOf } from '../../operations/operation.ts';
import { LINE_UNITS_MAX, parseArgs } from '../../operations/parse-args/operation.ts';
import { Problem } from '../../problem.ts';
import type { Command, CommandCall } from './command.ts';
import { ACCENT, container, file, separator, text } from '../messages/components.ts';
import { codeBlock } from '../messages/markdown.ts';
import type { PanelMessage } from '../messages/message.ts';
import { callOperation } from './operation-call.ts';
import { privately, type MessagesReply } from '../messages/reply.ts';
import type { Services } from './services.ts';
import { texts } from '../messages/texts.ts';
import { shareable } from './show-to-everyone.ts';
import { contentOf } from './target-message.ts';
import { ANYWHERE } from './where.ts';

/** Characters of JSON that are shown; a longer answer comes as a file. */
const BLOCK_LENGTH_MAX = 2_000;
const FILE_NAME = 'parse-args.json';

async function parse(
  input: Parameters<typeof parseArgs.handle>[0],
  call: CommandCall,
  services: Services,
): Promise<MessagesReply> {
  return callOperation(parseArgs, { ...input, textstatus: true }, call, services, (answer) =>
    privately(shareable(call, panel(answer, JSON.stringify(answer, null, 2)))),
  );
}

function panel(parsed: AnswerOf<typeof parseArgs>, json: string): PanelMessage {
  const summary = text(texts.parse.summary(parsed));
  const block = codeBlock(json, 'json');
  if (block.length <= BLOCK_LENGTH_MAX) {
    return {
      components: [container(ACCENT.neutral, summary, separator(), text(`${texts.parse.answer}\n${block}`))],
    };
  }
  return {
    components: [container(ACCENT.neutral, summary, separator(), text(texts.parse.answer), file(FILE_NAME))],
    files: [{ name: FILE_NAME, bytes: Buffer.from(json) }],
  };
}

export const parseCommand: Command = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'parse',
    description: 'Take a command line apart: command, user, time and reason',
    ...ANYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'text',
        description: 'The command line, such as !ban @user 7d spamming links',
        required: true,
        min_length: 1,
        max_length: LINE_UNITS_MAX,
      },
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'pingtoid',
        description: 'Turn mentions of users into their bare ids',
      },
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'args_only',
        description: 'The text is what follows the command, without the command',
      },
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'timestamps',
        description: 'Also show when the time ends, counted from now',
      },
    ],
  } satisfies RESTPostAPIChatInputApplicationCommandsJSONBody,
  operations: [parseArgs],
  bucket: 'command',
  defers: () => false,
  run: (call, services) =>
    parse(
      {
        text: call.options.string('text') ?? '',
        pingtoid: call.options.boolean('pingtoid') ?? false,
        args_only: call.options.boolean('args_only') ?? false,
        timestamps: call.options.boolean('timestamps') ?? false,
      },
      call,
      services,
    ),
};

export const parseMessageCommand: Command = {
  data: {
    type: ApplicationCommandType.Message,
    name: 'Parse command line',
    ...ANYWHERE,
  } satisfies RESTPostAPIContextMenuApplicationCommandsJSONBody,
  operations: [parseArgs],
  bucket: 'command',
  defers: () => false,
  async run(call, services) {
    const content = contentOf(call.target).content;
    if (content.trim() === '') throw new Problem('missing_field', texts.messageWithoutText);
    return parse({ text: content }, call, services);
  },
};
