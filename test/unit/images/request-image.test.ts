import { Dispatcher } from 'undici';
import { expect, test } from 'vitest';

import { IMAGE_FETCH_LIMITS } from '../../../src/images/image-fetch-limits.ts';
import { ImageBytes } from '../../../src/images/image-bytes.ts';
import { requestImage } from '../../../src/images/request-image.ts';

/** Answers with a body in just these pieces. */
class Pieces extends Dispatcher {
  readonly #pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    super();
    this.#pieces = pieces;
  }

  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller: Dispatcher.DispatchController = {
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
      abort() {},
      pause() {},
      resume() {},
    };
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 200, {}, 'OK');
    for (const piece of this.#pieces) handler.onResponseData?.(controller, piece);
    handler.onResponseEnd?.(controller, {});
    return true;
  }
}

const read = async (pieces: readonly Buffer[]) => {
  const bytes = new ImageBytes(Buffer.alloc(2 ** 20));
  const { signal } = new AbortController();
  const url = new URL('https://images.example/a.png');
  await requestImage(new Pieces(pieces), url, bytes, 'test', IMAGE_FETCH_LIMITS, signal);
  return Buffer.from(bytes.view());
};

const isFree = ({ buffer }: Buffer) => buffer instanceof ArrayBuffer && buffer.detached;

test('the memory of a piece is free once the next piece is there, and all bytes are kept', async () => {
  const pieces = [16_384, 65_536, 40_000, 70_000].map((length, at) => Buffer.alloc(length, at + 1));
  const expected = Buffer.concat(pieces);
  expect(await read(pieces)).toEqual(expected);
  expect(pieces.map(isFree)).toEqual([true, true, true, false]);
});

test('two pieces in the same memory are both kept, and the memory is free after them', async () => {
  const memory = Buffer.alloc(100_000, 7);
  const pieces = [memory.subarray(0, 50_000), memory.subarray(50_000), Buffer.alloc(70_000, 8)];
  const expected = Buffer.concat(pieces);
  expect(await read(pieces)).toEqual(expected);
  expect(pieces.map(isFree)).toEqual([true, true, false]);
});

test('the pool of Node, in which others have their bytes, is left alone', async () => {
  const pieces = [1, 2, 3, 4].map((fill) => Buffer.from(new Uint8Array(5_000).fill(fill)));
  expect(pieces.every(({ buffer }) => buffer.byteLength === Buffer.poolSize)).toBe(true);
  const expected = Buffer.concat(pieces);
  expect(await read(pieces)).toEqual(expected);
  expect(pieces.map(isFree)).toEqual([false, false, false, false]);
});
