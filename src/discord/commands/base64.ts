import { ApplicationCommandOptionType, ApplicationCommandType, type BaseInteraction } from 'discord.js';

import {
  ANYWHERE,
  choiceOption,
  type CommandContext,
  type MessageCommand,
  type SlashCommand,
} from './command.ts';
import { IMAGE_TARGETS, type ImageTargetName } from '../../images/targets.ts';
import { imageToBase64 } from '../../operations/image-to-base64/operation.ts';
import type { AnswerOf } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { ACCENT, container, file, picture, text } from '../messages/components.ts';
import { codeBlock } from '../messages/markdown.ts';
import { privately, type Message, type MessagesReply } from '../messages/reply.ts';
import { callOperation } from './operation-call.ts';
import { answerTooLarge } from '../messages/problem-message.ts';
import { localiseCommand, localiseMenuCommand } from '../locales/localise-command.ts';
import { wordsFor, type Words } from '../locales/words.ts';
import { shareable } from './show-to-everyone.ts';
import { contentOf } from './read-message.ts';
import { findImage } from './find-image.ts';

/** Base64 up to this length is shown; a longer one comes as a file. */
const SHOWN_LENGTH_MAX = 2_000;
const FILE_NAME = 'base64.txt';
/** The file name of a picture that was made to fit, without its extension. */
const PICTURE_NAME = 'fitted';
const TARGETS = Object.keys(IMAGE_TARGETS) as ImageTargetName[];
/** The same limit as for image-to-base64 over HTTP. */
const URL_LENGTH_MAX = 2_048;

async function encode(
  url: string,
  format: 'base64' | 'data_uri',
  target: string | null,
  interaction: BaseInteraction,
  context: CommandContext,
): Promise<MessagesReply> {
  const input = { url, format, ...(target === null ? {} : { for: target, fit: true }) };
  return callOperation(imageToBase64, input, interaction, context, (image) => {
    const encoded = image.base64 ?? image.data_uri;
    if (encoded === null) throw new Problem('internal');
    // The JSON of a text has two quotation marks more.
    const length = encoded.jsonByteLength - 2 + (target === null ? 0 : image.size);
    if (length > interaction.attachmentSizeLimit) {
      throw answerTooLarge('image_too_large', interaction.attachmentSizeLimit);
    }
    const written = String(encoded.toJSON());
    const words = wordsFor(interaction.locale);
    return privately(
      shareable(
        interaction,
        target === null ? show(image, written, words) : showFitted(image, written, target, words),
        context,
      ),
    );
  });
}

type Image = AnswerOf<typeof imageToBase64>;

function show(image: Image, encoded: string, words: Words): Message {
  const summary = text(
    [
      `### ${image.mime_type}`,
      describe(image, words),
      words.say(image.emoji_ok ? 'base64.emoji' : 'base64.noEmoji'),
    ].join('\n'),
  );
  return encoded.length <= SHOWN_LENGTH_MAX
    ? { components: [container(ACCENT.neutral, summary, text(codeBlock(encoded)))] }
    : {
        components: [container(ACCENT.neutral, summary, file(FILE_NAME))],
        files: [{ name: FILE_NAME, attachment: Buffer.from(encoded, 'latin1') }],
      };
}

/** Shows the picture itself, to look at and to keep, next to the facts about the one before. */
function showFitted(image: Image, encoded: string, purpose: string, words: Words): Message {
  const bytes = Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64');
  const pictureName = `${PICTURE_NAME}.${image.mime_type.slice('image/'.length)}`;
  const target = words.command(`base64.options.for.choices.${purpose}`, {}) ?? purpose;
  const isChanged = image.fitted === true;
  const before = image.before ?? null;
  const now = describe(image, words);
  const summary = [
    words.say(isChanged ? 'base64.fitted' : 'base64.fits', { target }),
    ...(before === null ? [] : [words.say('base64.before', { image: describe(before, words) })]),
    words.say(isChanged ? 'base64.after' : 'base64.now', { image: now }),
  ].join('\n');
  return {
    components: [
      container(
        ACCENT.good,
        text(summary),
        picture(pictureName, words.say('base64.picture', { target, image: now })),
        file(FILE_NAME),
      ),
    ],
    files: [
      { name: pictureName, attachment: bytes },
      { name: FILE_NAME, attachment: Buffer.from(encoded, 'latin1') },
    ],
  };
}

type Described = Pick<Image, 'mime_type' | 'width' | 'height' | 'size' | 'animated'>;

function describe({ mime_type, width, height, size, animated }: Described, words: Words): string {
  const values = { width, height, bytes: size, type: mime_type };
  return words.say(animated ? 'base64.animated' : 'base64.image', values);
}

export const base64Command: SlashCommand = {
  data: localiseCommand({
    type: ApplicationCommandType.ChatInput,
    name: 'base64',
    ...ANYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.Attachment,
        name: 'image',
        file_types: ['image'],
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'url',
        max_length: URL_LENGTH_MAX,
      },
      choiceOption('format', ['base64', 'data_uri']),
      choiceOption('for', TARGETS),
    ],
  }),
  operations: [imageToBase64],
  defers: () => true,
  async run(interaction, context) {
    const attachment = interaction.options.getAttachment('image');
    const url = interaction.options.getString('url');
    if (attachment === null && url === null) throw new Problem('missing_field/image');
    if (attachment !== null && url !== null) throw new Problem('bad_request/image_and_address');
    const format = interaction.options.getString('format') === 'data_uri' ? 'data_uri' : 'base64';
    return encode(
      attachment?.url ?? url ?? '',
      format,
      interaction.options.getString('for'),
      interaction,
      context,
    );
  },
};

export const base64MessageCommand: MessageCommand = {
  data: localiseMenuCommand({
    type: ApplicationCommandType.Message,
    name: 'Image to base64',
    ...ANYWHERE,
  }),
  operations: [imageToBase64],
  defers: () => true,
  async run(interaction, context) {
    const url = findImage(contentOf(interaction.targetMessage));
    if (url === null) throw new Problem('missing_field/message_image');
    return encode(url, 'base64', null, interaction, context);
  },
};
