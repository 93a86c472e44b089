// The peer: what a handler without bounds or checks would be.
import type { AddressInfo } from 'node:net';

import express from 'express';

import { reportUsage } from './bench-server.ts';

const app = express();
app.use(express.json());
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 forwards what is thrown
app.post('/api/image-to-base64', async (request, response) => {
  const { url } = request.body as { url: string };
  const image = Buffer.from(await (await fetch(url)).arrayBuffer());
  response.json({ ok: true, base64: image.toString('base64'), size: image.length });
});
const server = app.listen(0, '127.0.0.1', () => {
  reportUsage({ port: (server.address() as AddressInfo).port, keys: [] });
});
