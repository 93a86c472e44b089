import sharp from 'sharp';

import { fitBombs, fitMutated } from './image-fit/hostile.ts';
import { measureNeighbour } from './image-fit/neighbour.ts';
import { measureSize } from './image-fit/size.ts';
import { measureTime } from './image-fit/time.ts';
import { describeMachine } from './measure.ts';

/**
 * Time beside sharp called directly in this process, how large the pictures get, and what parse-args feels of 32
 * images at once. `time`, `size` or `neighbour` alone; `mutated [files]` and `bombs`: hostile files, the answers to
 * them, and the memory of the service.
 */
export async function run([part, files]: readonly string[]): Promise<void> {
  console.log(`${describeMachine()}\n`);
  sharp.concurrency(1);
  sharp.cache(false);
  if (part === 'mutated') return fitMutated(Number(files ?? 10_000));
  if (part === 'bombs') return fitBombs();
  if (part === undefined || part === 'time') await measureTime();
  if (part === undefined || part === 'size') await measureSize();
  if (part === undefined || part === 'neighbour') await measureNeighbour();
}
