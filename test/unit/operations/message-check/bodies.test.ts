import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { messageCheck } from '../../../../src/operations/message-check/operation.ts';
import { serveOperation } from '../../../fixtures/serve-operation.ts';

let service: Awaited<ReturnType<typeof serveOperation>>;
beforeAll(async () => {
  service = await serveOperation(messageCheck);
});
afterAll(() => service[Symbol.dispose]());

/** Posts a body, and says what the answer is about. */
async function post(body: string, type = 'application/json') {
  const response = await fetch(service.url, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': type },
    body,
  });
  const { code, field, problems } = (await response.json()) as {
    code?: string;
    field?: string;
    problems?: { kind: string }[];
  };
  return problems?.map(({ kind }) => kind) ?? [response.status, code, field];
}

const nested = (levels: number) => `{"content":"x","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const wide = (values: number) => `{"content":"x","a":[${'0,'.repeat(values)}0]}`;

describe('a message that', () => {
  test.each(['[object Object]', 'undefined', ' undefined\n', '{{message}}'])(
    'is refused when a builder has not filled it in: %j',
    async (message) => {
      const refused = [400, 'unresolved_placeholder', 'message'];
      expect(await post(JSON.stringify({ message }))).toEqual(refused);
      expect(await post(message, 'text/plain')).toEqual(refused);
    },
  );

  test('is `{}` is empty, as JSON and as text', async () => {
    expect(await post('{"message":{}}')).toEqual(['empty_message']);
    expect(await post('{}', 'text/plain')).toEqual(['empty_message']);
  });

  test.each([
    ['levels', nested(33)],
    ['levels for any body', nested(65)],
    ['values', wide(20_001)],
    ['values for any body', wide(25_001)],
  ])('is refused with too many %s, as a field, as text and as the whole body', async (_, message) => {
    const refused = [400, 'invalid_field', 'message'];
    expect(await post(`{"message":${message}}`)).toEqual(refused);
    expect(await post(JSON.stringify({ message }))).toEqual(refused);
    expect(await post(message)).toEqual(refused);
  });
});
