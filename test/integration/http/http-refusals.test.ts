import diagnosticsChannel from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sendRaw } from './raw-http.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, { http: { bodyBytesMax: 1024 * 1024, lingerMs: 3_000 } });
});
afterAll(() => app[Symbol.asyncDispose]());

describe('a refused request', () => {
  test.each([
    ['a wrong method', 'POST', '/api/role-members', 405],
    ['an unknown address', 'GET', '/api/nothing', 404],
    [
      'a secret in the address',
      'GET',
      `/api/parse-args?key=MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${'x'.repeat(38)}`,
      400,
    ],
  ])('follows the defaults of its key and reports its limits: %s', async (_name, method, path, status) => {
    const authorization = await app.createKey({ flat: true, always200: true });
    const reply = await app.call(path, { method, headers: { authorization } });
    expect([reply.status, reply.body['status'], reply.body['field']]).toEqual([200, status, '']);
    expect(reply.headers.get('ratelimit')).toMatch(/^"guild";r=\d+;t=\d+$/);
  });

  test('gets the reason for the refusal, not "the key is missing"', async () => {
    const headers = { authorization: '' };
    expect((await app.call('/api/role-members', { method: 'POST', headers })).status).toBe(405);
    expect((await app.call('/api/nothing', { headers })).status).toBe(404);
  });

  test('gets a flat response with 200 when its query or its small body asks for that', async () => {
    const noHost = 'GET /api/key?flat=1&always_200=1 HTTP/1.1\r\nConnection: close\r\n\r\n';
    const raw = await sendRaw(app.port, noHost);
    expect([raw.status, JSON.parse(raw.body)]).toMatchObject([200, { status: 400, field: '' }]);
    const expecting = 'GET /api/key?flat=1&always_200=1 HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n';
    expect(JSON.parse((await sendRaw(app.port, expecting)).body)).toMatchObject({ status: 417, field: '' });
    const reply = await app.postJson('/nothing', { always_200: true, flat: 'yes' });
    expect([reply.status, reply.body]).toMatchObject([200, { status: 404, field: '' }]);
    const chunked = await sendRaw(
      app.port,
      `POST /api/parse-args HTTP/1.1\r\nHost: x\r\n${JSON_CHUNKED}25\r\n{"always_200": true, "flat": "yes"}  \r\n0\r\n\r\n`,
    );
    expect([chunked.status, JSON.parse(chunked.body)]).toMatchObject([200, { status: 401, field: '' }]);
  });

  test('follows the defaults of its key and reports its limits when another header appears twice', async () => {
    const key = await app.createKey({ flat: true, always200: true });
    const raw = await sendRaw(
      app.port,
      `GET /api/key HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: a\r\nContent-Type: b\r\nConnection: close\r\n\r\n`,
    );
    expect([raw.status, JSON.parse(raw.body)]).toMatchObject([200, { status: 400, field: '' }]);
    expect(raw.headers['ratelimit']).toMatch(/^"guild";r=\d+;t=\d+$/);
  });

  test('of two keys has the defaults of neither, and counts for neither', async () => {
    const key = await app.createKey({ flat: true, always200: true });
    const raw = await sendRaw(
      app.port,
      `GET /api/key HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nAuthorization: ${app.key}\r\nConnection: close\r\n\r\n`,
    );
    expect([raw.status, raw.headers['ratelimit']]).toEqual([400, undefined]);
    expect(JSON.parse(raw.body)).toMatchObject({ status: 400, field: null });
  });

  test.each([
    ['no key', 'POST /api/parse-args', '', 'Content-Length: 12', 401],
    ['no key, in chunks', 'POST /api/parse-args', '', 'Transfer-Encoding: chunked', 401],
    ['an unknown address', 'POST /api/nothing', '', 'Content-Length: 12', 404],
    ['an expectation', 'POST /api/parse-args', 'Expect: magic\r\n', 'Content-Length: 12', 417],
  ])('does not wait for the rest of a small body: %s', async (_name, line, header, length, status) => {
    const http = { refusedBodyMs: 50, requestTimeoutMs: 300_000, idleTimeoutMs: 300_000, lingerMs: 50 };
    await using short = await startTestApp({}, { http });
    const raw = await sendRaw(
      short.port,
      `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}${length}\r\n\r\n`,
    );
    expect(raw.status).toBe(status);
  });
});

const JSON_CHUNKED =
  'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';

