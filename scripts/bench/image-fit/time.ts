import sharp from 'sharp';

import { ImageFitter } from '../../../src/images/fit/fit-image.ts';
import {
  encodeAnimation,
  movingPicture,
  still,
  type StillType,
} from '../../../test/fixtures/fit-pictures.ts';
import { cpuUs, markdownTable, quantile, timeMs } from '../measure.ts';
import { fit } from './fit.ts';

const WITHIN = { width: 128, height: 128, fit: 'inside' } as const;
const makeStill = (file: Buffer) =>
  sharp(file).autoOrient().resize(WITHIN).png({ compressionLevel: 9 }).toBuffer();
const makeMoving = (file: Buffer) =>
  sharp(file, { animated: true }).resize(WITHIN).webp({ quality: 74, effort: 2 }).toBuffer();

/** Type, width, height and grain, by type from small files to large ones. */
const STILLS: readonly (readonly [StillType, number, number, number])[] = [
  ['png', 500, 500, 40],
  ['png', 900, 600, 40],
  ['png', 1_500, 1_000, 40],
  ['png', 2_200, 1_500, 40],
  ['png', 4_000, 3_000, 1],
  ['jpeg', 800, 600, 40],
  ['jpeg', 1_600, 1_200, 40],
  ['jpeg', 2_400, 1_600, 120],
  ['jpeg', 4_400, 3_300, 100],
  ['jpeg', 4_400, 3_300, 255],
  ['webp', 800, 600, 40],
  ['webp', 1_600, 1_200, 40],
  ['webp', 2_400, 1_600, 80],
  ['webp', 3_000, 2_000, 120],
  ['gif', 500, 500, 40],
  ['gif', 1_500, 1_000, 40],
  ['gif', 3_000, 2_200, 40],
  ['avif', 800, 600, 40],
  ['avif', 1_600, 1_200, 40],
  ['avif', 2_000, 1_500, 40],
];
/** Rounds for each still and for each animation. */
const STILL_ROUNDS = 5;
const MOVING_ROUNDS = 7;

interface Measured {
  readonly wallMs: number[];
  readonly cpuMs: number[];
}

/**
 * Processor time of the child says what a job costs where a core is free; the time that passes has in it the wait
 * for a core, which the child, made nice, leaves to others.
 */
export async function measureTime(): Promise<void> {
  await using fitter = new ImageFitter();
  const rows: (string | number)[][] = [];
  const all: Measured = { wallMs: [], cpuMs: [] };
  for (const type of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
    const own: Measured = { wallMs: [], cpuMs: [] };
    let directMs = 0;
    let largest = 0;
    for (const [, width, height, grain] of STILLS.filter(([each]) => each === type)) {
      const file = await still(type, width, height, grain);
      largest = Math.max(largest, file.length);
      await measure(fitter, file, STILL_ROUNDS, own);
      directMs += (await timeMs(() => makeStill(file), { rounds: 3 })) * STILL_ROUNDS;
    }
    rows.push(
      row(`${type}, ${STILLS.filter(([each]) => each === type).length} files`, largest, own, directMs, 300),
    );
    all.wallMs.push(...own.wallMs);
    all.cpuMs.push(...own.cpuMs);
  }
  rows.push(row('all stills', 0, all, NaN, 300));
  const moving = movingPicture(240, 100, 40);
  for (const type of ['gif', 'webp'] as const) {
    const file = await encodeAnimation(moving, type);
    const own: Measured = { wallMs: [], cpuMs: [] };
    await measure(fitter, file, MOVING_ROUNDS, own);
    const directMs = (await timeMs(() => makeMoving(file), { rounds: 3 })) * MOVING_ROUNDS;
    rows.push(row(`${type}, 100 frames`, file.length, own, directMs, 3_000));
  }
  console.log('To an emoji, in a started process, beside one file made by sharp itself:\n');
  const head = ['images', 'MiB, up to', 'CPU ms', 'p95', 'ms', 'p95', 'CPU of sharp directly', 'in the time'];
  console.log(markdownTable(head, rows));
  console.log('\nIn the time: share of 300 ms of processor time for a still, 3 s for an animation.');
}

async function measure(fitter: ImageFitter, file: Buffer, rounds: number, into: Measured): Promise<void> {
  await fit(fitter, file, 'emoji');
  for (let round = 0; round < rounds; round += 1) {
    const [pid] = fitter.idlePids;
    const cpuBefore = cpuUs(pid);
    const startedAt = performance.now();
    await fit(fitter, file, 'emoji');
    into.wallMs.push(performance.now() - startedAt);
    // A process that is used up by this job is gone, and with it what it used.
    if (fitter.idlePids[0] === pid) into.cpuMs.push((cpuUs(pid) - cpuBefore) / 1_000);
    else await fit(fitter, file, 'emoji');
  }
}

function row(name: string, bytes: number, { wallMs, cpuMs }: Measured, directMs: number, boundMs: number) {
  const sum = cpuMs.reduce((total, ms) => total + ms, 0);
  const inTime = cpuMs.filter((ms) => ms <= boundMs).length / cpuMs.length;
  return [
    name,
    bytes === 0 ? '' : (bytes / 2 ** 20).toFixed(2),
    ...[cpuMs, wallMs].flatMap((values) => [0.5, 0.95].map((q) => Math.round(quantile(values, q)))),
    Number.isNaN(directMs) ? '' : (sum / directMs).toFixed(2),
    `${Math.round(100 * inTime)} %`,
  ];
}
