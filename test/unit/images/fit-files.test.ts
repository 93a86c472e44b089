import * as fc from 'fast-check';
import * as gifenc from 'gifenc/dist/gifenc.esm.js';
import { describe, expect, test } from 'vitest';

import { encodeGif } from '../../../src/images/fit/encode-gif.ts';
import { decodeAnimation } from '../../fixtures/fit-pictures.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

const COLORS = [
  [0, 0, 0],
  [255, 0, 0],
  [0, 200, 0],
  [0, 0, 255],
  [250, 250, 250],
] as const;

const rgba = (...colors: readonly (readonly number[] | null)[]) =>
  Uint8Array.from(colors.flatMap((color) => (color === null ? [0, 0, 0, 0] : [...color, 255])));

describe('a GIF that we write', () => {
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

  test('has the same pixels in every frame, even transparent ones, when libvips reads it', async () => {
    const result = await fc.check(
      fc.asyncProperty(animation, async ({ width, height, frames }) => {
        const delaysMs = frames.map((_, frame) => 50 + frame * 10);
        const file = encodeGif(
          gifenc,
          { width, height, pixels: Buffer.concat(frames), delaysMs, loop: 0 },
          { palette: COLORS, tolerance: 0 },
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
      { seed: 20_261_122, numRuns: quickOrFull(20, 60) },
    );
    expect(result).toMatchObject({ failed: false, counterexample: null });
  });

  test('stores only the changed rectangle of a frame', async () => {
    const before = rgba(...Array.from({ length: 400 * 300 }, () => COLORS[1]));
    const after = Uint8Array.from(before);
    after.set([0, 0, 255, 255], (270 * 400 + 390) * 4);
    after.set([0, 200, 0, 255], (290 * 400 + 310) * 4);
    const file = encodeGif(
      gifenc,
      { width: 400, height: 300, pixels: Buffer.concat([before, after]), delaysMs: [50, 50], loop: 0 },
      { palette: COLORS, tolerance: 0 },
    );
    const { frames } = await decodeAnimation(file);
    expect(frames.map((frame, at) => Buffer.compare(frame, at === 0 ? before : after))).toEqual([0, 0]);
    const descriptor = file.lastIndexOf(Buffer.from([0x2c, 310 - 256, 1, 270 - 256, 1, 81, 0, 21, 0]));
    expect(descriptor).toBeGreaterThan(0);
  });

  test.each([4, 16, 255])(
    'can be read completely with noise in %i colours and codes of every length',
    async (colors) => {
      const own = Array.from(
        { length: colors },
        (_, color) => [(color * 8_191) & 0xf8, (color * 16_382) & 0xf8, (color * 24_573) & 0xf8] as const,
      );
      let state = 7;
      const frame = new Uint8Array(200 * 200 * 4);
      for (let at = 0; at < 200 * 200; at += 1) {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
        const color = (state >>> 12) % colors;
        frame.set([...(own[color] ?? []), 255], at * 4);
      }
      const file = encodeGif(
        gifenc,
        { width: 200, height: 200, pixels: frame, delaysMs: [100], loop: 1 },
        { palette: own, tolerance: 0 },
      );
      const { frames } = await decodeAnimation(file);
      expect(Buffer.compare(frames[0] ?? Buffer.alloc(0), frame)).toBe(0);
    },
  );

  test('is played as often as before', async () => {
    for (const loop of [0, 1, 3]) {
      const pixels = rgba(COLORS[0], COLORS[1]);
      const file = encodeGif(
        gifenc,
        { width: 1, height: 1, pixels, delaysMs: [50, 50], loop },
        { palette: COLORS, tolerance: 0 },
      );
      expect((await decodeAnimation(file)).loop).toBe(loop);
    }
  });
});

/** A transparent pixel has no colour. */
function sameToTheEye(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((value, at) => {
    const alphaAt = at - (at % 4) + 3;
    return one[alphaAt] === other[alphaAt] && (one[alphaAt] === 0 || value === other[at]);
  });
}
