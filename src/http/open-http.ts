import type { GuildKeys } from '../guild-keys/guild-keys.ts';
import type { Log } from '../telemetry/log.ts';
import type { Operation } from '../operations/operation.ts';
import { Problem } from '../problem.ts';
import { BodyRoom } from './body/body-room.ts';
import { createAddressReader, type TrustProxy } from './server/caller-address.ts';
import { createHttpApp } from './app.ts';
import type { Readiness } from './endpoints/health.ts';
import type { RequestRecord } from './locals.ts';
import type { Admission } from './middleware/admit.ts';
import { openHttpServer } from './server/http-server.ts';
import type { Collaborators } from './endpoints/operation.ts';

/** Periods in milliseconds. */
export interface HttpOptions {
  readonly headersTimeoutMs: number;
  /** For headers and body together. */
  readonly requestTimeoutMs: number;
  /** For a connection on which nothing moves, a reader that does not read included. */
  readonly idleTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly connectionsMax: number;
  /** While draining, an idle connection stays open this long for a request that is on its way. */
  readonly drainIdleMs: number;
  /** The rest of a request may go on for this long after its answer. */
  readonly lingerMs: number;
  /** Bodies of all callers together that are still being received or read. */
  readonly bodyBytesMax: number;
}

const HTTP_OPTIONS: HttpOptions = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 20_000,
  idleTimeoutMs: 30_000,
  keepAliveTimeoutMs: 25_000,
  connectionsMax: 10_000,
  drainIdleMs: 1_000,
  lingerMs: 10_000,
  bodyBytesMax: 32 * 1024 * 1024,
};

export interface OpenHttpOptions extends Partial<HttpOptions> {
  readonly host: string;
  readonly port: number;
  /** Address of the API, without a slash at the end; null for the port on this machine. */
  readonly publicUrl: string | null;
  readonly trustProxy: TrustProxy;
  readonly log: Log;
  readonly operations: readonly Operation[];
  readonly collaborators: Collaborators;
  readonly keys: Pick<GuildKeys, 'revoke'>;
  readonly admission: Admission;
  readonly requestsPerMinute: number;
  readonly imagesPerMinute: number;
  readonly sendsPerMinute: number;
  readonly onRequest: (record: RequestRecord) => void;
  /** Called for each connection beyond `connectionsMax`. */
  readonly onDropped: () => void;
  /** Address of the source code of this service; null when SOURCE_URL is not set. */
  readonly sourceUrl: string | null;
  /** The link that adds the bot to a server; null without one. */
  readonly inviteUrl: () => string | null;
  /** Storage, gateway …; not asked once the service is stopping. */
  readonly readiness: () => Promise<Readiness>;
}

export interface Http {
  readonly port: number;
  /** From now on readiness is 503, and nothing is answered but how work is getting on. */
  takeLooksOnly(): void;
  /** Readiness is 503 from now on; see HttpServer. */
  drain(deadlineMs: number): Promise<number>;
}

/** The whole HTTP shell, listening. */
export async function openHttp(options: OpenHttpOptions): Promise<Http> {
  const settings = { ...HTTP_OPTIONS, ...options };
  let draining = false;
  let stopping = false;
  let { port } = options;
  const app = createHttpApp({
    ...settings,
    addressOf: createAddressReader(options.trustProxy),
    bodies: new BodyRoom(settings.bodyBytesMax),
    publicUrl: () => options.publicUrl ?? `http://localhost:${port}`,
    isStopping: () => stopping,
    readiness: async () =>
      draining || stopping
        ? { problem: new Problem('shutting_down', { retryAfterSeconds: 5 }), parts: {} }
        : options.readiness(),
  });
  const server = await openHttpServer(app, {
    ...settings,
    onRefused: (problem, requestId) =>
      options.onRequest({
        requestId,
        operation: null,
        key: null,
        status: problem.status,
        code: problem.code,
        cause: problem.cause,
        durationMs: 0,
      }),
  });
  port = server.port;
  return {
    port,
    takeLooksOnly() {
      stopping = true;
    },
    drain(deadlineMs) {
      draining = true;
      return server.drain({ deadlineMs, idleMs: settings.drainIdleMs });
    },
  };
}
