import type sharpModule from 'sharp';
import type { Sharp, SharpOptions, WebpOptions } from 'sharp';

import { shownMs } from '../formats/image-header.ts';
import { encodeGif } from './encode-gif.ts';
import { largestThatFits } from './largest-that-fits.ts';
import { CannotFit, padPicture, type Animation, type Picture } from './picture.ts';
import { readApng } from './read-apng.ts';

/** What is to become of a file. */
export interface FitOrder {
  readonly isApng: boolean;
  readonly animatedAs: 'gif' | 'webp' | null;
  /** Pixels: the longer side is at most this. */
  readonly sideMax: number;
  readonly isPadded: boolean;
  readonly bytesMax: number;
  /** Milliseconds after which the best file so far is taken. */
  readonly enoughMs: number;
}

export type SharpModule = typeof sharpModule;

/** Of a still image, as the service lets them in. */
const PIXELS_MAX = 50_000_000;
/** Of all frames of an animation together, while it is read. Time ends what is slow before memory does. */
const ANIMATION_PIXELS_MAX = 2_000_000_000;
/** Of all frames as they are kept for the search: 100 MB. More frames make a smaller picture. */
const KEPT_PIXELS_MAX = 25_000_000;
/** Longest side of a frame that is looked at for colours, and how many are. */
const SAMPLE_SIDE = 96;
const SAMPLES = 12;

/** Of WebP: each step down is a level. Below 35 blocks can be seen at a glance, above 98 it is larger than without loss. */
const WEBP_QUALITY = { best: 98, worst: 35 };
/** Time without loss, of the time of the best quality: more than any picture needs. */
const LOSSLESS_TIMES = 10;
/** Of GIF: a level is a step of tolerance; colours go in larger steps, as each set of them has to be looked for. */
const GIF_COLORS = [255, 255, 200, 128, 64];
const GIF_STEPS = 4;
const WEBP_LEVELS = WEBP_QUALITY.best - WEBP_QUALITY.worst + 1;
const GIF_LEVELS = (GIF_COLORS.length - 1) * GIF_STEPS + 1;
/** Of libwebp, 0 to 6: 4 takes twice as long as 2 for files that are a tenth smaller. */
const WEBP_EFFORT = 2;

/**
 * Makes a picture smaller until it meets an order. Runs in the child process only.
 * @throws CannotFit, or what sharp throws
 */
export async function fitPixels(sharp: SharpModule, file: Buffer, order: FitOrder): Promise<Buffer> {
  const startedAt = performance.now();
  const hasTime = (neededMs = 0) => performance.now() - startedAt + neededMs < order.enoughMs;
  const fitted =
    order.animatedAs === null
      ? await fitStill(sharp, file, order, hasTime)
      : await fitAnimation(sharp, file, order, order.animatedAs, hasTime);
  if (fitted === null) throw new CannotFit('no size is small enough');
  return fitted;
}

async function fitStill(sharp: SharpModule, file: Buffer, order: FitOrder, hasTime: () => boolean) {
  const whole = await toPicture(
    within(sharp(file, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).autoOrient(), order.sideMax),
  );
  return largestThatFits({
    sideMax: order.sideMax,
    levels: 1,
    bytesMax: order.bytesMax,
    hasTime,
    async encode(side) {
      const picture = await toPicture(within(fromPicture(sharp, whole), side));
      const padded = order.isPadded ? padPicture(picture, order.sideMax, order.sideMax) : picture;
      return fromPicture(sharp, padded).png({ compressionLevel: 9 }).toBuffer();
    },
  });
}

async function fitAnimation(
  sharp: SharpModule,
  file: Buffer,
  order: FitOrder,
  type: 'gif' | 'webp',
  hasTime: (neededMs?: number) => boolean,
) {
  const whole = order.isApng
    ? await readFrames(sharp, file, order.sideMax)
    : await readStrip(sharp, file, order.sideMax);
  const sideMax = Math.max(whole.width, whole.height);
  const palettes = new Map<number, Uint8Array>();
  let kept = whole;
  let best: Buffer | null = null;
  let bestMs = 0;
  const fitted = await largestThatFits({
    sideMax,
    levels: type === 'gif' ? GIF_LEVELS : WEBP_LEVELS,
    bytesMax: order.bytesMax,
    hasTime,
    async encode(side, level) {
      if (Math.max(kept.width, kept.height) !== side) {
        kept = side === sideMax ? whole : await resizeFrames(sharp, whole, side);
      }
      if (type === 'webp') {
        const startedAt = performance.now();
        const file = await encodeWebp(sharp, kept, { quality: WEBP_QUALITY.best - level });
        if (side === sideMax && level === 0) [best, bestMs] = [file, performance.now() - startedAt];
        return file;
      }
      const colors = GIF_COLORS[Math.ceil(level / GIF_STEPS)] ?? 64;
      const palette = palettes.get(colors) ?? (await findPalette(sharp, whole, colors));
      palettes.set(colors, palette);
      return encodeGif(kept, {
        palette,
        tolerance: level,
        screenWidth: order.isPadded ? order.sideMax : kept.width,
        screenHeight: order.isPadded ? order.sideMax : kept.height,
      });
    },
  });
  // Bytes are left at the largest side and the best quality: perhaps enough of them to lose nothing at all.
  if (fitted === null || fitted !== best || !hasTime(bestMs * LOSSLESS_TIMES)) return fitted;
  const exact = await encodeWebp(sharp, whole, { lossless: true });
  return exact.length <= order.bytesMax ? exact : fitted;
}

