import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const LINE = '!warn <@123456789012345678> said "no" & more\nthan that';

describe('the input of an operation', () => {
  const encoded = encodeURIComponent(LINE);
  test.each([
    [
      'JSON',
      '',
      {
        method: 'POST',
        body: JSON.stringify({ text: LINE }),
        headers: { 'content-type': 'application/json' },
      },
    ],
    [
      'JSON with a byte order mark',
      '',
      {
        method: 'POST',
        body: `\uFEFF${JSON.stringify({ text: LINE })}`,
        headers: { 'content-type': 'application/json; charset=UTF-8' },
      },
    ],
    [
      'JSON sent as a form',
      '',
      {
        method: 'POST',
        body: ` ${JSON.stringify({ text: LINE })}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    [
      'JSON of another type',
      '',
      {
        method: 'POST',
        body: JSON.stringify({ text: LINE }),
        headers: { 'content-type': 'application/vnd.api+json' },
      },
    ],
    [
      'a form',
      '',
      {
        method: 'POST',
        body: `text=${encoded}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ],
    ['plain text', '', { method: 'POST', body: LINE, headers: { 'content-type': 'text/plain' } }],
    ['the query of a POST', `?text=${encoded}`, { method: 'POST' }],
    ['the query of a GET', `?text=${encoded}`, {}],
    [
      'the query, when the body has null',
      `?text=${encoded}`,
      { method: 'POST', body: '{"text":null}', headers: { 'content-type': 'application/json' } },
    ],
    [
      'the body, when the query has it too',
      '?text=other',
      {
        method: 'POST',
        body: JSON.stringify({ text: LINE }),
        headers: { 'content-type': 'application/json' },
      },
    ],
  ] as const)('comes as %s', async (_name, query, init) => {
    const reply = await app.call(`/api/parse-args${query}`, init);
    expect(reply.body).toMatchObject({ ok: true, command: 'warn', reason: 'said "no" & more\nthan that' });
    expect(reply.status).toBe(200);
    expect(reply.type).toBe('application/json; charset=utf-8');
    expect(reply.text.startsWith('{"ok":true,')).toBe(true);
  });

  test.each(['true', 'TRUE', '1', 'yes', 'On'])('takes the flag %s', async (flag) => {
    const reply = await app.call(`/api/parse-args?text=${encoded}&pingtoid=${flag}`);
    expect(reply.body['user']).toBe('123456789012345678');
  });

  test.each([
    ['in JSON', '', '{"text":""}', 'application/json'],
    ['in a form', '', 'text=', 'application/x-www-form-urlencoded'],
    ['in the query', '?text=', undefined, undefined],
    ['as plain text', '', '', 'text/plain'],
    ['as plain text with a charset', '', '', 'Text/Plain; charset=utf-8'],
  ])('takes an empty text %s', async (_name, query, body, type) => {
    const init = { method: 'POST', ...(body === undefined ? {} : { body }) };
    const headers = type === undefined ? {} : { 'content-type': type };
    const reply = await app.call(`/api/text-splitter${query}`, { ...init, headers });
    expect(reply.body).toMatchObject({ ok: true, count: 0 });
  });

  test('takes the text of the query beside plain text that is empty', async () => {
    const headers = { 'content-type': 'text/plain' };
    const reply = await app.call('/api/text-splitter?text=a', { method: 'POST', body: '', headers });
    expect(reply.body).toMatchObject({ ok: true, chunks: ['a'] });
  });

  test('ignores unknown fields', async () => {
    expect((await app.call(`/api/parse-args?text=${encoded}&colour=red`)).status).toBe(200);
  });

  test('reads a key with and without its scheme', async () => {
    for (const authorization of [app.key, `Bearer ${app.key}`, `bearer  ${app.key}`]) {
      expect((await app.call('/api/key', { headers: { authorization } })).status).toBe(200);
    }
  });
});

describe('every answer', () => {
  test('has its headers and no others of Express', async () => {
    const { headers } = await app.call('/api/parse-args?text=a');
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
    expect(headers.get('ratelimit-policy')).toBe('"guild";q=100000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"guild";r=\d+;t=\d+$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('comes to HEAD without a body and to OPTIONS as a list of methods', async () => {
    const head = await app.call('/api/parse-args?text=a', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(20);
    const options = await app.call('/api/parse-args', { method: 'OPTIONS', headers: { authorization: '' } });
    expect([options.status, options.text]).toEqual([204, '']);
    expect(options.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('can be flat', async () => {
    const { body } = await app.call('/api/parse-args?flat=1&text=%21ban%20%3C%40123456789012345678%3E%20x');
    expect(body).toMatchObject({
      ok: true,
      subcommand: '',
      args_1: '<@123456789012345678>',
      args_text: '<@123456789012345678>, x',
    });
    expect(body['args']).toBeUndefined();
  });
});

describe('the key', () => {
  test('is described to its owner', async () => {
    const { body } = await app.call('/api/key');
    expect(Object.keys(body)).toEqual([
      'ok',
      'key_id',
      'name',
      'guild_id',
      'created_at',
      'expires_at',
      'flat',
      'always_200',
      'operations',
      'requests_per_minute',
      'images_per_minute',
      'sends_per_minute',
    ]);
    expect(body).toMatchObject({
      guild_id: app.guildId,
      expires_at: null,
      requests_per_minute: 100_000,
      images_per_minute: 20,
      sends_per_minute: 10,
    });
    expect(Math.abs(Number(body['created_at']) - Date.now() / 1000)).toBeLessThan(600);
  });

  test('can be revoked by whoever holds it, with effect on the next request', async () => {
    const headers = { authorization: await app.createKey() };
    const revoked = await app.call('/api/key', { method: 'DELETE', headers });
    expect(revoked.body).toEqual({ ok: true, key_id: expect.any(String), revoked: true });
    expect((await app.call('/api/key', { headers })).body).toMatchObject({
      status: 401,
      code: 'key_revoked',
    });
  });
});

describe('the service', () => {
  test('says that it lives and that it is ready', async () => {
    expect((await app.call('/health/live')).body).toEqual({ ok: true, status: 'live' });
    expect((await app.call('/health/ready')).body).toMatchObject({
      ok: true,
      status: 'ready',
      storage: 'ok',
    });
  });

  test('answers the operations that need no network', async () => {
    expect(
      (
        await app.postJson('/api/chat/permission-encoder', {
          permissions: ['SEND_MESSAGES', 'ADD_REACTIONS'],
        })
      ).body,
    ).toEqual({
      ok: true,
      bitfield: '2112',
      hex: '0x840',
      count: 2,
      permissions: ['ADD_REACTIONS', 'SEND_MESSAGES'],
      elevated: [],
    });
    expect((await app.postJson('/api/text-splitter', { text: 'a'.repeat(3000) })).body).toMatchObject({
      ok: true,
      count: 2,
    });
  });
});
