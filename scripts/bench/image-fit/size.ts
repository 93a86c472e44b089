import { ImageFitter } from '../../../src/images/fit/fit-image.ts';
import { IMAGE_TARGETS } from '../../../src/images/targets.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { encodeAnimation, movingPicture } from '../../../test/fixtures/fit-pictures.ts';
import { markdownTable } from '../measure.ts';
import { fit, typeOf } from './fit.ts';

/** Side, frames, grain, type. */
const SHAPES = [120, 170, 240, 320].flatMap((side) =>
  [12, 40].flatMap((frames) =>
    [20, 90, 200].flatMap((grain) =>
      (['gif', 'webp'] as const).map((type) => [side, frames, grain, type] as const),
    ),
  ),
);

const HEAD = [
  'for',
  'animations',
  'within 10 % of the bytes',
  'fewer bytes, at the largest side allowed',
  'smaller than that',
  'refused or too late',
  'as large as can be',
];

const TARGETS = ['emoji', 'sticker', 'role_icon'] as const;
const SIDES = TARGETS.map((target) => `${IMAGE_TARGETS[target].madeSideMax} pixels for ${target}`).join(', ');

/** Animations of all sorts: how many are as large as they can be. */
export async function measureSize(): Promise<void> {
  await using fitter = new ImageFitter();
  const files: Buffer[] = [];
  for (const [side, frames, grain, type] of SHAPES) {
    files.push(await encodeAnimation(movingPicture(side, frames, 40, grain), type));
  }
  const rows: (string | number)[][] = [];
  for (const target of TARGETS) {
    const { bytesMax, madeSideMax } = IMAGE_TARGETS[target];
    const counts = { close: 0, largest: 0, smaller: 0, late: 0 };
    const tooLarge = files.filter((file) => file.length > bytesMax);
    for (const file of tooLarge) {
      try {
        const fitted = await fit(fitter, file, target);
        // A sticker is always as large as its frame; only its bytes show how large the picture in it is.
        const isLargest = target !== 'sticker' && typeOf(fitted).width === madeSideMax;
        if (fitted.length >= 0.9 * bytesMax) counts.close += 1;
        else if (isLargest) counts.largest += 1;
        else counts.smaller += 1;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        counts.late += 1;
      }
    }
    const asLarge = counts.close + counts.largest;
    const share = `${Math.round((100 * asLarge) / tooLarge.length)} %`;
    rows.push([target, tooLarge.length, ...Object.values(counts), share]);
  }
  console.log(`\nOf ${files.length} animations those that had too many bytes:\n`);
  console.log(markdownTable(HEAD, rows));
  console.log(
    `\nSides are at most ${SIDES}: a picture of that side is as large as it may be, however few its bytes.`,
  );
}
