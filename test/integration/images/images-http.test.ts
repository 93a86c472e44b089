import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { png } from '../../fixtures/image-files.ts';
import { sendFile, startOrigin } from './images-origin.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

const IMAGE = png(128, 64);
/** As large as an image may be. */
const LARGE = png(128, 64, { size: 8 * 1024 * 1024 });
/** More than is written in one piece. */
const MEDIUM = png(128, 64, { size: 512 * 1024 });
const CLOSED_NETWORK = { IMAGE_ALLOW_PRIVATE: 'true', IMAGE_RATE_LIMIT: '1000' };
const PATH = '/api/image-to-base64';

describe('POST /api/image-to-base64', () => {
  let shared: TestApp;
  beforeAll(async () => {
    shared = await startTestApp(CLOSED_NETWORK);
  });
  afterAll(() => shared.app.close());

  test('answers 200 with the image, from the body or the query', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    const expected = {
      ok: true,
      base64: IMAGE.toString('base64'),
      data_uri: null,
      mime_type: 'image/png',
      size: IMAGE.length,
      width: 128,
      height: 64,
      animated: false,
      emoji_ok: true,
    };
    const posted = await shared.postJson(PATH, { url: origin.url });
    expect([posted.status, posted.type, posted.body]).toEqual([
      200,
      'application/json; charset=utf-8',
      expected,
    ]);
    expect(posted.headers.get('content-length')).toBe(String(Buffer.byteLength(posted.text)));
    const got = await shared.call(`${PATH}?url=${encodeURIComponent(origin.url)}&format=data_uri`);
    expect(got.body).toEqual({
      ...expected,
      base64: null,
      data_uri: `data:image/png;base64,${expected.base64}`,
    });
  });

  test('answers 200 with the image under the same keys in a flat response', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    const reply = await shared.postJson(PATH, { url: origin.url, flat: true });
    expect(reply.body).toMatchObject({ base64: IMAGE.toString('base64'), data_uri: '', animated: false });
  });

  test('answers 200 with 8 MiB in both forms, more often than a guild has slots', async () => {
    const files = [LARGE, MEDIUM, MEDIUM];
    await using origin = await startOrigin((socket, path) =>
      sendFile(socket, files[Number(path.slice(1))] ?? IMAGE),
    );
    for (const [index, file] of files.entries()) {
      const base64 = file.toString('base64');
      const reply = await shared.postJson(PATH, { url: `${origin.url}/${index}`, format: 'both' });
      expect(
        reply.body['base64'] === base64 && reply.body['data_uri'] === `data:image/png;base64,${base64}`,
      ).toBe(true);
    }
  });

  test.each([
    [{}, 400, 'missing_field', 'url'],
    [{ url: '{avatar}' }, 400, 'unresolved_placeholder', 'url'],
    [{ url: 'https://x.example/{user_avatar}.png' }, 400, 'unresolved_placeholder', 'url'],
    [{ url: 'https://x.example/{{ $json.id }}.png' }, 400, 'unresolved_placeholder', 'url'],
    [{ url: 'https://x.example/$userAvatar[$authorID]' }, 400, 'unresolved_placeholder', 'url'],
    [{ url: 'avatar.png' }, 422, 'image_url_invalid', 'url'],
    [{ url: 'http://user@127.0.0.1/' }, 422, 'image_url_invalid', 'url'],
    [{ url: 'http://127.0.0.1:1/' }, 502, 'image_fetch_failed', 'url'],
  ] as const)('answers %j with %i %s', async (body, status, code, field) => {
    const reply = await shared.postJson(PATH, body);
    expect(reply).toMatchObject({ status, body: { ok: false, code, field } });
  });

  test('answers GET like POST, and HEAD with the headers of GET', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, MEDIUM));
    const path = `${PATH}?format=both&url=${encodeURIComponent(origin.url)}`;
    const got = await shared.call(path);
    expect(got.status).toBe(200);
    const head = await shared.call(path, { method: 'HEAD' });
    expect([head.status, head.type, head.text]).toEqual([200, got.type, '']);
    expect(head.headers.get('content-length')).toBe(String(got.text.length));
    expect(origin.requests).toHaveLength(2);
  });

  test('answers flat with both forms of an image', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, MEDIUM));
    const reply = await shared.call(
      `${PATH}?flat=true&format=both&url=${encodeURIComponent(`${origin.url}/a`)}`,
    );
    const base64 = MEDIUM.toString('base64');
    expect(reply.headers.get('content-length')).toBe(String(reply.text.length));
    expect(reply.body['base64'] === base64).toBe(true);
    expect(reply.body['data_uri'] === `data:image/png;base64,${base64}`).toBe(true);
    expect(reply.body).toMatchObject({ size: MEDIUM.length, emoji_ok: false });
  });

  test('puts the status of a failure into the body with always_200', async () => {
    const reply = await shared.postJson(PATH, { url: 'avatar.png', always_200: true });
    expect(reply).toMatchObject({ status: 200, body: { ok: false, status: 422, code: 'image_url_invalid' } });
  });

  test.each([
    ['a body that is too large', 'application/json', { url: 'a'.repeat(256 * 1024) }, 413, 'body_too_large'],
    ['a text', 'text/plain', 'http://127.0.0.1:1/', 415, 'unsupported_media_type'],
    ['an image itself', 'image/png', IMAGE, 415, 'unsupported_media_type'],
    ['a form', 'application/x-www-form-urlencoded', 'url=a.png', 422, 'image_url_invalid'],
    ['broken JSON', 'application/json', '{"url":"a"b"}', 400, 'invalid_json'],
    [
      'an address that is too long',
      'application/json',
      { url: `http://a.example/${'a'.repeat(2_048)}` },
      422,
      'image_url_invalid',
    ],
  ] as const)('answers %s as %s: %#', async (_name, type, body, status, code) => {
    const content = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const reply = await shared.call(PATH, {
      method: 'POST',
      body: content,
      headers: { 'content-type': type },
    });
    expect(reply).toMatchObject({ status, type: 'application/json', body: { ok: false, status, code } });
  });

  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image_svg_refused'],
    ['a web page', '<!doctype html>', 'image_not_an_image'],
    ['too many pixels', png(16_000, 16_000), 'image_too_many_pixels'],
    ['too many bytes', png(8, 8, { size: 8 * 1024 * 1024 + 1 }), 'image_too_large'],
  ] as const)('answers 422 for %s', async (_name, file, code) => {
    await using origin = await startOrigin((socket) => sendFile(socket, Buffer.from(file)));
    expect(await shared.postJson(PATH, { url: origin.url })).toMatchObject({
      status: 422,
      type: 'application/json',
      body: { ok: false, status: 422, code, field: 'url' },
    });
  });

  test('answers 422 for private IP addresses without the setting for closed networks', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using app = await startTestApp();
    for (const url of [
      origin.url,
      `http://localhost:${origin.port}/`,
      `http://[::ffff:127.0.0.1]:${origin.port}/`,
    ]) {
      const reply = await app.postJson(PATH, { url });
      expect(reply).toMatchObject({ status: 422, body: { code: 'image_address_not_allowed', field: 'url' } });
    }
    expect(origin.connections).toBe(0);
  });

  test('answers 504 for a slow server', async () => {
    await using origin = await startOrigin(() => {});
    await using app = await startTestApp(CLOSED_NETWORK, { images: { deadlineMs: 50 } });
    expect(await app.postJson(PATH, { url: origin.url })).toMatchObject({
      status: 504,
      body: { code: 'image_timeout' },
    });
  });
});
