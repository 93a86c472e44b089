import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { anyAddress } from '../../../src/images/address-rule.ts';
import { fetchBytes } from '../../../src/images/fetch-bytes.ts';
import { ImageBytes } from '../../../src/images/image-bytes.ts';
import { IMAGE_FETCH_LIMITS } from '../../../src/images/image-fetch-limits.ts';
import { ROOM_BYTES } from '../../../src/images/read-room.ts';
import { Problem } from '../../../src/problem.ts';
import { ANSWERS, REFUSED } from './images-answer-table.ts';
import { startOrigin } from './images-origin.ts';

const LIMITS = { ...IMAGE_FETCH_LIMITS, bytesMax: 100, headerBytesMax: 1_000, piecesMax: 40 };

async function endInPieces(socket: Socket, answer: Buffer, pieceBytes: number): Promise<void> {
  socket.setNoDelay();
  for (let at = 0; at < answer.length && socket.writable; at += pieceBytes) {
    socket.write(answer.subarray(at, at + pieceBytes));
    await nextTurn();
  }
  socket.end();
}

/** The body that is read of an answer, or the code of the problem. */
async function outcomeOf(answer: string, pieceBytes = Infinity): Promise<string> {
  await using origin = await startOrigin(
    (socket) => void endInPieces(socket, Buffer.from(answer, 'latin1'), pieceBytes),
  );
  const bytes = new ImageBytes(Buffer.alloc(LIMITS.bytesMax, 0xff));
  try {
    await fetchBytes(
      new URL(origin.url),
      bytes,
      Buffer.alloc(ROOM_BYTES),
      { rule: anyAddress, userAgent: 'test', limits: LIMITS },
      new AbortController().signal,
    );
    return `read: ${bytes.view().toString('latin1')}`;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('an answer with', () => {
  test.each(ANSWERS)('%s is read, whole and in pieces', async (_name, answer, body) => {
    expect(await outcomeOf(answer)).toBe(`read: ${body}`);
    expect(await outcomeOf(answer, 3)).toBe(`read: ${body}`);
  });

  test.each(REFUSED)('%s is refused, whole and in pieces', async (_name, answer, code) => {
    expect(await outcomeOf(answer)).toBe(code);
    expect(await outcomeOf(answer, 7)).toBe(code);
  });
});

test('a body ends exactly at the limit', async () => {
  const body = 'a'.repeat(LIMITS.bytesMax);
  for (const answer of [
    `HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n${body}`,
    `HTTP/1.1 200 OK\r\n\r\n${body}`,
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    expect(await outcomeOf(answer)).toBe(`read: ${body}`);
  }
});
