import { ANYWHERE } from './command.ts';
import { commandOf, menuCommandOf, slashCommand, type CommandCall } from './command-of.ts';
import { choiceOption, fileOption, textOption } from './options.ts';
import { IMAGE_TARGETS, type ImageTargetName } from '../../images/targets.ts';
import { imageToBase64 } from '../../operations/image-to-base64/operation.ts';
import type { AnswerOf } from '../../operations/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { ACCENT, container, file, picture, text } from '../messages/components.ts';
import { codeBlock } from '../messages/markdown.ts';
import type { Message } from '../messages/reply.ts';
import { answerTooLarge } from '../messages/problem-message.ts';
import type { Translator } from '../locales/translator.ts';
import { findImage } from './find-image.ts';

/** Longer base64 comes as a file. */
const SHOWN_LENGTH_MAX = 2_000;
const FILE_NAME = 'base64.txt';
/** The file name of a fitted picture, without its extension. */
const PICTURE_NAME = 'fitted';
const TARGETS = Object.keys(IMAGE_TARGETS) as ImageTargetName[];
/** The same limit as for image-to-base64 over HTTP. */
const URL_LENGTH_MAX = 2_048;

type Image = AnswerOf<typeof imageToBase64>;

interface Wanted {
  readonly url: string;
  readonly format: 'base64' | 'data_uri';
  /** Set together with `fit`. */
  readonly for?: ImageTargetName | null;
}

function show(image: Image, { input, interaction, translator }: CommandCall<Wanted>): Message {
  const { for: target = null } = input;
  const encoded = image.base64 ?? image.data_uri;
  if (encoded === null) throw new Problem('internal');
  // Without the two quotation marks of the JSON string.
  const length = encoded.jsonByteLength - 2 + (target === null ? 0 : image.size);
  if (length > interaction.attachmentSizeLimit) {
    throw answerTooLarge('image_too_large', interaction.attachmentSizeLimit);
  }
  const written = String(encoded.toJSON());
  return target === null
    ? showAsItIs(image, written, translator)
    : showFitted(image, written, target, translator);
}

function showAsItIs(image: Image, encoded: string, translator: Translator): Message {
  const summary = text(
    [
      `### ${image.mime_type}`,
      describe(image, translator),
      translator.translate(image.emoji_ok ? 'base64.emoji' : 'base64.noEmoji'),
    ].join('\n'),
  );
  return encoded.length <= SHOWN_LENGTH_MAX
    ? { components: [container(ACCENT.neutral, summary, text(codeBlock(encoded)))] }
    : {
        components: [container(ACCENT.neutral, summary, file(FILE_NAME))],
        files: [{ name: FILE_NAME, attachment: Buffer.from(encoded, 'latin1') }],
      };
}

/** Shows the fitted picture, to look at and to save, next to the facts about the original. */
function showFitted(image: Image, encoded: string, purpose: string, translator: Translator): Message {
  const bytes = Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64');
  const pictureName = `${PICTURE_NAME}.${image.mime_type.slice('image/'.length)}`;
  const target = translator.command(`base64.options.for.choices.${purpose}`, {}) ?? purpose;
  const isChanged = image.fitted === true;
  const before = image.before ?? null;
  const now = describe(image, translator);
  const summary = [
    translator.translate(isChanged ? 'base64.fitted' : 'base64.fits', { target }),
    ...(before === null
      ? []
      : [translator.translate('base64.before', { image: describe(before, translator) })]),
    translator.translate(isChanged ? 'base64.after' : 'base64.now', { image: now }),
  ].join('\n');
  return {
    components: [
      container(
        ACCENT.good,
        text(summary),
        picture(pictureName, translator.translate('base64.picture', { target, image: now })),
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

function describe({ mime_type, width, height, size, animated }: Described, translator: Translator): string {
  const values = { width, height, bytes: size, type: mime_type };
  return translator.translate(animated ? 'base64.animated' : 'base64.image', values);
}

export const base64Command = slashCommand(
  { name: 'base64', ...ANYWHERE },
  commandOf(imageToBase64, {
    options: {
      image: fileOption(['image']),
      url: textOption({ max_length: URL_LENGTH_MAX }),
      format: choiceOption(['base64', 'data_uri']),
      for: choiceOption(TARGETS),
    },
    input({ image, url, format, for: target }) {
      if (image !== null && url !== null) throw new Problem('bad_request/image_and_address');
      const imageUrl = image ?? url;
      if (imageUrl === null) throw new Problem('missing_field/image');
      return {
        url: imageUrl,
        format: format ?? 'base64',
        ...(target === null ? {} : { for: target, fit: true }),
      };
    },
    show,
  }),
);

export const base64MessageCommand = menuCommandOf(imageToBase64, {
  name: 'Image to base64',
  defers: true,
  input(message): Wanted {
    const url = findImage(message);
    if (url === null) throw new Problem('missing_field/message_image');
    return { url, format: 'base64' };
  },
  show,
});
