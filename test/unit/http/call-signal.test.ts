import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { createHttpApp } from '../../../src/http/app.ts';
import { BodyRoom } from '../../../src/http/body/body-room.ts';
import { defineOperation } from '../../../src/operations/define-operation.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { NO_MEMBERS, NO_TOKEN_MEMBERS } from '../../fixtures/no-members.ts';

const fail = () => Promise.reject(new Error('not asked'));

/** A service of one operation, which does `work`; `statuses` are those of finished requests. */
async function serve(work: (signal: AbortSignal) => Promise<void> | void) {
  const operation = defineOperation({
    name: 'test',
    path: '/api/test',
    method: 'GET',
    summary: 'Tests',
    description: 'Tests.',
    group: 'Texts',
    inOut: ['a text', 'a text'],
    shown: [],
    input: z.object({}),
    output: z.object({}),
    example: { input: {}, answer: {} },
    problems: [],
    async run(_input, { signal }) {
      await work(signal);
      return { value: {} };
    },
  });
  const statuses: number[] = [];
  const app = createHttpApp({
    log: createLog('silent', { destination: { write: () => undefined } }),
    admission: {
      identify: () => ({
        guildId: '1',
        ownerId: '1',
        keyId: 'a',
        publicPart: 'a',
        name: 'a',
        createdAt: 0,
        expiresAt: null,
        flat: false,
        always200: false,
        operations: null,
      }),
      count: () =>
        Promise.resolve({
          bucket: 'guild',
          allowed: true,
          limit: 1,
          remaining: 1,
          resetSeconds: 1,
          windowSeconds: 1,
        }),
    },
    trustProxy: false,
    bodies: new BodyRoom(1_000),
    onRequest: ({ status }) => void statuses.push(status),
    lingerMs: 1_000,
    refusedBodyMs: 1_000,
    operations: [operation],
    collaborators: {
      now: () => 0,
      images: { fetch: fail },
      members: NO_MEMBERS,
      deliveries: NO_DELIVERIES,
      tokenMembers: NO_TOKEN_MEMBERS,
    },
    keys: { revoke: fail },
    requestsPerMinute: 1,
    imagesPerMinute: 1,
    sendsPerMinute: 1,
    isStopping: () => false,
    sourceUrl: null,
    publicUrl: () => 'http://localhost',
    inviteUrl: () => null,
    status: fail,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    statuses,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/test`,
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

test('an operation hears when its answer has left', async () => {
  const signals: AbortSignal[] = [];
  using service = await serve((signal) => void signals.push(signal));
  for (let answers = 0; answers < 2; answers += 1) {
    expect(await (await fetch(service.url)).json()).toEqual({ ok: true });
  }
  const [first, second] = signals;
  expect(first).not.toBe(second);
  expect(await reasonOf(first)).toMatchObject({ name: 'AbortError', message: 'The answer has left.' });
  expect(await reasonOf(second)).toMatchObject({ name: 'AbortError' });
});

test('an operation hears when its caller leaves before the answer, and the log says so', async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  using service = await serve(async (signal) => {
    asked.resolve(signal);
    await once(signal, 'abort');
    signal.throwIfAborted();
  });
  const request = send(service.url).on('error', () => {});
  request.end();
  const signal = await asked.promise;
  expect(signal.aborted).toBe(false);
  request.destroy();
  expect(await reasonOf(signal)).toMatchObject({ name: 'AbortError', message: 'The caller has left.' });
  expect(service.statuses).toEqual([499]);
});
