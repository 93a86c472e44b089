import type { Color } from 'gifenc/dist/gifenc.esm.js';
import type sharpModule from 'sharp';
import type { Sharp, SharpOptions, WebpOptions } from 'sharp';

import { shownMs } from '../formats/image-header.ts';
import { encodeGif, findPalette, type Animation, type GifModule, type Strip } from './encode-gif.ts';
import type { FitSpec } from './fit-protocol.ts';
import { largestThatFits } from './largest-that-fits.ts';
import { repair } from './repair.ts';

export type SharpModule = typeof sharpModule;

export interface Libraries {
  readonly sharp: SharpModule;
  readonly gifenc: GifModule;
}

/** Pixels of a still image, as the service accepts them. */
const PIXELS_MAX = 50_000_000;
/**
 * Pixels of all frames of an animation together, while it is read. The deadline ends slow reading before memory runs
 * out.
 */
const ANIMATION_PIXELS_MAX = 2_000_000_000;
/** Pixels of all frames that are kept for the search: 100 MB. With more frames, each gets smaller. */
const KEPT_PIXELS_MAX = 25_000_000;

/**
 * For WebP, where each step down is a level. Below 35, blocks can be seen at a glance. Above 98, the file is larger
 * than a lossless one.
 */
const WEBP_QUALITY = { best: 98, worst: 35 };
/** Lossless encoding takes at most this many times as long as the best quality. */
const LOSSLESS_TIMES = 10;
/**
 * For GIF, where each level tolerates larger differences. Colours shrink in larger steps, because each palette must be
 * searched for.
 */
const GIF_COLORS = [255, 255, 200, 128, 64];
const GIF_STEPS = 4;
const WEBP_LEVELS = WEBP_QUALITY.best - WEBP_QUALITY.worst + 1;
const GIF_LEVELS = (GIF_COLORS.length - 1) * GIF_STEPS + 1;
/** For zlib, 0 to 9. 9 takes 2.6 times as long for files that are 0.4 % smaller. */
const PNG_LEVEL = 6;
/** For libwebp, 0 to 6. 4 takes twice as long as 2 for files that are a tenth smaller. */
const WEBP_EFFORT = 2;

/**
 * Makes a picture smaller until it meets the limits of a spec. Runs only in the child process.
 * @returns null when no size is small enough
 * @throws Error of sharp
 */
export function fitPixels(libraries: Libraries, file: Buffer, spec: FitSpec): Promise<Buffer | null> {
  const startedAt = performance.now();
  const hasTime = (neededMs = 0) => performance.now() - startedAt + neededMs < spec.enoughMs;
  return spec.animatedAs === null
    ? fitStill(libraries, file, spec, hasTime)
    : fitAnimation(libraries, file, spec, spec.animatedAs, hasTime);
}

async function fitStill(
  { sharp }: Libraries,
  file: Buffer,
  spec: FitSpec,
  hasTime: () => boolean,
): Promise<Buffer | null> {
  // Not 'error', which refuses a PNG for its checksums although all of its pixels are there.
  const whole = await readOrRepair(file, 'truncated', (bytes, failOn) =>
    toStrip(within(sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn }).autoOrient(), spec.sideMax)),
  );
  return largestThatFits({
    sideMax: spec.sideMax,
    levels: 1,
    bytesMax: spec.bytesMax,
    hasTime,
    async encode(side) {
      const scaled = await scaleStrip(sharp, whole, side, spec);
      return fromStrip(sharp, scaled).png({ compressionLevel: PNG_LEVEL }).toBuffer();
    },
  });
}

