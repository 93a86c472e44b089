import { crc32 } from 'node:zlib';

import { EndOfBytes, type ImageBytes } from '../image-bytes.ts';
import { shownMs, type ImageHeader } from './image-header.ts';

/** Chunks before the pixels; text and profiles are a few dozen at most. */
const CHUNKS_MAX = 1_000;
/** Chunks of an animation: as many as in 8 MiB of the smallest that encoders write. */
const ANIMATION_CHUNKS_MAX = 30_000;

/** Bit depths by colour type. */
const DEPTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);

/**
 * Reads a PNG up to its first pixels. An APNG has acTL before them, and its chunks are read for the times of its
 * frames.
 * {@link https://www.w3.org/TR/png-3/}
 */
export function readPng(bytes: ImageBytes): ImageHeader | null {
  if (bytes.u32be(8) !== 13 || bytes.latin1(12, 4) !== 'IHDR') return null;
  if (crc32(Buffer.from(bytes.latin1(12, 17), 'latin1')) !== bytes.u32be(29)) return null;
  const depthFits = DEPTHS.get(bytes.u8(25))?.includes(bytes.u8(24)) ?? false;
  if (!depthFits || bytes.u8(26) !== 0 || bytes.u8(27) !== 0 || bytes.u8(28) > 1) return null;

  let animated = false;
  let at = 33;
  for (let chunks = 0; chunks < CHUNKS_MAX; chunks += 1) {
    const length = bytes.u32be(at);
    const type = bytes.latin1(at + 4, 4);
    if (type === 'IDAT') {
      const seconds = animated ? readSeconds(bytes) : null;
      return { width: bytes.u32be(16), height: bytes.u32be(20), animated, seconds };
    }
    if (type === 'acTL') animated = bytes.u32be(at + 8) > 1;
    at += 12 + length;
  }
  return null;
}

/** Adds up only the frames in the file, because a file that ends early shows only those. */
function readSeconds(bytes: ImageBytes): number {
  let ms = 0;
  let at = 33;
  try {
    for (let chunks = 0; chunks < ANIMATION_CHUNKS_MAX && at + 12 <= bytes.length; chunks += 1) {
      if (bytes.latin1(at + 4, 4) === 'fcTL') {
        const numerator = bytes.u16be(at + 28);
        // The specification takes 0 as 100.
        const denominator = bytes.u16be(at + 30) || 100;
        ms += shownMs((numerator / denominator) * 1_000);
      }
      at += 12 + bytes.u32be(at);
    }
  } catch (error) {
    if (!(error instanceof EndOfBytes)) throw error;
  }
  return ms / 1_000;
}
