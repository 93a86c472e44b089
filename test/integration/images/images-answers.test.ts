import type { Socket } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { fetchBytes } from '../../../src/images/fetch-bytes.ts';
import { anyAddress } from '../../../src/images/guard/address-rule.ts';
import { ImageBytes } from '../../../src/images/image-bytes.ts';
import { IMAGE_FETCH_LIMITS } from '../../../src/images/image-fetch-limits.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { ANSWERS, REFUSED } from './images-answer-table.ts';
import { startOrigin } from './images-origin.ts';

const LIMITS = { ...IMAGE_FETCH_LIMITS, bytesMax: 100, headerBytesMax: 1_000, piecesMax: 40 };

type Cut = (answer: string) => readonly string[];

const whole: Cut = (answer) => [answer];
const byLine: Cut = (answer) => answer.match(/[^\n]*\n|[^\n]+$/g) ?? [''];
const every =
  (length: number): Cut =>
  (answer) =>
    Array.from({ length: Math.ceil(answer.length / length) }, (_, index) =>
      answer.slice(index * length, (index + 1) * length),
    );

async function endInPieces(socket: Socket, pieces: readonly string[]): Promise<void> {
  socket.setNoDelay();
  for (const piece of pieces) {
    if (!socket.writable) return;
    socket.write(piece, 'latin1');
    // So that each is read by itself.
    await nextIteration();
    await nextIteration();
  }
  socket.end();
}

/** The body that is read of an answer, or the code of the problem. */
async function outcomeOf(answer: string, cut: Cut = whole): Promise<string> {
  await using origin = await startOrigin((socket) => void endInPieces(socket, cut(answer)));
  return await fetchFrom(origin.url);
}

async function fetchFrom(url: string): Promise<string> {
  const bytes = new ImageBytes();
  try {
    await fetchBytes(
      new URL(url),
      bytes,
      { rule: anyAddress, userAgent: 'test', limits: LIMITS },
      new AbortController().signal,
    );
    return `read: ${bytes.view().toString('latin1')}`;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('a response with', () => {
  test.each(ANSWERS)('%s is read, sent at once, line by line or in pieces', async (_name, answer, body) => {
    for (const cut of [whole, byLine, every(3)]) expect(await outcomeOf(answer, cut)).toBe(`read: ${body}`);
  });

  test.each(REFUSED)(
    '%s is refused, sent at once, line by line or in pieces',
    async (_name, answer, code) => {
      for (const cut of [whole, byLine, every(7)]) expect(await outcomeOf(answer, cut)).toBe(code);
    },
  );
});

test('a redirect that arrives line by line is followed', async () => {
  await using origin = await startOrigin((socket, path) => {
    const answer =
      path === '/there'
        ? 'HTTP/1.1 200 OK\r\n\r\nabc'
        : 'HTTP/1.1 302 F\r\nlocation: /there\r\nserver: a\r\nx-a: b\r\nx-c: d\r\n\r\n';
    void endInPieces(socket, byLine(answer));
  });
  expect(await fetchFrom(origin.url)).toBe('read: abc');
});

test('a body may end exactly at the limit', async () => {
  const body = 'a'.repeat(LIMITS.bytesMax);
  for (const answer of [
    `HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n${body}`,
    `HTTP/1.1 200 OK\r\n\r\n${body}`,
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    expect(await outcomeOf(answer)).toBe(`read: ${body}`);
  }
});
