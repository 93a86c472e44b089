import { once } from 'node:events';
import net from 'node:net';

/** `sent`: from a process to Redis. `received`: from Redis to a process. */
type Direction = 'sent' | 'received';

/** Between a process and Redis: it can stop in the middle of a long message. */
export class PausableProxy {
  readonly #server = net.createServer((near) => this.#accept(near));
  readonly #redisPort: number;
  readonly #sockets = new Set<net.Socket>();
  #direction: Direction = 'sent';
  #left = Infinity;
  #held = Promise.withResolvers<void>();
  #goOn: () => void = () => {};
  /** Bytes that have passed that way since `holdAfter`. */
  bytes = 0;

  constructor(redisPort: number) {
    this.#redisPort = redisPort;
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `redis://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  /** Resolves when this number of bytes has passed. On their connection no more pass until `release`. */
  holdAfter(direction: Direction, bytes: number): Promise<void> {
    this.#direction = direction;
    this.bytes = 0;
    this.#left = bytes;
    this.#held = Promise.withResolvers();
    return this.#held.promise;
  }

  /** Drops what is held and ends the connection there: how much of it the sockets have taken in differs. */
  cut(): void {
    for (const socket of this.#sockets) if (socket.isPaused()) socket.destroy();
  }

  /** Lets pass what is held, and its end. */
  release(): void {
    this.#left = Infinity;
    this.#goOn();
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(near: net.Socket): void {
    const far = net.connect(this.#redisPort, '127.0.0.1');
    for (const [direction, from, to] of [
      ['sent', near, far],
      ['received', far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroySoon();
      });
      from.on('data', (bytes) => {
        if (direction !== this.#direction) {
          to.write(bytes);
          return;
        }
        // To the byte: a piece of the network may be longer than what is left.
        const passed = bytes.subarray(0, this.#left);
        to.write(passed);
        this.bytes += passed.length;
        this.#left -= passed.length;
        if (this.#left > 0) return;
        // Only this connection is held.
        this.#left = Infinity;
        from.pause();
        const rest = bytes.subarray(passed.length);
        this.#goOn = () => {
          to.write(rest);
          this.bytes += rest.length;
        };
        this.#held.resolve();
      });
    }
  }
}
