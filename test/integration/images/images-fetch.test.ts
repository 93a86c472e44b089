import { describe, expect, test } from 'vitest';

import type { ImageFetcher, ImageFormat } from '../../../src/images/image-fetcher.ts';
import { avif, gif, jpeg, png, webpAnimated } from '../../fixtures/image-files.ts';
import { startNameServer } from './images-name-server.ts';
import { redirect, sendFile, startOrigin } from './images-origin.ts';
import { admitting, fetcherFor, outcomeOf } from './images-setup.ts';

const IMAGE = png(8, 8);

function fetchImage(
  images: ImageFetcher,
  url: string,
  format: ImageFormat = 'base64',
  signal = new AbortController().signal,
) {
  return images.fetch(url, format, '0', signal);
}

describe('an image', () => {
  test.each([
    ['png', png(3, 4), { mimeType: 'image/png', width: 3, height: 4, animated: false, emojiOk: true }],
    ['jpeg', jpeg(3, 4), { mimeType: 'image/jpeg', width: 3, height: 4, animated: false, emojiOk: true }],
    [
      'gif',
      gif(3, 4, { frames: 2 }),
      { mimeType: 'image/gif', width: 3, height: 4, animated: true, emojiOk: true },
    ],
    [
      'webp',
      webpAnimated(3, 4),
      { mimeType: 'image/webp', width: 3, height: 4, animated: true, emojiOk: true },
    ],
    ['avif', avif(3, 4), { mimeType: 'image/avif', width: 3, height: 4, animated: false, emojiOk: true }],
    [
      '8 MiB',
      png(3, 4, { size: 8 * 1024 * 1024 }),
      { mimeType: 'image/png', width: 3, height: 4, animated: false, emojiOk: false },
    ],
  ] as const)('is returned unchanged: %s', async (_name, file, expected) => {
    await using origin = await startOrigin((socket) => sendFile(socket, file));
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    const image = await fetchImage(images, `${origin.url}/a`, 'both');
    expect(image).toMatchObject({ ...expected, size: file.length });
    expect(image.base64?.toJSON() === file.toString('base64')).toBe(true);
    expect(image.dataUri?.toJSON() === `data:${expected.mimeType};base64,${file.toString('base64')}`).toBe(
      true,
    );
    image.release();
  });

  test('is fetched with our User-Agent and no data of the caller', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    (await fetchImage(images, `${origin.url}/a b/%41.png?q=1&r=#fragment`)).release();
    expect(origin.requests).toEqual([
      [
        'GET /a%20b/%41.png?q=1&r= HTTP/1.1',
        `host: 127.0.0.1:${origin.port}`,
        'connection: close',
        'accept: image/*, */*;q=0.5',
        'accept-encoding: identity',
        'user-agent: Quartermaster (+http://localhost:3000)',
        '\r\n',
      ].join('\r\n'),
    ]);
  });

  test('has its host name resolved once per hop, and is requested under that name', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using names = await startNameServer(() => ['127.0.0.1']);
    await using images = fetcherFor({ addressRule: admitting(origin.port), nameServers: [names.address] });
    (await fetchImage(images, `http://Image.Example.:${origin.port}/`)).release();
    expect(names.questions).toEqual(['image.example', 'image.example']);
    expect(origin.requests[0]).toContain(`host: image.example:${origin.port}\r\n`);
  });

  test('is found by the next name server when one is unreachable, even for many names concurrently', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using away = await startNameServer(() => 'silence');
    await using names = await startNameServer(() => ['127.0.0.1']);
    await using images = fetcherFor({
      addressRule: admitting(origin.port),
      nameServers: [away.address, names.address],
      limits: { nameTimeoutMs: 6_000, jobsMax: 12, jobsPerGuildMax: 12 },
    });
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => outcomeOf(images, `http://image${n}.example:${origin.port}/`)),
    );
    expect(outcomes).toEqual(Array.from({ length: 12 }, () => ({ code: 'ok', error: '' })));
    expect(away.questions).toContain('image0.example');
  });

  test('is found by the next name server when one fails, until one has an answer, even that there is no such name', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using broken = await startNameServer(() => 'failure');
    await using names = await startNameServer((name) =>
      name === 'gone.example' ? 'unknown' : ['127.0.0.1'],
    );
    await using never = await startNameServer(() => ['127.0.0.1']);
    await using images = fetcherFor({
      addressRule: admitting(origin.port),
      nameServers: [broken.address, names.address, never.address],
    });
    expect(await outcomeOf(images, `http://image.example:${origin.port}/`)).toMatchObject({ code: 'ok' });
    expect(await outcomeOf(images, `http://gone.example:${origin.port}/`)).toMatchObject({
      code: 'image_fetch_failed',
    });
    expect(never.questions).toEqual([]);
  });

  test('is found by the next name server when one fails for one kind of IP address and has none of the other', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    let questions = 0;
    await using half = await startNameServer(() => ((questions += 1) % 2 === 1 ? 'failure' : []));
    await using names = await startNameServer(() => ['127.0.0.1']);
    await using images = fetcherFor({
      addressRule: admitting(origin.port),
      nameServers: [half.address, names.address],
    });
    const url = `http://half.example:${origin.port}/`;
    expect(await outcomeOf(images, url)).toMatchObject({ code: 'ok' });
  });

  test('is requested from each IP address of its host name until one answers', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using names = await startNameServer(() => ['127.0.0.7', '127.0.0.1']);
    await using images = fetcherFor({ allowsPrivate: true, nameServers: [names.address] });
    expect(await outcomeOf(images, `http://image.example:${origin.port}/`)).toMatchObject({ code: 'ok' });
  });

  test.each([
    ['other names that lead to one address', ['a.example.org', 'b.example.org', '127.0.0.1']],
    ['an IPv6 address alone', ['::1']],
  ])('is found at a name with %s', async (_name, addresses) => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE), undefined, '::');
    await using names = await startNameServer(() => addresses);
    await using images = fetcherFor({ allowsPrivate: true, nameServers: [names.address] });
    expect(await outcomeOf(images, `http://image.example:${origin.port}/`)).toMatchObject({ code: 'ok' });
    expect(new Set(names.questions)).toEqual(new Set(['image.example']));
  });

  test('is found on a closed network at names without a dot and at localhost', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using names = await startNameServer(() => ['127.0.0.1']);
    await using images = fetcherFor({ allowsPrivate: true, nameServers: [names.address] });
    for (const name of [
      'localhost',
      'images.localhost',
      'images',
      'images.internal',
      '127.1',
      '[::ffff:127.0.0.1]',
    ]) {
      expect([name, await outcomeOf(images, `http://${name}:${origin.port}/`)]).toEqual([
        name,
        { code: 'ok', error: '' },
      ]);
    }
    expect(names.questions).not.toContain('localhost');
  });
});

