import { createServer } from 'node:net';

import { describe, expect, test } from 'vitest';

import { Problem, type ProblemCode } from '../../../src/kernel/problem.ts';
import { HOSTILE_ORIGINS } from './images-hostile-table.ts';
import { startNameServer } from './images-name-server.ts';
import { startOrigin } from './images-origin.ts';
import { admitting, expectNothingLeft, fetcherFor, openResources, outcomeOf } from './images-setup.ts';

const sentenceOf = (code: string) => (code === 'ok' ? '' : new Problem(code as ProblemCode).message);

describe('a hostile server is ended within its bounds, with its code', () => {
  test.each(HOSTILE_ORIGINS)('$name: $code', async ({ behave, code, error, limits }) => {
    const before = openResources();
    {
      await using origin = await startOrigin(behave);
      await using images = fetcherFor({ addressRule: admitting(origin.port), limits });
      const outcome = await outcomeOf(images, `${origin.url}/start`);
      expect(outcome.code).toBe(code);
      expect(outcome.error).toBe(error ?? sentenceOf(code));
      expect(outcome.error).not.toMatch(/127\.0\.0\.1|secret|ECONN|UND_ERR/);
      expect(origin.connections).toBeLessThanOrEqual(4);
    }
    await expectNothingLeft(before);
  });
});

describe('a server', () => {
  test('causes image_timeout when it never finishes TLS', async () => {
    const before = openResources();
    {
      await using origin = await startOrigin(() => {});
      await using images = fetcherFor({
        addressRule: admitting(origin.port),
        limits: { connectTimeoutMs: 50 },
      });
      expect(await outcomeOf(images, `https://127.0.0.1:${origin.port}/`)).toMatchObject({
        code: 'image_timeout',
      });
    }
    await expectNothingLeft(before);
  });

  test('causes image_timeout when it never finishes TLS before the deadline', async () => {
    const before = openResources();
    {
      await using origin = await startOrigin(() => {});
      await using images = fetcherFor({ addressRule: admitting(origin.port), limits: { deadlineMs: 50 } });
      expect(await outcomeOf(images, `https://127.0.0.1:${origin.port}/`)).toMatchObject({
        code: 'image_timeout',
      });
    }
    await expectNothingLeft(before);
  });

  test.each(['http', 'https'])(
    'causes image_fetch_failed when it drops the connection immediately over %s',
    async (protocol) => {
      await using origin = await startOrigin(
        () => {},
        createServer((socket) => socket.destroy()),
      );
      await using images = fetcherFor({ addressRule: admitting(origin.port) });
      expect(await outcomeOf(images, `${protocol}://127.0.0.1:${origin.port}/`)).toMatchObject({
        code: 'image_fetch_failed',
      });
      expect(origin.connections).toBe(1);
    },
  );

  test('causes image_fetch_failed when it does not listen', async () => {
    const origin = await startOrigin(() => {});
    await origin[Symbol.asyncDispose]();
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    expect(await outcomeOf(images, `${origin.url}/`)).toMatchObject({ code: 'image_fetch_failed' });
  });

  test.each([
    [
      'a name server that never answers, cut by its own period',
      'silence',
      { nameTimeoutMs: 50 },
      'image_timeout',
    ],
    ['a name server that never answers, cut by the deadline', 'silence', { deadlineMs: 50 }, 'image_timeout'],
    ['a name server that fails', 'failure', {}, 'image_fetch_failed'],
    ['a name that is not known', 'unknown', {}, 'image_fetch_failed'],
    ['a name without addresses', [], {}, 'image_fetch_failed'],
  ] as const)('ends inside its bound: %s', async (_name, answer, limits, code) => {
    const before = openResources();
    {
      await using names = await startNameServer(() => answer);
      await using images = fetcherFor({ nameServers: [names.address], limits });
      expect(await outcomeOf(images, 'http://image.example/')).toMatchObject({ code });
      expect(names.questions).toContain('image.example');
    }
    await expectNothingLeft(before);
  });
});
