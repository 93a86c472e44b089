import type { ServerResponse } from 'node:http';

import { isLargeValue, type LargeValue } from '../../large-value.ts';
import { writePieces } from '../../write-pieces.ts';

/** Headers of every answer. */
export const COMMON_HEADERS = { 'X-Content-Type-Options': 'nosniff' } as const;

/** Names and values in turn, as Node takes them: an object for each answer would cost more. */
export type HeaderList = readonly string[];

const COMMON_LIST: HeaderList = Object.entries(COMMON_HEADERS).flat();

const ONE_WRITE_BYTES_MAX = 32 * 1024;
/** Of an answer that is larger: what it holds while a reader is slow. */
const PIECE_BYTES = 128 * 1024;

// Memory outside of V8's heap is dear: each buffer of this size would bring the next full collection nearer. Nothing is
// kept in these between two answers.
const room = Buffer.allocUnsafeSlow(ONE_WRITE_BYTES_MAX);
const whole = Buffer.allocUnsafeSlow(ONE_WRITE_BYTES_MAX);

export const SUCCESS_TYPE = 'application/json; charset=utf-8';
/** Exactly this for failures: one builder parses a body only then. */
export const PROBLEM_TYPE = 'application/json';

type Body = Readonly<Record<string, unknown>>;

/** JSON that is written: a text, or where that would be large, texts and between them what writes itself. */
export type WrittenJson = string | readonly (string | LargeValue)[];

/** Writes a JSON answer, see `sendWritten`. */
export function sendJson(
  response: ServerResponse,
  status: number,
  headers: HeaderList,
  body: Body,
): Promise<void> {
  return sendWritten(response, status, headers, toJson(body));
}

/**
 * Writes what `toJson` has made in this turn of the event loop, large values piece by piece with back-pressure. The
 * bytes are fixed before the first `await`, so that lists that change later do not tear.
 */
export function sendWritten(
  response: ServerResponse,
  status: number,
  headers: HeaderList,
  json: WrittenJson,
): Promise<void> {
  return typeof json === 'string'
    ? sendText(response, status, headers, json)
    : sendParts(response, status, headers, json);
}

export function toJson(body: Body): WrittenJson {
  if (!holdsLargeValue(body)) return JSON.stringify(body);
  const parts = toParts(body);
  if (byteLengthOf(parts) > ONE_WRITE_BYTES_MAX) return parts;
  let length = 0;
  for (const piece of piecesOf(parts, room)) {
    if (typeof piece === 'string') length += whole.write(piece, length);
    else {
      whole.set(piece, length);
      length += piece.length;
    }
  }
  return whole.toString('utf8', 0, length);
}

function holdsLargeValue(body: Body): boolean {
  for (const key in body) if (isLargeValue(body[key])) return true;
  return false;
}

function byteLengthOf(parts: readonly (string | LargeValue)[]): number {
  let bytes = 0;
  for (const part of parts) bytes += typeof part === 'string' ? Buffer.byteLength(part) : part.jsonByteLength;
  return bytes;
}

/** An answer without a body. */
export function sendEmpty(response: ServerResponse, status: number, headers: HeaderList): void {
  response.writeHead(status, [...COMMON_LIST, ...headers]).end();
}

/** The head and the text leave together, in one call of the system. */
async function sendText(
  response: ServerResponse,
  status: number,
  headers: HeaderList,
  text: string,
): Promise<void> {
  const head = [...COMMON_LIST, ...headers, 'Content-Length', String(Buffer.byteLength(text))];
  await endOfTurn();
  response.writeHead(status, head);
  response.end(response.req.method === 'HEAD' ? undefined : text);
}

async function sendParts(
  response: ServerResponse,
  status: number,
  headers: HeaderList,
  parts: readonly (string | LargeValue)[],
): Promise<void> {
  const bytes = byteLengthOf(parts);
  response.writeHead(status, [...COMMON_LIST, ...headers, 'Content-Length', String(bytes)]);
  if (response.req.method !== 'HEAD') {
    await writePieces(response, piecesOf(parts, Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, bytes))));
  }
  response.end();
}

/** A body as JSON: texts, and between them the values that write themselves. */
function toParts(body: Body): (string | LargeValue)[] {
  const parts: (string | LargeValue)[] = [];
  let open = '{';
  let small: Record<string, unknown> = {};
  let isEmpty = true;
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue;
    if (!isLargeValue(value)) {
      small[key] = value;
      isEmpty = false;
      continue;
    }
    parts.push(`${open}${isEmpty ? '' : `${withoutBraces(small)},`}${JSON.stringify(key)}:`, value);
    open = ',';
    small = {};
    isEmpty = true;
  }
  parts.push(isEmpty ? '}' : `${open}${withoutBraces(small)}}`);
  return parts;
}

function withoutBraces(fields: Body): string {
  return JSON.stringify(fields).slice(1, -1);
}

/** @param space for every piece, each of which lasts until the next one is taken */
function* piecesOf(
  parts: readonly (string | LargeValue)[],
  space: Uint8Array,
): Generator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else yield* part.jsonBytes(space);
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
