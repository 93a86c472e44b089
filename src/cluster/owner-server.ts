import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { DeliveryReport } from '../deliveries/deliveries.ts';
import { toListenFailure } from '../listen-failure.ts';
import type { MemberDirectory, RoleListing } from '../members/member-directory.ts';
import { Problem } from '../problem.ts';
import type { Log } from '../telemetry/log.ts';
import { writePieces } from '../write-pieces.ts';
import type { Leases } from './leases.ts';
import { shardIsAway } from './unavailable.ts';
import {
  ALIVE_PATH,
  DELIVERY_PATH,
  LISTING_HEADER,
  MEMBERS_PATH,
  NUMBERS_TYPE,
  readLook,
  readQuery,
  writeProblem,
  type ListingHead,
} from './wire.ts';

export interface OwnerServerOptions {
  readonly host: string;
  readonly port: number;
  readonly leases: Leases;
  readonly log: Log;
}

/** Up to this size, a list is sent together with its head in one system call. */
const ONE_WRITE_BYTES_MAX = 32 * 1024;
const PIECE_BYTES = 128 * 1024;
const ID_BYTES = BigUint64Array.BYTES_PER_ELEMENT;
/** The others close connections that nothing was asked on for 30 s. */
const KEEP_ALIVE_MS = 60_000;
/** A reader that takes nothing for this long is cut off. */
const STALLED_MS = 30_000;
const CONNECTIONS_MAX = 4_096;
/** A question may name hundreds of ids. */
const QUESTION_BYTES_MAX = 128 * 1024;

const NEVER = new AbortController();

/** Reports on a delivery of this process. Throws a Problem when there is none. */
type Look = (deliveryId: string, ownerId: string) => DeliveryReport;

/** Answers other processes from the lists of this one, on a port of its own that only they need to reach. */
export class OwnerServer implements AsyncDisposable {
  readonly #options: OwnerServerOptions;
  readonly #server: Server;
  #members: MemberDirectory | null = null;
  #look: Look | null = null;

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
    const times = { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 10_000, headersTimeout: 10_000 };
    this.#server = createServer({ ...times, maxHeaderSize: QUESTION_BYTES_MAX }, (request, response) => {
      this.#answer(request, response).catch((err: unknown) => {
        options.log.error({ err }, 'a question of another process failed');
        response.destroy();
      });
    });
    this.#server.timeout = STALLED_MS;
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** @param members null when this process has no lists */
  answerFrom(members: MemberDirectory | null): void {
    this.#members = members;
  }

  /** Until then, no delivery is known. */
  answerLooks(look: Look): void {
    this.#look = look;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.sendDate = false;
    if (!this.#options.leases.isSecret(headers.authorization ?? '')) return send(response, 401);
    if (url === ALIVE_PATH) return send(response, 204);
    if (url.startsWith(DELIVERY_PATH)) return this.#answerLook(url.slice(DELIVERY_PATH.length), response);
    if (!url.startsWith(MEMBERS_PATH)) return send(response, 404);
    const listing = await this.#find(url.slice(MEMBERS_PATH.length));
    // In one turn with the look-up: what a list shows is fixed only in the turn in which it came.
    if (!(listing instanceof Problem)) return sendListing(response, listing, headers.accept);
    send(response, listing.status, writeProblem(listing));
  }

  #answerLook(search: string, response: ServerResponse): void {
    const asked = readLook(Buffer.from(search, 'base64url').toString());
    try {
      if (asked === null) throw new Problem('bad_request');
      if (this.#look === null) throw new Problem('unknown_delivery');
      send(response, 200, JSON.stringify(this.#look(asked.deliveryId, asked.ownerId)));
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      send(response, err.status, writeProblem(err));
    }
  }

  async #find(search: string): Promise<RoleListing | Problem> {
    const { leases, log } = this.#options;
    const query = readQuery(Buffer.from(search, 'base64url').toString());
    if (query === null) return new Problem('bad_request');
    if (this.#members === null || !leases.holds(query.guildId))
      return shardIsAway('this process does not hold the shard');
    if (!leases.isRunning()) return shardIsAway('the lease of this process has ended');
    try {
      return await this.#members.find(query, NEVER);
    } catch (err) {
      if (!(err instanceof Problem)) log.error({ err }, 'a question of another process failed');
      return Problem.from(err);
    }
  }
}

async function sendListing(
  response: ServerResponse,
  { members, ...rest }: RoleListing,
  accept: string | undefined,
): Promise<void> {
  const { jsonByteLength } = members;
  const head: ListingHead = { ...rest, jsonByteLength };
  response.setHeader(LISTING_HEADER, JSON.stringify(head));
  if (jsonByteLength <= ONE_WRITE_BYTES_MAX) {
    return send(response, 200, Buffer.concat([...members.jsonBytes()], jsonByteLength).toString('latin1'));
  }
  const numbers = accept === NUMBERS_TYPE ? members.idBytes?.() : undefined;
  if (numbers !== undefined) response.setHeader('content-type', NUMBERS_TYPE);
  response.setHeader('content-length', numbers === undefined ? jsonByteLength : head.returned * ID_BYTES);
  await writePieces(response, numbers ?? members.jsonBytes(Buffer.allocUnsafeSlow(PIECE_BYTES)));
  response.end();
}

/** Head and body leave together. */
function send(response: ServerResponse, status: number, body = ''): void {
  response.statusCode = status;
  response.end(body);
}
