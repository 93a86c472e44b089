import { crc32 } from 'node:zlib';

import { shownMs } from '../formats/image-header.ts';
import { CannotFit, type Picture } from './picture.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** As many as the reader of the header walks. */
const CHUNKS_MAX = 30_000;
/** Chunks before the pixels that change how they look: each frame gets them. */
const SHARED = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT']);

const DISPOSE_BACKGROUND = 1;
const DISPOSE_PREVIOUS = 2;
const BLEND_OVER = 1;

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly delayMs: number;
  readonly dispose: number;
  readonly blend: number;
  /** Compressed pixels. */
  readonly data: Buffer[];
}

export interface Apng {
  readonly width: number;
  readonly height: number;
  readonly loop: number;
  readonly delaysMs: readonly number[];
  /**
   * The whole pictures one after the other, as they are shown. The pixels are used again for the next one.
   * @param decode turns the file of one frame, a PNG of its own, into pixels
   */
  pictures(decode: (file: Buffer) => Promise<Picture>): AsyncGenerator<Picture, void>;
}

/**
 * An animated PNG. libvips reads only its first picture, so the file is taken apart here: each frame becomes a PNG
 * of its own, and what comes out of those is laid on one another.
 * {@link https://www.w3.org/TR/png-3/#apng-frame-based-animation}
 */
export function readApng(file: Buffer): Apng {
  const header = file.subarray(16, 29);
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const shared: Buffer[] = [];
  const frames: Frame[] = [];
  let loop = 0;
  let at = 33;
  for (let chunks = 0; chunks < CHUNKS_MAX && at + 12 <= file.length; chunks += 1) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) break;
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, end - 4);
    if (type === 'acTL') loop = data.readUInt32BE(4);
    else if (type === 'fcTL') frames.push(readFrame(data, width, height));
    // Pixels before the first frame are for viewers that know no animations.
    else if (type === 'IDAT') frames.at(-1)?.data.push(data);
    else if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4));
    else if (SHARED.has(type) && frames.every((frame) => frame.data.length === 0)) {
      shared.push(file.subarray(at, end));
    }
    at = end;
  }
  const whole = frames.filter((frame) => frame.data.length > 0);

  return {
    width,
    height,
    loop,
    delaysMs: whole.map((frame) => frame.delayMs),
    async *pictures(decode) {
      const canvas = new Uint8Array(width * height * 4);
      for (const [index, frame] of whole.entries()) {
        const picture = await decode(pngOf(frame, header, shared));
        if (picture.width !== frame.width || picture.height !== frame.height)
          throw new CannotFit('frame size');
        // What comes before the first frame is nothing at all.
        const dispose =
          index === 0 && frame.dispose === DISPOSE_PREVIOUS ? DISPOSE_BACKGROUND : frame.dispose;
        const before = dispose === DISPOSE_PREVIOUS ? canvas.slice() : null;
        draw(canvas, width, frame, picture.pixels);
        yield { width, height, pixels: canvas };
        if (before !== null) canvas.set(before);
        else if (dispose === DISPOSE_BACKGROUND) clear(canvas, width, frame);
      }
    },
  };
}

function readFrame(data: Buffer, width: number, height: number): Frame {
  const frame = {
    width: data.readUInt32BE(4),
    height: data.readUInt32BE(8),
    left: data.readUInt32BE(12),
    top: data.readUInt32BE(16),
    // 0 is 100 by the specification.
    delayMs: shownMs((data.readUInt16BE(20) / (data.readUInt16BE(22) || 100)) * 1_000),
    dispose: data.readUInt8(24),
    blend: data.readUInt8(25),
    data: [],
  };
  if (frame.left + frame.width > width || frame.top + frame.height > height) {
    throw new CannotFit('frame outside of the image');
  }
  return frame;
}

function pngOf(frame: Frame, header: Buffer, shared: readonly Buffer[]): Buffer {
  const own = Buffer.from(header);
  own.writeUInt32BE(frame.width, 0);
  own.writeUInt32BE(frame.height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', own),
    ...shared,
    chunk('IDAT', Buffer.concat(frame.data)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

function draw(canvas: Uint8Array, canvasWidth: number, frame: Frame, pixels: Uint8Array): void {
  for (let y = 0; y < frame.height; y += 1) {
    const start = ((frame.top + y) * canvasWidth + frame.left) * 4;
    const row = pixels.subarray(y * frame.width * 4, (y + 1) * frame.width * 4);
    if (frame.blend !== BLEND_OVER) canvas.set(row, start);
    else for (let x = 0; x < row.length; x += 4) blend(canvas, start + x, row, x);
  }
}

/** One pixel over another, neither multiplied with its alpha. */
function blend(under: Uint8Array, at: number, over: Uint8Array, from: number): void {
  const overAlpha = over[from + 3] ?? 0;
  const underAlpha = under[at + 3] ?? 0;
  if (overAlpha === 0) return;
  if (overAlpha === 255 || underAlpha === 0) {
    under.set(over.subarray(from, from + 4), at);
    return;
  }
  const kept = underAlpha * (255 - overAlpha);
  const alpha = overAlpha * 255 + kept;
  for (let channel = 0; channel < 3; channel += 1) {
    const mixed = (over[from + channel] ?? 0) * overAlpha * 255 + (under[at + channel] ?? 0) * kept;
    under[at + channel] = Math.round(mixed / alpha);
  }
  under[at + 3] = Math.round(alpha / 255);
}

function clear(canvas: Uint8Array, canvasWidth: number, frame: Frame): void {
  for (let y = 0; y < frame.height; y += 1) {
    const start = ((frame.top + y) * canvasWidth + frame.left) * 4;
    canvas.fill(0, start, start + frame.width * 4);
  }
}
