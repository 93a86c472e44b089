import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import type { MemberDirectory, RoleListing } from '../members/member-directory.ts';
import { Problem } from '../problem.ts';
import { toListenFailure } from '../listen-failure.ts';
import type { Log } from '../telemetry/log.ts';
import { writePieces } from '../write-pieces.ts';
import type { Leases } from './leases.ts';
import { shardIsAway } from './unavailable.ts';
import { NUMBERS_TYPE, readQuery, writeProblem, type ListingHead } from './wire.ts';

export interface OwnerServerOptions {
  readonly host: string;
  readonly port: number;
  readonly leases: Leases;
  readonly log: Log;
}

/** Other processes ask `GET /members?<a RoleQuestion as JSON in base64url>`. */
export const MEMBERS_PATH = '/members?';
/** Answers 204 to a process that may ask. */
export const ALIVE_PATH = '/alive';
/** The header with a ListingHead as JSON; the body is the ids alone. */
export const LISTING_HEADER = 'listing';

/** Up to this size a list leaves together with its head, in one call of the system. */
const ONE_WRITE_BYTES_MAX = 32 * 1024;
const PIECE_BYTES = 128 * 1024;
/** The others close connections that nothing was asked on for 30 s. */
const KEEP_ALIVE_MS = 60_000;
/** A reader that takes nothing for this long is cut off. */
const STALLED_MS = 30_000;
const CONNECTIONS_MAX = 4_096;
/** A question may name hundreds of ids. */
const QUESTION_BYTES_MAX = 128 * 1024;

/** Answers other processes from the lists of this one, on a port of its own that only they need to reach. */
export class OwnerServer implements AsyncDisposable {
  readonly #options: OwnerServerOptions;
  readonly #server: Server;
  /** null when this process has no lists. */
  members: MemberDirectory | null = null;

  /** @throws Error with a sentence for operators that names the setting */
  static async open(options: OwnerServerOptions): Promise<OwnerServer> {
    const { host, port } = options;
    const opened = new OwnerServer(options);
    opened.#server.listen(port, host);
    await once(opened.#server, 'listening').catch((error: unknown) => {
      throw toListenFailure(error, { hostSetting: 'CLUSTER_HOST', host, portSetting: 'CLUSTER_PORT', port });
    });
    return opened;
  }

  private constructor(options: OwnerServerOptions) {
    this.#options = options;
    this.#server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        requestTimeout: 10_000,
        headersTimeout: 10_000,
        maxHeaderSize: QUESTION_BYTES_MAX,
      },
      (request, response) => {
        this.#answer(request, response).catch((err: unknown) => {
          options.log.error({ err }, 'a question of another process failed');
          response.destroy();
        });
      },
    );
    this.#server.timeout = STALLED_MS;
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request;
    response.sendDate = false;
    if (!this.#options.leases.isSecret(headers.authorization ?? '')) {
      send(response, 401);
    } else if (url === ALIVE_PATH) {
      send(response, 204);
    } else if (url.startsWith(MEMBERS_PATH)) {
      const listing = await this.#find(url.slice(MEMBERS_PATH.length));
      // In one turn with the look-up: what a list shows is fixed only in the turn in which it came.
      if (listing instanceof Problem) send(response, listing.status, {}, writeProblem(listing));
      else await sendListing(response, listing, headers);
    } else {
      send(response, 404);
    }
  }

  async #find(search: string): Promise<RoleListing | Problem> {
    const { leases, log } = this.#options;
    try {
      const query = readQuery(Buffer.from(search, 'base64url').toString());
      if (query === null) return new Problem('bad_request');
      if (this.members === null || !leases.holds(query.guildId))
        return shardIsAway('this process does not hold the shard');
      if (!leases.isRunning()) return shardIsAway('the lease of this process has ended');
      return await this.members.find(query, NEVER);
    } catch (err) {
      if (err instanceof Problem) return err;
      log.error({ err }, 'a question of another process failed');
      return new Problem('internal');
    }
  }
}

const NEVER = new AbortController();

async function sendListing(
  response: ServerResponse,
  { members, ...rest }: RoleListing,
  asked: IncomingHttpHeaders,
): Promise<void> {
  const head: ListingHead = { ...rest, jsonByteLength: members.jsonByteLength };
  const tag = tagOf(head.version);
  const headers = { [LISTING_HEADER]: JSON.stringify(head), etag: tag };
  const length = head.jsonByteLength;
  if (asked['if-none-match'] === tag) return send(response, 304, headers);
  if (length <= ONE_WRITE_BYTES_MAX) {
    return send(response, 200, headers, Buffer.concat([...members.jsonBytes()], length).toString('latin1'));
  }
  const numbers = asked.accept === NUMBERS_TYPE ? members.idBytes?.() : undefined;
  response.writeHead(200, {
    ...headers,
    ...(numbers === undefined
      ? { 'content-length': length }
      : { 'content-length': head.returned * BigUint64Array.BYTES_PER_ELEMENT, 'content-type': NUMBERS_TYPE }),
  });
  await writePieces(response, numbers ?? members.jsonBytes(Buffer.allocUnsafeSlow(PIECE_BYTES)));
  response.end();
}

/** Head and body leave together. */
function send(response: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}, body = ''): void {
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, {
    ...headers,
    ...(hasBody ? { 'content-length': Buffer.byteLength(body) } : {}),
  });
  response.end(body);
}

/** How a version is named in If-None-Match. */
export function tagOf(version: string): string {
  return `"${version}"`;
}
