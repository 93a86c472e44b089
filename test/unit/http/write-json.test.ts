import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import express from 'express';
import { expect, test } from 'vitest';

import { SUCCESS_TYPE, writeJson } from '../../../src/http/answer/write-json.ts';
import type { LargeValue } from '../../../src/large-value.ts';

/** Sends one answer to a reader that takes the body as `read` does. */
async function send(large: LargeValue, read: (body: IncomingMessage) => Promise<string>): Promise<string> {
  const app = express().use((_request, response) => writeJson(response, SUCCESS_TYPE, { large }));
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
