import type { ImageBytes } from '../image-bytes.ts';
import { shownMs, type ImageHeader } from './image-header.ts';

/** Chunks before the pixels of an extended file: ICCP, ANIM, ALPH and unknown ones. */
const CHUNKS_MAX = 100;
/** Chunks of an animation: 8 MiB of frames that change one pixel have fewer. */
const ANIMATION_CHUNKS_MAX = 30_000;

type Size = Pick<ImageHeader, 'width' | 'height'>;

const ANIMATION_FLAG = 0x02;

/**
 * Reads a WebP: lossy, lossless, or extended with its canvas. The file may be a byte shorter than its
 * size field says: some encoders leave out the padding byte, others count it twice.
 * {@link https://developers.google.com/speed/webp/docs/riff_container}
 */
export function readWebp(bytes: ImageBytes): ImageHeader | null {
  if (8 + bytes.u32le(4) > bytes.length + 1) return null;
  switch (bytes.latin1(12, 4)) {
    case 'VP8 ':
      return readLossy(bytes, 20);
    case 'VP8L':
      return readLossless(bytes, 20);
    case 'VP8X':
      return readExtended(bytes);
    default:
      return null;
  }
}

/** {@link https://www.rfc-editor.org/rfc/rfc6386#section-9.1} */
function readLossy(bytes: ImageBytes, at: number): ImageHeader | null {
  const isKeyFrame = (bytes.u8(at) & 1) === 0;
  if (!isKeyFrame || bytes.latin1(at + 3, 3) !== '\x9d\x01\x2a') return null;
  return {
    width: bytes.u16le(at + 6) & 0x3fff,
    height: bytes.u16le(at + 8) & 0x3fff,
    animated: false,
    seconds: null,
  };
}

/** {@link https://www.rfc-editor.org/rfc/rfc9649#section-3.4} */
function readLossless(bytes: ImageBytes, at: number): ImageHeader | null {
  const bits = bytes.u32le(at + 1);
  const version = bits >>> 29;
  if (bytes.u8(at) !== 0x2f || version !== 0) return null;
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, animated: false, seconds: null };
}

function readExtended(bytes: ImageBytes): ImageHeader | null {
  if (bytes.u32le(16) < 10) return null;
  const mayAnimate = (bytes.u8(20) & ANIMATION_FLAG) !== 0;
  const canvas = { width: bytes.u24le(24) + 1, height: bytes.u24le(27) + 1 };
  let at = 12;
  let animated = false;
  for (let chunks = 0; chunks < CHUNKS_MAX; chunks += 1) {
    const length = bytes.u32le(at + 4);
    switch (bytes.latin1(at, 4)) {
      case 'ANIM':
        animated = mayAnimate;
        break;
      case 'ANMF':
        return animated ? { ...canvas, ...readFrames(bytes, at) } : null;
      case 'VP8 ':
        return fills(canvas, readLossy(bytes, at + 8)) ? { ...canvas, animated, seconds: null } : null;
      case 'VP8L':
        return fills(canvas, readLossless(bytes, at + 8)) ? { ...canvas, animated, seconds: null } : null;
    }
    at += 8 + length + (length % 2);
  }
  return null;
}

/** Pixels of another size than the canvas are not WebP, and could be any number. */
function fills(canvas: Size, pixels: Size | null): boolean {
  return pixels?.width === canvas.width && pixels.height === canvas.height;
}

/**
 * One frame is a still picture, even in a file that calls itself animated.
 * @param at of the first frame; truncated frames do not count, because they are not shown
 */
function readFrames(bytes: ImageBytes, at: number): Pick<ImageHeader, 'animated' | 'seconds'> {
  let frames = 0;
  let ms = 0;
  for (let chunks = 0; chunks < ANIMATION_CHUNKS_MAX && at + 24 <= bytes.length; chunks += 1) {
    if (bytes.latin1(at, 4) === 'ANMF') {
      frames += 1;
      ms += shownMs(bytes.u24le(at + 20));
    }
    const length = bytes.u32le(at + 4);
    at += 8 + length + (length % 2);
  }
  return { animated: frames > 1, seconds: frames > 1 ? ms / 1_000 : null };
}
