import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { Problem } from '../../problem.ts';
import { Connections, type ConnectionsOptions } from './connections.ts';
import { noteResponse, refuseConnection, refuseUnreadable, type OnRefused } from './refuse-connection.ts';

/** Periods in milliseconds. */
export interface HttpServerOptions extends ConnectionsOptions {
  /** For the request line and all headers. */
  readonly headersTimeoutMs: number;
  /** For the whole request, body included. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly onRefused: OnRefused;
}

/** Request line and headers together. */
const HEADER_BYTES_MAX = 64 * 1024;

/** Node's HTTP server with limits in every direction, and JSON also where Node would answer by itself. */
export class HttpServer {
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #listener: RequestListener;

  constructor(listener: RequestListener, options: HttpServerOptions) {
    const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs, onRefused } = options;
    this.#listener = listener;
    this.#server = createServer({
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.max(10, Math.min(1000, headersTimeoutMs / 4)),
      // Requests without a body do not go through all that a stream does.
      optimizeEmptyRequests: true,
      // Node would answer a missing Host, and an expectation below, with an empty body. The listener refuses both.
      requireHostHeader: false,
    });
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // While draining, each answer says that its connection ends.
      this.#answer(request, response, this.#server.listening);
    });
    this.#server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response, false);
    });
    this.#server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      const headers = { Allow: 'GET, HEAD, POST, DELETE, OPTIONS' };
      refuseConnection(socket, new Problem('method_not_allowed'), onRefused, headers);
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) =>
      refuseUnreadable(error, socket, onRefused),
    );
    this.#connections = new Connections(this.#server, options);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** @param port 0 takes a free one @throws Error with the code of Node when it cannot listen there */
  async listen(host: string, port: number): Promise<void> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
  }

  /** See Connections. */
  drain(deadlineMs: number): Promise<number> {
    return this.#connections.drain(deadlineMs);
  }

  #answer(request: IncomingMessage, response: ServerResponse, mayKeepAlive: boolean): void {
    noteResponse(response);
    request.url = toPath(request.url ?? '/');
    response.shouldKeepAlive &&= mayKeepAlive;
    this.#listener(request, response);
  }
}

/** A proxy may send the whole address in the request line (RFC 9112, 3.2.2). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The path and query of an address. Express answers nothing where it cannot read a host out of what looks like one. */
function toPath(url: string): string {
  const local = url.replace(ORIGIN, '');
  if (local.startsWith('//')) return `/%2F${local.slice(2)}`;
  return local.startsWith('/') || local === '*' ? local : `/${local}`;
}
