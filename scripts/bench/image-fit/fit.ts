import type { ImageFitter } from '../../../src/images/fit/fit-image.ts';
import { ImageBytes } from '../../../src/images/image-bytes.ts';
import { readImageType } from '../../../src/images/image-type.ts';
import type { ImageTargetName } from '../../../src/images/targets.ts';

const NOBODY_LEAVES = new AbortController().signal;

export const typeOf = (file: Buffer) => readImageType(new ImageBytes(file));

export async function fit(fitter: ImageFitter, file: Buffer, target: ImageTargetName): Promise<Buffer> {
  const { bytes } = await fitter.fit(file, typeOf(file), target, NOBODY_LEAVES);
  return bytes.view();
}
