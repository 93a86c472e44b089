// Good images and everything that must not do harm, by path.
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import {
  redirect,
  respond,
  sendFile,
  startOrigin,
  type Behaviour,
} from '../../../test/integration/images/images-origin.ts';
import { avif, gif, jpeg, noise, png, webpAnimated } from '../../../test/fixtures/image-files.ts';
import { reportUsage } from './bench-server.ts';

const files: Readonly<Record<string, Buffer>> = {
  png: png(64, 64),
  'png-large': png(512, 512, { size: 1024 * 1024 }),
  jpeg: jpeg(64, 64),
  gif: gif(64, 64, { frames: 2 }),
  webp: webpAnimated(64, 64),
  avif: avif(64, 64),
  svg: Buffer.from('<svg width="1"/>'),
  page: Buffer.from('<!doctype html>'),
  pixels: png(16_384, 16_384),
  noise: noise(10_000),
};
const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));
const piece = noise(64 * 1024);

const behaviours: Readonly<Record<string, Behaviour>> = {
  endless: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    writeForEver(socket);
  },
  'endless-redirect': (socket) => {
    socket.write('HTTP/1.1 302 Found\r\nlocation: /png\r\n\r\n');
    writeForEver(socket);
  },
  bomb: (socket) => respond(socket, 200, { 'content-encoding': 'gzip' }, bomb),
  lie: (socket) => respond(socket, 200, { 'content-length': 1_000 }, 'short'),
  'too-large': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n'),
  loop: (socket) => redirect(socket, '/loop'),
  inside: (socket) => redirect(socket, 'file:///etc/passwd'),
  headers: (socket) => respond(socket, 200, { 'x-long': 'a'.repeat(20_000) }),
  drop: (socket) => socket.destroy(),
  silence: () => {},
  stop: (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nabc'),
};

function writeForEver(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

const origin = await startOrigin((socket, path) => {
  const name = path.slice(1);
  const file = files[name];
  if (file === undefined) behaviours[name]?.(socket, path);
  else sendFile(socket, file);
});
reportUsage({ port: origin.port, keys: [] });
