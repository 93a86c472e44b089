import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { png } from '../../fixtures/image-files.ts';
import { makeCertificate } from './images-certificate.ts';
import { startNameServer } from './images-name-server.ts';
import { respond, sendFile, startOrigin, type Behaviour } from './images-origin.ts';
import { admitting, fetcherFor, outcomeOf } from './images-setup.ts';

const IMAGE = png(8, 8);
const LARGE = png(8, 8, { size: 8 * 1024 * 1024 });
const trusted = makeCertificate('image.example');
const certificates = getCACertificates('default');

beforeAll(() => setDefaultCACertificates([...certificates, trusted.cert]));
afterAll(() => setDefaultCACertificates(certificates));

async function startTlsOrigin(
  behave: Behaviour = (socket) => sendFile(socket, IMAGE),
  certificate = trusted,
) {
  const server = createServer(certificate);
  const serverNames: (string | false | null)[] = [];
  server.on('secureConnection', (socket) => serverNames.push(socket.servername));
  server.on('tlsClientError', () => {});
  return Object.assign(await startOrigin(behave, server), { serverNames });
}

test('the certificate is checked for the host name, whatever its IP address', async () => {
  await using origin = await startTlsOrigin();
  await using names = await startNameServer(() => ['127.0.0.1']);
  await using images = fetcherFor({ addressRule: admitting(origin.port), nameServers: [names.address] });
  expect(await outcomeOf(images, `https://image.example:${origin.port}/`)).toMatchObject({ code: 'ok' });
  expect(origin.serverNames).toEqual(['image.example']);
  for (const host of ['other.example', '127.0.0.1']) {
    expect(await outcomeOf(images, `https://${host}:${origin.port}/`)).toMatchObject({
      code: 'image_fetch_failed',
    });
  }
  expect(origin.requests).toHaveLength(1);
});

test('a self-signed certificate is rejected', async () => {
  await using origin = await startTlsOrigin(undefined, makeCertificate('image.example'));
  await using names = await startNameServer(() => ['127.0.0.1']);
  await using images = fetcherFor({ addressRule: admitting(origin.port), nameServers: [names.address] });
  expect(await outcomeOf(images, `https://image.example:${origin.port}/`)).toMatchObject({
    code: 'image_fetch_failed',
  });
  expect(origin.requests).toEqual([]);
});

test.each<readonly [name: string, behave: Behaviour]>([
  ['its length', (socket) => sendFile(socket, LARGE)],
  ['the end of the connection', (socket) => respond(socket, 200, {}, LARGE)],
  [
    'chunks',
    (socket) => {
      const size = LARGE.length.toString(16);
      const body = Buffer.concat([Buffer.from(`${size}\r\n`), LARGE, Buffer.from('\r\n0\r\n\r\n')]);
      respond(socket, 200, { 'transfer-encoding': 'chunked' }, body);
    },
  ],
])('8 MiB that end with %s arrive unchanged', async (_name, behave) => {
  await using origin = await startTlsOrigin(behave);
  await using names = await startNameServer(() => ['127.0.0.1']);
  await using images = fetcherFor({ addressRule: admitting(origin.port), nameServers: [names.address] });
  const image = await images.fetch(
    `https://image.example:${origin.port}/`,
    'base64',
    '0',
    new AbortController().signal,
  );
  expect(image.base64?.toJSON() === LARGE.toString('base64')).toBe(true);
  image.release();
});

test('each IP address of a host name is tried until one answers', async () => {
  await using origin = await startTlsOrigin();
  await using names = await startNameServer(() => ['127.0.0.7', '127.0.0.1']);
  await using images = fetcherFor({ allowsPrivate: true, nameServers: [names.address] });
  expect(await outcomeOf(images, `https://image.example:${origin.port}/`)).toMatchObject({ code: 'ok' });
});

test('a server that answers before the request is read like any other', async () => {
  const server = createServer(trusted);
  server.on('secureConnection', (socket) => sendFile(socket, IMAGE));
  await using origin = await startOrigin(() => {}, server);
  await using names = await startNameServer(() => ['127.0.0.1']);
  await using images = fetcherFor({ addressRule: admitting(origin.port), nameServers: [names.address] });
  expect(await outcomeOf(images, `https://image.example:${origin.port}/`)).toMatchObject({ code: 'ok' });
});
