import { deflateSync } from 'node:zlib';

import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { encodeGif } from '../../../src/images/fit/encode-gif.ts';
import { padPicture, type Picture } from '../../../src/images/fit/picture.ts';
import { readApng } from '../../../src/images/fit/read-apng.ts';
import { decodeAnimation } from '../../fixtures/fit-pictures.ts';
import { frameControl, PNG_SIGNATURE, pngChunk, pngHeader } from '../../fixtures/image-files.ts';

const COLORS = [
  [0, 0, 0],
  [255, 0, 0],
  [0, 200, 0],
  [0, 0, 255],
  [250, 250, 250],
] as const;
const palette = Uint8Array.from(COLORS.flat());

const rgba = (...colors: readonly (readonly number[] | null)[]) =>
  Uint8Array.from(colors.flatMap((color) => (color === null ? [0, 0, 0, 0] : [...color, 255])));

describe('a GIF that is written here', () => {
  const pixel = fc.constantFrom(...COLORS, null);
  const animation = fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }))
    .chain(([width, height]) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        frames: fc.array(
          fc
            .array(pixel, { minLength: width * height, maxLength: width * height })
            .map((pixels) => rgba(...pixels)),
          { minLength: 2, maxLength: 4 },
        ),
      }),
    );

  test('shows the same pixels in every frame, transparent ones included, when libvips reads it', async () => {
    const result = await fc.check(
      fc.asyncProperty(animation, async ({ width, height, frames }) => {
        const delaysMs = frames.map((_, frame) => 50 + frame * 10);
        const file = encodeGif(
          { width, height, frames, delaysMs, loop: 0 },
          { palette, tolerance: 0, screenWidth: width, screenHeight: height },
        );
        const shown = await decodeAnimation(file);
        return (
          shown.width === width &&
          shown.height === height &&
          shown.delaysMs.join() === delaysMs.join() &&
          shown.frames.length === frames.length &&
          shown.frames.every((pixels, frame) => sameToTheEye(pixels, frames[frame] ?? pixels))
        );
      }),
      { seed: 20_261_122, numRuns: 60 },
    );
    expect(result).toMatchObject({ failed: false, counterexample: null });
  });

  test.each([4, 16, 255])('of noise in %i colours is read whole: codes of every length', async (colors) => {
    const own = new Uint8Array(colors * 3).map(
      (_, at) => (Math.floor(at / 3) * 8_191 * (1 + (at % 3))) & 0xf8,
    );
    let state = 7;
    const frame = new Uint8Array(200 * 200 * 4);
    for (let at = 0; at < 200 * 200; at += 1) {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      const color = (state >>> 12) % colors;
      frame.set([own[color * 3] ?? 0, own[color * 3 + 1] ?? 0, own[color * 3 + 2] ?? 0, 255], at * 4);
    }
    const file = encodeGif(
      { width: 200, height: 200, frames: [frame], delaysMs: [100], loop: 1 },
      { palette: own, tolerance: 0, screenWidth: 200, screenHeight: 200 },
    );
    const { frames } = await decodeAnimation(file);
    expect(Buffer.compare(frames[0] ?? Buffer.alloc(0), frame)).toBe(0);
  });

  test('is played as often as before', async () => {
    for (const loop of [0, 1, 3]) {
      const frames = [rgba(COLORS[0]), rgba(COLORS[1])];
      const file = encodeGif(
        { width: 1, height: 1, frames, delaysMs: [50, 50], loop },
        { palette, tolerance: 0, screenWidth: 1, screenHeight: 1 },
      );
      expect((await decodeAnimation(file)).loop).toBe(loop);
    }
  });
});

/** What is transparent has no colour. */
function sameToTheEye(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((value, at) => {
    const alphaAt = at - (at % 4) + 3;
    return one[alphaAt] === other[alphaAt] && (one[alphaAt] === 0 || value === other[at]);
  });
}

