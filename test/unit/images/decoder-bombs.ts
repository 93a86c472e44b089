import { deflateRawSync, deflateSync, constants } from 'node:zlib';

import sharp from 'sharp';

import {
  avif,
  frameControl,
  jpegSegment,
  noise,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
  riffChunk,
} from './image-files.ts';

// Small files that make a decoder work or remember out of all proportion. Their headers are let in: at most 50
// million pixels, no side above 16,384.

const WIDTH = 16_384;
const HEIGHT = 3_000;

const u16be = (...values: readonly number[]) => values.flatMap((value) => [value >>> 8, value & 0xff]);
const u16le = (...values: readonly number[]) => values.flatMap((value) => [value & 0xff, value >>> 8]);
const u24le = (value: number) => [value & 0xff, (value >>> 8) & 0xff, value >>> 16];

/** A zlib stream of so many zeros, made without compressing all of them. */
function zeros(bytes: number): Buffer {
  const piece = 2 ** 20;
  const full = deflateRawSync(Buffer.alloc(piece), { finishFlush: constants.Z_FULL_FLUSH });
  const rest = bytes % piece;
  // Adler-32 of zeros: the low half stays 1, the high half counts them.
  const sum = Buffer.from([...u16be(bytes % 65_521), 0, 1]);
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array<Buffer>(Math.floor(bytes / piece)).fill(full),
    deflateRawSync(Buffer.alloc(rest)),
    sum,
  ]);
}

const signature = Buffer.from(PNG_SIGNATURE, 'latin1');
const end = pngChunk('IEND', []);
/** One bit a pixel. */
const blackRows = () => zeros((WIDTH / 8 + 1) * HEIGHT);

function black(...chunks: readonly Buffer[]): Buffer {
  const header = pngHeader(WIDTH, HEIGHT, [1, 0, 0, 0, 0]);
  return Buffer.concat([signature, header, ...chunks, pngChunk('IDAT', blackRows()), end]);
}

const small = (...chunks: readonly Buffer[]) =>
  Buffer.concat([signature, pngHeader(400, 400, [8, 0, 0, 0, 0]), ...chunks, end]);
const grayPixels = pngChunk('IDAT', deflateSync(Buffer.alloc(401 * 400)));

function apng(width: number, height: number, frames: number, rows: Buffer): Buffer {
  const control = frameControl(width, height, [1, 100]);
  const frame = Buffer.concat([control, pngChunk('fdAT', Buffer.concat([Buffer.alloc(4), rows]))]);
  return Buffer.concat([
    signature,
    pngHeader(width, height, [1, 0, 0, 0, 0]),
    pngChunk('acTL', [0, 0, ...u16be(frames), 0, 0, 0, 0]),
    control,
    pngChunk('IDAT', rows),
    ...Array<Buffer>(frames - 1).fill(frame),
    end,
  ]);
}

