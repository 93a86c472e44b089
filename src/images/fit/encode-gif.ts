import type * as gifencModule from 'gifenc/dist/gifenc.esm.js';
import type { Color } from 'gifenc/dist/gifenc.esm.js';

// We do not use libvips for GIF, because it searches new colours for every frame. That takes several times as long, and
// a search makes several files.

export type GifModule = typeof gifencModule;

/**
 * Frames of the same size in RGBA, 8 bits a channel, one below the other, as in libvips. A still picture is one frame.
 */
export interface Strip {
  /** Width of one frame. */
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface Animation extends Strip {
  /** Milliseconds for which each frame is shown. */
  readonly delaysMs: readonly number[];
  /** Number of runs; 0 is endless. */
  readonly loop: number;
}

export interface GifOptions {
  /** Colours of the whole animation, at most 255: one more is for transparency. */
  readonly palette: readonly Color[];
  /** A pixel counts as unchanged when each channel (0 to 255) differs by at most this from the one that is shown. */
  readonly tolerance: number;
}

/** Pixels with less alpha become transparent, because GIF has no partial transparency. */
const ALPHA_MIN = 128;
/** Pixels of all frames together that are searched for colours. */
const SAMPLES = 100_000;
/** In hundredths of a second. Browsers and Discord's apps slow down shorter frames. */
const FRAME_MIN = 2;
const KEEP = 1;
const CLEAR = 2;
/** Offset of a frame's position, after its times. */
const PLACE_AT = 9;

interface TimedFrame {
  readonly index: number;
  /** Hundredths of a second, the unit of GIF. */
  readonly delay: number;
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Each frame contains only the smallest area with all its changes. */
export function encodeGif(
  gifenc: GifModule,
  animation: Animation,
  { palette, tolerance }: GifOptions,
): Buffer {
  const { width, height, pixels, delaysMs, loop } = animation;
  const transparentIndex = palette.length;
  const nearest = createNearest(gifenc, palette);
  const frameBytes = width * height * 4;
  const frames = timeFrames(delaysMs).map(({ index, delay }) => ({
    delay: delay * 10,
    frame: pixels.subarray(index * frameBytes, (index + 1) * frameBytes),
  }));
  // Opaque pixels can only become transparent when the whole frame is cleared.
  const clears = frames.some(({ frame }, at) => uncovers(frames[at - 1]?.frame, frame));
  const shown = new Uint8Array(frameBytes);
  const indexes = new Uint8Array(width * height);
  const encoder = gifenc.GIFEncoder();

  for (const [at, { frame, delay }] of frames.entries()) {
    for (let pixel = 0; pixel < indexes.length; pixel += 1) {
      const from = pixel * 4;
      const red = frame[from] ?? 0;
      const green = frame[from + 1] ?? 0;
      const blue = frame[from + 2] ?? 0;
      const isOpaque = (frame[from + 3] ?? 0) >= ALPHA_MIN;
      const isShown =
        !clears &&
        shown[from + 3] === 255 &&
        Math.abs((shown[from] ?? 0) - red) <= tolerance &&
        Math.abs((shown[from + 1] ?? 0) - green) <= tolerance &&
        Math.abs((shown[from + 2] ?? 0) - blue) <= tolerance;
      if (!isOpaque || isShown) {
        indexes[pixel] = transparentIndex;
        continue;
      }
      indexes[pixel] = nearest(red, green, blue);
      shown[from] = red;
      shown[from + 1] = green;
      shown[from + 2] = blue;
      shown[from + 3] = 255;
    }
    // The first frame gives the size of the picture.
    const area = at === 0 ? { left: 0, top: 0, width, height } : findDrawn(indexes, width, transparentIndex);
    const startsAt = encoder.bytesView().length;
    encoder.writeFrame(cut(indexes, width, area), area.width, area.height, {
      palette: at === 0 ? [...palette, [0, 0, 0]] : undefined,
      delay,
      transparent: true,
      transparentIndex,
      dispose: clears ? CLEAR : KEEP,
      repeat: loop === 1 ? -1 : Math.max(0, loop - 1),
      colorDepth: Math.max(2, Math.ceil(Math.log2(palette.length + 1))),
    });
    // gifenc puts every frame in the corner.
    const { left, top } = area;
    const place = [left & 0xff, left >> 8, top & 0xff, top >> 8];
    if (at > 0) encoder.bytesView().set(place, startsAt + PLACE_AT);
  }
  encoder.finish();
  return Buffer.from(encoder.bytesView());
}

/**
 * Frames with delays that a GIF can hold. The next frame makes up for rounding, so that the whole keeps its length. A
 * frame too short for a GIF is left out, and its time goes to the next frame, or at the end to the last one that is
 * kept.
 */
export function timeFrames(delaysMs: readonly number[]): TimedFrame[] {
  const frames: TimedFrame[] = [];
  let endMs = 0;
  let shown = 0;
  for (const [index, delayMs] of delaysMs.entries()) {
    endMs += delayMs;
    const delay = Math.round(endMs / 10) - shown;
    const last = frames.at(-1);
    if (delay < FRAME_MIN && last !== undefined) continue;
    frames.push({ index, delay: Math.max(FRAME_MIN, delay) });
    shown += Math.max(FRAME_MIN, delay);
  }
  const last = frames.at(-1);
  const left = Math.round(endMs / 10) - shown;
  if (last !== undefined && left > 0) frames[frames.length - 1] = { ...last, delay: last.delay + left };
  return frames;
}

/** The smallest area with all pixels that are not transparent; one pixel if all are. */
function findDrawn(indexes: Uint8Array, width: number, transparentIndex: number): Area {
  let [left, right, top, bottom] = [width, 0, indexes.length, 0];
  for (let pixel = 0; pixel < indexes.length; pixel += 1) {
    if (indexes[pixel] === transparentIndex) continue;
    const x = pixel % width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, pixel - x);
    bottom = pixel - x;
  }
  if (left > right) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top: top / width, width: right - left + 1, height: (bottom - top) / width + 1 };
}

