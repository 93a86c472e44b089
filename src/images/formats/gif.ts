import type { ByteReader } from '../image-bytes.ts';
import type { ImageHeader } from './image-header.ts';

/** Blocks and sub-blocks that are walked: three times as many as 8 MiB of full sub-blocks have. */
const STEPS_MAX = 100_000;

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/**
 * GIF up to its second frame, over the blocks. A first frame that is larger than the screen widens it, as it does in
 * browsers: else a tiny screen would hide any number of pixels. Pixels that end early are the reader's affair, as they are for
 * every other type; a file without a frame is none.
 * {@link https://www.w3.org/Graphics/GIF/spec-gif89a.txt}
 */
export function readGif(bytes: ByteReader): ImageHeader | null {
  let width = bytes.u16le(6);
  let height = bytes.u16le(8);
  let at = 13 + colorTableBytes(bytes.u8(10));
  let frames = 0;
  let inSubBlocks = false;

  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    // The header is complete with the first frame; after it the end may come anywhere.
    if (frames > 0 && at >= bytes.length) return { width, height, animated: false };
    const byte = bytes.u8(at);
    if (inSubBlocks) {
      at += 1 + byte;
      inSubBlocks = byte !== 0;
    } else if (byte === EXTENSION) {
      at += 2;
      inSubBlocks = true;
    } else if (byte === IMAGE) {
      frames += 1;
      if (frames === 2) return { width, height, animated: true };
      width = Math.max(width, bytes.u16le(at + 5));
      height = Math.max(height, bytes.u16le(at + 7));
      // Position, size and flags, the frame's own colours, the code size of its pixels.
      at += 10 + colorTableBytes(bytes.u8(at + 9)) + 1;
      bytes.u8(at);
      inSubBlocks = true;
    } else {
      return byte === TRAILER && frames > 0 ? { width, height, animated: false } : null;
    }
  }
  return null;
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}
