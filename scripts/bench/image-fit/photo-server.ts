// One photo at any address, from a process of its own: what it costs to send is no business of the client.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { still } from '../../../test/fixtures/fit-pictures.ts';
import { reportUsage } from '../image-to-base64/bench-server.ts';

const file = await still('jpeg', 2_400, 1_600, 120);
const server = createServer((_request, response) => void response.end(file));
server.listen(0, '127.0.0.1', () => reportUsage({ port: (server.address() as AddressInfo).port, keys: [] }));
