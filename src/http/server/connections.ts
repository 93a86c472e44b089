import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';

import { toAddressGroup } from '../../rate-limit/address-group.ts';
import { responseUnderWay } from './responses-of.ts';

export interface ConnectionsOptions {
  /** For a connection on which nothing moves, a reader that does not read included. */
  readonly idleTimeoutMs: number;
  readonly connectionsMax: number;
  /** While draining, an idle connection stays open this long for a request that is on its way. */
  readonly drainIdleMs: number;
  /** Called for each connection that is closed because there are too many. */
  readonly onDropped: () => void;
}

/**
 * The open connections of a server: which may stay, and how they end. No address is limited while there is room.
 * When no room is left, the address with the most connections loses one to an address with fewer, an idle one first.
 */
export class Connections {
  readonly #server: Server;
  readonly #drainIdleMs: number;
  readonly #addresses = new Map<Socket, string>();
  /** By address, the oldest first. */
  readonly #sockets = new Map<string, Set<Socket>>();

  constructor(server: Server, options: ConnectionsOptions) {
    const { idleTimeoutMs, connectionsMax, drainIdleMs, onDropped } = options;
    this.#server = server;
    this.#drainIdleMs = drainIdleMs;
    server.setTimeout(idleTimeoutMs);
    server.on('connection', (socket) => {
      const address = toAddressGroup(socket.remoteAddress ?? '');
      this.#add(socket, address);
      if (this.#addresses.size <= connectionsMax) return;
      onDropped();
      this.#dropOne(socket, address);
    });
    server.on('timeout', (socket) => {
      // The caller waits for us: operations have deadlines of their own, and a queue may take longer than this.
      if (responseUnderWay(socket)?.headersSent === false) socket.setTimeout(idleTimeoutMs);
      else socket.destroy();
    });
  }

  /**
   * Takes no new connections, lets running requests end, then cuts what is left.
   * @param deadlineMs connections that are still open after this are cut
   * @returns the number of connections that were cut
   */
  async drain(deadlineMs: number): Promise<number> {
    for (const socket of this.#addresses.keys()) {
      const response = responseUnderWay(socket);
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    }
    // http.Server#close() would also close idle connections at once, on which a request may already be under way;
    // net.Server#close() only stops listening.
    const closed = new Promise<void>((resolve) => {
      net.Server.prototype.close.call(this.#server, () => resolve());
    });
    // After a turn of the event loop, in which everything that has arrived meanwhile is read.
    const idleMs = Math.min(this.#drainIdleMs, deadlineMs);
    const idle = setTimeout(() => setImmediate(() => this.#closeIdle()), idleMs);
    let cut = 0;
    const deadline = setTimeout(() => {
      cut = this.#addresses.size;
      for (const socket of this.#addresses.keys()) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(idle);
    clearTimeout(deadline);
    // Ends the interval that looks for expired connections.
    this.#server.close();
    return cut;
  }

  #add(socket: Socket, address: string): void {
    const ofAddress = this.#sockets.get(address) ?? new Set();
    this.#sockets.set(address, ofAddress.add(socket));
    this.#addresses.set(socket, address);
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    const address = this.#addresses.get(socket);
    if (address === undefined) return;
    this.#addresses.delete(socket);
    const ofAddress = this.#sockets.get(address);
    ofAddress?.delete(socket);
    if (ofAddress?.size === 0) this.#sockets.delete(address);
  }

  /** @param latest is dropped itself when no other address has more connections than its own */
  #dropOne(latest: Socket, address: string): void {
    const own = this.#sockets.get(address) ?? new Set();
    let most: ReadonlySet<Socket> = own;
    for (const sockets of this.#sockets.values()) if (sockets.size > most.size) most = sockets;
    const dropped = most === own ? latest : (findIdle(most) ?? [...most].at(-1) ?? latest);
    // Its close comes later, and more connections may come before.
    this.#forget(dropped);
    dropped.destroy();
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections();
    // Node does not count those as idle that have not sent anything yet.
    for (const socket of this.#addresses.keys()) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** The oldest connection on which no request is being answered. */
function findIdle(sockets: Iterable<Socket>): Socket | null {
  for (const socket of sockets) if (responseUnderWay(socket) === null) return socket;
  return null;
}
