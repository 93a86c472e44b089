import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { paceReading } from '../../../src/images/paced-reading.ts';
import { noise } from '../../fixtures/image-files.ts';
import { startOrigin } from './images-origin.ts';

const FILE = noise(4 * 1024 * 1024);

/** A connection on which the whole file comes as soon as it is there. */
async function openSocket(port: number): Promise<Socket> {
  const reading = paceReading(false);
  const socket = connect({ port, host: '127.0.0.1', onread: reading.onread });
  reading.begin(socket);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\n\r\n');
  return socket;
}

/** @param pausedTurns turns of the event loop before each reading, in turn */
async function readAll(socket: Socket, pausedTurns: readonly number[]) {
  const pieces: Buffer[] = [];
  let turn = 0;
  const bytesOfTurns = new Map<number, number>();
  let timer = setImmediate(function count() {
    turn += 1;
    timer = setImmediate(count);
  });
  let readings = 0;
  let isReading = false;
  const readSoon = async () => {
    if (isReading) return;
    isReading = true;
    const turns = pausedTurns[readings % pausedTurns.length] ?? 0;
    for (let each = 0; each < turns; each += 1) await nextTurn();
    readings += 1;
    isReading = false;
    for (let piece = takeFrom(socket); piece !== null; piece = takeFrom(socket)) {
      pieces.push(piece);
      bytesOfTurns.set(turn, (bytesOfTurns.get(turn) ?? 0) + piece.length);
    }
  };
  socket.on('readable', () => void readSoon());
  await once(socket, 'end');
  clearImmediate(timer);
  return { file: Buffer.concat(pieces), mostInTurn: Math.max(...bytesOfTurns.values()) };
}

async function sendInPieces(socket: Socket, file: Buffer, pieceBytes: number): Promise<void> {
  socket.setNoDelay();
  for (let at = 0; at < file.length; at += pieceBytes) {
    socket.write(file.subarray(at, at + pieceBytes));
    await nextTurn();
  }
  socket.end();
}

function takeFrom(socket: Socket): Buffer | null {
  return socket.read() as Buffer | null;
}

const PACES: readonly (readonly [name: string, pausedTurns: readonly number[]])[] = [
  ['at once', [0]],
  ['a turn later', [1]],
  ['at any time', [0, 3, 1, 0, 0, 7, 2]],
];

test.each(PACES)('a reader who takes pieces %s gets the file as it was sent', async (_name, turns) => {
  await using origin = await startOrigin((socket) => socket.end(FILE));
  const { file } = await readAll(await openSocket(origin.port), turns);
  expect(file.equals(FILE)).toBe(true);
});

test.each(PACES)('so does one who takes small pieces %s', async (_name, turns) => {
  const small = FILE.subarray(0, 600_000);
  await using origin = await startOrigin((socket) => void sendInPieces(socket, small, 1_000));
  const { file } = await readAll(await openSocket(origin.port), turns);
  expect(file.equals(small)).toBe(true);
});

test('a turn of the event loop brings at most 256 KiB, however much is there', async () => {
  await using origin = await startOrigin((socket) => socket.end(FILE));
  const { mostInTurn } = await readAll(await openSocket(origin.port), [0]);
  expect(mostInTurn).toBeLessThanOrEqual(256 * 1024);
});
