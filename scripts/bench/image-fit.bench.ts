import sharp from 'sharp';

import { fitBombs, fitMutated } from './image-fit/hostile.ts';
import { measureNeighbour } from './image-fit/neighbour.ts';
import { measureSize } from './image-fit/size.ts';
import { measureTime } from './image-fit/time.ts';
import { describeMachine } from './measure.ts';

const PARTS = new Map<string, (files: number) => Promise<void>>([
  ['time', measureTime],
  ['size', measureSize],
  ['neighbour', measureNeighbour],
  ['mutated', fitMutated],
  ['bombs', fitBombs],
]);

/**
 * `time` beside sharp called directly in this process, the `size` that pictures get, what a `neighbour` feels of 32
 * images at once; `mutated [files]` and `bombs`: hostile files, the answers to them, and the memory of the service.
 */
export async function run([part = '', files = '10000']: readonly string[]): Promise<void> {
  const measure = PARTS.get(part);
  if (measure === undefined) throw new Error(`Name one of ${[...PARTS.keys()].join(', ')}.`);
  console.log(`${describeMachine()}\n`);
  sharp.concurrency(1);
  sharp.cache(false);
  await measure(Number(files));
}
