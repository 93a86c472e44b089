import type { ServerResponse } from 'node:http';

import { isLargeValue, type LargeValue } from '../../large-value.ts';
import { writePieces } from '../../write-pieces.ts';

/** Headers of every answer. The security headers hold for pages and cost nothing on JSON. */
export const COMMON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
} as const;

const ONE_WRITE_BYTES_MAX = 32 * 1024;
/** Of an answer that is larger: what it holds while a reader is slow. */
const PIECE_BYTES = 128 * 1024;

export const SUCCESS_TYPE = 'application/json; charset=utf-8';
/** Exactly this for failures: one builder parses a body only then. */
export const PROBLEM_TYPE = 'application/json';

/**
 * Writes a JSON answer, large values piece by piece with back-pressure. Its bytes are fixed before the first
 * `await`, so that lists that change later do not tear.
 */
export async function sendJson(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (Object.values(body).some(isLargeValue)) return sendLarge(response, status, headers, body);
  const json = JSON.stringify(body);
  await endOfTurn();
  response.writeHead(status, { ...COMMON_HEADERS, ...headers, 'Content-Length': Buffer.byteLength(json) });
  response.end(response.req.method === 'HEAD' ? undefined : json);
}

async function sendLarge(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const parts: (string | LargeValue)[] = [];
  let bytes = 0;
  let open = '{';
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue;
    open += `${JSON.stringify(key)}:`;
    if (isLargeValue(value)) {
      bytes += Buffer.byteLength(open) + value.jsonByteLength;
      parts.push(open, value);
      open = ',';
    } else {
      open += `${JSON.stringify(value)},`;
    }
  }
  const tail = open === ',' ? '}' : `${open.slice(0, -1)}}`;
  bytes += Buffer.byteLength(tail);
  parts.push(tail);

  const head = { ...COMMON_HEADERS, ...headers, 'Content-Length': bytes };
  if (bytes <= ONE_WRITE_BYTES_MAX && response.req.method !== 'HEAD') {
    // As a string of bytes it leaves together with the head, in one call of the system instead of several.
    const pieces = parts.flatMap((part) =>
      typeof part === 'string' ? [Buffer.from(part)] : [...part.jsonBytes()],
    );
    const text = Buffer.concat(pieces, bytes).toString('latin1');
    await endOfTurn();
    response.writeHead(status, head);
    response.end(text, 'latin1');
    return;
  }
  response.writeHead(status, head);
  if (response.req.method !== 'HEAD') await writePieces(response, piecesOf(parts));
  response.end();
}

function* piecesOf(parts: readonly (string | LargeValue)[]): Generator<string | Uint8Array> {
  const room = Buffer.allocUnsafeSlow(PIECE_BYTES);
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else yield* part.jsonBytes(room);
  }
}

let turnEnd: Promise<void> | null = null;

/**
 * Resolves when all requests that have arrived were looked at. The usual client is a proxy on the same machine, and a
 * write to one that sleeps pays for waking it up: answers written in a row wake it once, which saves a quarter of the
 * processor time of a small answer.
 */
function endOfTurn(): Promise<void> {
  turnEnd ??= new Promise((resolve) => {
    setImmediate(() => {
      turnEnd = null;
      resolve();
    });
  });
  return turnEnd;
}
