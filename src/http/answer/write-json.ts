import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

import { errorCodeOf } from '../../kernel/error-code.ts';
import { EventLoopQueue } from '../../kernel/event-loop-queue.ts';
import { isStreamedValue, type StreamedValue } from '../../kernel/streamed-value.ts';

export const SUCCESS_TYPE = 'application/json; charset=utf-8';
/** Failures have exactly this type, because one builder parses only bodies of this type. */
export const PROBLEM_TYPE = 'application/json';

/** When the streamed values of an answer have more bytes than this together, they are written piece by piece. */
const ONE_PIECE_BYTES_MAX = 64 * 1024;

/** Making and sending the first pieces of a long answer takes about a millisecond, and many may be ready together. */
const longAnswers = new EventLoopQueue(() => performance.now());

type Body = Readonly<Record<string, unknown>>;

/**
 * Writes the JSON of an answer. (`response.json` would add a charset to failures, and handle conditional requests by
 * itself.) Streamed values are written piece by piece, as fast as the caller reads them. Their lengths are read before
 * the first piece is written, so that a list that changes meanwhile is not cut off.
 */
export async function writeJson(response: Response, type: string, body: Body): Promise<void> {
  if (response.destroyed) return;
  response.setHeader('Content-Type', type);
  const streamedBytes = streamedBytesOf(body);
  if (streamedBytes <= ONE_PIECE_BYTES_MAX) {
    const text = JSON.stringify(body);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    endOnImmediate(response, text);
    return;
  }
  const parts = [...partsOf(body)];
  const texts = parts.filter((part) => typeof part === 'string');
  response.setHeader('Content-Length', streamedBytes + Buffer.byteLength(texts.join('')));
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  await longAnswers.next();
  if (response.destroyed) return;
  try {
    await pipeline(piecesOf(parts), response);
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  }
}

/**
 * Ends a short answer together with all others of this iteration of the event loop. With 32 concurrent requests, each
 * then takes 86 instead of 148 µs of processor time. A request that is alone takes the same either way.
 */
export function endOnImmediate(response: Response, text?: string): void {
  setImmediate(() => response.end(text));
}

/** The JSON of a body as one text; null when it is longer than `lengthMax`. */
export function toJsonText(body: Body, lengthMax: number): string | null {
  if (streamedBytesOf(body) > lengthMax) return null;
  const text = JSON.stringify(body);
  return text.length > lengthMax ? null : text;
}

function streamedBytesOf(body: Body): number {
  return Object.values(body)
    .filter(isStreamedValue)
    .reduce((sum, { jsonByteLength }) => sum + jsonByteLength, 0);
}

/** The JSON of the body, as strings with the streamed values between them. */
function* partsOf(body: Body): Generator<string | StreamedValue> {
  let text = '{';
  for (const [key, value] of Object.entries(body)) {
    if (value === undefined) continue;
    text += `${JSON.stringify(key)}:`;
    if (isStreamedValue(value)) {
      yield text;
      yield value;
      text = '';
    } else {
      text += JSON.stringify(value);
    }
    text += ',';
  }
  yield `${text.slice(0, -1)}}`;
}

function* piecesOf(parts: readonly (string | StreamedValue)[]): Generator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === 'string') yield part;
    else yield* part.jsonBytes();
  }
}

function isReaderGone(error: unknown): boolean {
  return errorCodeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';
}
