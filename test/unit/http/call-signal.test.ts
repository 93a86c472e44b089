import { once } from 'node:events';
import { request as send } from 'node:http';
import { expect, test } from 'vitest';
import * as z from 'zod';

import { defineOperation } from '../../../src/operations/define-operation.ts';
import { serveOperation } from '../../fixtures/serve-operation.ts';

/** A service of one operation, which does `work`. */
function serve(work: (signal: AbortSignal) => Promise<void> | void) {
  const operation = defineOperation({
    name: 'test',
    path: '/api/test',
    method: 'GET',
    summary: 'Tests',
    description: 'Tests.',
    input: z.object({}),
    output: z.object({}),
    example: { input: {}, answer: {} },
    problems: [],
    async run(_input, { signal }) {
      await work(signal);
      return { value: {} };
    },
  });
  return serveOperation(operation);
}

async function reasonOf(signal: AbortSignal | undefined): Promise<unknown> {
  if (signal?.aborted === false) await once(signal, 'abort');
  return signal?.reason;
}

test('an operation is told when its response has been sent', async () => {
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

test('an operation is told when its caller disconnects before the response, and the log says so', async () => {
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
  expect(service.records.map(({ status }) => status)).toEqual([499]);
});
