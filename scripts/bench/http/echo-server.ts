// The floor: what Express 5 does when a handler only sends the parsed body back.
import type { AddressInfo } from 'node:net';

import express from 'express';

const app = express();
app.disable('etag');
app.disable('x-powered-by');
app.use(express.json());
app.post('/echo', (request, response) => {
  response.json(request.body);
});
app.get('/health/live', (_request, response) => {
  response.json({ ok: true });
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
