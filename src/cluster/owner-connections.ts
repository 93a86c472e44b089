import net from 'node:net';

interface ProcessAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

interface ProcessRequest {
  /** `http://host:port` */
  readonly origin: string;
  readonly path: string;
  /** Values are ASCII without line breaks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Gives memory for a body of this length; what it throws ends the request. */
  readonly makeRoom: (bytes: number) => Buffer;
}

/** Connections that nothing was asked on for longer are closed; the other side keeps them longer. */
const IDLE_MS = 30_000;
const HEAD_BYTES_MAX = 64 * 1024;
const NO_ROOM = Buffer.alloc(0);
/** All connections read heads into it: what has come is looked at before anything else is read. */
const entrance = Buffer.allocUnsafeSlow(HEAD_BYTES_MAX);

/**
 * Asks other processes over HTTP, on connections that stay open. A body is read straight into the memory that it is to
 * have. Other clients make a new buffer for each piece, which costs more than all else that is done for a long list.
 */
export class OwnerConnections implements Disposable {
  readonly #connections = new Set<Connection>();

  /**
   * One GET, whose body fills the room that was made for it. After a failure nothing is written there any more.
   * @throws Error when the whole answer has not come after `timeoutMs`
   */
  async ask(request: ProcessRequest): Promise<ProcessAnswer> {
    // The oldest one that is free, so that those which only a burst needed are closed after it.
    let connection = this.#connections.values().find((each) => each.isIdleTo(request.origin));
    if (connection === undefined) {
      const made: Connection = new Connection(request.origin, () => this.#connections.delete(made));
      this.#connections.add(made);
      connection = made;
    }
    const timer = setTimeout(() => connection.close(new Error('no answer in time')), request.timeoutMs);
    return connection.ask(request).finally(() => clearTimeout(timer));
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.close();
  }
}

/** A connection with one question at a time. */
class Connection {
  readonly #origin: string;
  readonly #socket: net.Socket;
  #asked: (PromiseWithResolvers<ProcessAnswer> & ProcessRequest) | null = null;
  /** Of an answer, until its head is whole. */
  #head = '';
  #answer: ProcessAnswer | null = null;
  /** What is still empty of the room for its body. */
  #room: Buffer = NO_ROOM;

  constructor(origin: string, onClose: () => void) {
    const { hostname, port } = new URL(origin);
    this.#origin = origin;
    this.#socket = net.connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: () => (this.#room.length > 0 ? this.#room : entrance),
        callback: (bytes) => {
          try {
            this.#read(bytes);
          } catch (error) {
            this.close(error instanceof Error ? error : new Error(String(error)));
          }
          return true;
        },
      },
    });
    let failure: unknown = new Error('the owner has closed the connection');
    this.#socket.setTimeout(IDLE_MS, () => this.close());
    this.#socket.on('error', (error) => (failure = error));
    this.#socket.on('close', () => {
      onClose();
      this.#asked?.reject(failure);
    });
  }

  isIdleTo(origin: string): boolean {
    return this.#origin === origin && this.#asked === null && !this.#socket.destroyed;
  }

  ask(request: ProcessRequest): Promise<ProcessAnswer> {
    this.#asked = { ...request, ...Promise.withResolvers<ProcessAnswer>() };
    const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`GET ${request.path} HTTP/1.1\r\nhost: owner\r\n${lines.join('')}\r\n`, 'latin1');
    return this.#asked.promise;
  }

  close(reason?: Error): void {
    this.#socket.destroy(reason);
  }

  #read(bytes: number): void {
    if (this.#asked === null) throw new Error('the owner has answered what was not asked');
    if (this.#answer === null) {
      this.#head += entrance.toString('latin1', 0, bytes);
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1 && this.#head.length < HEAD_BYTES_MAX) return;
      const { length, ...answer } = readHead(this.#head.slice(0, Math.max(end, 0)));
      const begin = Buffer.from(this.#head.slice(end + 4), 'latin1');
      if (begin.length > length) throw new Error('the owner has sent more than it announced');
      this.#head = '';
      this.#answer = answer;
      this.#room = this.#asked.makeRoom(length);
      begin.copy(this.#room);
      this.#room = this.#room.subarray(begin.length);
    } else {
      this.#room = this.#room.subarray(bytes);
    }
    if (this.#room.length > 0) return;
    this.#asked.resolve(this.#answer);
    this.#asked = null;
    this.#answer = null;
  }
}

/** @throws Error when it is no answer of a process, or does not say how long its body is */
function readHead(head: string): ProcessAnswer & { readonly length: number } {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const header = (name: string) => new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(head)?.[1];
  const length = status === 204 || status === 304 ? 0 : Number(header('content-length'));
  if (!(status >= 200 && length >= 0)) throw new Error('the answer of the owner cannot be understood');
  return { status, header, length };
}
