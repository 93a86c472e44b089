import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';

import { BodyRoom } from '../../../src/http/body/body-room.ts';
import { WITHOUT_BODY, type Call, type Endpoint } from '../../../src/http/exchange/endpoint.ts';
import { Exchange } from '../../../src/http/exchange/exchange.ts';
import { createLog } from '../../../src/telemetry/log.ts';

const parts = {
  log: createLog('silent', { destination: { write: () => undefined } }),
  admission: {
    identify: () => Promise.reject(new Error('not asked')),
    count: () => Promise.reject(new Error('not asked')),
  },
  addressOf: () => '127.0.0.1',
  onRequest: () => {},
  bodyTimeoutMs: 1_000,
  bodyOwner: () => new BodyRoom(1_000).ofAddress('127.0.0.1'),
  lingerMs: 1_000,
};

/** A server of one endpoint, which gives each call to `handle`. */
async function serve(handle: (call: Call) => Promise<void>) {
  const endpoint: Endpoint = {
    ...WITHOUT_BODY,
    name: 'test',
    path: '/',
    methods: ['GET'],
    key: 'ignored',
    bucket: 'guild',
    async handle(call) {
      await handle(call);
      return { value: { ok: true } };
    },
  };
  const server = createServer((request, response) => {
    void new Exchange(request, response, endpoint, parts).serve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function reasonOf(signal: AbortSignal | undefined): Promise<unknown> {
  if (signal?.aborted === false) await once(signal, 'abort');
  return signal?.reason;
}

test('an operation hears when its answer has left, without an exception made for each answer', async () => {
  const signals: AbortSignal[] = [];
  using server = await serve(async ({ signal }) => void signals.push(signal));
  for (let answers = 0; answers < 2; answers += 1) {
    expect(await (await fetch(server.url)).json()).toEqual({ ok: true });
  }
  const [first, second] = signals;
  expect(first).not.toBe(second);
  const reason = await reasonOf(first);
  expect(reason).toMatchObject({ name: 'AbortError', message: 'The answer has left.' });
  expect(await reasonOf(second)).toBe(reason);
});

test('an operation hears when its caller leaves before the answer', async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  using server = await serve(async ({ signal }) => {
    asked.resolve(signal);
    await once(signal, 'abort');
  });
  const request = send(server.url).on('error', () => {});
  request.end();
  const signal = await asked.promise;
  expect(signal.aborted).toBe(false);
  request.destroy();
  expect(await reasonOf(signal)).toMatchObject({ name: 'AbortError', message: 'The caller has left.' });
});