describe('a secret in a URL', () => {
  test('is logged with the operation that got it, so its sender can be found', async () => {
    const reply = await app.call(`/api/parse-args?key=${app.key}`);
    const line = () => app.logLines.find((each) => each.includes(String(reply.body['request_id'])));
    await expect.poll(line).toContain('"operation":"parse-args"');
    expect(line()).toContain('"method":"GET"');
  });

  test.each([
    ['of nothing', (key: string) => `/api/nothing?key=${key}`],
    ['as a path', (key: string) => `/${key}`],
    ['of the health', (key: string) => `/health/live?key=${key}`],
    ['of a document', (key: string) => `/openapi.json?key=${key}`],
    ['encoded, as a name', (key: string) => `/api/parse-args?${encodeAll(key)}=1`],
    ['encoded twice', (key: string) => `/api/parse-args?text=${encodeURIComponent(encodeAll(key))}`],
    [
      'after a thousand fields',
      (key: string) => `/api/parse-args?${'a=1&'.repeat(1100)}text=${encodeAll(key)}`,
    ],
  ])('is refused: %s', async (_name, path) => {
    expect((await app.call(path(app.key))).body).toMatchObject({ status: 400, code: 'secret_in_url' });
  });
});

function encodeAll(text: string): string {
  return Buffer.from(text).toString('hex').replace(/../g, '%$&');
}