describe('redirects of an image', () => {
  test.each([301, 302, 303, 307, 308])('are followed with %i, relative and absolute', async (status) => {
    await using origin = await startOrigin((socket, path) => {
      if (path === '/image') sendFile(socket, IMAGE);
      else if (path === '/there') redirect(socket, `${origin.url}/image`, status);
      else redirect(socket, 'there', status);
    });
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    expect(await outcomeOf(images, `${origin.url}/here`)).toMatchObject({ code: 'ok' });
  });

  test.each([
    ['UTF-8', Buffer.from('/bild-ü.png')],
    ['ISO 8859-1', Buffer.from('/bild-ü.png', 'latin1')],
  ])('lead to the right path with an umlaut in %s', async (_name, target) => {
    await using origin = await startOrigin((socket, path) => {
      if (path === '/bild-%C3%BC.png') return sendFile(socket, IMAGE);
      socket.end(
        Buffer.concat([Buffer.from('HTTP/1.1 302 F\r\nlocation: '), target, Buffer.from('\r\n\r\n')]),
      );
    });
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    expect(await outcomeOf(images, `${origin.url}/here`)).toMatchObject({ code: 'ok' });
  });

  test('are followed three times, but not a fourth time', async () => {
    await using origin = await startOrigin((socket, path) => {
      const left = Number(path.slice(1));
      if (left === 0) sendFile(socket, IMAGE);
      else redirect(socket, `/${left - 1}`);
    });
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    expect(await outcomeOf(images, `${origin.url}/3`)).toMatchObject({ code: 'ok' });
    expect(origin.requests).toHaveLength(4);
    expect(await outcomeOf(images, `${origin.url}/4`)).toEqual({
      code: 'image_fetch_failed',
      error: 'The URL of the image redirects too often.',
    });
    expect(origin.requests).toHaveLength(8);
  });
});
