import type { IncomingMessage } from 'node:http';

import { bodyKind, type BodyKind } from './body-kind.ts';
import type { BodyOwner } from './body-room.ts';
import { readFields } from './read-fields.ts';
import { noRoom, receiveBytes, tooLarge, type ReceiveOptions } from './receive-bytes.ts';
import { runAtOnce, type Sliced } from './turns.ts';

export interface BodyOptions extends ReceiveOptions {
  /** Whose share of room and time it takes; asked for a body that does not come with its head. */
  readonly owner: () => BodyOwner;
  /** The field that a text/plain body fills; null where such a body is refused. */
  readonly textField: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reading so little costs less than waiting for a turn. */
const AT_ONCE_BYTES_MAX = 16 * 1024;

/**
 * The fields of a body by name: JSON, a form, or plain text. A small body that is there already is read at once.
 * @throws Problem `invalid_json`, `bad_request`, `body_too_large`, `unsupported_media_type`, `request_timeout`, `busy`
 */
export function readBody(request: IncomingMessage, options: BodyOptions): Fields | Promise<Fields> {
  const contentLength = request.headers['content-length'];
  if (
    contentLength === undefined ? request.headers['transfer-encoding'] === undefined : contentLength === '0'
  )
    return {};
  const { bytesMax, textField } = options;
  const kind = bodyKind(request, textField !== null);
  if (contentLength !== undefined && Number(contentLength) > bytesMax) throw tooLarge(bytesMax);

  const arrived = readArrived(request, contentLength);
  if (arrived !== null) return runAtOnce(readFields(arrived, kind, textField));
  return receiveBody(request, kind, options);
}

async function receiveBody(request: IncomingMessage, kind: BodyKind, options: BodyOptions): Promise<Fields> {
  const { textField } = options;
  const owner = options.owner();
  const evicted = new AbortController();
  const hold = owner.budget.open(owner.id, () => evicted.abort());
  try {
    const pieces = await receiveBytes(request, options, hold, evicted.signal);
    const work = joinAndRead(pieces, kind, textField);
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length <= AT_ONCE_BYTES_MAX) return runAtOnce(work);
    return await owner.turns.run(owner.id, untilAborted(work, evicted.signal));
  } finally {
    hold.release();
  }
}

/** A small body mostly comes with its head: then it is there already, and nothing has to be waited for. */
function readArrived(request: IncomingMessage, contentLength: string | undefined): Buffer | null {
  if (contentLength === undefined || request.readableLength !== Number(contentLength)) return null;
  if (request.readableLength > AT_ONCE_BYTES_MAX) return null;
  return request.read() as Buffer | null;
}

/** Empties `pieces` once they are joined: while a body waits for its turns, its bytes are held once. */
function* joinAndRead(pieces: Buffer[], kind: BodyKind, textField: string | null): Sliced<Fields> {
  const bytes = Buffer.concat(pieces);
  pieces.length = 0;
  yield;
  return yield* readFields(bytes, kind, textField);
}

function* untilAborted<Value>(work: Sliced<Value>, signal: AbortSignal): Sliced<Value> {
  for (;;) {
    if (signal.aborted) throw noRoom();
    const step = work.next();
    if (step.done === true) return step.value;
    yield;
  }
}
