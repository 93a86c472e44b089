import { expect, test } from 'vitest';

import { parseArgs } from '../../../src/operations/parse-args/operation.ts';
import { serveOperation } from '../../fixtures/serve-operation.ts';

test('an operation can be served by itself', async () => {
  using service = await serveOperation(parseArgs);
  const answer = await fetch(`${service.url}?text=!ban <@1> 7d`, { headers: { Authorization: 'any' } });
  expect(await answer.json()).toMatchObject({ ok: true, command: 'ban', user_id: '1', duration: '7d' });
});

test('a document that could not be made is made again for the next reader', async () => {
  let isBroken = false;
  const operation = {
    ...parseArgs,
    get description() {
      if (isBroken) throw new Error('unreadable');
      return parseArgs.description;
    },
  };
  using service = await serveOperation(operation);
  const statusOf = async () => (await fetch(new URL('/openapi.json', service.url))).status;
  isBroken = true;
  expect(await statusOf()).toBe(500);
  isBroken = false;
  expect(await statusOf()).toBe(200);
});
