import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';

import { FairSemaphore, fromHeaviestTenant, type Claim } from '../../kernel/fair-semaphore.ts';
import { toAddressGroup } from '../../rate-limit/address-group.ts';
import { pendingResponse } from './responses-of.ts';

export interface ConnectionsOptions {
  /** A connection without any traffic is closed after this time, even if its caller has only stopped reading. */
  readonly idleTimeoutMs: number;
  readonly connectionsMax: number;
  /** While draining, an idle connection stays open this long, for a request that may be on its way. */
  readonly drainIdleMs: number;
  /** Called for each connection that is closed because there are too many. */
  readonly onDropped: () => void;
}

interface Connection extends Claim {
  readonly socket: Socket;
}

/**
 * The open connections of a server. When there are too many, the address with the most connections loses one to an
 * address with fewer, an idle one first.
 */
export class Connections {
  readonly #server: Server;
  readonly #drainIdleMs: number;
  readonly #open: FairSemaphore<Connection>;

  constructor(server: Server, options: ConnectionsOptions) {
    const { idleTimeoutMs, connectionsMax, drainIdleMs, onDropped } = options;
    this.#server = server;
    this.#drainIdleMs = drainIdleMs;
    server.setTimeout(idleTimeoutMs);
    const drop = ({ socket }: Connection) => {
      onDropped();
      socket.destroy();
    };
    this.#open = new FairSemaphore({
      hasCapacity: (open) => open.size < connectionsMax,
      evict: fromHeaviestTenant((connections) => connections.find(isIdle) ?? connections.at(-1)),
      onEvicted: drop,
    });
    server.on('connection', (socket) => {
      const connection = { tenant: toAddressGroup(socket.remoteAddress ?? ''), socket };
      if (!this.#open.tryAcquire(connection)) drop(connection);
      socket.once('close', () => this.#open.release(connection));
    });
    server.on('timeout', (socket) => {
      // The caller waits for our answer. Operations have deadlines of their own, and waiting in a queue may take longer
      // than this timeout.
      if (pendingResponse(socket)?.headersSent === false) socket.setTimeout(idleTimeoutMs);
      else socket.destroy();
    });
  }

  /**
   * Stops listening, lets running requests end, then closes the remaining connections.
   * @param deadlineMs connections that are still open after this are closed
   * @returns the number of connections that were closed at the deadline
   */
  async drain(deadlineMs: number): Promise<number> {
    for (const { socket } of this.#open.held) {
      const response = pendingResponse(socket);
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    }
    // net.Server#close() only stops listening. http.Server#close() would also close idle connections immediately,
    // although a request may already be on its way.
    const closed = new Promise<void>((resolve) => {
      net.Server.prototype.close.call(this.#server, () => resolve());
    });
    // Waits for an iteration of the event loop, which reads everything that has arrived by now.
    const idleMs = Math.min(this.#drainIdleMs, deadlineMs);
    const idle = setTimeout(() => setImmediate(() => this.#closeIdle()), idleMs);
    let cut = 0;
    const deadline = setTimeout(() => {
      cut = this.#open.held.size;
      for (const { socket } of this.#open.held) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(idle);
    clearTimeout(deadline);
    // Ends the interval that checks for expired connections.
    this.#server.close();
    return cut;
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections();
    // Node does not count a new connection as idle before it has sent something.
    for (const { socket } of this.#open.held) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** True when no request is being answered on it. */
function isIdle({ socket }: Connection): boolean {
  return pendingResponse(socket) === null;
}
