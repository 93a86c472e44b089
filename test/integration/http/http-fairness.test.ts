import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Pool } from 'undici';
import { expect, test } from 'vitest';

import { generateKey } from '../../../src/guild-keys/guild-key.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

const WORST_ADDRESS = '127.0.0.2';
/** Almost the largest body that parse-args takes. */
const BODY_BYTES = 250_000;

/** Sends all of a body but its last byte, five times over when it is refused. @returns ends it */
function sendUnfinished(app: TestApp, path: string, bytes: number, authorization: string | null): () => void {
  let times = 0;
  let socket: net.Socket;
  const start = () => {
    times += 1;
    if (times > 5) return;
    socket = net.connect({ port: app.port, host: '127.0.0.1', localAddress: WORST_ADDRESS });
    socket
      .on('error', () => {})
      .on('close', start)
      .resume();
    socket.once('data', () => socket.destroy());
    const [key, type] =
      authorization === null
        ? ['', 'application/json']
        : [`Authorization: ${authorization}\r\n`, 'text/plain'];
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${key}Content-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n` +
        ' '.repeat(bytes - 1),
    );
  };
  start();
  return () => {
    times = Infinity;
    socket.destroy();
  };
}

test('the service answers one server and a reader in full while another server and a stranger overload it', async () => {
  const origin = http.createServer((request) => request.url === '/hangs' || request.socket.destroy());
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const originUrl = `http://127.0.0.1:${(origin.address() as net.AddressInfo).port}`;
  await using app = await startTestApp(
    { IMAGE_ALLOW_PRIVATE: 'true', IMAGE_RATE_LIMIT: '1000' },
    { http: { bodyBytesMax: 2 * 1024 * 1024, connectionsMax: 120 } },
  );
  const worst = await app.createKey({ guildId: '111111111111111111' });
  /** A small request in a large body. */
  const postLarge = (authorization: string) =>
    app.postJson('/api/parse-args', { text: '!ban', padding: 'a'.repeat(BODY_BYTES) }, { authorization });

  const endings: (() => void)[] = [];
  for (let n = 0; n < 10; n += 1) endings.push(sendUnfinished(app, '/api/parse-args', BODY_BYTES, worst));
  for (let n = 0; n < 40; n += 1) endings.push(sendUnfinished(app, '/docs/recipe', 60_000, null));
  for (let n = 0; n < 100; n += 1) {
    const idle = net.connect({ port: app.port, host: '127.0.0.1', localAddress: WORST_ADDRESS });
    idle.on('error', () => {});
    endings.push(() => idle.destroy());
  }
  const from = new Pool(app.url, { connections: 100, localAddress: WORST_ADDRESS });
  const ask = (path: string, authorization: string, body: string | null = null) =>
    from
      .request({
        path,
        method: body === null ? 'GET' : 'POST',
        headers: {
          authorization,
          ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body,
      })
      .then(({ body: answer }) => answer.dump())
      // It may lose connections of its own.
      .catch(() => {});
  const asked = [
    ...Array.from({ length: 12 }, () => ask(`/api/image-to-base64?url=${originUrl}/hangs`, worst)),
    ...Array.from({ length: 60 }, (_, n) =>
      ask('/api/key', generateKey(String(100_000_000_000_000_000n + BigInt(n)), 'aaaaa')),
    ),
    ...Array.from({ length: 5 }, () => ask('/api/parse-args', worst, `text=${'+'.repeat(BODY_BYTES)}`)),
  ];
  // Until there is no room left for the one that takes it all.
  await expect.poll(async () => (await postLarge(worst)).status).toBe(503);

  const statuses: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const replies = await Promise.all([
      postLarge(app.key),
      postLarge(app.key),
      postLarge(app.key),
      app.postJson('/api/parse-args', { text: `!ban <@123456789012345678> ${'d'.repeat(3_000)}` }),
      app.call('/api/key'),
      app.call('/health/ready'),
      // A reader of the documents, who has no key.
      app.postJson(
        '/docs/recipe',
        { operation: 'parse-args', tool: 'curl', fields: { text: 'e'.repeat(50_000) } },
        { authorization: '' },
      ),
    ]);
    statuses.push(...replies.map((reply) => reply.status));
    // Calls from its own address fail at once, because they do not wait for a place.
    const image = await app.call(`/api/image-to-base64?url=${originUrl}/closes`);
    expect(image.body).toMatchObject({ code: 'image_fetch_failed' });
  }
  expect(statuses).toEqual(Array.from({ length: 21 }, () => 200));

  for (const end of endings) end();
  origin.closeAllConnections();
  origin.close();
  await Promise.all(asked);
  await from.destroy();
});

test("the service works on few of a server's longest texts at a time, and on those of other servers meanwhile", async () => {
  await using app = await startTestApp();
  const other = await app.createKey({ guildId: '111111111111111111' });
  const text = 'Words, **bold** ones and `code`. '.repeat(4_000).slice(0, 100_000);
  const body = JSON.stringify({ text }).padEnd(1024 * 1024);
  const split = (authorization: string) =>
    app.call('/api/text-splitter', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });

  const all = Promise.all(Array.from({ length: 12 }, () => split(app.key)));
  expect((await split(other)).status).toBe(200);
  const replies = await all;
  const answered = replies.filter(({ status }) => status === 200);
  const refused = replies.filter(({ body }) => body['code'] === 'busy' && body['retry_after'] === 1);
  expect(answered.length + refused.length).toBe(12);
  expect(answered.length).toBeGreaterThanOrEqual(4);
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect((await split(app.key)).status).toBe(200);
});