function gif(width: number, height: number, frames: number): Buffer {
  const head = [...Buffer.from('GIF89a'), ...u16le(width, height), 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  // One pixel each.
  const frame = Buffer.from('21f904000a0000002c0000000001000100000202440100', 'hex');
  return Buffer.concat([Buffer.from(head), ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** A Huffman table of one code, `0`. */
const table = (place: number, symbol: number) =>
  jpegSegment(0xc4, [place, 1, ...Array<number>(15).fill(0), symbol]);

/**
 * A progressive JPEG whose scans say nothing: each is a few bytes, and a pass over all blocks.
 * {@link https://www.w3.org/Graphics/JPEG/itu-t81.pdf} appendix G
 */
export function jpegOfScans(scans: number, components = 1): Buffer {
  const blocks = (WIDTH / 8) * (HEIGHT / 8);
  const ids = Array.from({ length: components }, (_, component) => component + 1);
  const run = Array<number>(Math.ceil(blocks / 2 ** 14)).fill(0);
  const scan = Buffer.concat([jpegSegment(0xda, [1, 1, 0x00, 1, 63, 0]), Buffer.from([...run, ...run, 0])]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, [0, ...Array<number>(64).fill(1)]),
    jpegSegment(0xc2, [8, ...u16be(HEIGHT, WIDTH), components, ...ids.flatMap((id) => [id, 0x11, 0])]),
    // A difference of 0, and a run of 2^14 and more blocks without anything.
    table(0x00, 0x00),
    table(0x10, 0xe0),
    jpegSegment(0xda, [components, ...ids.flatMap((id) => [id, 0x00]), 0, 0, 0]),
    Buffer.alloc(Math.ceil((blocks * components) / 8)),
    ...Array<Buffer>(scans).fill(scan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Frames of one pixel on a canvas of 49 million. */
async function webpOfFrames(frames: number): Promise<Buffer> {
  const pixel = await sharp({ create: { width: 1, height: 1, channels: 4, background: '#f008' } })
    .webp({ lossless: true })
    .toBuffer();
  const place = [...u24le(0), ...u24le(0), ...u24le(0), ...u24le(0), ...u24le(20), 0];
  const frame = riffChunk('ANMF', Buffer.concat([Buffer.from(place), pixel.subarray(12)]));
  const canvas = riffChunk('VP8X', [0x12, 0, 0, 0, ...u24le(WIDTH - 2), ...u24le(HEIGHT - 1)]);
  const body = [canvas, riffChunk('ANIM', Buffer.alloc(6)), ...Array<Buffer>(frames).fill(frame)];
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...body]));
}

const flat = (width: number) => sharp({ create: { width, height: HEIGHT, channels: 3, background: '#123' } });

async function avifOfAnotherSize(): Promise<Buffer> {
  const file = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#123' } })
    .avif({ effort: 0 })
    .toBuffer();
  const size = file.indexOf('ispe') + 8;
  file.writeUInt32BE(WIDTH, size);
  file.writeUInt32BE(HEIGHT, size + 4);
  return file;
}

export const DECODER_BOMBS: readonly (readonly [name: string, make: () => Buffer | Promise<Buffer>])[] = [
  ['a PNG of 49 million pixels', () => black()],
  [
    'an interlaced PNG of 49 million pixels of 8 bytes',
    () =>
      Buffer.concat([
        signature,
        pngHeader(WIDTH, HEIGHT, [16, 6, 0, 0, 1]),
        pngChunk('IDAT', zeros(WIDTH * HEIGHT * 8)),
        end,
      ]),
  ],
  [
    'a PNG with a profile of 64 MB in 64 KB',
    () => black(pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), zeros(64_000_000)]))),
  ],
  [
    'a PNG with 50 texts of 100 MB each',
    () => {
      const text = pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), zeros(100_000_000)]));
      return small(...Array<Buffer>(50).fill(text), grayPixels);
    },
  ],
  ['a small PNG whose pixels inflate to 2 GB', () => small(pngChunk('IDAT', zeros(2_000_000_000)))],
  ['an APNG of 300 frames of 49 million pixels', () => apng(WIDTH, HEIGHT, 300, blackRows())],
  ['an APNG of 9,000 frames', () => apng(640, 640, 9_000, deflateSync(Buffer.alloc(81 * 640)))],
  ['a GIF of 500 frames on a screen of 49 million pixels', () => gif(WIDTH, HEIGHT, 500)],
  ['a GIF of 30,000 frames', () => gif(2_000, 2_000, 30_000)],
  ['a progressive JPEG of 90 scans of 49 million pixels', () => jpegOfScans(90)],
  ['a progressive JPEG of 20,000 scans of 49 million pixels', () => jpegOfScans(20_000)],
  [
    'a WebP of 49 million pixels',
    () =>
      flat(WIDTH - 1)
        .webp({ lossless: true, effort: 0 })
        .toBuffer(),
  ],
  ['an animated WebP of 3,000 frames on 49 million pixels', () => webpOfFrames(3_000)],
  ['an AVIF of 49 million pixels', () => flat(WIDTH).avif({ effort: 0 }).toBuffer()],
  ['an AVIF of 64 pixels that says it has 49 million', avifOfAnotherSize],
  ['an AVIF without pixels', () => avif(WIDTH, HEIGHT)],
  ['a PNG of noise', () => small(pngChunk('IDAT', noise(1_000_000)))],
];
