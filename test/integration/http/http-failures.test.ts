import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { STATUSES, type ProblemCode } from '../../../src/kernel/problem.ts';
import { sendRaw, type RawAnswer } from './raw-http.ts';
import { startTestApp, type Reply, type TestApp } from '../../fixtures/test-app.ts';

const EIGHT_KEYS = ['ok', 'status', 'code', 'error', 'field', 'hint', 'retry_after', 'request_id'];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Checks the whole body and its type, which are the same for every failure. */
function expectProblem(reply: Reply | RawAnswer, code: ProblemCode, field: string | null = null): void {
  const [type, body] =
    'text' in reply
      ? [reply.type, reply.body]
      : [reply.headers['content-type'], JSON.parse(reply.body) as Record<string, unknown>];
  expect(body).toMatchObject({ ok: false, status: STATUSES[code], code, field });
  expect(reply.status).toBe(STATUSES[code]);
  expect(type).toBe('application/json');
  expect(Object.keys(body)).toEqual(EIGHT_KEYS);
  expect(body['error']).toMatch(/^[^\p{Cc}]+[.…]$/u);
  expect(body['request_id']).toMatch(/^[\w-]{8,64}$/);
}

const request = (lines: string, body = '') => `${lines.replaceAll('\n', '\r\n')}\r\n\r\n${body}`;

