import { crc32, deflateSync } from 'node:zlib';

// Image files made by code: headers as the formats want them; the pixels are nobody's concern here.

type Bytes = Uint8Array | readonly number[] | string;

/** Strings are taken as ISO 8859-1. */
function join(...parts: readonly Bytes[]): Buffer {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

const u16be = (value: number) => [value >>> 8, value & 0xff];
const u16le = (value: number) => [value & 0xff, value >>> 8];
const u24le = (value: number) => [value & 0xff, (value >>> 8) & 0xff, value >>> 16];
const u32be = (value: number) => [...u16be(value >>> 16), ...u16be(value & 0xffff)];
const u32le = (value: number) => [...u16le(value & 0xffff), ...u16le(value >>> 16)];

/** Bytes without a pattern, the same ones for the same length. */
export function noise(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let state = 1;
  for (let at = 0; at < length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

export function pngChunk(type: string, data: Bytes): Buffer {
  const body = join(type, data);
  return join(u32be(body.length - 4), body, u32be(crc32(body)));
}

export function pngHeader(width: number, height: number, rest: readonly number[] = [8, 2, 0, 0, 0]): Buffer {
  return pngChunk('IHDR', [...u32be(width), ...u32be(height), ...rest]);
}

export interface PngOptions {
  /** Frames of an APNG; 0 for a plain file. */
  readonly frames?: number;
  /** Of each frame, as a fraction of a second; without it the file has no frame of its own. */
  readonly delay?: readonly [numerator: number, denominator: number];
  /** Between header and pixels. */
  readonly chunks?: readonly Buffer[];
  /** The file is padded to so many bytes. */
  readonly size?: number;
}

export function frameControl(
  width: number,
  height: number,
  [numerator, denominator]: readonly [number, number],
  { left = 0, top = 0, dispose = 0, blend = 0 } = {},
): Buffer {
  return pngChunk('fcTL', [
    ...u32be(0),
    ...u32be(width),
    ...u32be(height),
    ...u32be(left),
    ...u32be(top),
    ...u16be(numerator),
    ...u16be(denominator),
    dispose,
    blend,
  ]);
}

export function png(
  width: number,
  height: number,
  { frames = 0, delay, chunks = [], size = 0 }: PngOptions = {},
): Buffer {
  const pixels = pngChunk('IDAT', deflateSync(Buffer.alloc(Math.min(width * height, 64) * 3 + 1)));
  const head = join(
    PNG_SIGNATURE,
    pngHeader(width, height),
    frames === 0 ? [] : pngChunk('acTL', [...u32be(frames), ...u32be(0)]),
    ...chunks,
    pixels,
  );
  // Frames after the first one have pixels of their own in fdAT, which nobody looks at before they are decoded.
  const more = delay === undefined ? [] : Array<Buffer>(frames).fill(frameControl(width, height, delay));
  const end = join(...more, pngChunk('IEND', []));
  const missing = size - head.length - end.length - 12;
  return join(head, missing > 0 ? pngChunk('tEXt', noise(missing)) : [], end);
}

export function jpegSegment(marker: number, data: Bytes): Buffer {
  const body = join(data);
  return join([0xff, marker], u16be(body.length + 2), body);
}

const component = (id: number) => [id, 0x11, 0];

export function jpeg(
  width: number,
  height: number,
  { startOfFrame = 0xc0, before = [] as readonly Buffer[] } = {},
): Buffer {
  return join(
    [0xff, 0xd8],
    jpegSegment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
    ...before,
    jpegSegment(startOfFrame, [
      8,
      ...u16be(height),
      ...u16be(width),
      3,
      ...component(1),
      ...component(2),
      ...component(3),
    ]),
    jpegSegment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    noise(40).map((byte) => byte & 0x7f),
    [0xff, 0xd9],
  );
}

export interface GifOptions {
  readonly frames?: number;
  /** Data sub-blocks of each frame. */
  readonly subBlocks?: readonly Bytes[];
  readonly colors?: 'none' | 'global' | 'local';
  /** Default: that of the screen. */
  readonly frameWidth?: number;
  /** Hundredths of a second that each frame is shown. */
  readonly delay?: number;
}

export function gif(width: number, height: number, options: GifOptions = {}): Buffer {
  const {
    frames = 1,
    subBlocks = [[0x4c, 0x01]],
    colors = 'global',
    frameWidth = width,
    delay = 10,
  } = options;
  const table = Buffer.alloc(3 * 4);
  const frame = join(
    '\x21\xf9\x04\0',
    u16le(delay),
    '\0\0',
    '\x2c\0\0\0\0',
    u16le(frameWidth),
    u16le(height),
    colors === 'local' ? join([0x81], table) : [0],
    [2],
    Buffer.concat(subBlocks.map((block) => join([block.length], block))),
    [0],
  );
  return join(
    'GIF89a',
    u16le(width),
    u16le(height),
    colors === 'global' ? join([0x81, 0, 0], table) : [0, 0, 0],
    frames > 1 ? '\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0' : [],
    ...Array<Buffer>(frames).fill(frame),
    [0x3b],
  );
}

export function riffChunk(type: string, data: Bytes): Buffer {
  const body = join(data);
  return join(type, u32le(body.length), body, body.length % 2 === 0 ? [] : [0]);
}

function riff(...chunks: readonly Buffer[]): Buffer {
  const body = join('WEBP', ...chunks);
  return join('RIFF', u32le(body.length), body);
}

const vp8 = (width: number, height: number) =>
  riffChunk('VP8 ', join([0x10, 0, 0], '\x9d\x01\x2a', u16le(width), u16le(height), noise(21)));
const vp8l = (width: number, height: number) =>
  riffChunk('VP8L', join([0x2f], u32le(((width - 1) | ((height - 1) << 14)) >>> 0), noise(20)));

export const webpLossy = (width: number, height: number): Buffer => riff(vp8(width, height));
export const webpLossless = (width: number, height: number): Buffer => riff(vp8l(width, height));

export function webpExtended(
  width: number,
  height: number,
  { flags = 0, frames = 0, ms = 100, chunks = [] as readonly Buffer[], pixels = vp8(width, height) } = {},
): Buffer {
  const canvas = riffChunk('VP8X', [flags, 0, 0, 0, ...u24le(width - 1), ...u24le(height - 1)]);
  if (frames === 0) return riff(canvas, ...chunks, pixels);
  const frame = riffChunk(
    'ANMF',
    join(Buffer.alloc(6), u24le(width - 1), u24le(height - 1), u24le(ms), [0], vp8l(width, height)),
  );
  return riff(canvas, ...chunks, riffChunk('ANIM', [0, 0, 0, 0, 0, 0]), ...Array<Buffer>(frames).fill(frame));
}

export const webpAnimated = (width: number, height: number): Buffer =>
  webpExtended(width, height, { flags: 0x02, frames: 2 });

export function box(type: string, ...content: readonly Bytes[]): Buffer {
  const body = join(...content);
  return join(u32be(body.length + 8), type, body);
}

/** A box with its size in 64 bits. */
export function largeBox(type: string, ...content: readonly Bytes[]): Buffer {
  const body = join(...content);
  return join(u32be(1), type, u32be(0), u32be(body.length + 16), body);
}

export const avifSize = (width: number, height: number): Buffer =>
  box('ispe', [0, 0, 0, 0], u32be(width), u32be(height));

export function avif(
  width: number,
  height: number,
  {
    brands = ['avif', 'mif1', 'miaf'] as readonly string[],
    sizes = [] as readonly Buffer[],
    makeBox = box,
    codec = 'av1C',
  } = {},
): Buffer {
  const [major = 'avif', ...compatible] = brands;
  return join(
    box('ftyp', major, [0, 0, 0, 0], ...compatible),
    makeBox(
      'meta',
      [0, 0, 0, 0],
      box('hdlr', Buffer.alloc(4), 'pict', Buffer.alloc(13)),
      makeBox('iprp', makeBox('ipco', ...sizes, avifSize(width, height), box(codec, [0x81, 0, 0x0c, 0]))),
    ),
    box('mdat', noise(60)),
  );
}