/** Side of the frames as they are kept, so that all of them have room. */
function keptSide(sideMax: number, frames: number): number {
  return Math.max(1, Math.min(sideMax, Math.floor(Math.sqrt(KEPT_PIXELS_MAX / Math.max(1, frames)))));
}

/** An animation that libvips reads: all frames in one picture, one below the other. */
async function readStrip(sharp: SharpModule, file: Buffer, sideMax: number): Promise<Animation> {
  const options: SharpOptions = { animated: true, limitInputPixels: ANIMATION_PIXELS_MAX, failOn: 'error' };
  const { pages = 1, delay = [], loop = 0 } = await sharp(file, options).metadata();
  const { width, height, pixels } = await toPicture(within(sharp(file, options), keptSide(sideMax, pages)));
  const frameHeight = height / pages;
  const frameBytes = width * frameHeight * 4;
  return {
    width,
    height: frameHeight,
    loop,
    delaysMs: Array.from({ length: pages }, (_, page) => shownMs(delay[page] ?? 0)),
    frames: Array.from({ length: pages }, (_, page) =>
      pixels.subarray(page * frameBytes, (page + 1) * frameBytes),
    ),
  };
}

async function readFrames(sharp: SharpModule, file: Buffer, sideMax: number): Promise<Animation> {
  const apng = readApng(file);
  const side = keptSide(sideMax, apng.delaysMs.length);
  const decode = (frame: Buffer) =>
    toPicture(sharp(frame, { limitInputPixels: PIXELS_MAX, failOn: 'error' }));
  const frames: Uint8Array[] = [];
  let size = { width: 0, height: 0 };
  for await (const picture of apng.pictures(decode)) {
    const { pixels, ...own } = await toPicture(within(fromPicture(sharp, picture), side));
    size = own;
    frames.push(pixels);
  }
  if (frames.length === 0) throw new CannotFit('no frames');
  return { ...size, frames, delaysMs: apng.delaysMs, loop: apng.loop };
}

async function resizeFrames(sharp: SharpModule, animation: Animation, side: number): Promise<Animation> {
  const { width, height, frames } = animation;
  const resized: Picture[] = [];
  for (const pixels of frames) {
    resized.push(await toPicture(within(fromPicture(sharp, { width, height, pixels }), side)));
  }
  return {
    ...animation,
    width: resized[0]?.width ?? 0,
    height: resized[0]?.height ?? 0,
    frames: resized.map((picture) => picture.pixels),
  };
}

async function encodeWebp(
  sharp: SharpModule,
  animation: Animation,
  how: Pick<WebpOptions, 'quality' | 'lossless'>,
): Promise<Buffer> {
  const { width, height, frames, delaysMs, loop } = animation;
  const strip = Buffer.concat(frames);
  return sharp(strip, {
    limitInputPixels: ANIMATION_PIXELS_MAX,
    raw: { width, height: height * frames.length, channels: 4, pageHeight: height },
  })
    .webp({ ...how, effort: WEBP_EFFORT, loop, delay: delaysMs.map(Math.round) })
    .toBuffer();
}

/** Colours for a whole animation, by libimagequant from some of its frames. */
async function findPalette(sharp: SharpModule, animation: Animation, colors: number): Promise<Uint8Array> {
  const { width, height, frames } = animation;
  const step = Math.max(1, Math.ceil(frames.length / SAMPLES));
  const samples: Picture[] = [];
  for (let at = 0; at < frames.length; at += step) {
    const pixels = frames[at] ?? new Uint8Array();
    samples.push(await toPicture(within(fromPicture(sharp, { width, height, pixels }), SAMPLE_SIDE)));
  }
  const size = { width: samples[0]?.width ?? 0, height: samples[0]?.height ?? 0 };
  const strip = Buffer.concat(samples.map((sample) => sample.pixels));
  for (let at = 3; at < strip.length; at += 4) strip[at] = (strip[at] ?? 0) >= 128 ? 255 : 0;
  const file = await fromPicture(sharp, { ...size, height: size.height * samples.length, pixels: strip })
    .png({ palette: true, colors, dither: 0, effort: 5 })
    .toBuffer();
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) !== 'PLTE') continue;
    return new Uint8Array(file.subarray(at + 8, at + 8 + Math.min(file.readUInt32BE(at), colors * 3)));
  }
  throw new CannotFit('no palette');
}

function within(image: Sharp, side: number): Sharp {
  return image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
}

function fromPicture(sharp: SharpModule, { width, height, pixels }: Picture): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: ANIMATION_PIXELS_MAX });
}

async function toPicture(image: Sharp): Promise<Picture> {
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}
