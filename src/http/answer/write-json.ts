import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';

import { isLargeValue, type LargeValue } from '../../large-value.ts';
import { writePieces } from '../../write-pieces.ts';

export const SUCCESS_TYPE = 'application/json; charset=utf-8';
/** Exactly this for failures: one builder parses a body only then. */
export const PROBLEM_TYPE = 'application/json';

/** Up to this size an answer leaves in one write. */
const ONE_WRITE_BYTES_MAX = 32 * 1024;
/** A larger answer holds this much memory while its reader is slow. */
const PIECE_BYTES = 128 * 1024;

/** Text units, with some more for each entry, that one turn of the event loop writes as JSON in a few milliseconds. */
const WEIGHT_MAX = 64 * 1024;
const ENTRY_WEIGHT = 16;

type Body = Readonly<Record<string, unknown>>;
type Entry = readonly [key: string, value: unknown];

/**
 * Writes all JSON of the API, but for what MCP's own library says; `response.json` would add a charset to failures and
 * judge freshness by itself. Large values write themselves, piece by piece with back-pressure. They are fixed before
 * the first `await`, so that lists that change later do not tear.
 * @param beforeEnd awaited when everything is written, before the answer ends
 */
export async function writeJson(
  response: Response,
  type: string,
  body: Body,
  beforeEnd?: () => Promise<void>,
): Promise<void> {
  if (response.destroyed) return;
  const parts = Object.values(body).some(isLargeValue)
    ? [...partsOf(Object.entries(body))]
    : [JSON.stringify(body)];
  const bytes = byteLengthOf(parts);
  // By hand, because Express would add a charset.
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', bytes);
  const isHead = response.req.method === 'HEAD';
  if (!isHead && bytes > ONE_WRITE_BYTES_MAX) {
    await writePieces(response, piecesOf(parts, Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, bytes))));
    response.end();
    return;
  }
  const text = isHead ? '' : toText(parts);
  // Answers of one turn of the event loop leave together: each write wakes whoever reads it, and on a machine with few
  // cores a wake-up in the midst of the work costs as much as a third of a small request.
  await setImmediate();
  if (response.destroyed) return;
  if (beforeEnd === undefined) {
    response.end(text);
    return;
  }
  response.write(text);
  await beforeEnd();
  response.end();
}

/** True for a body that takes more than one short turn to write, values that write themselves aside. */
export function isLong(body: Body): boolean {
  return weightLeft(body, WEIGHT_MAX) < 0;
}

function weightLeft(value: unknown, weightMax: number): number {
  let left = weightMax - ENTRY_WEIGHT;
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null || isLargeValue(value)) return left;
  for (const entry of Object.values(value)) {
    if (left < 0) break;
    left = weightLeft(entry, left);
  }
  return left;
}

/**
 * Writes a long body piece by piece: others get their turns, and a reader who stops holds up one piece. The length is
 * not known in advance. Values that can still change do not belong in here: writing begins a turn later.
 */
export async function writeLongJson(
  response: Response,
  type: string,
  entries: Iterable<Entry>,
): Promise<void> {
  // Making the body has taken this turn.
  await setImmediate();
  if (response.destroyed) return;
  response.setHeader('Content-Type', type);
  if (response.req.method !== 'HEAD') await writePieces(response, piecesOf(partsOf(entries)).map(toBytes));
  response.end();
}

/** The JSON of a body as one text; null when it is larger than `bytesMax`. */
export function toJsonText(body: Body, bytesMax: number): string | null {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of piecesOf(partsOf(Object.entries(body))).map(toBytes)) {
    bytes += piece.length;
    if (bytes > bytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

/** JSON in texts of about 64 KiB at most, and between them the values that write themselves. */
type JsonPart = string | LargeValue;

function* partsOf(entries: Iterable<Entry>): Generator<JsonPart> {
  let text = '{';
  let comma = '';
  for (const [key, value] of entries) {
    if (value === undefined) continue;
    text += `${comma}${JSON.stringify(key)}:`;
    comma = ',';
    if (isLargeValue(value)) {
      yield text;
      yield value;
      text = '';
      continue;
    }
    for (const part of textsOf(value)) {
      text += part;
      if (text.length < WEIGHT_MAX) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}}`;
}

/** The JSON of a value, a list entry by entry and a long text in parts. */
function* textsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    let mark = '[';
    for (const entry of value as readonly unknown[]) {
      yield mark;
      yield* textsOf(entry);
      mark = ',';
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (typeof value === 'string' && value.length > WEIGHT_MAX) {
    yield '"';
    for (let at = 0; at < value.length; at += WEIGHT_MAX) {
      yield JSON.stringify(value.slice(at, at + WEIGHT_MAX)).slice(1, -1);
    }
    yield '"';
  } else {
    yield value === undefined ? 'null' : JSON.stringify(value);
  }
}

function byteLengthOf(parts: readonly JsonPart[]): number {
  return parts.reduce(
    (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.jsonByteLength),
    0,
  );
}

function toText(parts: readonly JsonPart[]): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : Buffer.concat([...part.jsonBytes()]).toString()))
    .join('');
}

/** @param room for every piece, each of which lasts until the next one is taken */
function* piecesOf(parts: Iterable<JsonPart>, room?: Uint8Array): Generator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else yield* part.jsonBytes(room);
  }
}
