import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Origin extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Request lines and headers, as they came. */
  readonly requests: readonly string[];
  /** The address of its own that each connection came to, in order. */
  readonly reachedAt: readonly string[];
  /** Connections so far. */
  readonly connections: number;
  /** Connections that are still open. */
  readonly open: number;
}

/** The origin's reaction to a request; whatever HTTP says, it may write anything. */
export type Behaviour = (socket: Socket, path: string) => void;

/** @param host where it listens; the default is the one address that counts as public in these tests */
export async function startOrigin(
  behave: Behaviour,
  server: Server = createServer(),
  host = '127.0.0.1',
): Promise<Origin> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const reachedAt: string[] = [];

  server.on('connection', (socket: Socket) => {
    reachedAt.push(socket.localAddress?.replace('::ffff:', '') ?? '');
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A client that goes away in the middle is what most of these tests are about.
    socket.on('error', () => {});
  });
  server.on(
    server.listenerCount('secureConnection') === 0 ? 'connection' : 'secureConnection',
    (socket: Socket) => {
      let head = '';
      socket.on('error', () => {});
      socket.on('data', (piece: Buffer) => {
        head += piece.toString('latin1');
        if (!head.includes('\r\n\r\n')) return;
        requests.push(head);
        const path = head.split(' ')[1] ?? '';
        head = '';
        behave(socket, path);
      });
    },
  );
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    reachedAt,
    get connections() {
      return reachedAt.length;
    },
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A complete answer, after which the connection ends. */
export function respond(
  socket: Socket,
  status: number,
  headers: Readonly<Record<string, string | number>>,
  body: Uint8Array | string = '',
): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} -\r\n${lines.join('')}\r\n`);
  socket.end(body);
}

export function sendFile(socket: Socket, file: Uint8Array): void {
  respond(socket, 200, { 'content-length': file.length }, file);
}

export function redirect(socket: Socket, location: string, status = 302): void {
  respond(socket, status, { location });
}
