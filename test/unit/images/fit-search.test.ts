import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { timeFrames } from '../../../src/images/fit/encode-gif.ts';
import { largestThatFits } from '../../../src/images/fit/largest-that-fits.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

interface Model {
  readonly sideMax: number;
  readonly levels: number;
  readonly bytesMax: number;
  /** Bytes of a pixel at the best level, and what is left of them at the worst. */
  readonly density: number;
  readonly worst: number;
  /** Bytes grow with the side to this power. */
  readonly growth: number;
}

/** The files are parts of this one, which nobody writes: it takes no memory. */
const ANY_BYTES = Buffer.alloc(2 ** 26);

const bytesOf = ({ density, worst, growth, levels }: Model, side: number, level: number) =>
  Math.ceil(side ** growth * density * (1 - (1 - worst) * (levels === 1 ? 0 : level / (levels - 1))));

async function search(model: Model, hasTime = () => true) {
  const tried: (readonly [side: number, level: number])[] = [];
  const file = await largestThatFits({
    ...model,
    hasTime,
    encode(side, level) {
      tried.push([side, level]);
      return Promise.resolve(ANY_BYTES.subarray(0, bytesOf(model, side, level)));
    },
  });
  const made = tried.find(([side, level]) => file?.length === bytesOf(model, side, level)) ?? null;
  return { file, made, tried };
}

describe('the largest picture that fits', () => {
  const model = fc.record({
    sideMax: fc.integer({ min: 64, max: 1_024 }),
    levels: fc.integer({ min: 1, max: 56 }),
    bytesMax: fc.integer({ min: 20_000, max: 600_000 }),
    density: fc.double({ min: 0.05, max: 30, noNaN: true }),
    worst: fc.double({ min: 0.2, max: 0.9, noNaN: true }),
    growth: fc.double({ min: 1.4, max: 2.1, noNaN: true }),
  });

  test('is within the limit, takes at most 12 files, and would not fit with a side a tenth larger', async () => {
    const result = await fc.check(
      fc.asyncProperty(model, async (model) => {
        const { file, made, tried } = await search(model);
        if (file === null || made === null) return bytesOf(model, 8, model.levels - 1) > model.bytesMax;
        const [side] = made;
        const larger = Math.min(model.sideMax, Math.ceil(side * 1.1) + 1);
        const isLargest = side === model.sideMax || bytesOf(model, larger, model.levels - 1) > model.bytesMax;
        return file.length <= model.bytesMax && tried.length <= 12 && isLargest;
      }),
      { seed: 20_261_122, numRuns: quickOrFull(500, 2_000) },
    );
    expect(result).toMatchObject({ failed: false, counterexample: null });
  });

  test.each([8, 56])('shrinks, with %i levels, only when the worst level is too large', async (levels) => {
    const model = { sideMax: 128, levels, bytesMax: 20_000, density: 2, worst: 0.5, growth: 2 };
    const { made, file, tried } = await search(model);
    expect(made?.[0]).toBe(128);
    const isBestLevel = bytesOf(model, 128, (made?.[1] ?? 0) - 1) > 20_000;
    expect(isBestLevel || (file?.length ?? 0) >= 18_000).toBe(true);
    expect(tried.length).toBeLessThanOrEqual(5);
  });

  test('is the first file that fits when time runs out', async () => {
    const model = { sideMax: 512, levels: 5, bytesMax: 20_000, density: 20, worst: 0.9, growth: 2 };
    const { file, tried } = await search(model, () => false);
    expect(file?.length).toBeLessThanOrEqual(20_000);
    expect(tried.filter(([side, level]) => bytesOf(model, side, level) <= 20_000)).toHaveLength(1);
  });
});

describe('the duration of a GIF', () => {
  test.each([
    [
      'hundredths as they are',
      [40, 100, 20],
      [
        [0, 4],
        [1, 10],
        [2, 2],
      ],
    ],
    [
      '33 ms: rounded, and the rest goes to the next',
      [33, 33, 34],
      [
        [0, 3],
        [1, 4],
        [2, 3],
      ],
    ],
    [
      '60 a second: frames that no player shows are left out',
      [16, 17, 17, 16, 17, 17],
      [
        [0, 2],
        [2, 3],
        [3, 2],
        [5, 3],
      ],
    ],
    ['one frame', [15], [[0, 2]]],
  ])('is scaled: %s', (_name, delays, frames) => {
    expect(timeFrames(delays).map(({ index, delay }) => [index, delay])).toEqual(frames);
  });

  test('stays the same in total, to a hundredth of a second', () => {
    const result = fc.check(
      fc.property(
        fc.array(fc.integer({ min: 11, max: 2_000 }), { minLength: 2, maxLength: 60 }),
        (delays) => {
          const before = delays.reduce((sum, ms) => sum + ms, 0) / 10;
          const after = timeFrames(delays).reduce((sum, { delay }) => sum + delay, 0);
          return Math.abs(before - after) <= 1;
        },
      ),
      { seed: 20_261_122, numRuns: quickOrFull(300, 1_000) },
    );
    expect(result).toMatchObject({ failed: false, counterexample: null });
  });
});
