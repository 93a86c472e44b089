// One photo at any address, from a process of its own: the client must not pay for sending it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

import { still } from '../../../test/fixtures/fit-pictures.ts';
import { endWithParent, type Listening } from './bench-server.ts';

/** A network delivers no more at a time, and a core that sends everything at once does nothing else. */
const PIECE_BYTES = 64 * 1024;

const file = await still('jpeg', 2_400, 1_600, 120);
const pieces = Array.from({ length: Math.ceil(file.length / PIECE_BYTES) }, (_, index) =>
  file.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
);
const server = createServer((_request, response) => {
  response.setHeader('content-length', file.length);
  pipeline(pieces, response).catch(() => response.destroy());
});
endWithParent();
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, keys: [] } satisfies Listening);
});
