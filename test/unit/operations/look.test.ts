import { expect, test } from 'vitest';
import * as z from 'zod';

import { defineOperation } from '../../../src/operations/define-operation.ts';
import type { OperationContext } from '../../../src/operations/operation.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { NO_MEMBERS, NO_TOKEN_MEMBERS } from '../../fixtures/no-members.ts';

const context: OperationContext = {
  ownerId: '1',
  guildId: '1',
  secret: null,
  signal: new AbortController().signal,
  now: () => 0,
  images: { fetch: () => Promise.reject(new Error('not asked')) },
  members: NO_MEMBERS,
  idempotencyKey: null,
  deliveries: NO_DELIVERIES,
  tokenMembers: NO_TOKEN_MEMBERS,
};

const post = defineOperation({
  name: 'post',
  path: '/api/post',
  method: 'POST',
  summary: 'Posts',
  description: 'Posts.',
  group: 'Texts',
  inOut: ['a text', 'a text'],
  shown: [],
  secretHeader: 'Webhook',
  readOnly: false,
  input: z.object({ text: z.string() }),
  output: z.object({ did: z.string() }),
  example: { input: { text: 'a' }, answer: { did: 'posted a' } },
  problems: [],
  look: {
    description: 'Looks.',
    input: z.object({ id: z.string() }),
    run: ({ id }) => ({ value: { did: `looked at ${id}` } }),
  },
  run: ({ text }, { secret }) => ({ value: { did: `posted ${text} to ${secret}` } }),
});

test('an operation that must not act on GET has a look of its own, with its own input', async () => {
  const posted = await post.handle({ text: 'a' }, { ...context, secret: 'x' });
  expect(posted.value).toEqual({ ok: true, did: 'posted a to x' });
  expect((await post.look?.handle({ id: '7', text: 'a' }, context))?.value).toEqual({
    ok: true,
    did: 'looked at 7',
  });
  await expect(post.look?.handle({ text: 'a' }, context)).rejects.toMatchObject({
    code: 'missing_field',
    field: 'id',
  });
  expect([post.readOnly, post.secretHeader]).toEqual([false, 'Webhook']);
});
