import type { Server, ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';

/** Node hangs the response under way onto the socket; there is no public way to ask for it. */
export function responseUnderWay(socket: unknown): ServerResponse | null {
  if (!(socket instanceof net.Socket)) return null;
  const response = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  return response === undefined || response === null || response.writableEnded ? null : response;
}

export interface DrainOptions {
  /** What is left after it is cut. */
  readonly deadlineMs: number;
  /** How long an idle connection stays open for a request that is on its way. */
  readonly idleMs: number;
}

/** The open connections of a server: who may stay, and how they end. */
export class Connections {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** @param idleTimeoutMs for a connection on which nothing moves, a reader that does not read included */
  constructor(server: Server, idleTimeoutMs: number) {
    this.#server = server;
    server.setTimeout(idleTimeoutMs);
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('timeout', (socket) => {
      // It is our turn: operations have their own deadlines, and a queue may be longer than this.
      if (responseUnderWay(socket)?.headersSent === false) socket.setTimeout(idleTimeoutMs);
      else socket.destroy();
    });
  }

  /**
   * Takes no new connections, lets running requests end, then cuts what is left.
   * @returns the number of connections that were cut
   */
  async drain({ deadlineMs, idleMs }: DrainOptions): Promise<number> {
    for (const socket of this.#sockets) {
      const response = responseUnderWay(socket);
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    }
    // http.Server#close() would also close idle connections at once, on which a request may already be under way;
    // net.Server#close() only stops listening.
    const closed = new Promise<void>((resolve) => {
      net.Server.prototype.close.call(this.#server, () => resolve());
    });
    // After a turn of the event loop, in which everything that has arrived meanwhile is read.
    const idle = setTimeout(() => setImmediate(() => this.#closeIdle()), Math.min(idleMs, deadlineMs));
    let cut = 0;
    const deadline = setTimeout(() => {
      cut = this.#sockets.size;
      for (const socket of this.#sockets) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(idle);
    clearTimeout(deadline);
    // Ends the interval that looks for expired connections.
    this.#server.close();
    return cut;
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections();
    // Node does not count those as idle that have not sent anything yet.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
