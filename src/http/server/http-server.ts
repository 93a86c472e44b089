import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';

import { Problem } from '../../kernel/problem.ts';
import { refuseConnection, refuseUnreadable, type OnRefused } from './refuse-connection.ts';
import { recordResponse } from './responses-of.ts';

/** Periods in milliseconds. */
export interface HttpServerOptions {
  /** Time for the request line and all headers. */
  readonly headersTimeoutMs: number;
  /** Time for the whole request, body included. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

/** Bytes of the request line and headers together. */
const HEADER_BYTES_MAX = 64 * 1024;

/** Node's HTTP server with limits on time, size and number. It answers JSON even where Node would answer by itself. */
export function createHttpServer(
  listener: RequestListener,
  { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs }: HttpServerOptions,
  onRefused: OnRefused,
): Server {
  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.max(10, Math.min(1000, headersTimeoutMs / 4)),
    // Requests without a body skip most of the work of a stream.
    optimizeEmptyRequests: true,
    // Node would answer a missing Host, and an unknown expectation below, with an empty body. The listener refuses
    // both.
    requireHostHeader: false,
  });
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    recordResponse(response);
    request.url = toPath(request.url ?? '/');
    // While draining, each answer says that its connection is about to close.
    response.shouldKeepAlive &&= server.listening;
    listener(request, response);
  };
  server.on('request', answer);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    answer(request, response);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const headers = { Allow: 'GET, HEAD, POST, DELETE, OPTIONS' };
    refuseConnection(socket, new Problem('method_not_allowed'), onRefused, headers);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
    refuseUnreadable(error, socket, onRefused),
  );
  return server;
}

/** A proxy may send an absolute URL in the request line (RFC 9112, 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * Returns the path and query of a request target. Express never answers one that looks like an absolute URL but has no
 * valid host.
 */
function toPath(url: string): string {
  const local = url.replace(ORIGIN, '');
  if (local.startsWith('//')) return `/%2F${local.slice(2)}`;
  return local.startsWith('/') || local === '*' ? local : `/${local}`;
}
