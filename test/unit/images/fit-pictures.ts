import { deflateSync } from 'node:zlib';

import sharp from 'sharp';

import { encodeGif } from '../../../src/images/fit/encode-gif.ts';
import type { Animation } from '../../../src/images/fit/picture.ts';
import { frameControl, noise, PNG_SIGNATURE, pngChunk, pngHeader } from './image-files.ts';

// Pictures with pixels, for what decodes them.

export type StillType = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif';

/** A gradient with grain, which no encoder makes small. */
export async function still(type: StillType, width: number, height: number, grain = 40): Promise<Buffer> {
  const pixels = grainy(width, height, 0, grain);
  if (type === 'gif') {
    return encodeAnimation({ width, height, frames: [pixels], delaysMs: [100], loop: 1 }, 'gif');
  }
  const image = sharp(pixels, { raw: { width, height, channels: 4 } });
  return image.toFormat(type, type === 'avif' ? { effort: 0 } : {}).toBuffer();
}

function grainy(width: number, height: number, shift: number, grain: number): Uint8Array {
  const random = noise(width * height);
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const rough = ((random[(at + shift * 7_919) % random.length] ?? 0) * grain) >> 8;
    pixels[at * 4] = (((x + shift * 3) * 200) / width + rough) & 0xff;
    pixels[at * 4 + 1] = Math.min(255, (y * 200) / height + rough);
    pixels[at * 4 + 2] = Math.min(255, shift * 2 + rough);
    pixels[at * 4 + 3] = 255;
  }
  return pixels;
}

export function movingPicture(side: number, frames: number, delayMs: number, grain = 40): Animation {
  return {
    width: side,
    height: side,
    loop: 0,
    delaysMs: Array<number>(frames).fill(delayMs),
    frames: Array.from({ length: frames }, (_, frame) => grainy(side, side, frame, grain)),
  };
}

/** Six steps in each channel. */
const CUBE = Uint8Array.from({ length: 216 * 3 }, (_, at) => {
  const color = Math.floor(at / 3);
  return 51 * ([Math.floor(color / 36), Math.floor(color / 6) % 6, color % 6][at % 3] ?? 0);
});

/** GIF is written by our own encoder, which other tests compare with libvips: that one takes seconds. */
export async function encodeAnimation(animation: Animation, type: 'gif' | 'webp' | 'apng'): Promise<Buffer> {
  const { width, height, frames, delaysMs, loop } = animation;
  if (type === 'apng') return encodeApng(animation);
  if (type === 'gif') {
    return encodeGif(animation, { palette: CUBE, tolerance: 0, screenWidth: width, screenHeight: height });
  }
  const raw = { width, height: height * frames.length, channels: 4, pageHeight: height } as const;
  const image = sharp(Buffer.concat(frames), { raw });
  return image.webp({ delay: [...delaysMs], loop, effort: 0, quality: 90 }).toBuffer();
}

/** Whole frames, RGBA, without a filter. */
function encodeApng({ width, height, frames, delaysMs, loop }: Animation): Buffer {
  const parts = frames.flatMap((pixels, index) => {
    const rows = Array.from({ length: height }, (_, y) =>
      Buffer.concat([Buffer.from([0]), pixels.subarray(y * width * 4, (y + 1) * width * 4)]),
    );
    const data = deflateSync(Buffer.concat(rows), { level: 1 });
    return [
      frameControl(width, height, [delaysMs[index] ?? 0, 1_000]),
      index === 0 ? pngChunk('IDAT', data) : pngChunk('fdAT', Buffer.concat([Buffer.alloc(4), data])),
    ];
  });
  const counts = Buffer.alloc(8);
  counts.writeUInt32BE(frames.length, 0);
  counts.writeUInt32BE(loop, 4);
  const head = [Buffer.from(PNG_SIGNATURE, 'latin1'), pngHeader(width, height, [8, 6, 0, 0, 0])];
  return Buffer.concat([...head, pngChunk('acTL', counts), ...parts, pngChunk('IEND', [])]);
}

/** What a viewer shows: frames and times of a file. */
export async function decodeAnimation(file: Buffer): Promise<Animation> {
  const { pages = 1, delay = [], loop = 0 } = await sharp(file, { animated: true }).metadata();
  const { data, info } = await sharp(file, { animated: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const bytes = data.length / pages;
  return {
    width: info.width,
    height: info.height / pages,
    loop,
    delaysMs: delay,
    frames: Array.from({ length: pages }, (_, page) => data.subarray(page * bytes, (page + 1) * bytes)),
  };
}

/** Mean difference of a channel, of 255. */
export function difference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length;
}
