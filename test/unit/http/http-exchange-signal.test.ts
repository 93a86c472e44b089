import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';

import { BodyRoom } from '../../../src/http/body/body-room.ts';
import { WITHOUT_FIELDS, type Endpoint } from '../../../src/http/exchange/endpoint.ts';
import { Exchange } from '../../../src/http/exchange/exchange.ts';
import { createLog } from '../../../src/telemetry/log.ts';

it('tells an operation when its answer has left, so that what was held for it can go', async () => {
  let signal: AbortSignal | null = null;
  const endpoint: Endpoint = {
    ...WITHOUT_FIELDS,
    name: 'test',
    path: '/',
    methods: ['GET'],
    key: 'ignored',
    bucket: 'guild',
    handle: async (_fields, call) => {
      signal = call.signal;
      return { value: { ok: true } };
    },
  };
  const parts = {
    log: createLog('silent', { destination: { write: () => undefined } }),
    authenticate: () => Promise.reject(new Error('not asked')),
    limit: async () => {},
    onRequest: () => {},
    bodyTimeoutMs: 1_000,
    bodyOwner: () => new BodyRoom(1_000).ofAddress('127.0.0.1'),
    lingerMs: 1_000,
  };
  const server = createServer((request, response) => {
    void new Exchange(request, response, endpoint, parts).serve();
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await reply.json()).toEqual({ ok: true });
    const given = signal as AbortSignal | null;
    if (given?.aborted === false) await once(given, 'abort');
    expect(given?.aborted).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
