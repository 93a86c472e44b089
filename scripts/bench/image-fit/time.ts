import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import sharp from 'sharp';

import { ImageFitter } from '../../../src/images/fit/fit-image.ts';
import {
  encodeAnimation,
  movingPicture,
  still,
  type StillType,
} from '../../../test/fixtures/fit-pictures.ts';
import { cpuUs, markdownTable, quantile } from '../measure.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { fit } from './fit.ts';

const WITHIN = { width: 128, height: 128, fit: 'inside' } as const;
const makeStill = (file: Buffer) =>
  sharp(file).autoOrient().resize(WITHIN).png({ compressionLevel: 9 }).toBuffer();
const makeMoving = (file: Buffer) =>
  sharp(file, { animated: true }).resize(WITHIN).webp({ quality: 74, effort: 2 }).toBuffer();

/** Real pictures, each of which is measured in all types. */
const SCREENS = path.resolve(import.meta.dirname, '../../../docs/screens');
const TYPES = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;

/** Made ones: type, width, height and grain, by type from small files to the largest that are fetched. */
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
  ['webp', 4_400, 3_300, 255],
  ['gif', 500, 500, 40],
  ['gif', 1_500, 1_000, 40],
  ['gif', 3_000, 2_200, 40],
  ['avif', 800, 600, 40],
  ['avif', 1_600, 1_200, 40],
  ['avif', 2_000, 1_500, 40],
  ['avif', 4_000, 3_000, 40],
];
/** Rounds for each still and for each animation. */
const STILL_ROUNDS = 3;
const MOVING_ROUNDS = 5;
/** Milliseconds that are asked for. */
const STILL_MS = 300;
const MOVING_MS = 3_000;

interface Measured {
  /** Bytes of the largest file. */
  largest: number;
  readonly wallMs: number[];
  readonly cpuMs: number[];
  /** Processor time of sharp alone, one for each file. */
  readonly directMs: number[];
}

const nothing = (): Measured => ({ largest: 0, wallMs: [], cpuMs: [], directMs: [] });

/**
 * Processor time of the child says what a job costs where a core is free; the time that passes has in it the wait
 * for a core, which the child, made nice, leaves to others.
 */
export async function measureTime(): Promise<void> {
  await using fitter = new ImageFitter();
  const rows: (string | number)[][] = [];
  const all = nothing();
  for (const type of TYPES) {
    const own = nothing();
    for (const file of await stillsOf(type)) {
      await measure(fitter, file, STILL_ROUNDS, own);
      own.directMs.push(await directCpuMs(() => makeStill(file)));
    }
    rows.push(row(`${type}, ${own.directMs.length} files`, own, STILL_MS));
    all.largest = Math.max(all.largest, own.largest);
    for (const part of ['wallMs', 'cpuMs', 'directMs'] as const) all[part].push(...own[part]);
  }
  rows.push(row('all stills', all, STILL_MS));
  const moving = movingPicture(240, 100, 40);
  for (const type of ['gif', 'webp'] as const) {
    const file = await encodeAnimation(moving, type);
    const own = nothing();
    await measure(fitter, file, MOVING_ROUNDS, own);
    own.directMs.push(await directCpuMs(() => makeMoving(file)));
    rows.push(row(`${type}, 100 frames`, own, MOVING_MS));
  }
  console.log('To an emoji, in a started process, beside one file made by sharp itself:\n');
  const head = [
    'images',
    'MiB, up to',
    'CPU ms',
    'p95',
    'ms',
    'p95',
    'of sharp',
    'in the time',
    'sharp in the time',
  ];
  console.log(markdownTable(head, rows));
  console.log('\nIn the time: share of 300 ms for a still, 3 s for an animation, in processor time.');
}

/** Processor time of this process for one call, the second of two. */
async function directCpuMs(work: () => Promise<unknown>): Promise<number> {
  await work();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function stillsOf(type: StillType): Promise<Buffer[]> {
  const files: Buffer[] = [];
  for (const name of readdirSync(SCREENS).filter((each) => each.endsWith('.png'))) {
    const file = readFileSync(path.join(SCREENS, name));
    files.push(type === 'png' ? file : await sharp(file).toFormat(type).toBuffer());
  }
  for (const [each, width, height, grain] of STILLS) {
    if (each === type) files.push(await still(type, width, height, grain));
  }
  return files;
}

async function measure(fitter: ImageFitter, file: Buffer, rounds: number, into: Measured): Promise<void> {
  into.largest = Math.max(into.largest, file.length);
  for (let round = -1; round < rounds; round += 1) {
    const [pid] = fitter.idlePids;
    const cpuBefore = pid === undefined ? 0 : cpuUs(pid);
    const startedAt = performance.now();
    try {
      await fit(fitter, file, 'emoji');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // Refused, or not ready in time: then it is not in 300 ms either.
      into.cpuMs.push(Infinity);
      continue;
    }
    if (round < 0) continue;
    into.wallMs.push(performance.now() - startedAt);
    // A process that is used up by this job is gone, and with it what it used.
    if (fitter.idlePids[0] === pid) into.cpuMs.push((cpuUs(pid) - cpuBefore) / 1_000);
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, ms) => sum + ms, 0) / values.length;

function row(name: string, { largest, wallMs, cpuMs, directMs }: Measured, boundMs: number) {
  const share = (values: readonly number[]) =>
    `${Math.round((100 * values.filter((ms) => ms <= boundMs).length) / values.length)} %`;
  const ratio = mean(cpuMs.filter(Number.isFinite)) / mean(directMs);
  return [
    name,
    (largest / 2 ** 20).toFixed(2),
    ...[cpuMs, wallMs].flatMap((values) => [0.5, 0.95].map((q) => Math.round(quantile(values, q)))),
    ratio.toFixed(2),
    share(cpuMs),
    share(directMs),
  ];
}