async function fitAnimation(
  { sharp, gifenc }: Libraries,
  file: Buffer,
  spec: FitSpec,
  type: 'gif' | 'webp',
  hasTime: (neededMs?: number) => boolean,
): Promise<Buffer | null> {
  const whole = await readOrRepair(file, 'error', (bytes, failOn) =>
    readAnimation(sharp, bytes, spec.sideMax, failOn),
  );
  const sideMax = Math.max(whole.width, whole.height);
  const palettes = new Map<number, readonly Color[]>();
  let scaled = { side: 0, strip: whole };
  let best: Buffer | null = null;
  let bestMs = 0;
  const fitted = await largestThatFits({
    sideMax,
    levels: type === 'gif' ? GIF_LEVELS : WEBP_LEVELS,
    bytesMax: spec.bytesMax,
    hasTime,
    async encode(side, level) {
      if (scaled.side !== side) {
        scaled = { side, strip: { ...whole, ...(await scaleStrip(sharp, whole, side, spec)) } };
      }
      if (type === 'webp') {
        const startedAt = performance.now();
        const made = await encodeWebp(sharp, scaled.strip, { quality: WEBP_QUALITY.best - level });
        if (side === sideMax && level === 0) [best, bestMs] = [made, performance.now() - startedAt];
        return made;
      }
      const colors = GIF_COLORS[Math.ceil(level / GIF_STEPS)] ?? 64;
      const palette = palettes.get(colors) ?? findPalette(gifenc, whole, colors);
      palettes.set(colors, palette);
      return encodeGif(gifenc, scaled.strip, { palette, tolerance: level });
    },
  });
  // Bytes are left even with the largest side and the best quality, so a lossless file may fit.
  if (fitted === null || fitted !== best || !hasTime(bestMs * LOSSLESS_TIMES)) return fitted;
  const exact = await encodeWebp(sharp, whole, { lossless: true });
  return exact.length <= spec.bytesMax ? exact : fitted;
}

type FailOn = NonNullable<SharpOptions['failOn']>;

/** Reads a file, if necessary after repairing faults that browsers ignore. */
async function readOrRepair<Read>(
  file: Buffer,
  failOn: FailOn,
  read: (file: Buffer, failOn: FailOn) => Promise<Read>,
): Promise<Read> {
  try {
    return await read(file, failOn);
  } catch (error) {
    const repaired = repair(file);
    // Be strict with a repaired file, so that libvips does not invent missing pixels.
    if (repaired !== null) return read(repaired, 'warning');
    throw error;
  }
}

async function readAnimation(
  sharp: SharpModule,
  file: Buffer,
  sideMax: number,
  failOn: FailOn,
): Promise<Animation> {
  const options: SharpOptions = { animated: true, limitInputPixels: ANIMATION_PIXELS_MAX, failOn };
  const { pages = 1, delay = [], loop = 0 } = await sharp(file, options).metadata();
  // As large as the limit for all frames together allows.
  const side = Math.max(1, Math.min(sideMax, Math.floor(Math.sqrt(KEPT_PIXELS_MAX / pages))));
  const strip = await toStrip(within(sharp(file, options), side));
  return { ...strip, loop, delaysMs: Array.from({ length: pages }, (_, page) => shownMs(delay[page] ?? 0)) };
}

function encodeWebp(
  sharp: SharpModule,
  { delaysMs, loop, ...strip }: Animation,
  how: Pick<WebpOptions, 'quality' | 'lossless'>,
): Promise<Buffer> {
  return fromStrip(sharp, strip)
    .webp({ ...how, effort: WEBP_EFFORT, loop, delay: delaysMs.map(Math.round) })
    .toBuffer();
}

/** Scales all frames to a longer side of at most this, with transparency around them if the spec asks for it. */
async function scaleStrip(sharp: SharpModule, whole: Strip, side: number, spec: FitSpec): Promise<Strip> {
  const scaled = await toStrip(within(fromStrip(sharp, whole), side));
  if (!spec.isPadded) return scaled;
  const left = (spec.sideMax - scaled.width) >> 1;
  const top = (spec.sideMax - scaled.height) >> 1;
  return toStrip(
    fromStrip(sharp, scaled).extend({
      left,
      top,
      right: spec.sideMax - scaled.width - left,
      bottom: spec.sideMax - scaled.height - top,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    }),
  );
}

function within(image: Sharp, side: number): Sharp {
  return image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
}

function fromStrip(sharp: SharpModule, { width, height, pixels }: Strip): Sharp {
  return sharp(pixels, {
    animated: true,
    limitInputPixels: ANIMATION_PIXELS_MAX,
    raw: { width, height: pixels.length / (width * 4), channels: 4, pageHeight: height },
  });
}

async function toStrip(image: Sharp): Promise<Strip> {
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height / (info.pages ?? 1), pixels: data };
}
