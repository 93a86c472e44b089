import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import { ImageFitter, type ImageFitterOptions } from '../../../src/images/fit/fit-image.ts';
import { ImageBytes } from '../../../src/images/image-bytes.ts';
import { readImageType } from '../../../src/images/image-type.ts';
import type { ImageTargetName } from '../../../src/images/targets.ts';
import { Problem } from '../../../src/kernel/problem.ts';

/** Enough time on the busiest machine, of which the children take as much as others: what is tested is what comes out. */
export const PATIENT = {
  startTimeoutMs: 60_000,
  stillTimeoutMs: 60_000,
  animatedTimeoutMs: 120_000,
  niceness: 0,
};

export function fitterWith({ limits, ...options }: ImageFitterOptions = {}): ImageFitter {
  return new ImageFitter({ ...options, limits: { ...PATIENT, ...limits } });
}

/** A folder for the running test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quartermaster-fit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A child of ours that speaks the protocol and then does `onRequest`, written in JavaScript. */
export function childFile(onRequest: string): string {
  const file = path.join(temporaryFolder(), 'child.mjs');
  writeFileSync(
    file,
    `const reply = (kind, file = Buffer.alloc(0)) => {
       const head = Buffer.from([kind, 0, 0, 0, 0]);
       head.writeUInt32LE(file.length, 1);
       process.stdout.write(Buffer.concat([head, file]));
     };
     process.stdin.once('data', async () => { ${onRequest} });
     reply(0);`,
  );
  return file;
}

export async function fit(
  fitter: ImageFitter,
  file: Buffer,
  target: ImageTargetName = 'sticker',
  signal = new AbortController().signal,
): Promise<Buffer> {
  const { bytes } = await fitter.fit(file, readImageType(new ImageBytes(file)), target, signal);
  return bytes.view();
}

/** The code of what became of it; `ok` for an image. */
export async function outcome(fitter: ImageFitter, file: Buffer, target: ImageTargetName = 'sticker') {
  try {
    await fit(fitter, file, target);
    return 'ok';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}
