import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { Pool } from 'undici';

/** Other than that of everybody else, so that connections are shared out between the two. */
const ADDRESS = '127.0.0.2';
const UNFINISHED_BODIES = 20;
const IDLE_CONNECTIONS = 200;
const PAUSE_MS = 100;

/**
 * A tenant and a stranger that do their worst until `signal` aborts: bodies that never end, with the key and without,
 * idle connections, 1 MiB of plus signs, and keys that nobody has.
 */
export async function doTheWorst(url: string, key: string, signal: AbortSignal): Promise<void> {
  const sockets = new Set<net.Socket>();
  const open = (head: string, bytes: number) => {
    const socket = net.connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: ADDRESS });
    sockets.add(socket);
    socket.on('error', () => {}).once('data', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (head !== '') socket.write(`${head}Content-Length: ${bytes}\r\n\r\n${' '.repeat(bytes - 1)}`);
  };
  const pool = new Pool(url, { connections: 20, localAddress: ADDRESS });
  const ask = async (authorization: string, body: string | null) => {
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const method = body === null ? 'GET' : 'POST';
    const path = body === null ? '/api/key' : '/api/text-splitter';
    // It is refused, and may lose its connections: that is as it should be.
    await pool.request({ method, path, headers, body }).then(
      ({ body: answer }) => answer.dump(),
      () => {},
    );
  };
  const plus = `text=${'+'.repeat(1024 * 1024 - 5)}`;
  while (!signal.aborted) {
    while (sockets.size < IDLE_CONNECTIONS) open('', 0);
    for (let n = 0; n < UNFINISHED_BODIES; n += 1) {
      open(
        `POST /api/text-splitter HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: text/plain\r\n`,
        1024 * 1024,
      );
      open('POST /docs/recipe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n', 60_000);
    }
    await Promise.all([ask(key, plus), ask(key, plus), ask(`${key.slice(0, 57)}_`, null), wait(PAUSE_MS)]);
    if (sockets.size > 2 * IDLE_CONNECTIONS) for (const socket of sockets) socket.destroy();
  }
  for (const socket of sockets) socket.destroy();
  await pool.destroy();
}
