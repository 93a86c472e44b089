// Images of any size: GET /<bytes>.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { png } from '../../../test/fixtures/image-files.ts';
import { reportUsage } from './bench-server.ts';

const images = new Map<string, Buffer>();
const server = createServer((request, response) => {
  const size = request.url?.slice(1) ?? '';
  const image = images.get(size) ?? png(512, 512, { size: Number(size) });
  images.set(size, image);
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': image.length }).end(image);
});
// A peer that is blocked for seconds would find its kept connections closed.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => reportUsage({ port: (server.address() as AddressInfo).port, keys: [] }));
