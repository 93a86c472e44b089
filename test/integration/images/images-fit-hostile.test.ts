import { afterAll, describe, expect, test } from 'vitest';

import { fitLimitsFor } from '../../../src/images/fit/fit-limits.ts';
import { DECODER_BOMBS, jpegOfScans } from '../../fixtures/decoder-bombs.ts';
import { encodeAnimation, movingPicture, still } from '../../fixtures/fit-pictures.ts';
import { noise } from '../../fixtures/image-files.ts';
import { isFullRun, quickOrFull } from '../../fixtures/full-run.ts';
import { fitterWith, outcome, PATIENT } from './images-fit-jobs.ts';

/** Files with changed bytes, by default of three formats; `FIT_FILES=5000` for a long look. */
const FILES = Number(process.env['FIT_FILES'] ?? quickOrFull(3, 12));
const good = await still('jpeg', 400, 300);

describe('a hostile file', () => {
  // The others take longer.
  const QUICK = /profile|300 frames|500 frames|3,000 frames|64 pixels/;

  // Stills end by themselves; animations are stopped early, so that the test does not wait for that.
  const fitter = fitterWith({ limits: { animatedTimeoutMs: 1_000 } });
  afterAll(() => fitter[Symbol.asyncDispose]());

  test.each(DECODER_BOMBS.filter(([name]) => isFullRun() || QUICK.test(name)))(
    'with %s gets an answer, and the next image is fitted',
    async (_name, makeFile) => {
      const answer = await outcome(fitter, await makeFile(), 'role_icon');
      expect(['ok', 'image_cannot_fit', 'image_timeout']).toContain(answer);
      expect(await outcome(fitter, good)).toBe('ok');
    },
  );

  test('gets an answer on a machine of 512 MiB when it needs more memory, and others are fitted', async () => {
    await using fitter = fitterWith({ limits: { ...fitLimitsFor(512 * 2 ** 20), ...PATIENT } });
    expect(await outcome(fitter, jpegOfScans(1, 3))).toBe('image_cannot_fit');
    expect(await outcome(fitter, good)).toBe('ok');
    expect(await outcome(fitter, await encodeAnimation(movingPicture(200, 12, 80), 'gif'), 'emoji')).toBe(
      'ok',
    );
  });

  test.each([
    [512, 1, 256],
    [1_024, 1, 512],
    [2_048, 2, 512],
    [24_576, 2, 768],
  ])(
    'is fitted, on a machine of %i MiB, in at most %i processes with %i MiB each',
    (machine, processes, each) => {
      expect(fitLimitsFor(machine * 2 ** 20)).toMatchObject({
        jobsMax: processes,
        residentBytesMax: each * 2 ** 20,
        addressBytesMax: each * 2 ** 20,
      });
    },
  );

  test(
    'with changed bytes gets an answer, and good files in between are fitted',
    async () => {
      await using fitter = fitterWith();
      const sources = [
        await still('png', 330, 8),
        await still('jpeg', 32, 32),
        await still('webp', 32, 32),
        await still('avif', 32, 32),
        await encodeAnimation(movingPicture(16, 3, 60), 'webp'),
        await still('gif', 330, 8),
      ];
      const random = noise(100_000);
      let at = 0;
      const next = (below: number) => {
        at += 4;
        return random.readUInt32BE(at % 99_990) % below;
      };
      const answers = new Map<string, number>();
      for (let round = 0; round < FILES; round += 1) {
        const source = sources[round % sources.length] ?? good;
        const file = Buffer.from(source);
        for (let change = 0; change < 1 + next(6); change += 1) {
          file[40 + next(file.length - 40)] = next(256);
        }
        let answer;
        try {
          answer = await outcome(fitter, file);
        } catch (error) {
          answer = `fault: ${String(error)}`;
        }
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
      const expected = ['ok', 'image_cannot_fit', 'image_not_an_image', 'image_too_many_pixels'];
      expect([...answers.keys()].filter((answer) => !expected.includes(answer))).toEqual([]);
      expect(answers.get('ok')).toBeGreaterThan(0);
      expect(await outcome(fitter, good)).toBe('ok');
    },
    Infinity,
  );
});
