import { Problem } from '../problem.ts';
import { AnswerError } from './answer-head.ts';
import { AnswerReader } from './answer-reader.ts';
import type { GuardedConnector } from './guarded-connector.ts';
import type { ImageBytes } from './image-bytes.ts';
import type { ImageFetchLimits } from './image-fetch-limits.ts';

/**
 * One GET over a connection of its own. What comes in is read to where it stays: nothing is buffered in between, and
 * the size is judged while the bytes arrive. The body of a redirect is not read.
 * @param bytes takes the body
 * @returns where a redirect leads, or null when the body is complete
 * @throws Problem, or an error of the connection
 */
export async function requestImage(
  connect: GuardedConnector,
  url: URL,
  bytes: ImageBytes,
  userAgent: string,
  limits: ImageFetchLimits,
  signal: AbortSignal,
): Promise<string | null> {
  const reader = new AnswerReader(bytes, limits);
  const outcome = Promise.withResolvers<string | null>();
  // Where the connection fails, nobody waits for it.
  outcome.promise.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let isInBody = false;
  const expectWithin = (periodMs: number, error: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => outcome.reject(new Problem('image_timeout', { error })), periodMs);
  };

  const takePiece = (piece: Buffer) => {
    reader.take(piece);
    if (reader.isComplete) outcome.resolve(reader.redirectTo);
    else if (isInBody) timer?.refresh();
    else if (reader.isInBody) {
      isInBody = true;
      expectWithin(limits.idleTimeoutMs, 'The server of the image stopped in the middle.');
    }
  };
  const socket = await connect(url, {
    buffer: () => bytes.room(),
    callback(length, room) {
      try {
        takePiece(Buffer.from(room.buffer, room.byteOffset, length));
      } catch (error) {
        outcome.reject(error);
      }
      return true;
    },
  });

  const onAbort = () => outcome.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    expectWithin(limits.headersTimeoutMs, 'The server of the image did not answer in time.');
    socket.on('error', outcome.reject);
    socket.on('end', () => {
      if (reader.endsHere) outcome.resolve(null);
      else outcome.reject(new AnswerError('CUT_OFF'));
    });
    socket.write(requestFor(url, userAgent), 'latin1');
    return await outcome.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}

function requestFor(url: URL, userAgent: string): string {
  const lines = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    'connection: close',
    'accept: image/*',
    'accept-encoding: identity',
    `user-agent: ${userAgent}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
