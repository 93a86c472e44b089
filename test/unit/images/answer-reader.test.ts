import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { AnswerError } from '../../../src/images/answer-head.ts';
import { AnswerReader } from '../../../src/images/answer-reader.ts';
import { ImageBytes, READ_BYTES } from '../../../src/images/image-bytes.ts';
import { Problem } from '../../../src/problem.ts';
import { ANSWERS, REFUSED } from './answer-table.ts';

const LIMITS = { bytesMax: 100, headerBytesMax: 1_000, piecesMax: 40 };

/** Reads an answer as a connection brings it: each piece into the room, as much as one reading takes at most. */
function readAnswer(answer: string, cut: (left: number) => number) {
  const bytes = new ImageBytes(Buffer.alloc(LIMITS.bytesMax + READ_BYTES, 0xff));
  const reader = new AnswerReader(bytes, {
    ...LIMITS,
    piecesMax: Math.max(LIMITS.piecesMax, 100 / cut(100)),
  });
  const all = Buffer.from(answer, 'latin1');
  for (let at = 0; at < all.length && !reader.isComplete;) {
    const room = bytes.room();
    const length = all.copy(room, 0, at, at + Math.max(1, Math.min(cut(all.length - at), room.length)));
    at += length;
    reader.take(room.subarray(0, length));
  }
  if (!reader.isComplete && !reader.endsHere) throw new AnswerError('CUT_OFF');
  return { redirectTo: reader.redirectTo, body: bytes.view().toString('latin1') };
}

function outcomeOf(answer: string, cut: (left: number) => number): string {
  try {
    return `read: ${readAnswer(answer, cut).body}`;
  } catch (error) {
    if (error instanceof AnswerError || error instanceof Problem) return error.code;
    throw error;
  }
}

const whole = (left: number) => left;
const byByte = () => 1;

describe('an answer with', () => {
  test.each(ANSWERS)('%s is read, whole and byte by byte', (_name, answer, body) => {
    expect(outcomeOf(answer, whole)).toBe(`read: ${body}`);
    expect(outcomeOf(answer, byByte)).toBe(`read: ${body}`);
  });

  test.each(REFUSED)('%s is refused', (_name, answer, code) => {
    expect(outcomeOf(answer, whole)).toBe(code);
    expect(outcomeOf(answer, () => 7)).toBe(code);
  });
});

test('pieces are cut anywhere, and what is read stays the same', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ANSWERS),
      fc.infiniteStream(fc.integer({ min: 2, max: 40 })),
      ([, answer, body], lengths) => {
        expect(outcomeOf(answer, () => lengths.next().value)).toBe(`read: ${body}`);
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test('a redirect ends the answer at its head', () => {
  const answer = 'HTTP/1.1 307 F\r\nLocation: /there\r\ncontent-length: 999\r\n\r\nabc';
  expect(readAnswer(answer, whole)).toEqual({ redirectTo: '/there', body: '' });
});

test('a body ends exactly at the limit', () => {
  const body = 'a'.repeat(LIMITS.bytesMax);
  for (const answer of [
    `HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n${body}`,
    `HTTP/1.1 200 OK\r\n\r\n${body}`,
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    expect(outcomeOf(answer, whole)).toBe(`read: ${body}`);
  }
});

test('no head takes time with its length squared', () => {
  // So long that it would not end.
  const length = 2 ** 21;
  for (const line of [
    `x:${' '.repeat(length)}\x01`,
    `x:${'\t a'.repeat(length / 4)}\x01`,
    'a'.repeat(length),
  ]) {
    const reader = new AnswerReader(new ImageBytes(Buffer.alloc(10)), {
      ...LIMITS,
      headerBytesMax: 2 * length,
    });
    const head = Buffer.from(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`, 'latin1');
    expect(() => reader.take(head)).toThrow(AnswerError);
  }
});
