import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type Reply, type TestApp } from '../../fixtures/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const USER = '123456789012345678';
const FORM = 'application/x-www-form-urlencoded';

function send(path: string, type: string, body: string): Promise<Reply> {
  return app.call(path, { method: 'POST', body, headers: { 'content-type': type } });
}

/** The fields in the query, as a form, as JSON, and as the arguments of a tool. */
const WAYS = [
  ['the query', (path: string, fields: Record<string, string>) => app.call(`${path}?${form(fields)}`)],
  ['a form', (path: string, fields: Record<string, string>) => send(path, FORM, form(fields))],
  [
    'JSON',
    (path: string, fields: Record<string, string>) => send(path, 'application/json', JSON.stringify(fields)),
  ],
  [
    'the arguments of a tool',
    async (path: string, fields: Record<string, string>) => {
      const params = { name: path.slice(path.lastIndexOf('/') + 1), arguments: fields };
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const reply = await app.call('/mcp', {
        method: 'POST',
        body: JSON.stringify(call),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      });
      const { content } = reply.body['result'] as { content: { text: string }[] };
      return { ...reply, body: JSON.parse(content[0]?.text ?? '') as Record<string, unknown> };
    },
  ],
] as const;

function form(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

describe.each(WAYS)('names of fields in %s', (_way, ask) => {
  test.each(['text', 'Text', 'TEXT', 'te_xt', 'text[]', 'text[0]'])(
    'may be spelt %s for the text',
    async (name) => {
      const { body } = await ask('/api/parse-args', { [name]: `!ban <@${USER}> 7d` });
      expect(body).toMatchObject({ ok: true, user_id: USER, duration_ms: 604_800_000 });
    },
  );

  test('may have an index for each entry of a list', async () => {
    const fields = { 'permissions[0]': 'SEND_MESSAGES', 'Permissions[1]': 'ADD_REACTIONS' };
    const { body } = await ask('/api/chat/permission-encoder', fields);
    // Two spellings of the name, and the documented one wins.
    expect(body).toMatchObject({ ok: true, permissions: ['SEND_MESSAGES'] });
    const both = await ask('/api/chat/permission-encoder', {
      'permissions[0]': 'SEND_MESSAGES',
      'permissions[1]': 'ADD_REACTIONS',
    });
    expect(both.body).toMatchObject({ ok: true, bitfield: '2112' });
  });

  test('are refused if two spellings are sent, unless one is the documented name', async () => {
    const two = await ask('/api/parse-args', { Text: '!ban', TEXT: '!kick' });
    expect(two.body).toMatchObject({ ok: false, code: 'invalid_field', field: 'text' });
    const { body } = await ask('/api/parse-args', { Text: '!ban', text: '!kick', TEXT: '!mute' });
    expect(body).toMatchObject({ ok: true, command: 'kick' });
  });

  test.each(['token', 'Token', 'to-ken[]', 'webhook', 'WebHook', 'key', 'API_KEY', 'authorization'])(
    'are searched for secrets: %s is refused',
    async (name) => {
      const { body, text } = await ask('/api/parse-args', { text: '!ban', [name]: app.key });
      expect(body).toMatchObject({ ok: false, status: 400 });
      expect(['invalid_field', 'secret_in_url']).toContain(body['code']);
      expect(text).not.toContain(app.key);
    },
  );
});

test('options may be spelt differently too, also when the request fails', async () => {
  const query = '?permissions=SPEAK,CONNECT&FLAT=true&Separator=%20%2B%20';
  const { body } = await app.call(`/api/chat/permission-encoder${query}`);
  expect(body).toMatchObject({ permissions_1: 'CONNECT', permissions_text: 'CONNECT + SPEAK' });
  const failed = await app.call('/api/chat/permission-encoder?always200=1&FLAT=yes');
  expect(failed).toMatchObject({
    status: 200,
    body: { status: 400, code: 'missing_field', retry_after: '' },
  });
});

test('the body wins, however the query spells the field', async () => {
  const { body } = await send('/api/parse-args?text=!kick', 'application/json', '{"Text":"!ban"}');
  expect(body).toMatchObject({ ok: true, command: 'ban' });
  const fromQuery = await send('/api/parse-args?TEXT=!kick', 'application/json', '{"text":null}');
  expect(fromQuery.body).toMatchObject({ ok: true, command: 'kick' });
  const plain = await send('/api/text-splitter?Text=a', 'text/plain', '');
  expect(plain.body).toMatchObject({ ok: true, chunks: ['a'] });
});

test('unknown and misspelt names are ignored by operations that are not about members', async () => {
  const { body } = await app.call('/api/parse-args?text=!ban&txt=x&colour=red&__proto__=x&text[x]=y');
  expect(body).toMatchObject({ ok: true, command: 'ban' });
});
