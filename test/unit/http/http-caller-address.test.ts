import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';

import express, { type Request } from 'express';
import { describe, expect, test } from 'vitest';

import type { HttpAppOptions } from '../../../src/http/app.ts';
import { callerAddress } from '../../../src/http/server/caller-address.ts';

type TrustProxy = HttpAppOptions['trustProxy'];

/** The address of a real request from this machine. */
async function readAddress(
  trustProxy: TrustProxy,
  forwardedFor: string,
  { isGone = false } = {},
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<Request>();
  const app = express().set('trust proxy', trustProxy).use(resolve);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = get({ port, host: '127.0.0.1', headers: { 'x-forwarded-for': forwardedFor } });
  sent.on('error', () => {});
  const request = await promise;
  const closed = once(request.socket, 'close');
  if (isGone) {
    request.socket.destroy();
    await closed;
  }
  const address = callerAddress(request);
  request.socket.destroy();
  await closed;
  server.close();
  return address;
}

describe('the IP address of a caller', () => {
  test.each<[string, TrustProxy, string, string]>([
    ['is the other end of the connection', false, '203.0.113.7', '127.0.0.1'],
    ['is the one that the only proxy reports', 1, '203.0.113.7', '203.0.113.7'],
    ['is not the one that the caller sent to that proxy', 1, '192.0.2.1, 203.0.113.7', '203.0.113.7'],
    ['is read two entries back behind two proxies', 2, '192.0.2.1, 203.0.113.7, 198.51.100.3', '203.0.113.7'],
    ['is read from proxies at these addresses', ['127.0.0.1/32'], '203.0.113.7', '203.0.113.7'],
    ['is passed on by several of them', ['loopback', '10.0.0.0/8'], '203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['is not read from another address', ['10.0.0.0/8'], '203.0.113.7', '127.0.0.1'],
  ])('is read: %s', async (_name, trustProxy, forwardedFor, address) => {
    expect(await readAddress(trustProxy, forwardedFor)).toBe(address);
  });

  test.each<TrustProxy>([false, 1, ['loopback']])(
    'is empty when the caller is gone (%j)',
    async (trustProxy) => {
      expect(await readAddress(trustProxy, '203.0.113.7', { isGone: true })).toBe('');
    },
  );
});
