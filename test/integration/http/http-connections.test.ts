import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect, test } from 'vitest';

import { startTestApp } from '../../fixtures/test-app.ts';

/** Everything that is answered on one connection, until the service ends it. */
async function readAll(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => socket.destroy());
  socket.once('connect', () => socket.write(bytes));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('utf8');
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1]));

test('the server answers every request on a connection before it refuses garbage after them', async () => {
  await using app = await startTestApp();
  const request = `GET /api/key HTTP/1.1\r\nHost: x\r\nAuthorization: ${app.key}\r\n\r\n`;
  const answers = await readAll(app.port, `${request.repeat(5)}rubbish\r\n\r\n`);
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 400]);
  expect(answers).toContain('"code":"bad_request"');
});

test('the server answers the requests before one with a broken body, and reports that one', async () => {
  await using app = await startTestApp();
  const head = `Host: x\r\nAuthorization: ${app.key}\r\n`;
  const good = `GET /api/key HTTP/1.1\r\n${head}\r\n`;
  const broken = `POST /api/parse-args HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
  const answers = await readAll(app.port, good.repeat(3) + broken);
  expect(statuses(answers)).toEqual([200, 200, 200, 400]);
});

test('the server keeps an idle connection longer than the 60 seconds for which proxies reuse theirs', async () => {
  await using app = await startTestApp();
  const answers = await readAll(app.port, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nBROKEN\r\n\r\n');
  expect(answers).toMatch(/^Keep-Alive: timeout=65\r$/m);
});

test('the server drops a connection of the IP address that has most when it is full', async () => {
  await using app = await startTestApp({ METRICS_PORT: '0' }, { http: { connectionsMax: 5 } });
  const worst = Array.from({ length: 5 }, () =>
    net.connect({ port: app.port, host: '127.0.0.1', localAddress: '127.0.0.2' }),
  );
  const closed: net.Socket[] = [];
  for (const socket of worst) socket.on('error', () => {}).on('close', () => closed.push(socket));
  await Promise.all(worst.map((socket) => once(socket, 'connect')));

  const agent = new http.Agent({ keepAlive: true });
  const request = http.get({ port: app.port, host: '127.0.0.1', path: '/health/live', agent });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(response.statusCode).toBe(200);
  response.resume();
  await expect.poll(() => closed).toEqual([worst[0]]);

  const again = net.connect({ port: app.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  again.on('error', () => {});
  await once(again, 'close');
  expect(closed).toEqual([worst[0]]);
  for (const socket of worst) socket.destroy();
  agent.destroy();
});
