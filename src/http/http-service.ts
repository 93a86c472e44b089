import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Problem } from '../kernel/problem.ts';
import { createHttpApp, type HttpAppOptions } from './app.ts';
import { BodyMemory } from './body/body-memory.ts';
import type { Readiness } from './endpoints/health.ts';
import { StatusHistory } from './endpoints/status-history.ts';
import { Connections, type ConnectionsOptions } from './server/connections.ts';
import { createHttpServer, type HttpServerOptions } from './server/http-server.ts';

/** Periods in milliseconds. */
export interface HttpOptions extends HttpServerOptions, Omit<ConnectionsOptions, 'onDropped'> {
  /** The rest of a request body is read for this long after its answer. */
  readonly lingerMs: number;
  /** See HttpAppOptions. */
  readonly refusedBodyMs: number;
  /** Bytes of bodies, of all callers together, that are being received or read. */
  readonly bodyBytesMax: number;
  /** How often the service checks what has changed, for the status page. */
  readonly statusCheckMs: number;
}

const HTTP_OPTIONS: HttpOptions = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 20_000,
  idleTimeoutMs: 30_000,
  // Longer than the 60 s for which proxies reuse idle connections, so that the proxy closes them first.
  keepAliveTimeoutMs: 65_000,
  connectionsMax: 10_000,
  drainIdleMs: 1_000,
  lingerMs: 10_000,
  refusedBodyMs: 1_000,
  bodyBytesMax: 32 * 1024 * 1024,
  statusCheckMs: 15_000,
};

/** Options of the app that `HttpService` adds. */
type OptionsOfServer = 'bodies' | 'lingerMs' | 'refusedBodyMs' | 'status';

export interface HttpServiceOptions extends Pick<ConnectionsOptions, 'onDropped'> {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly app: Omit<HttpAppOptions, OptionsOfServer>;
  readonly readiness: () => Promise<Readiness>;
  /** These replace the defaults. */
  readonly settings?: Partial<HttpOptions> | undefined;
}

/** The HTTP server with its app, its connections and the history of its status. */
export class HttpService {
  readonly #options: HttpServiceOptions;
  readonly #server: Server;
  readonly #connections: Connections;
  readonly #checking: NodeJS.Timeout;
  #isDraining = false;

  /** @throws Error with Node's code when it cannot listen there */
  static async open(options: HttpServiceOptions): Promise<HttpService> {
    const service = new HttpService(options);
    try {
      await once(service.#server.listen(options.port, options.host), 'listening');
    } catch (error) {
      clearInterval(service.#checking);
      throw error;
    }
    return service;
  }

  private constructor(options: HttpServiceOptions) {
    this.#options = options;
    const { app: given, onDropped } = options;
    const settings = { ...HTTP_OPTIONS, ...options.settings };
    const history = new StatusHistory(() => this.#checkReadiness(), given.operationServices.now);
    const app = createHttpApp({
      ...given,
      lingerMs: settings.lingerMs,
      refusedBodyMs: settings.refusedBodyMs,
      bodies: new BodyMemory(settings.bodyBytesMax),
      status: () => history.readStatus(),
    });
    this.#server = createHttpServer(app, settings, (problem, requestId) =>
      this.#recordRefused(problem, requestId),
    );
    this.#connections = new Connections(this.#server, { ...settings, onDropped });
    // A failed check changes nothing on the page.
    const check = () => void history.readStatus().catch(() => {});
    this.#checking = setInterval(check, settings.statusCheckMs).unref();
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Readiness is 503 from now on; see Connections. */
  drain(deadlineMs: number): Promise<number> {
    this.#isDraining = true;
    clearInterval(this.#checking);
    return this.#connections.drain(deadlineMs);
  }

  async #checkReadiness(): Promise<Readiness> {
    if (!this.#isDraining) return this.#options.readiness();
    return { problem: new Problem('shutting_down', { retryAfterSeconds: 5 }), parts: null };
  }

  /** Records data that Node's parser rejected. It has no path and no key. */
  #recordRefused(problem: Problem, requestId: string): void {
    const unknown = { method: null, endpoint: null, key: null };
    this.#options.app.onRequest({ requestId, ...unknown, status: problem.status, problem, durationMs: 0 });
  }
}
