import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { describe, expect, test } from 'vitest';

import { png } from '../../fixtures/image-files.ts';
import { sendFile, startOrigin } from './images-origin.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

const LARGE = png(128, 64, { size: 8 * 1024 * 1024 });
const CLOSED_NETWORK = { IMAGE_ALLOW_PRIVATE: 'true', IMAGE_RATE_LIMIT: '1000' };
const PATH = '/api/image-to-base64';
/** One job at a time, and one that waits for it. */
const ONE_PLACE = { jobsMax: 1, queueMax: 1 };

/** Asks for both forms of an image over a connection that the test reads, or does not read. */
function ask(app: TestApp, url: string): Socket {
  const socket = connect(app.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `GET ${PATH}?format=both&url=${encodeURIComponent(url)} HTTP/1.1\r\nhost: a\r\nauthorization: ${app.key}\r\n\r\n`,
  );
  return socket;
}

const requestsReach = async (origin: { readonly requests: readonly string[] }, count: number) => {
  await expect.poll(() => origin.requests.length).toBeGreaterThanOrEqual(count);
};

describe('more callers than slots', () => {
  test('get 503 with a time to wait when the queue of their guild is full, while another guild continues', async () => {
    const held: (() => void)[] = [];
    let areHeld = true;
    await using origin = await startOrigin((socket, path) => {
      const answer = () => sendFile(socket, png(8, 8));
      if (areHeld && path === '/held') held.push(answer);
      else answer();
    });
    await using app = await startTestApp(CLOSED_NETWORK);
    const url = `${origin.url}/held`;
    const answers = Array.from({ length: 12 }, () => app.postJson(PATH, { url }));
    const refused = await Promise.any(
      answers.map(async (answer) => ((await answer).status === 503 ? answer : Promise.reject(new Error()))),
    );
    expect(refused).toMatchObject({ type: 'application/json', body: { code: 'busy', retry_after: 5 } });
    expect(refused.headers.get('retry-after')).toBe('5');
    const otherKey = await app.createKey({ guildId: '123456789012345678' });
    const other = await app.postJson(PATH, { url: `${origin.url}/free` }, { authorization: otherKey });
    expect(other.status).toBe(200);
    areHeld = false;
    for (const answer of held) answer();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 503)).toHaveLength(2);
  });
});

describe('the slot is freed', () => {
  test('when a caller disconnects while the image is fetched', async () => {
    await using origin = await startOrigin((socket, path) => {
      if (path === '/image') sendFile(socket, LARGE);
      else socket.write('HTTP/1.1 200 OK\r\n\r\nabc');
    });
    await using app = await startTestApp(CLOSED_NETWORK, { images: ONE_PLACE });
    for (let caller = 1; caller <= 3; caller += 1) {
      const socket = ask(app, `${origin.url}/endless`);
      await requestsReach(origin, caller);
      socket.destroy();
    }
    expect(await app.postJson(PATH, { url: `${origin.url}/image` })).toMatchObject({ status: 200 });
    expect(origin.open).toBe(0);
  });

  test('when a queued caller disconnects', async () => {
    await using origin = await startOrigin((socket, path) => {
      if (path === '/image') sendFile(socket, LARGE);
    });
    await using app = await startTestApp({ ...CLOSED_NETWORK, METRICS_PORT: '0' }, { images: ONE_PLACE });
    const waiting = async () =>
      Number(/^quartermaster_image_jobs_waiting (\d+)$/m.exec(await app.metrics())?.[1]);
    const first = ask(app, `${origin.url}/silence`);
    await requestsReach(origin, 1);
    const second = ask(app, `${origin.url}/image`);
    await expect.poll(waiting).toBe(1);
    second.destroy();
    await expect.poll(waiting).toBe(0);
    first.destroy();
    expect(await app.postJson(PATH, { url: `${origin.url}/image` })).toMatchObject({ status: 200 });
    expect(origin.requests).toHaveLength(2);
  });

  test('when a caller disconnects in the middle of the response', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, LARGE));
    await using app = await startTestApp(CLOSED_NETWORK, { images: ONE_PLACE });
    for (let caller = 0; caller < 3; caller += 1) {
      const socket = ask(app, origin.url);
      await once(socket, 'data');
      socket.destroy();
    }
    expect(await app.postJson(PATH, { url: origin.url })).toMatchObject({ status: 200 });
  });

  test('when a caller never reads the response', async () => {
    await using origin = await startOrigin((socket, path) =>
      sendFile(socket, path === '/large' ? LARGE : png(8, 8)),
    );
    await using app = await startTestApp(CLOSED_NETWORK, { images: { ...ONE_PLACE, answerTimeoutMs: 100 } });
    const silent = ask(app, `${origin.url}/large`).pause();
    await requestsReach(origin, 1);
    expect(await app.postJson(PATH, { url: origin.url })).toMatchObject({ status: 200 });
    // What is read late is cut, and holds nothing of what came after.
    const pieces: Buffer[] = [];
    silent.on('data', (piece: Buffer) => pieces.push(piece)).resume();
    await once(silent, 'close');
    const answer = Buffer.concat(pieces).toString('latin1');
    const sent = answer.slice(answer.indexOf('"base64":"') + 10);
    expect(answer.startsWith('HTTP/1.1 200 OK')).toBe(true);
    expect(LARGE.toString('base64').startsWith(sent)).toBe(true);
  });
});
