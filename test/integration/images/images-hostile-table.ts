import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { ImageFetchLimits } from '../../../src/images/image-fetch-limits.ts';
import { noise, png } from '../../fixtures/image-files.ts';
import { redirect, respond, sendFile, type Behaviour } from './images-origin.ts';

const MIB = 1024 * 1024;
const IMAGE = png(8, 8);
const GZIP_BOMB = gzipSync(Buffer.alloc(64 * MIB));

/** Writes again and again, as fast as the connection takes it, until it is closed. */
function writeForEver(socket: Socket, piece: Uint8Array | string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

function writeEvery(socket: Socket, periodMs: number, piece: string): void {
  const timer = setInterval(() => socket.write(piece), periodMs);
  socket.once('close', () => clearInterval(timer));
}

export interface HostileOrigin {
  readonly name: string;
  readonly behave: Behaviour;
  readonly code: string;
  /** The message that the caller reads; default: the table's sentence. */
  readonly error?: string;
  readonly limits?: Partial<ImageFetchLimits>;
}

/** So that on a busy machine no period ends but the one that is tried. */
const UNHURRIED: Partial<ImageFetchLimits> = {
  deadlineMs: 60_000,
  connectTimeoutMs: 60_000,
  headersTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
};

const ORIGINS: readonly HostileOrigin[] = [
  {
    name: 'an endless body',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      writeForEver(socket, noise(64 * 1024));
    },
    code: 'image_too_large',
  },
  {
    name: 'an endless chunked body',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      writeForEver(socket, `10000\r\n${'a'.repeat(65_536)}\r\n`);
    },
    code: 'image_too_large',
  },
  {
    name: 'a body in endless tiny pieces',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      writeForEver(socket, '1\r\na\r\n'.repeat(5_000));
    },
    code: 'image_fetch_failed',
    error: 'The server of the image sends it in pieces that are too small.',
  },
  {
    name: 'a Content-Length above the limit, without a body',
    behave: (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${8 * MIB + 1}\r\n\r\n`),
    code: 'image_too_large',
  },
  {
    name: 'a Content-Length beyond all numbers',
    behave: (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${'9'.repeat(30)}\r\n\r\n`),
    code: 'image_fetch_failed',
  },
  {
    name: 'a Content-Length that promises more than comes',
    behave: (socket) => respond(socket, 200, { 'content-length': IMAGE.length + 1 }, IMAGE),
    code: 'image_fetch_failed',
  },
  {
    name: 'a Content-Length that promises less than comes',
    behave: (socket) => respond(socket, 200, { 'content-length': 20 }, IMAGE),
    code: 'image_not_an_image',
  },
  {
    name: 'two Content-Lengths',
    behave: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
    code: 'image_fetch_failed',
  },
  {
    name: 'a gzip bomb',
    behave: (socket) => respond(socket, 200, { 'content-encoding': 'gzip' }, GZIP_BOMB),
    code: 'image_fetch_failed',
    error: 'The server of the image compressed it, although it was asked not to.',
  },
  {
    name: 'one byte at a time, each just in time',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      writeEvery(socket, 20, 'a');
    },
    limits: { idleTimeoutMs: 500, deadlineMs: 200 },
    code: 'image_timeout',
  },
  {
    name: 'one byte of the headers at a time',
    // The second byte ends it: no answer begins with two of them.
    behave: (socket) => writeEvery(socket, 20, 'H'),
    limits: { headersTimeoutMs: 60_000, deadlineMs: 60_000 },
    code: 'image_fetch_failed',
  },
  {
    name: 'one header line at a time',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      writeEvery(socket, 20, 'a: b\r\n');
    },
    limits: { headersTimeoutMs: 1_000, deadlineMs: 200 },
    code: 'image_timeout',
  },
  {
    name: 'a body that stops',
    behave: (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'),
    limits: { idleTimeoutMs: 50 },
    code: 'image_timeout',
    error: 'The server of the image stopped sending partway.',
  },
  {
    name: 'an origin that never answers',
    behave: () => {},
    limits: { headersTimeoutMs: 50 },
    code: 'image_timeout',
    error: 'The server of the image did not answer in time.',
  },
  {
    name: 'endless provisional answers',
    behave: (socket) => writeForEver(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    code: 'image_fetch_failed',
    error: 'The server of the image sent too many provisional (1xx) responses.',
  },
  {
    name: 'provisional answers, one at a time',
    behave: (socket) => writeEvery(socket, 100, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
    limits: { deadlineMs: 200 },
    code: 'image_timeout',
  },
  {
    name: '20 kB of headers',
    behave: (socket) => respond(socket, 200, { 'x-long': 'a'.repeat(20_000) }, IMAGE),
    code: 'image_fetch_failed',
  },
  {
    name: '20 kB of headers in short lines',
    behave: (socket) =>
      respond(
        socket,
        200,
        Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x-${index}`, 'abc'])),
        IMAGE,
      ),
    code: 'image_fetch_failed',
  },
  {
    name: 'headers permanently',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      writeForEver(socket, 'x-a: b\r\n'.repeat(1_000));
    },
    code: 'image_fetch_failed',
  },
  {
    name: 'a connection that drops before the answer',
    behave: (socket) => socket.destroy(),
    code: 'image_fetch_failed',
  },
  {
    name: 'a connection that is reset in the body',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nabc', () => socket.resetAndDestroy());
    },
    code: 'image_fetch_failed',
  },
  {
    name: 'a connection that is reset in a body that ends with it',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.write(IMAGE, () => socket.resetAndDestroy());
    },
    code: 'image_fetch_failed',
  },
  {
    name: 'something that is not HTTP, and waits for an answer to it',
    behave: (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
    code: 'image_fetch_failed',
  },
  {
    name: 'an answer that switches protocols',
    behave: (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    code: 'image_fetch_failed',
  },
  {
    name: 'a redirect to itself',
    behave: (socket) => redirect(socket, '/again'),
    code: 'image_fetch_failed',
    error: 'The URL of the image redirects too often.',
  },
  {
    name: 'a redirect with an endless body',
    behave: (socket, path) => {
      if (path === '/image') return sendFile(socket, IMAGE);
      socket.write('HTTP/1.1 302 Found\r\nlocation: /image\r\n\r\n');
      writeForEver(socket, noise(64 * 1024));
    },
    code: 'ok',
  },
  {
    name: 'a redirect to nowhere',
    behave: (socket) => respond(socket, 302, {}),
    code: 'image_fetch_failed',
    error: 'The server of the image sent a redirect without a URL.',
  },
  {
    name: 'a redirect to an empty address',
    behave: (socket) => respond(socket, 302, { location: '' }),
    code: 'image_fetch_failed',
    error: 'The server of the image sent a redirect without a URL.',
  },
  {
    name: 'a redirect to two places',
    behave: (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: /a\r\nlocation: /b\r\n\r\n'),
    code: 'image_fetch_failed',
    error: 'The server of the image sent a redirect without a URL.',
  },
  {
    name: 'a redirect that is not cached',
    behave: (socket) => respond(socket, 304, {}),
    code: 'image_fetch_failed',
    error: 'The server of the image answered with status 304.',
  },
  {
    name: 'an error with a text',
    behave: (socket) => respond(socket, 403, {}, 'secret of the upstream'),
    code: 'image_fetch_failed',
    error: 'The server of the image answered with status 403.',
  },
  { name: 'an empty body', behave: (socket) => respond(socket, 200, {}), code: 'image_not_an_image' },
  {
    name: 'a web page that calls itself an image',
    behave: (socket) => respond(socket, 200, { 'content-type': 'image/png' }, '<!doctype html>'),
    code: 'image_not_an_image',
    error: 'There is a web page at this URL, not an image.',
  },
];

/** Everything an origin can do to break each bound, and the result. */
export const HOSTILE_ORIGINS = ORIGINS.map((origin) => ({
  ...origin,
  limits: { ...UNHURRIED, ...origin.limits },
}));
