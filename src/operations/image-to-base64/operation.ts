import * as z from 'zod';

import type { ImagePurpose, ImageInfo } from '../../images/image-fetcher.ts';
import { IMAGE_TARGETS, type ImageTargetName } from '../../images/targets.ts';
import { Problem } from '../../kernel/problem.ts';
import { EXAMPLE_IMAGE_BASE64, EXAMPLE_IMAGE_URL } from '../examples.ts';
import { booleanish, holdsPlaceholder, streamedValue, oneOf, stringWithoutPlaceholder } from '../fields.ts';
import { defineOperation } from '../define-operation.ts';
import { withFieldNames, type FieldsByCode } from '../with-field-names.ts';

const MIME_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const;
const FORMATS = ['base64', 'data_uri', 'both'] as const;
const TARGETS = Object.keys(IMAGE_TARGETS) as [ImageTargetName, ...ImageTargetName[]];

/** Problems of the fetch, and the field that each is about. */
const FIELDS: FieldsByCode = {
  image_address_not_allowed: 'url',
  image_not_an_image: 'url',
  image_svg_refused: 'url',
  image_too_large: 'url',
  image_too_many_pixels: 'url',
  image_fetch_failed: 'url',
  image_timeout: 'url',
};

const facts = {
  mime_type: z.enum(MIME_TYPES),
  size: z.int().meta({ description: 'Bytes of the file.' }),
  width: z.int().meta({ description: 'Pixels.' }),
  height: z.int().meta({ description: 'Pixels.' }),
  animated: z.boolean(),
};

export const imageToBase64 = defineOperation({
  name: 'image-to-base64',
  path: '/api/image-to-base64',
  method: 'POST',
  summary: 'Fetches an image and returns it as base64',
  forTools:
    'As a tool, it takes images of at most 750 KiB, or 375 KiB with `format=both`. Base64 above 64 KiB is only in structuredContent.',
  description: [
    'Takes PNG, JPEG, WebP, GIF and AVIF images of at most 8 MiB. The answer has the file as base64, as a data URI (what Discord takes for emoji, avatars and icons), or both.',
    'The type is read from the bytes, not from the name or the header. SVG images, web pages, and images with more than 50 megapixels or 16,384 pixels on a side are refused. Without `fit`, no pixel is decoded or changed. `width` and `height` of a JPEG are those that are seen, after the rotation in its metadata.',
    '`for` says what the image is for: `fits` and `problems` then compare it with the limits that Discord documents for that. With `fit=true`, an image that does not fit is scaled down (never up) and encoded again until it does. Animations stay animations of the same length. The answer then describes the new image, and `before` describes the one that was fetched. A sticker is always a file, never a data URI. An animated one becomes a GIF, and one that is longer than 5 seconds is refused. Role icons and splashes are still pictures.',
    'The URL must lead to the public internet: http or https, port 80 or 443, at most three redirects, ten seconds for everything. The image is fetched without any header of yours.',
  ].join('\n\n'),
  bucket: 'image',
  input: z.object({
    url: stringWithoutPlaceholder('invalid_field/image_url', holdsPlaceholder).meta({
      description: 'URL of the image, http or https, at most 2,048 characters.',
      examples: [EXAMPLE_IMAGE_URL],
    }),
    format: oneOf(FORMATS, 'What to return; the other one is null. Stickers can only be base64.').default(
      'base64',
    ),
    for: oneOf(TARGETS, 'What the image is for. Adds `fits` and `problems` to the answer.').optional(),
    fit: booleanish(false).meta({
      description:
        'Make the image fit if it does not; needs `for`. Adds `fitted` and `before` to the answer.',
    }),
  }),
  output: z.object({
    base64: streamedValue(z.string()).nullable().meta({ description: 'The file in base64.' }),
    data_uri: streamedValue(z.string())
      .nullable()
      .meta({ description: '`data:<mime_type>;base64,<base64>`, as Discord takes it.' }),
    ...facts,
    emoji_ok: z.boolean().meta({
      description:
        'Whether Discord takes the file as an emoji without changes: at most 256 KiB, and a type that it knows.',
    }),
    fits: z.boolean().optional().meta({
      description:
        'Whether the image is within all limits that Discord documents for this use. Only with `for`.',
    }),
    problems: z
      .array(
        z.object({
          kind: z.enum(['type', 'bytes', 'width', 'height', 'seconds']),
          limit: z.union([z.number(), z.string()]).meta({
            description: 'What Discord accepts: a number, or for `type` the types, separated by commas.',
          }),
          value: z.union([z.number(), z.string()]).meta({ description: 'What the image has.' }),
        }),
      )
      .optional()
      .meta({ description: 'The limits that the image breaks. Only with `for`.' }),
    fitted: z.boolean().optional().meta({
      description:
        'Whether a new image was made; false when the fetched one already fits. Only with `fit=true`.',
    }),
    before: z.object(facts).nullable().optional().meta({
      description: 'The image as it was fetched, if a new one was made. Only with `fit=true`.',
    }),
  }),
  example: {
    input: { url: EXAMPLE_IMAGE_URL, format: 'data_uri' },
    answer: {
      base64: null,
      data_uri: `data:image/png;base64,${EXAMPLE_IMAGE_BASE64}`,
      mime_type: 'image/png',
      size: 70,
      width: 1,
      height: 1,
      animated: false,
      emoji_ok: true,
    },
  },
  problems: [
    'image_url_invalid',
    'image_address_not_allowed',
    'image_not_an_image',
    'image_svg_refused',
    'image_too_large',
    'image_too_many_pixels',
    'image_cannot_fit',
    'image_fetch_failed',
    'image_timeout',
  ],
  async run({ url, format, for: target, fit }, { images, tenantId, signal }) {
    const purpose = readPurpose(target, fit, format);
    const image = await withFieldNames(FIELDS, images.fetch(url, format, tenantId, signal, purpose));
    return {
      value: {
        base64: image.base64,
        data_uri: image.dataUri,
        ...shownInfo(image),
        emoji_ok: image.emojiOk,
        ...(image.problems === null
          ? {}
          : { fits: image.problems.length === 0, problems: [...image.problems] }),
        ...(fit
          ? {
              fitted: image.before !== null,
              before: image.before === null ? null : shownInfo(image.before),
            }
          : {}),
      },
      release: () => image.release(),
    };
  },
});

function readPurpose(
  target: ImageTargetName | undefined,
  fit: boolean,
  format: string,
): ImagePurpose | undefined {
  if (target === undefined && fit) {
    throw new Problem('missing_field/for', { field: 'for', values: { targets: TARGETS.join(', ') } });
  }
  if (target === 'sticker' && format !== 'base64') {
    throw new Problem('invalid_field/format', { field: 'format' });
  }
  return target === undefined ? undefined : { target, mustFit: fit };
}

function shownInfo({ mimeType, size, width, height, animated }: ImageInfo) {
  return { mime_type: mimeType, size, width, height, animated };
}
