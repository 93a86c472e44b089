import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import express, { type Response } from 'express';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { flatEntries, flatten } from '../../../src/http/answer/flat.ts';
import {
  isLong,
  SUCCESS_TYPE,
  toJsonText,
  writeJson,
  writeLongJson,
} from '../../../src/http/answer/write-json.ts';
import type { LargeValue } from '../../../src/large-value.ts';

/** Sends one answer to a reader that takes the body as `read` does. */
function send(large: LargeValue, read: (body: IncomingMessage) => Promise<string>): Promise<string> {
  return sendBy((response) => writeJson(response, SUCCESS_TYPE, { large }), read);
}

async function sendBy(
  write: (response: Response) => Promise<void>,
  read: (body: IncomingMessage) => Promise<string>,
): Promise<string> {
  const app = express().use((_request, response) => write(response));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const request = get({ port: (server.address() as AddressInfo).port });
    const [body] = (await once(request, 'response')) as [IncomingMessage];
    return await read(body);
  } finally {
    server.close();
  }
}

test('gives others a turn between the pieces of a large answer, however fast its reader is', async () => {
  let turn = 0;
  const countTurns = () => {
    turn += 1;
    counting = setImmediate(countTurns);
  };
  let counting = setImmediate(countTurns);
  const turns = new Set<number>();
  const piece = Buffer.alloc(65_536, '7');
  const large: LargeValue = {
    toJSON: () => 0,
    *jsonBytes() {
      for (let taken = 0; taken < 40; taken += 1) {
        turns.add(turn);
        yield piece;
      }
    },
    jsonByteLength: 40 * piece.length,
  };
  try {
    expect(await send(large, text)).toBe(`{"large":${'7'.repeat(40 * piece.length)}}`);
    expect(turns.size).toBe(40);
  } finally {
    clearImmediate(counting);
  }
});

test('sends every piece as it was made, though all use the same room and the reader stops again and again', async () => {
  const PIECES = 100;
  const ROOM_BYTES = 128 * 1024;
  const large: LargeValue = {
    toJSON: () => 0,
    *jsonBytes(room) {
      if (room?.length !== ROOM_BYTES) throw new Error('There is no room, or another one.');
      for (let piece = 0; piece < PIECES; piece += 1) yield room.fill(0x30 + (piece % 10));
    },
    jsonByteLength: PIECES * ROOM_BYTES,
  };
  const sent = await send(large, async (body) => {
    let read = '';
    for await (const chunk of body as AsyncIterable<Buffer>) {
      read += chunk.toString('latin1');
      // By then the server has made what it can.
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return read;
  });
  const made = Array.from({ length: PIECES }, (_, piece) => String(piece % 10).repeat(ROOM_BYTES));
  expect(sent === `{"large":${made.join('')}}`).toBe(true);
});

/** What a splitter answers, of any length. */
const body = fc.record({
  ok: fc.constant(true),
  count: fc.nat(),
  chunks: fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 1_200, size: 'max' }),
  rest: fc.option(
    fc.string({ unit: 'binary', maxLength: 30 }).map((part) => part.repeat(5_000)),
    { nil: undefined },
  ),
  pieces: fc.array(fc.record({ start: fc.nat(), cut: fc.string() }), { maxLength: 600, size: 'max' }),
  payloads: fc.array(fc.record({ content: fc.string() }), { maxLength: 600, size: 'max' }),
  empty: fc.constant([]),
});

test('a long answer says the same as a short one would, plain and flat', async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(null, '', '💙"\\'), async (answer, separator) => {
      const plain = await sendBy(
        (response) => writeLongJson(response, SUCCESS_TYPE, Object.entries(answer)),
        text,
      );
      expect(JSON.parse(plain)).toEqual(JSON.parse(JSON.stringify(answer)));
      const flat = await sendBy(
        (response) => writeLongJson(response, SUCCESS_TYPE, flatEntries(answer, separator)),
        text,
      );
      expect(JSON.parse(flat)).toEqual(JSON.parse(JSON.stringify(flatten(answer, separator))));
      expect(toJsonText(answer, Infinity)).toBe(plain);
    }),
    { seed: 11, numRuns: 40 },
  );
});

test('a long answer is made as its reader takes it, with turns for others between its pieces', async () => {
  const ENTRIES = 20_000;
  const chunk = '\u0001'.repeat(400);
  let made = 0;
  function* entries(): Generator<readonly [string, string]> {
    for (; made < ENTRIES; made += 1) yield [`chunks_${made}`, chunk];
  }
  const turns = new Set<number>();
  let turn = 0;
  const countTurns = () => {
    turn += 1;
    turns.add(made);
    counting = setImmediate(countTurns);
  };
  let counting = setImmediate(countTurns);
  try {
    const sent = await sendBy(
      (response) => writeLongJson(response, SUCCESS_TYPE, entries()),
      async (read) => {
        // Nobody reads: what is made is what the connection holds.
        let before = -1;
        while (before !== made) {
          before = made;
          for (let waited = 0; waited < 50; waited += 1)
            await new Promise((resolve) => setImmediate(resolve));
        }
        expect(made).toBeLessThan(ENTRIES / 2);
        return text(read);
      },
    );
    expect(Object.keys(JSON.parse(sent) as object)).toHaveLength(ENTRIES);
    expect(turns.size).toBeGreaterThan(ENTRIES / 100);
  } finally {
    clearImmediate(counting);
  }
});

test.each([
  ['a thousand words', { chunks: ['word '.repeat(1_000)] }, false],
  ['a hundred chunks of a message', { chunks: Array.from({ length: 100 }, () => 'a'.repeat(2_000)) }, true],
  ['ten thousand chunks of a letter', { chunks: Array.from({ length: 10_000 }, () => 'a') }, true],
  ['one text of a megabyte', { rest: 'a'.repeat(1_000_000) }, true],
])('%s are long or not', (_name, answer, expected) => {
  expect(isLong(answer)).toBe(expected);
});
