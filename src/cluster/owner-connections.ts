import net from 'node:net';

interface OwnerAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

interface OwnerRequest {
  /** `http://host:port` */
  readonly origin: string;
  readonly path: string;
  /** Values are ASCII without line breaks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /**
   * Called with the length of the body; throwing ends the request. The function that it returns gets the pieces, each
   * of which is valid only during the call.
   */
  readonly makeRoom: (bytes: number) => (piece: Buffer) => void;
}

/** Connections that were unused for longer are closed; the other side keeps them longer. */
const IDLE_MS = 30_000;
const HEAD_BYTES_MAX = 64 * 1024;
/** Shared by all connections: what arrives is copied before anything else is read. */
const entrance = Buffer.allocUnsafeSlow(HEAD_BYTES_MAX);

/**
 * Asks other processes over HTTP, on connections that stay open. With Node's own client, even with one that reads into
 * the same buffer each time, this process gives little more than half as many short answers.
 */
export class OwnerConnections implements Disposable {
  readonly #connections = new Set<Connection>();

  /**
   * One GET. After a failure `makeRoom` and what it gave are not called any more.
   * @throws Error when the whole answer has not come after `timeoutMs`
   */
  async ask(request: OwnerRequest): Promise<OwnerAnswer> {
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
  #asked: (PromiseWithResolvers<OwnerAnswer> & OwnerRequest) | null = null;
  /** The beginning of an answer, until its head is complete. */
  #head = '';
  #body: (OwnerAnswer & { left: number; readonly take: (piece: Buffer) => void }) | null = null;

  constructor(origin: string, onClose: () => void) {
    const { hostname, port } = new URL(origin);
    this.#origin = origin;
    const callback = (bytes: number) => {
      try {
        this.#read(entrance.subarray(0, bytes));
      } catch (error) {
        this.close(error instanceof Error ? error : new Error(String(error)));
      }
      return true;
    };
    this.#socket = net.connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port),
      noDelay: true,
      onread: { buffer: entrance, callback },
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

  ask(request: OwnerRequest): Promise<OwnerAnswer> {
    this.#asked = { ...request, ...Promise.withResolvers<OwnerAnswer>() };
    const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`GET ${request.path} HTTP/1.1\r\nhost: owner\r\n${lines.join('')}\r\n`, 'latin1');
    return this.#asked.promise;
  }

  close(reason?: Error): void {
    this.#socket.destroy(reason);
  }

  #read(piece: Buffer): void {
    if (this.#asked === null) throw new Error('the owner has answered what was not asked');
    let body = piece;
    if (this.#body === null) {
      this.#head += piece.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n') + 4;
      if (end < 4 && this.#head.length < HEAD_BYTES_MAX) return;
      const { length, ...answer } = readHead(this.#head.slice(0, end));
      body = piece.subarray(piece.length - (this.#head.length - end));
      this.#head = '';
      this.#body = { ...answer, left: length, take: this.#asked.makeRoom(length) };
    }
    this.#body.left -= body.length;
    if (this.#body.left < 0) throw new Error('the owner has sent more than it announced');
    this.#body.take(body);
    if (this.#body.left > 0) return;
    this.#asked.resolve(this.#body);
    this.#asked = null;
    this.#body = null;
  }
}

/** @throws Error when no process of this bot answers like that, or the length of the body is missing */
function readHead(head: string): OwnerAnswer & { readonly length: number } {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const header = (name: string) => new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(head)?.[1];
  const length = status === 204 ? 0 : Number(header('content-length'));
  if (!(status >= 200 && length >= 0)) throw new Error('the answer of the owner cannot be understood');
  return { status, header, length };
}
