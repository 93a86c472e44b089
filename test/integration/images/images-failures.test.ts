import { createServer as createTlsServer } from 'node:tls';

import { describe, expect, test } from 'vitest';

import type { GuardedImageFetcher } from '../../../src/images/guarded-image-fetcher.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { png } from '../../fixtures/image-files.ts';
import { makeCertificate } from './images-certificate.ts';
import { startNameServer } from './images-name-server.ts';
import { redirect, respond, sendFile, startOrigin } from './images-origin.ts';
import { admitting, fetcherFor } from './images-setup.ts';

async function problemOf(images: GuardedImageFetcher, url: string): Promise<Problem> {
  const answer = images.fetch(url, 'base64', '0', new AbortController().signal);
  const problem = await answer.then(
    (image) => image.release(),
    (error: unknown) => error,
  );
  if (problem instanceof Problem) return problem;
  throw new Error('The image was fetched.');
}

const UPLOAD = expect.stringMatching(/pload .*to Discord and use that link\.$/) as string;

describe('the error says what is wrong with the server of the image:', () => {
  test.each([
    ['it is self-signed', 'image.example'],
    ['it is for another name', 'other.example'],
  ])('its certificate is invalid, %s', async (_case, name) => {
    const server = createTlsServer(makeCertificate(name));
    server.on('tlsClientError', () => {});
    await using origin = await startOrigin((socket) => sendFile(socket, png(8, 8)), server);
    await using names = await startNameServer(() => ['127.0.0.1']);
    await using images = fetcherFor({ addressRule: admitting(origin.port), nameServers: [names.address] });
    expect(await problemOf(images, `https://image.example:${origin.port}/`)).toMatchObject({
      code: 'image_fetch_failed',
      message: 'The server of the image has an invalid certificate.',
      hint: UPLOAD,
      key: 'image_fetch_failed/certificate',
    });
  });

  test.each([
    ['one address', ['127.0.0.1']],
    ['several', ['127.0.0.1', '127.0.0.7']],
  ])('it refuses connections, at %s', async (_case, addresses) => {
    const { port, ...origin } = await startOrigin(() => {});
    await origin[Symbol.asyncDispose]();
    await using names = await startNameServer(() => addresses);
    await using images = fetcherFor({ allowsPrivate: true, nameServers: [names.address] });
    for (const url of [`http://image.example:${port}/`, `https://image.example:${port}/`]) {
      expect(await problemOf(images, url)).toMatchObject({
        code: 'image_fetch_failed',
        message: 'The server of the image refuses connections.',
        hint: UPLOAD,
        key: 'image_fetch_failed/host_down',
      });
    }
  });

  test.each([
    ['at once', true],
    ['when it is spoken to', false],
  ])('it speaks http on a port for https, and answers %s', async (_case, isAtOnce) => {
    const answer = 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n';
    await using origin = await startOrigin(() => {});
    const { createServer } = await import('node:net');
    const plain = createServer((socket) => {
      socket.on('error', () => {});
      if (isAtOnce) socket.end(answer);
      else socket.once('data', () => socket.end(answer));
    });
    await using spoken = await startOrigin(() => {}, plain);
    await using images = fetcherFor({ addressRule: admitting(origin.port, spoken.port) });
    expect(await problemOf(images, `https://127.0.0.1:${spoken.port}/`)).toMatchObject({
      code: 'image_fetch_failed',
      message: 'There is no https at this URL.',
      hint: 'Try it with http:// in front.',
      key: 'image_fetch_failed/no_https',
    });
  });

  test.each([401, 403, 429])('it answers status %i, because it refuses bots', async (status) => {
    await using origin = await startOrigin((socket) => respond(socket, status, {}, 'secret of the upstream'));
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    expect(await problemOf(images, `${origin.url}/a.png`)).toMatchObject({
      code: 'image_fetch_failed',
      message: `The server of the image answered with status ${status}.`,
      hint: UPLOAD,
      key: 'image_fetch_failed/refused',
    });
  });

  test.each([404, 500])('it answers status %i, without advice to upload the image', async (status) => {
    await using origin = await startOrigin((socket) => respond(socket, status, {}));
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    expect(await problemOf(images, `${origin.url}/a.png`)).toMatchObject({
      message: `The server of the image answered with status ${status}.`,
      hint: null,
    });
  });

  test.each([
    ['/emojis/1.gif', 'cdn.discordapp.com', 'image_fetch_failed/no_gif'],
    ['/emojis/1.gif?size=96', 'media.discordapp.net', 'image_fetch_failed/no_gif'],
    ['/avatars/1/ab.gif', 'cdn.discordapp.com', 'image_fetch_failed/no_gif'],
    ['/emojis/1.png', 'cdn.discordapp.com', 'image_fetch_failed/status'],
    ['/emojis/1.gif', 'image.example', 'image_fetch_failed/status'],
  ])('it answers 415 for %s at %s', async (path, host, key) => {
    await using origin = await startOrigin((socket) => respond(socket, 415, {}));
    await using names = await startNameServer(() => ['127.0.0.1']);
    await using images = fetcherFor({ addressRule: admitting(origin.port), nameServers: [names.address] });
    const problem = await problemOf(images, `http://${host}:${origin.port}${path}`);
    const advice = 'End its URL in .webp?animated=true instead of .gif.';
    expect([problem.key, problem.hint]).toEqual([key, key.endsWith('no_gif') ? advice : null]);
  });

  test('it does not find a URL that a builder has escaped', async () => {
    await using origin = await startOrigin((socket) => respond(socket, 404, {}));
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    const problem = await problemOf(images, `${origin.url}/a.png?ex=1&amp;is=2`);
    expect(problem.hint).toMatch(/&amp; instead of &/);
  });

  test('it fails after a redirect', async () => {
    await using origin = await startOrigin((socket, path) =>
      path === '/there' ? respond(socket, 403, {}) : redirect(socket, '/there'),
    );
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    expect((await problemOf(images, origin.url)).key).toBe('image_fetch_failed/refused');
  });
});
