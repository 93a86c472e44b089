import { afterAll, beforeAll, expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import { sendRaw } from './raw-http.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const get = (target: string) =>
  sendRaw(
    app.port,
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${app.key}\r\nConnection: close\r\n\r\n`,
  );

test.each([
  ['as it is documented', '/api/parse-args?text=a'],
  ['with a slash at the end', '/api/parse-args/?text=a'],
  ['in other letters', '/API/Parse-Args?text=a'],
  ['with a path in its query', '/api/parse-args?text=/docs/'],
  ['with a fragment that a client left in', '/api/parse-args?text=a#form'],
  ['at a host that no URL can have', 'http://[::x]:y/api/parse-args?text=a'],
  ['whole, as some proxies send it', 'http://service.test:8080/api/parse-args?text=a'],
])('an operation is found %s', async (_how, target) => {
  const { status, body } = await get(target);
  expect([status, JSON.parse(body)]).toMatchObject([200, { ok: true }]);
});

test.each(
  OPERATIONS.map(({ path, method, readOnly }) => {
    const withPost = readOnly ? 'GET, HEAD, POST, OPTIONS' : 'POST, OPTIONS';
    return [path, method === 'GET' ? 'GET, HEAD, OPTIONS' : withPost];
  }),
)('%s accepts its methods and no other, in any letters and with a slash at the end', async (path, allow) => {
  for (const target of [path, `${path}/`, path.toUpperCase()]) {
    const refused = await app.call(target, { method: 'DELETE' });
    expect([refused.status, refused.body['code'], refused.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      allow,
    ]);
    const options = await app.call(target, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  }
});

test.each([
  ['two slashes at the end', '/api/parse-args//?text=a'],
  ['two slashes in front', '//api/parse-args?text=a'],
  ['more after it', '/api/parse-args/x'],
  ['the path in a query', '/?/api/parse-args&x=/api'],
  ['a host in place of a path', '//a@[::x]:y/api/parse-args#'],
  ['only an origin', 'http://service.test'],
  ['an origin and a query', 'http://service.test?text=a'],
])('a URL with %s reaches no operation and no page of Express itself', async (_what, target) => {
  const { body } = await get(target);
  expect(body).not.toContain('Cannot GET');
  expect(body).not.toContain('"command"');
});

test('`*` means the whole service, and only for OPTIONS', async () => {
  const options = await sendRaw(app.port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, POST, DELETE, OPTIONS']);
});

test.each([
  // Without the part in the middle, or with one too many.
  ['/api/permission-encoder', '/api/chat/permission-encoder'],
  ['/api/chat/parse-args', '/api/parse-args'],
  ['/api/v1/send', '/api/send'],
  ['/parse-args', '/api/parse-args'],
  // Misspelt.
  ['/api/parse_args', '/api/parse-args'],
  ['/api/textSplitter', '/api/text-splitter'],
  ['/api/chat/permisson-decoder', '/api/chat/permission-decoder'],
  ['/api/keys', '/api/key'],
  ['/API/Rolemembers/', '/api/role-members'],
  // A part of its name.
  ['/api/base64', '/api/image-to-base64'],
  // What other APIs put into the path.
  ['/api/role-members/123456789012345678', '/api/role-members'],
  ['/health', '/health/ready'],
  ['/healthz', '/health/ready'],
  ['/health/readyz', '/health/ready'],
  ['/docs/parse-arg', '/docs/parse-args'],
  ['/docs/operator', '/docs/operate'],
])('%s is a 404 that suggests %s', async (path, meant) => {
  const { status, body } = await app.call(path, { method: path.startsWith('/docs/') ? 'GET' : 'POST' });
  expect([status, body['code'], body['hint']]).toEqual([
    404,
    'not_found',
    `Did you mean ${meant}? All operations are listed at /docs.`,
  ]);
});

test.each([
  '/api',
  '/api/nothing',
  '/api/chat',
  '/api/me',
  // Two have it.
  '/api/check',
  '/api/role',
  '/docs/nothing',
  // Longer than any slip.
  `/api/${'x/'.repeat(100)}parse-args`,
])('%s is a 404 that suggests no path', async (path) => {
  const { body } = await app.call(path);
  expect(body['hint']).toBe('Look up the operations at /docs.');
});
