import { ImageFitter } from '../../../src/images/fit/fit-image.ts';
import { IMAGE_TARGETS } from '../../../src/images/targets.ts';
import { Problem } from '../../../src/problem.ts';
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

/** Animations of all sorts: how many are as large as they can be. */
export async function measureSize(): Promise<void> {
  await using fitter = new ImageFitter();
  const files: Buffer[] = [];
  for (const [side, frames, grain, type] of SHAPES) {
    files.push(await encodeAnimation(movingPicture(side, frames, 40, grain), type));
  }
  const rows: (string | number)[][] = [];
  for (const target of ['emoji', 'sticker', 'role_icon'] as const) {
    const { bytesMax, madeSideMax } = IMAGE_TARGETS[target];
    let [count, close, largest, late] = [0, 0, 0, 0];
    for (const file of files) {
      if (file.length <= bytesMax) continue;
      count += 1;
      try {
        const fitted = await fit(fitter, file, target);
        // A sticker is always as large as its frame; only bytes tell how large the picture in it is.
        const isLargest = target !== 'sticker' && typeOf(fitted).width === madeSideMax;
        if (fitted.length >= 0.9 * bytesMax) close += 1;
        else if (isLargest) largest += 1;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        late += 1;
      }
    }
    rows.push([target, count, close, largest, late, `${Math.round((100 * (largest + close)) / count)} %`]);
  }
  console.log(`\nOf ${files.length} animations those that had too many bytes:\n`);
  console.log(
    markdownTable(
      [
        'for',
        'animations',
        'within 10 % of the bytes',
        'smaller, at the largest side',
        'refused or too late',
        'as large as can be',
      ],
      rows,
    ),
  );
}
