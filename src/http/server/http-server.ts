import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { Problem } from '../../problem.ts';
import { Connections, type DrainOptions } from './connections.ts';
import { noteResponse, refuseConnection, refuseUnreadable, type OnRefused } from './refuse-connection.ts';

/** Periods in milliseconds. */
export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  /** For the request line and all headers. */
  readonly headersTimeoutMs: number;
  /** For the whole request, body included. */
  readonly requestTimeoutMs: number;
  /** For a connection on which nothing moves, a reader that does not read included. */
  readonly idleTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly connectionsMax: number;
  readonly onRefused: OnRefused;
  /** Called for each connection that is closed because there are more than `connectionsMax`. */
  readonly onDropped: () => void;
}

export interface HttpServer {
  readonly port: number;
  /** See Connections. */
  drain(options: DrainOptions): Promise<number>;
}

/** Request line and headers together. */
const HEADER_BYTES_MAX = 64 * 1024;

/** Node's HTTP server with limits in every direction, and JSON also where Node would answer by itself. */
export async function openHttpServer(
  listener: RequestListener,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: options.headersTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      keepAliveTimeout: options.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.max(10, Math.min(1000, options.headersTimeoutMs / 4)),
      // Requests without a body do not go through all that a stream does.
      optimizeEmptyRequests: true,
      // Node would answer a missing Host, and an expectation below, with an empty body. The listener refuses both.
      requireHostHeader: false,
    },
    (request, response) => {
      noteResponse(response);
      request.url = toPath(request.url ?? '/');
      // While draining, each answer says that its connection ends.
      response.shouldKeepAlive &&= server.listening;
      listener(request, response);
    },
  );
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    noteResponse(response);
    request.url = toPath(request.url ?? '/');
    response.shouldKeepAlive = false;
    listener(request, response);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const headers = { Allow: 'GET, HEAD, POST, DELETE, OPTIONS' };
    refuseConnection(socket, new Problem('method_not_allowed'), options.onRefused, headers);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    refuseUnreadable(error, socket, options.onRefused),
  );
  const connections = new Connections(server, options);

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    drain: (drainOptions) => connections.drain(drainOptions),
  };
}

/** A proxy may send the whole address in the request line (RFC 9112, 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The path and query of an address. Express answers nothing where it cannot read a host out of what looks like one. */
function toPath(url: string): string {
  const local = url.replace(ORIGIN, '');
  if (local.startsWith('//')) return `/%2F${local.slice(2)}`;
  return local.startsWith('/') || local === '*' ? local : `/${local}`;
}
