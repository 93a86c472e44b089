import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface Load {
  readonly port: number;
  /** Keys in turn, one a connection; without keys none is sent. */
  readonly keys: readonly string[];
  readonly body: (request: number) => string;
  /** Default: image-to-base64. */
  readonly path?: string;
  readonly connections: number;
  readonly requests: number;
  /** Requests at these times and not one after the other, as long as the answers keep up. */
  readonly perSecond?: number;
  /** Ends it before all requests are sent. */
  readonly signal?: AbortSignal;
}

export interface LoadResult {
  readonly seconds: number;
  /** One a request. */
  readonly latenciesMs: readonly number[];
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/**
 * Sends this many requests over this many connections, one after another on each. Bodies are counted and thrown away:
 * otherwise the client, parsing 11 MB of JSON, would be what is measured.
 */
export async function applyLoad(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const statuses = new Map<number, number>();
  let sent = 0;
  const begunAt = performance.now();

  async function run(connection: number): Promise<void> {
    const socket = connect(load.port, '127.0.0.1');
    await once(socket, 'connect');
    const key = load.keys[connection % Math.max(1, load.keys.length)];
    try {
      while (sent < load.requests && load.signal?.aborted !== true) {
        const body = load.body(sent);
        const dueAt = begunAt + (sent * 1_000) / (load.perSecond ?? Infinity);
        sent += 1;
        const earlyMs = dueAt - performance.now();
        if (earlyMs > 0) await setTimeout(earlyMs);
        const startedAt = performance.now();
        const lines = [
          `POST ${load.path ?? '/api/image-to-base64'} HTTP/1.1`,
          'host: localhost',
          'content-type: application/json',
          `content-length: ${Buffer.byteLength(body)}`,
          ...(key === undefined ? [] : [`authorization: ${key}`]),
        ];
        socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
        const status = await readAnswer(socket);
        latenciesMs.push(performance.now() - startedAt);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    } finally {
      socket.destroy();
    }
  }

  await Promise.all(Array.from({ length: load.connections }, (_, connection) => run(connection)));
  return { seconds: (performance.now() - begunAt) / 1_000, latenciesMs, statuses };
}

/** The status of an answer that says its length, once all of it is here. */
function readAnswer(socket: NodeJS.ReadableStream): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = '';
    let left = -1;
    let status = 0;
    const onData = (piece: Buffer) => {
      if (left === -1) {
        head += piece.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        status = Number(head.slice(9, 12));
        left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]) - (head.length - end - 4);
      } else {
        left -= piece.length;
      }
      if (left <= 0) settle(() => resolve(status));
    };
    const onClose = () =>
      settle(() => reject(new Error('The connection was closed before the answer was complete.')));
    const settle = (action: () => void) => {
      socket.off('data', onData).off('close', onClose);
      action();
    };
    socket.on('data', onData).on('close', onClose);
  });
}
