import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Sent } from './recipe-languages.ts';

type Send = (request: Sent) => Promise<unknown>;

/** The headers of a request that count; the others are the builder's own. */
const HEADERS = ['authorization', 'token', 'webhook', 'idempotency-key', 'content-type'];

export type Interceptor = Awaited<ReturnType<typeof openInterceptor>>;

/** A text as it is, else JSON. An error closes the connection. */
async function reply(response: ServerResponse, answered: Promise<unknown> | undefined): Promise<void> {
  try {
    const answer = await answered;
    const isText = typeof answer === 'string';
    response.setHeader('content-type', isText ? 'text/plain' : 'application/json');
    response.end(isText ? answer : JSON.stringify(answer));
  } catch {
    response.destroy();
  }
}

/** Stands in the network between a recipe and the world, for builders that make their requests by themselves. */
export async function openInterceptor() {
  let send: Send | null = null;
  let origin = '';
  // Idle connections stay open: one that closed just as a bot used it again would fail at random.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const path = request.url ?? '';
      const given = HEADERS.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      });
      const sent = {
        method: request.method ?? 'GET',
        url: origin + path,
        headers: Object.fromEntries(given),
        ...(pieces.length === 0 ? {} : { body: Buffer.concat(pieces).toString() }),
      };
      void reply(response, send?.(sent));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** The recipe, with this server in place of the world. What it asks for is answered by `answerWith`. */
    direct(code: string, answerWith: Send): string {
      origin = /https?:\/\/[^/]+(?=\/api\/)/.exec(code)?.[0] ?? '';
      send = answerWith;
      return code.replaceAll(origin, url);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
