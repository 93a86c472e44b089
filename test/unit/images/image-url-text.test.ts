import { describe, expect, test } from 'vitest';

import { publicInternet } from '../../../src/images/guard/address-rule.ts';
import { parseImageUrl } from '../../../src/images/guard/image-url.ts';

const DATA_URI = `data:image/png;base64,${'iVBORw0KGgo'.repeat(1_000)}`;

describe('a pasted URL', () => {
  test.each([
    ['<https://example.com/a.png>', 'https://example.com/a.png'],
    [' <https://example.com/a.png> ', 'https://example.com/a.png'],
    ['\n https://example.com/a.png\n', 'https://example.com/a.png'],
    ['< https://example.com/a.png >', 'https://example.com/a.png'],
  ])('is unwrapped: %j is the URL without its brackets', (text, url) => {
    expect(parseImageUrl(text, publicInternet).href).toBe(url);
  });

  test.each(['<https://example.com/a.png', '<<https://example.com/a.png>>'])(
    'is not repaired: %j',
    (text) => {
      expect(() => parseImageUrl(text, publicInternet)).toThrow('The URL of the image cannot be used.');
    },
  );

  test.each([
    ['<:blob:123456789012345678>', 'https://cdn.discordapp.com/emojis/123456789012345678.png'],
    [' <:b_1:12345678901234567890> ', 'https://cdn.discordapp.com/emojis/12345678901234567890.png'],
    [
      '<a:party:123456789012345678>',
      'https://cdn.discordapp.com/emojis/123456789012345678.webp?animated=true',
    ],
  ])('is an emoji: %j, and the hint has its URL', (text, url) => {
    expect(() => parseImageUrl(text, publicInternet)).toThrow(
      expect.objectContaining({
        code: 'image_url_invalid',
        field: 'url',
        message: 'This is an emoji, not a URL.',
        hint: `The URL of its image is ${url}`,
        key: 'image_url_invalid/emoji',
      }),
    );
  });

  test.each(['😀', '👩‍👩‍👧', ' 🏳️‍🌈 ', '❤️', ':smile:', ':+1:', ':blob_wave:', '😀😀'])(
    'is an emoji without a URL: %j',
    (text) => {
      expect(() => parseImageUrl(text, publicInternet)).toThrow(
        expect.objectContaining({
          code: 'image_url_invalid',
          field: 'url',
          message: 'This is an emoji, not a URL.',
          key: 'image_url_invalid/typed_emoji',
        }),
      );
    },
  );

  test.each([DATA_URI, 'data:image/gif;base64,R0lGOD', ' DATA:image/png,abc', 'data:,'])(
    'is a data URI, not a URL, however long',
    (text) => {
      expect(() => parseImageUrl(text, publicInternet)).toThrow(
        expect.objectContaining({
          code: 'image_url_invalid',
          field: 'url',
          message: 'This is a data URI, which is the image itself and not its URL.',
          key: 'image_url_invalid/data_uri',
        }),
      );
    },
  );

  test.each([
    'avatar.png',
    'cat',
    '12345',
    '#️',
    ':a b:',
    '<a:party>',
    '<@123456789012345678>',
    'ftp://a.example/',
  ])('is not a URL, and no URL is guessed: %j', (text) => {
    expect(() => parseImageUrl(text, publicInternet)).toThrow(
      expect.objectContaining({
        message: 'The URL of the image cannot be used.',
        key: 'image_url_invalid',
      }),
    );
  });
});
