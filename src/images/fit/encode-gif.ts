import { timeFrames } from './gif-timing.ts';
import { packLzw } from './lzw.ts';
import type { Animation } from './picture.ts';

// GIF is written here and not by libvips: that one looks for colours of its own for every frame, which takes ten
// times as long, and a search makes several files.

export interface GifOptions {
  /** Colours of the whole animation, 3 bytes each, at most 255: one more is the transparent one. */
  readonly palette: Uint8Array;
  /** How far a channel may be from what is shown already and still count as unchanged, of 255. */
  readonly tolerance: number;
  /** Pixels of the whole image; the frames are in its middle. */
  readonly screenWidth: number;
  readonly screenHeight: number;
}

/** Pixels below are transparent: GIF has no half of it. */
const ALPHA_MIN = 128;
const KEEP = 1;
const CLEAR = 2;

/** {@link https://www.w3.org/Graphics/GIF/spec-gif89a.txt} */
export function encodeGif(animation: Animation, options: GifOptions): Buffer {
  const { palette, tolerance, screenWidth, screenHeight } = options;
  const { width, height } = animation;
  const transparent = palette.length / 3;
  const tableBits = Math.max(1, Math.ceil(Math.log2(transparent + 1)));
  const table = Buffer.alloc(3 * 2 ** tableBits);
  table.set(palette);

  const timed = timeFrames(animation.delaysMs);
  const pictures = timed.map(({ index }) => animation.frames[index] ?? new Uint8Array());
  // What was opaque can only become transparent when the whole frame is cleared.
  const clears = pictures.some((picture, at) => uncovers(pictures[at - 1], picture));
  const nearest = createNearest(palette);
  const shown = new Uint8Array(width * height * 4);
  const indexes = new Uint8Array(width * height);

  const parts: Buffer[] = [
    Buffer.from('GIF89a', 'latin1'),
    u16le(screenWidth, screenHeight),
    Buffer.from([0x80 | 0x70 | (tableBits - 1), 0, 0]),
    table,
    ...(animation.loop === 1 ? [] : [repeats(animation.loop)]),
  ];
  for (const [at, { delay }] of timed.entries()) {
    const picture = pictures[at] ?? new Uint8Array();
    for (let pixel = 0; pixel < indexes.length; pixel += 1) {
      const from = pixel * 4;
      const red = picture[from] ?? 0;
      const green = picture[from + 1] ?? 0;
      const blue = picture[from + 2] ?? 0;
      const isOpaque = (picture[from + 3] ?? 0) >= ALPHA_MIN;
      const isShown =
        !clears &&
        shown[from + 3] === 255 &&
        Math.abs((shown[from] ?? 0) - red) <= tolerance &&
        Math.abs((shown[from + 1] ?? 0) - green) <= tolerance &&
        Math.abs((shown[from + 2] ?? 0) - blue) <= tolerance;
      if (!isOpaque || isShown) {
        indexes[pixel] = transparent;
        continue;
      }
      indexes[pixel] = nearest(red, green, blue);
      shown[from] = red;
      shown[from + 1] = green;
      shown[from + 2] = blue;
      shown[from + 3] = 255;
    }
    const codeBits = Math.max(2, tableBits);
    parts.push(
      Buffer.from([0x21, 0xf9, 4, ((clears ? CLEAR : KEEP) << 2) | 1]),
      u16le(delay),
      Buffer.from([transparent, 0, 0x2c]),
      u16le((screenWidth - width) >> 1, (screenHeight - height) >> 1, width, height),
      Buffer.from([0, codeBits]),
      packLzw(indexes, codeBits),
    );
  }
  parts.push(Buffer.from([0x3b]));
  return Buffer.concat(parts);
}

function u16le(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(Math.min(value, 0xffff), at * 2);
  return bytes;
}

/** @param loop how often it is played; GIF counts the runs after the first, and 0 is without end there too */
function repeats(loop: number): Buffer {
  return Buffer.concat([
    Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01', 'latin1'),
    u16le(loop === 0 ? 0 : loop - 1),
    Buffer.from([0]),
  ]);
}

function uncovers(before: Uint8Array | undefined, after: Uint8Array): boolean {
  if (before === undefined) return false;
  for (let at = 3; at < after.length; at += 4) {
    if ((before[at] ?? 0) >= ALPHA_MIN && (after[at] ?? 0) < ALPHA_MIN) return true;
  }
  return false;
}

/** The nearest colour of a palette, found once for all colours with the same upper 5 bits in each channel. */
function createNearest(palette: Uint8Array): (red: number, green: number, blue: number) => number {
  const known = new Int16Array(2 ** 15).fill(-1);
  return (red, green, blue) => {
    const key = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
    const found = known[key] ?? -1;
    if (found >= 0) return found;
    let best = 0;
    let bestDistance = Infinity;
    for (let at = 0; at < palette.length; at += 3) {
      const distance =
        2 * ((palette[at] ?? 0) - red) ** 2 +
        4 * ((palette[at + 1] ?? 0) - green) ** 2 +
        3 * ((palette[at + 2] ?? 0) - blue) ** 2;
      if (distance < bestDistance) {
        bestDistance = distance;
        best = at / 3;
      }
    }
    known[key] = best;
    return best;
  };
}
