import * as z from 'zod';

import { EXAMPLE_IMAGE_BASE64, EXAMPLE_IMAGE_URL } from '../examples.ts';
import { holdsPlaceholder, largeValue, resolvedString } from '../fields.ts';
import { defineOperation } from '../operation.ts';

export const imageToBase64 = defineOperation({
  name: 'image-to-base64',
  path: '/api/image-to-base64',
  method: 'POST',
  summary: 'Fetch an image and return it as base64, checked by its bytes.',
  description: [
    'Fetches a PNG, JPEG, WebP, GIF or AVIF image of at most 8 MiB and returns it in base64, as a data URI (what Discord takes for emoji, avatars and icons), or both.',
    'The type is read from the bytes, not from the name or the header. SVG, web pages, images of more than 50 megapixels or 16,384 pixels on a side are refused. No pixel is decoded or changed; a rotation in the metadata does not turn `width` and `height`.',
    'The address must be on the public internet: http or https, port 80 or 443, at most three redirects, ten seconds for everything. The image is fetched without any header of yours.',
  ].join('\n\n'),
  bucket: 'image',
  input: z.object({
    url: resolvedString('must be the address of an image as a string', holdsPlaceholder).meta({
      description: 'Address of the image, http or https, at most 2,048 characters.',
      examples: [EXAMPLE_IMAGE_URL],
    }),
    format: z
      .enum(['base64', 'data_uri', 'both'], 'must be base64, data_uri or both')
      .default('base64')
      .meta({ description: 'What to return; the other one is null.' }),
  }),
  output: z.object({
    base64: largeValue(z.string()).nullable().meta({ description: 'The file in base64.' }),
    data_uri: largeValue(z.string())
      .nullable()
      .meta({ description: '`data:<mime_type>;base64,<base64>`, as Discord takes it.' }),
    mime_type: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']),
    size: z.int().meta({ description: 'Bytes of the file.' }),
    width: z.int().meta({ description: 'Pixels.' }),
    height: z.int().meta({ description: 'Pixels.' }),
    animated: z.boolean(),
    emoji_ok: z.boolean().meta({
      description:
        'Whether Discord takes the file for an emoji as it is: at most 256 KiB and of a type that it knows.',
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
    'image_fetch_failed',
    'image_timeout',
  ],
  recipe: { field: 'url', filledBy: 'image', options: { format: 'data_uri' }, use: 'make_emoji' },
  async run({ url, format }, { images, ownerId, signal }) {
    const image = await images.fetch(url, format, ownerId, signal);
    return {
      value: {
        base64: image.base64,
        data_uri: image.dataUri,
        mime_type: image.mimeType,
        size: image.size,
        width: image.width,
        height: image.height,
        animated: image.animated,
        emoji_ok: image.emojiOk,
      },
      release: () => image.release(),
    };
  },
});