describe('a failure is always JSON with the eight keys', () => {
  test.each([
    ['an unknown address', '/api/nothing', {}, 'not_found', null],
    ['an address that cannot be decoded', '/%ff', {}, 'not_found', null],
    ['the root of the operations', '/api', {}, 'not_found', null],
    ['a wrong method', '/api/role-members', { method: 'POST' }, 'method_not_allowed', null],
    ['a wrong method for the health', '/health/live', { method: 'POST' }, 'method_not_allowed', null],
    ['an unknown method', '/api/parse-args', { method: 'PURGE' }, 'method_not_allowed', null],
    ['no key', '/api/key', { headers: { authorization: '' } }, 'key_missing', null],
    ['only the scheme', '/api/key', { headers: { authorization: 'Bearer ' } }, 'key_missing', null],
    ['half a key', '/api/key', { headers: { authorization: 'qm_0000000' } }, 'key_malformed', null],
    [
      'a placeholder for a key',
      '/api/key',
      { headers: { authorization: 'Bearer {api_key}' } },
      'key_malformed',
      null,
    ],
    ['a missing field', '/api/parse-args', {}, 'missing_field', 'text'],
    ['a field given twice', '/api/parse-args?text=a&text=b', {}, 'invalid_field', 'text'],
    ['an option given twice', '/api/parse-args?text=a&flat=1&flat=0', {}, 'invalid_field', 'flat'],
    ['an option that is no flag', '/api/parse-args?text=a&flat=maybe', {}, 'invalid_field', 'flat'],
    ['a placeholder', '/api/role-members?role_id=%7Brole_id%7D', {}, 'unresolved_placeholder', 'role_id'],
    [
      'a placeholder in an address',
      '/api/image-to-base64?url=https://x.io/{a}.png',
      {},
      'unresolved_placeholder',
      'url',
    ],
    ['a placeholder for a line', '/api/parse-args?text=%7Bmessage%7D', {}, 'unresolved_placeholder', 'text'],
    [
      'a placeholder for a text',
      '/api/text-splitter?text=%7B%7B%20$json.text%20%7D%7D',
      {},
      'unresolved_placeholder',
      'text',
    ],
    ['a malformed id', '/api/role-members?role_id=12', {}, 'invalid_field', 'role_id'],
    ['an id given twice', '/api/role-members?role_id=1&role_id=2', {}, 'invalid_field', 'role_id'],
  ] as const)('%s', async (_name, path, init, code, field) => {
    const reply = await app.call(path, init);
    expectProblem(reply, code, field);
    expect(reply.headers.get('www-authenticate')).toBe(reply.status === 401 ? 'Bearer' : null);
    expect(reply.headers.has('allow')).toBe(reply.status === 405);
  });

  test.each([
    ['broken JSON', 'application/json', '{"text": "a "quote""}', 'invalid_json'],
    ['a JSON list', 'application/json', '["text"]', 'invalid_json'],
    [
      'JSON that is not UTF-8',
      'application/json',
      Buffer.from('7b2274657874223a22ff227d', 'hex'),
      'invalid_json',
    ],
    ['JSON sent as a form, broken', 'application/x-www-form-urlencoded', '{"text": "a\nb"}', 'invalid_json'],
    ['another charset', 'application/json; charset=utf-16', '{"text":"a"}', 'unsupported_media_type'],
    ['another type', 'application/xml', '<text/>', 'unsupported_media_type'],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--', 'unsupported_media_type'],
    ['an id as a number', 'application/json', '{"text": 12}', 'invalid_field'],
    ['a body of more than 256 KiB', 'text/plain', 'a'.repeat(256 * 1024 + 1), 'body_too_large'],
  ] as const)('%s', async (_name, type, body, code) => {
    const reply = await app.call('/api/parse-args', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    expectProblem(reply, code, code === 'invalid_field' ? 'text' : null);
  });

  test.each([
    ['a JSON list', '/api/parse-args', '[1]'],
    ['too many levels', '/api/parse-args', `{"text":${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('%s is not blamed on quotes', async (_name, path, body) => {
    const reply = await app.call(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expectProblem(reply, 'invalid_json');
    expect(reply.body['hint']).not.toMatch(/quote|line break/);
    expect(reply.body['error']).not.toContain('text');
  });

  test('plain text to a URL without a query', async () => {
    const init = { method: 'POST', body: 'a', headers: { 'content-type': 'text/plain' } };
    for (const path of ['/mcp', '/docs/recipe']) {
      const reply = await app.call(path, init);
      expectProblem(reply, 'unsupported_media_type');
      expect(reply.body['hint']).not.toContain('query');
    }
  });

  test.each(['gzip', 'GZIP', 'x-gzip', 'br', 'zstd', 'deflate', 'utf-8, gzip'])(
    'a body compressed with %s',
    async (coding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding };
      expectProblem(
        await app.call('/api/parse-args', { method: 'POST', body: '{}', headers }),
        'unsupported_media_type',
      );
    },
  );

  test('plain text to an operation without a text field', async () => {
    const init = {
      method: 'POST',
      body: 'https://x.example/a.png',
      headers: { 'content-type': 'text/plain' },
    };
    const reply = await app.call('/api/image-to-base64', init);
    expectProblem(reply, 'unsupported_media_type');
    expect(reply.body['error']).toMatch(/^This operation does not take plain text\. /);
  });

  test('a body without a type that is not JSON', async () => {
    const raw = await sendRaw(
      app.port,
      request(
        `POST /api/parse-args HTTP/1.1\nHost: x\nAuthorization: ${app.key}\nConnection: close\nContent-Length: 3`,
        'abc',
      ),
    );
    expectProblem(raw, 'unsupported_media_type');
  });

  test.each([
    ['a key in the query', (key: string) => `/api/parse-args?text=a&key=${key}`],
    ['a key in the path', (key: string) => `/api/parse-args?text=${key.replace('q', '%71')}`],
    [
      'a token in the query',
      () => `/api/role-members?token=MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`,
    ],
  ])('%s, and it is logged nowhere', async (_name, path) => {
    const secret = await app.createKey();
    const reply = await app.call(path(secret));
    expectProblem(reply, 'secret_in_url');
    expect(reply.text + app.logLines.join('')).not.toContain(secret.slice(20, 50));
  });
});

describe('a failure that Node would answer by itself', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 'bad_request'],
    ['a header without a name', request('GET / HTTP/1.1\nHost: x\n: y'), 'bad_request'],
    ['a missing Host', request('GET /health/live HTTP/1.1\nConnection: close'), 'bad_request'],
    [
      'an expectation',
      request('GET / HTTP/1.1\nHost: x\nExpect: magic\nConnection: close'),
      'expectation_failed',
    ],
    [
      'headers of 70 kB',
      request(`GET / HTTP/1.1\nHost: x\nX-Long: ${'a'.repeat(70_000)}`),
      'headers_too_large',
    ],
    ['an address of 70 kB', request(`GET /?${'a'.repeat(70_000)} HTTP/1.1\nHost: x`), 'headers_too_large'],
    ['a tunnel', request('CONNECT example.com:443 HTTP/1.1\nHost: x'), 'method_not_allowed'],
    [
      'both lengths of a smuggled request',
      request('POST /api/key HTTP/1.1\nHost: x\nContent-Length: 5\nTransfer-Encoding: chunked', '0\r\n\r\n'),
      'bad_request',
    ],
  ] as const)('is answered: %s', async (_name, bytes, code) => {
    expectProblem(await sendRaw(app.port, bytes), code);
  });

  test('is answered: a critical header that appears twice', async () => {
    const raw = await sendRaw(
      app.port,
      request(
        `GET /api/key HTTP/1.1\nHost: x\nAuthorization: a\nAuthorization: ${app.key}\nConnection: close`,
      ),
    );
    expectProblem(raw, 'bad_request');
  });
});

describe('a stalled connection', () => {
  let impatient: TestApp;
  beforeAll(async () => {
    const times = { headersTimeoutMs: 200, requestTimeoutMs: 400, idleTimeoutMs: 600 };
    impatient = await startTestApp({}, { http: times });
  });
  afterAll(() => impatient[Symbol.asyncDispose]());

  test('is answered and closed when its headers do not end', async () => {
    expectProblem(await sendRaw(impatient.port, 'GET / HTTP/1.1\r\nHost: x\r\n'), 'request_timeout');
  });

  test('is answered and closed when its body does not end', async () => {
    const head = `POST /api/parse-args HTTP/1.1\nHost: x\nAuthorization: ${impatient.key}\nContent-Type: application/json\nContent-Length: 50`;
    expectProblem(await sendRaw(impatient.port, request(head, '{"text":')), 'request_timeout');
  });

  test('is closed when it sends no data', async () => {
    expectProblem(await sendRaw(impatient.port, ''), 'request_timeout');
  });
});

describe('a builder that cannot see a status', () => {
  test('gets 200 and the real status in the body', async () => {
    const reply = await app.call('/api/parse-args?always_200=true');
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ ok: false, status: 400, code: 'missing_field' });
  });

  test('gets it for an unknown URL, and for a key that is refused', async () => {
    expect((await app.call('/api/nothing?always_200=yes')).status).toBe(200);
    const refused = await app.postJson(
      '/api/parse-args',
      { text: 'x', always_200: true },
      { authorization: 'qm_1' },
    );
    expect(refused.status).toBe(200);
    expect(refused.body).toMatchObject({ status: 401, code: 'key_malformed' });
  });

  test('takes the option from its key, unless the query sets it', async () => {
    const authorization = await app.createKey({ always200: true, flat: true });
    const reply = await app.call('/api/parse-args', { headers: { authorization } });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ status: 400, field: 'text', retry_after: '' });
    expect((await app.call('/api/parse-args?always_200=0', { headers: { authorization } })).status).toBe(400);
  });

  test('takes only the options of the query when the body is unreadable', async () => {
    const init = {
      method: 'POST',
      body: '{"always_200": true, ',
      headers: { 'content-type': 'application/json' },
    };
    expect((await app.call('/api/parse-args', init)).status).toBe(400);
    expect((await app.call('/api/parse-args?always_200=1', init)).status).toBe(200);
  });
});
