import { EndOfBytes, type ImageBytes } from '../image-bytes.ts';
import { shownMs, type ImageHeader } from './image-header.ts';

/** Most blocks and sub-blocks that are read: three times as many as in 8 MiB of full sub-blocks. */
const STEPS_MAX = 100_000;

const EXTENSION = 0x21;
const GRAPHIC_CONTROL = 0xf9;
const IMAGE = 0x2c;

/**
 * Reads a GIF block by block. A first frame that is larger than the screen widens it, as in browsers. Otherwise a tiny
 * screen would hide any number of pixels. Only the decoder notices pixels that end early, as for every other type. A
 * file without a frame is not a GIF. After a frame, a byte that begins no block ends the file as a trailer does, as in
 * browsers, because some encoders write a zero there.
 * {@link https://www.w3.org/Graphics/GIF/spec-gif89a.txt}
 */
export function readGif(bytes: ImageBytes): ImageHeader | null {
  let width = bytes.u16le(6);
  let height = bytes.u16le(8);
  let at = 13 + colorTableBytes(bytes.u8(10));
  let frames = 0;
  let ms = 0;
  let nextFrameMs = 0;
  let inSubBlocks = false;
  let hasEnded = false;
  const animation = (): ImageHeader => ({ width, height, animated: true, seconds: ms / 1_000 });

  try {
    for (let steps = 0; steps < STEPS_MAX && !hasEnded; steps += 1) {
      // The header is complete with the first frame. After that the end may come anywhere.
      if (frames > 0 && at >= bytes.length) {
        hasEnded = true;
        continue;
      }
      const byte = bytes.u8(at);
      if (inSubBlocks) {
        at += 1 + byte;
        inSubBlocks = byte !== 0;
      } else if (byte === EXTENSION) {
        // Its label and its time are read too.
        steps += 2;
        if (at + 6 <= bytes.length && bytes.u8(at + 1) === GRAPHIC_CONTROL) {
          nextFrameMs = bytes.u16le(at + 4) * 10;
        }
        at += 2;
        inSubBlocks = true;
      } else if (byte === IMAGE) {
        frames += 1;
        ms += shownMs(nextFrameMs);
        nextFrameMs = 0;
        if (frames === 1) {
          width = Math.max(width, bytes.u16le(at + 5));
          height = Math.max(height, bytes.u16le(at + 7));
        }
        // Position, size and flags, the frame's own colours, the code size of its pixels.
        at += 10 + colorTableBytes(bytes.u8(at + 9)) + 1;
        bytes.u8(at);
        inSubBlocks = true;
      } else {
        hasEnded = true;
      }
    }
  } catch (error) {
    if (error instanceof EndOfBytes && frames > 1) return animation();
    throw error;
  }
  if (frames > 1) return animation();
  return frames > 0 && hasEnded ? still(width, height) : null;
}

const still = (width: number, height: number): ImageHeader => ({
  width,
  height,
  animated: false,
  seconds: null,
});

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}