function cut(indexes: Uint8Array, width: number, area: Area): Uint8Array {
  const part = new Uint8Array(area.width * area.height);
  for (let row = 0; row < area.height; row += 1) {
    const from = (area.top + row) * width + area.left;
    part.set(indexes.subarray(from, from + area.width), row * area.width);
  }
  return part;
}

/** Finds colours for a whole animation, from some of its pixels. */
export function findPalette(gifenc: GifModule, { pixels }: Animation, colors: number): readonly Color[] {
  const step = Math.max(1, Math.floor(pixels.length / 4 / SAMPLES));
  const sample = new Uint8Array(Math.ceil(pixels.length / 4 / step) * 4);
  let length = 0;
  // Vary the steps, because even ones could stay in one column.
  for (let pixel = 0; length < sample.length; pixel += 1 + ((pixel * 7_919) % (2 * step - 1))) {
    const from = pixel * 4;
    if (from >= pixels.length) break;
    if ((pixels[from + 3] ?? 0) < ALPHA_MIN) continue;
    sample.set(pixels.subarray(from, from + 4), length);
    length += 4;
  }
  if (length === 0) return [[0, 0, 0]];
  return gifenc.quantize(sample.slice(0, length), colors, { format: 'rgb444' });
}

function uncovers(before: Uint8Array | undefined, after: Uint8Array): boolean {
  if (before === undefined) return false;
  for (let at = 3; at < after.length; at += 4) {
    if ((before[at] ?? 0) >= ALPHA_MIN && (after[at] ?? 0) < ALPHA_MIN) return true;
  }
  return false;
}

/** Finds the nearest colour of a palette, once for all colours with the same upper 5 bits in each channel. */
function createNearest(
  gifenc: GifModule,
  palette: readonly Color[],
): (red: number, green: number, blue: number) => number {
  const known = new Int16Array(2 ** 15).fill(-1);
  return (red, green, blue) => {
    const key = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
    if (known[key] === -1) known[key] = gifenc.nearestColorIndex(palette, [red, green, blue]);
    return known[key] ?? 0;
  };
}