test('a picture is padded with transparency on all sides', () => {
  const padded = padPicture({ width: 1, height: 2, pixels: rgba(COLORS[1], COLORS[2]) }, 3, 4);
  const none = [null, null, null];
  expect(padded.pixels).toEqual(rgba(...none, null, COLORS[1], null, null, COLORS[2], null, ...none));
});

/** A frame in one colour. */
function frame(
  [left, top, width, height]: readonly [number, number, number, number],
  color: readonly number[],
  { dispose = 0, blend = 0 } = {},
) {
  const row = Buffer.from([0, ...Array<readonly number[]>(width).fill(color).flat()]);
  return {
    control: frameControl(width, height, [1, 10], { left, top, dispose, blend }),
    data: deflateSync(Buffer.concat(Array<Buffer>(height).fill(row))),
  };
}

function apng(...frames: readonly ReturnType<typeof frame>[]): Buffer {
  const [first, ...others] = frames;
  return Buffer.concat([
    Buffer.from(PNG_SIGNATURE, 'latin1'),
    pngHeader(2, 1, [8, 6, 0, 0, 0]),
    pngChunk('acTL', [0, 0, 0, frames.length, 0, 0, 0, 2]),
    first?.control ?? Buffer.alloc(0),
    pngChunk('IDAT', first?.data ?? []),
    ...others.flatMap(({ control, data }) => [control, pngChunk('fdAT', [0, 0, 0, 1, ...data])]),
    pngChunk('IEND', []),
  ]);
}

async function decode(file: Buffer): Promise<Picture> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

describe('an animated PNG', () => {
  const RED = [255, 0, 0, 255];
  const BLUE = [0, 0, 255, 255];
  const GLASS = [0, 255, 0, 128];
  const NONE = [0, 0, 0, 0];
  const whole = [0, 0, 2, 1] as const;
  const right = [1, 0, 1, 1] as const;

  test.each([
    [
      'frames that stay',
      [frame(whole, RED), frame(right, BLUE)],
      [
        [RED, RED],
        [RED, BLUE],
      ],
    ],
    [
      'a frame that is cleared',
      [frame(whole, RED, { dispose: 1 }), frame(right, BLUE)],
      [
        [RED, RED],
        [NONE, BLUE],
      ],
    ],
    [
      'a frame that is taken back',
      [frame(whole, RED), frame(right, BLUE, { dispose: 2 }), frame([0, 0, 1, 1], BLUE)],
      [
        [RED, RED],
        [RED, BLUE],
        [BLUE, RED],
      ],
    ],
    [
      'a first frame that is taken back',
      [frame(whole, RED, { dispose: 2 }), frame(right, BLUE)],
      [
        [RED, RED],
        [NONE, BLUE],
      ],
    ],
    [
      'glass over red',
      [frame(whole, RED), frame(right, GLASS, { blend: 1 })],
      [
        [RED, RED],
        [RED, [127, 128, 0, 255]],
      ],
    ],
    [
      'glass in place of red',
      [frame(whole, RED), frame(right, GLASS)],
      [
        [RED, RED],
        [RED, GLASS],
      ],
    ],
    [
      'glass over nothing',
      [frame(whole, NONE), frame(right, GLASS, { blend: 1 })],
      [
        [NONE, NONE],
        [NONE, GLASS],
      ],
    ],
  ])('%s', async (_name, frames, pictures) => {
    const file = readApng(apng(...frames));
    const shown: number[][] = [];
    for await (const { pixels } of file.pictures(decode)) shown.push([...pixels]);
    expect(shown).toEqual(pictures.map((picture) => picture.flat()));
    expect([file.loop, file.delaysMs]).toEqual([2, frames.map(() => 100)]);
  });

  test('with a frame outside of the image is refused', () => {
    expect(() => readApng(apng(frame(whole, RED), frame([1, 0, 2, 1], BLUE)))).toThrow('outside');
  });
});
