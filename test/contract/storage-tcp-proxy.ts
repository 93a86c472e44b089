import { once } from 'node:events';
import net from 'node:net';

/** Stands in front of a database and takes the network away from it. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Connections stay and new ones are accepted, but not a byte passes. */
  hang(): void;
  restore(): Promise<void>;
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<net.Socket>();
  let isHanging = false;

  const accept = (near: net.Socket) => {
    const far = net.connect(target.port, target.host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!isHanging) to.write(bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  };
  const listen = async (port: number) => {
    const server = net.createServer(accept).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  let server = await listen(0);
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    cut: close,
    hang() {
      isHanging = true;
    },
    async restore() {
      isHanging = false;
      // What was swallowed would be missing in the middle of a conversation.
      for (const socket of sockets) socket.destroy();
      if (!server.listening) server = await listen(port);
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await close();
    },
  };
}
