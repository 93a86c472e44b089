import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { isStreamedValue } from '../../../src/kernel/streamed-value.ts';
import { imageToBase64 } from '../../../src/operations/image-to-base64/operation.ts';
import { png } from '../../fixtures/image-files.ts';
import { sendFile, startOrigin } from './images-origin.ts';
import { admitting, contextWith, fetcherFor } from './images-setup.ts';

const IMAGE = png(128, 64);
const BASE64 = IMAGE.toString('base64');

describe('image-to-base64', () => {
  test.each([
    [{}, BASE64, null],
    [{ format: 'base64' }, BASE64, null],
    [{ format: 'data_uri' }, null, `data:image/png;base64,${BASE64}`],
    [{ format: 'both' }, BASE64, `data:image/png;base64,${BASE64}`],
    [{ format: ' Data_URI ' }, null, `data:image/png;base64,${BASE64}`],
  ])('with %j it answers all documented keys in order', async (options, base64, dataUri) => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    const answer = await imageToBase64.answer({ url: origin.url, ...options }, contextWith(images));
    expect([answer.value['base64'], answer.value['data_uri']].map(isStreamedValue)).toEqual([
      base64 !== null,
      dataUri !== null,
    ]);
    expect(JSON.stringify(answer.value)).toBe(
      JSON.stringify({
        ok: true,
        base64,
        data_uri: dataUri,
        mime_type: 'image/png',
        size: IMAGE.length,
        width: 128,
        height: 64,
        animated: false,
        emoji_ok: true,
      }),
    );
    answer.release?.();
    expect(() => JSON.stringify(answer.value)).toThrow('released');
  });

  test('accepts words with blanks and in capitals, as other operations do', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    const answer = await imageToBase64.answer({ url: origin.url, for: ' Role_Icon' }, contextWith(images));
    expect(answer.value).toMatchObject({ fits: true, problems: [] });
    answer.release?.();
  });

  test('gives a key of no server a normal share of the slots', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using images = fetcherFor({
      addressRule: admitting(origin.port),
      limits: { jobsPerGuildMax: 1, queueMax: 0 },
    });
    const answer = await imageToBase64.answer({ url: origin.url }, contextWith(images, null));
    await expect(imageToBase64.answer({ url: origin.url }, contextWith(images, null))).rejects.toMatchObject({
      code: 'busy',
    });
    answer.release?.();
  });

  test.each([
    [{}, 'missing_field', 'url'],
    [{ url: '' }, 'missing_field', 'url'],
    [{ url: null }, 'missing_field', 'url'],
    [{ url: '{image_url}' }, 'unresolved_placeholder', 'url'],
    [{ url: '{{ $json.url }}' }, 'unresolved_placeholder', 'url'],
    [{ url: '$authorAvatar' }, 'unresolved_placeholder', 'url'],
    [{ url: 5 }, 'invalid_field', 'url'],
    [{ url: ['http://example.com/'] }, 'invalid_field', 'url'],
    [{ url: { href: 'http://example.com/' } }, 'invalid_field', 'url'],
    [{ url: 'avatar.png' }, 'image_url_invalid', 'url'],
    [{ url: 'http://localhost/' }, 'image_address_not_allowed', 'url'],
    [{ url: 'http://example.com/', format: 'hex' }, 'invalid_field', 'format'],
    [{ url: 'http://example.com/', format: true }, 'invalid_field', 'format'],
    [{ url: 'http://example.com/', for: 'poster' }, 'invalid_field', 'for'],
  ])('refuses %j as %s', async (raw, code, field) => {
    await using images = fetcherFor({});
    await expect(imageToBase64.answer(raw, contextWith(images))).rejects.toMatchObject({ code, field });
  });

  test('documents its streamed values as strings or null', () => {
    const { properties } = z.toJSONSchema(imageToBase64.output, { io: 'output', unrepresentable: 'any' });
    expect(properties).toMatchObject({
      base64: { type: ['string', 'null'] },
      data_uri: { type: ['string', 'null'] },
    });
  });
});
