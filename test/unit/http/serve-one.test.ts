import { expect, test } from 'vitest';

import { parseArgs } from '../../../src/operations/parse-args/operation.ts';
import { serveOperation } from '../../fixtures/serve-operation.ts';

test('an operation can be served by itself', async () => {
  using service = await serveOperation(parseArgs);
  const answer = await fetch(`${service.url}?text=!ban <@1> 7d`, { headers: { Authorization: 'any' } });
  expect(await answer.json()).toMatchObject({ ok: true, command: 'ban', user_id: '1', duration: '7d' });
});