describe('a body', () => {
  test.each([
    [
      'of 90,000 small values',
      `{${Array.from({ length: 90_000 }, (_, n) => `"${n}":0`).join(',')},"text":"x"}`,
    ],
    ['of half a million levels', `{"text":"x","a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
  ])('%s is refused before it is parsed', async (_name, body) => {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    const big = await startTestApp();
    const reply = await big.call('/api/text-splitter', {
      ...init,
      headers: { ...init.headers, authorization: big.key },
    });
    expect(reply.body).toMatchObject({ status: 400, code: 'invalid_json' });
    await big[Symbol.asyncDispose]();
  });

  test('of one long text that contains every punctuation mark of JSON is still one value', async () => {
    const text = '[{",\\'.repeat(20_000);
    expect((await app.postJson('/api/text-splitter', { text })).status).toBe(200);
  });

  test('cannot set fields through its prototype', async () => {
    const init = {
      method: 'POST',
      body: '{"__proto__":{"text":"!ban"}}',
      headers: { 'content-type': 'application/json' },
    };
    expect((await app.call('/api/parse-args', init)).body).toMatchObject({
      status: 400,
      code: 'missing_field',
    });
  });

  test('is refused when its transfer is compressed', async () => {
    const raw = await sendRaw(
      app.port,
      `POST /api/parse-args HTTP/1.1\r\nHost: x\r\nAuthorization: ${app.key}\r\nContent-Type: application/json\r\n` +
        'Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    );
    expect(raw.status).toBe(415);
  });

  test('that is far too large is answered to a client that writes all of it first', async () => {
    const request = http.request({
      port: app.port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/parse-args',
      headers: { authorization: app.key, 'content-type': 'text/plain', 'transfer-encoding': 'chunked' },
    });
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    for (let mebibytes = 0; mebibytes < 8; mebibytes += 1) request.write('a'.repeat(1024 * 1024));
    request.end();
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    response.resume();
    await once(response, 'end');
  });

  test.each([
    ['with a Content-Length of 10 GB', 'Content-Length: 10000000000', 'a'],
    ['without an end', 'Transfer-Encoding: chunked', `50000\r\n${'a'.repeat(0x50000)}\r\n`],
  ])('%s is refused before it ends, and its connection closes', async (_name, length, sent) => {
    const raw = await sendRaw(
      app.port,
      `POST /api/parse-args HTTP/1.1\r\nHost: x\r\nAuthorization: ${app.key}\r\nContent-Type: text/plain\r\n${length}\r\n\r\n${sent}`,
    );
    expect([raw.status, raw.headers['connection']]).toEqual([413, 'close']);
    expect(JSON.parse(raw.body)).toMatchObject({ code: 'body_too_large' });
    expect(raw.body).toContain('Send long texts as text/plain');
  });

  test.each(['utf-16le', 'utf-7', 'iso-8859-1'])('in %s is refused', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    const reply = await app.call('/api/parse-args', { method: 'POST', body: '{"text":"a"}', headers });
    expect(reply.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  test('has to wait when all callers together send too much', async () => {
    const [size, json] = [700 * 1024, '{"text":"a"}'];
    const blanks = ' '.repeat(size - json.length);
    const post = (body: string | null) => {
      const request = http.request({
        port: app.port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/text-splitter',
        headers: { authorization: app.key, 'content-type': 'application/json', 'content-length': size },
      });
      if (body === null) request.write(blanks);
      else request.end(body);
      return request;
    };
    const arrival = nextRequestSocket();
    const first = post(null);
    const socket = await arrival;
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(blanks.length);
    const [busy] = (await once(post(blanks + json), 'response')) as [http.IncomingMessage];
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '1']);
    busy.resume();
    first.end(json);
    const [good] = (await once(first, 'response')) as [http.IncomingMessage];
    expect(good.statusCode).toBe(200);
    good.resume();
    const [next] = (await once(post(blanks + json), 'response')) as [http.IncomingMessage];
    expect(next.statusCode).toBe(200);
    next.resume();
  });
});

/** The service's own end of the connection on which the next request arrives. */
function nextRequestSocket(): Promise<net.Socket> {
  return new Promise((resolve) => {
    const onStart = (message: unknown) => {
      diagnosticsChannel.unsubscribe('http.server.request.start', onStart);
      resolve((message as { socket: net.Socket }).socket);
    };
    diagnosticsChannel.subscribe('http.server.request.start', onStart);
  });
}

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

describe('a connection', () => {
  test('is told once that its body is broken', async () => {
    const raw = await sendRaw(
      app.port,
      `POST /api/parse-args HTTP/1.1\r\nHost: x\r\nAuthorization: ${app.key}\r\nContent-Type: application/json\r\n` +
        'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
    );
    const body = JSON.parse(raw.body) as Record<string, unknown>;
    expect([raw.status, body]).toMatchObject([400, { code: 'bad_request' }]);
    expect(raw.body.match(/request_id/g)).toHaveLength(1);
    const told = () => app.logLines.filter((line) => line.includes(String(body['request_id'])));
    await expect.poll(told).toHaveLength(1);
  });

  test('is kept while our response is due, however long that takes', async () => {
    const origin = http.createServer(() => {}).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    const { port } = origin.address() as net.AddressInfo;
    await using slow = await startTestApp(
      { IMAGE_ALLOW_PRIVATE: 'true' },
      { http: { idleTimeoutMs: 100 }, images: { headersTimeoutMs: 700 } },
    );
    const reply = await slow.call(`/api/image-to-base64?url=http://127.0.0.1:${port}/a.png`);
    expect(reply.body).toMatchObject({ status: 504, code: 'image_timeout' });
    origin.close();
  });

  test('ends when its client does not read from it', async () => {
    await using impatient = await startTestApp({}, { http: { idleTimeoutMs: 200, keepAliveTimeoutMs: 200 } });
    const before = countSockets();
    const socket = net.connect(impatient.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    const text = 'a'.repeat(900_000);
    socket.write(
      `POST /api/text-splitter HTTP/1.1\r\nHost: x\r\nAuthorization: ${impatient.key}\r\n` +
        `Content-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    );
    // Both ends belong to this process. The reader's own end sees nothing: it does not read.
    await expect.poll(countSockets).toBe(before + 2);
    await expect.poll(countSockets).toBe(before + 1);
    socket.destroy();
  });

  test('beyond the limit is dropped and counted', async () => {
    await using small = await startTestApp({ METRICS_PORT: '0' }, { http: { connectionsMax: 1 } });
    const first = net.connect(small.port, '127.0.0.1');
    await once(first, 'connect');
    const second = net.connect(small.port, '127.0.0.1');
    second.on('error', () => {});
    await once(second, 'close');
    first.destroy();
    const metrics = await small.metrics();
    expect(metrics).toContain('quartermaster_connections_dropped_total 1');
  });
});

describe('health and documents', () => {
  test.each(['/health/live', '/health/ready', '/openapi.json', '/docs'])(
    'have the headers of all responses: %s',
    async (path) => {
      const response = await fetch(app.url + path);
      await response.arrayBuffer();
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      const options = await fetch(app.url + path, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      expect(options.headers.get('x-content-type-options')).toBe('nosniff');
      expect(options.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
    },
  );

  test('share these headers with /mcp', async () => {
    const options = await fetch(`${app.url}/mcp`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect(options.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/);
    expect(options.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
