import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import sharp from 'sharp';

import { ImageFitter } from '../../src/images/fit/fit-image.ts';
import { ImageBytes } from '../../src/images/image-bytes.ts';
import { readImageType } from '../../src/images/image-type.ts';
import { IMAGE_TARGETS, type ImageTargetName } from '../../src/images/targets.ts';
import { Problem } from '../../src/problem.ts';
import { encodeAnimation, movingPicture, still } from '../../test/fixtures/fit-pictures.ts';
import { noise } from '../../test/fixtures/image-files.ts';
import { startBenchServer } from './image-to-base64/bench-server.ts';
import { applyLoad } from './image-to-base64/load.ts';
import { describeMachine, markdownTable, quantile, timeMs } from './measure.ts';
import { serviceFlags } from './service-flags.ts';

const NOBODY_LEAVES = new AbortController().signal;

/**
 * Time beside sharp called directly in this process, how large the pictures get, and what parse-args feels of 32
 * images at once. `mutated [files]`: changed files instead, and the memory of the process that owns the children.
 */
export async function run(args: readonly string[]): Promise<void> {
  console.log(`${describeMachine()}\n`);
  sharp.concurrency(1);
  sharp.cache(false);
  if (args[0] === 'mutated') {
    await fitMutated(Number(args[1] ?? 10_000));
    return;
  }
  await measureTime();
  await measureSize();
  await measureNeighbour();
}

const typeOf = (file: Buffer) => readImageType(new ImageBytes(file, file.length));
const fit = (fitter: ImageFitter, file: Buffer, target: ImageTargetName) =>
  fitter.fit(file, typeOf(file), target, '1', NOBODY_LEAVES);

async function measureTime(): Promise<void> {
  await using fitter = new ImageFitter();
  const within = { width: 128, height: 128, fit: 'inside' } as const;
  const makeStill = (file: Buffer) =>
    sharp(file).autoOrient().resize(within).png({ compressionLevel: 9 }).toBuffer();
  const makeMoving = (file: Buffer) =>
    sharp(file, { animated: true }).resize(within).webp({ quality: 74, effort: 2 }).toBuffer();
  const moving = movingPicture(240, 100, 40);
  const cases = [
    ['JPEG 1,000 × 750', await still('jpeg', 1_000, 750), makeStill],
    ['JPEG 4,400 × 3,300', await still('jpeg', 4_400, 3_300, 255), makeStill],
    ['PNG 1,500 × 1,000', await still('png', 1_500, 1_000), makeStill],
    ['WebP 3,000 × 2,000', await still('webp', 3_000, 2_000, 120), makeStill],
    ['GIF, 100 frames', await encodeAnimation(moving, 'gif'), makeMoving],
    ['animated WebP, 100 frames', await encodeAnimation(moving, 'webp'), makeMoving],
  ] as const;
  const rows: (string | number)[][] = [];
  for (const [name, file, direct] of cases) {
    const times: number[] = [];
    await fit(fitter, file, 'emoji');
    for (let round = 0; round < 11; round += 1) {
      const startedAt = performance.now();
      await fit(fitter, file, 'emoji');
      times.push(performance.now() - startedAt);
    }
    const directMs = await timeMs(() => direct(file), { rounds: 5 });
    const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    rows.push([
      name,
      (file.length / 2 ** 20).toFixed(2),
      Math.round(median),
      Math.round(p95),
      Math.round(directMs),
      (median / directMs).toFixed(2),
    ]);
  }
  console.log('To an emoji, in a started process, beside one file made by sharp itself:\n');
  console.log(markdownTable(['image', 'MiB', 'median ms', 'p95 ms', 'sharp directly ms', 'of sharp'], rows));
}

/** Animations of all sorts: how many are as large as they can be. */
async function measureSize(): Promise<void> {
  await using fitter = new ImageFitter();
  const files: Buffer[] = [];
  for (const [side, frames, grain] of SHAPES) {
    files.push(await encodeAnimation(movingPicture(side, frames, 40, grain), 'gif'));
  }
  const rows: (string | number)[][] = [];
  for (const target of ['emoji', 'sticker', 'role_icon'] as const) {
    const { bytesMax, madeSideMax } = IMAGE_TARGETS[target];
    let [count, largest, close, late] = [0, 0, 0, 0];
    for (const file of files) {
      if (file.length <= bytesMax) continue;
      count += 1;
      try {
        const fitted = await fit(fitter, file, target);
        const picture = typeOf(fitted);
        // A sticker is always as large as its frame; only bytes tell how large the picture in it is.
        if (target !== 'sticker' && picture.width === madeSideMax) largest += 1;
        else if (fitted.length >= 0.9 * bytesMax) close += 1;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        late += 1;
      }
    }
    rows.push([target, count, largest, close, late, `${Math.round((100 * (largest + close)) / count)} %`]);
  }
  console.log('\nAnimations that had to shrink:\n');
  console.log(
    markdownTable(
      [
        'for',
        'animations',
        'at the largest side',
        'within 10 % of the bytes',
        'refused or too late',
        'as large as can be',
      ],
      rows,
    ),
  );
}

/** Side, frames, grain. */
const SHAPES = [160, 280].flatMap((side) =>
  [20, 60].flatMap((frames) => [40, 160].map((grain) => [side, frames, grain] as const)),
);

const lineToParse = () => JSON.stringify({ text: '!ban @someone 7d spamming links' });

async function measureNeighbour(): Promise<void> {
  const file = await still('jpeg', 2_400, 1_600, 120);
  const origin = createServer((_request, response) => void response.end(file)).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/`;
  await using server = await startBenchServer('quartermaster-server.ts', serviceFlags());

  const parse = { ...server, path: '/api/parse-args', body: lineToParse, connections: 4, requests: 4_000 };
  await applyLoad({ ...parse, requests: 500 });
  const alone = await applyLoad(parse);
  const over = new AbortController();
  const images = new Map<number, number>();
  const fitting = (async () => {
    while (!over.signal.aborted) {
      const { statuses } = await applyLoad({
        ...server,
        connections: 32,
        requests: 64,
        body: () => JSON.stringify({ url, for: 'emoji', fit: true }),
      });
      for (const [status, count] of statuses) images.set(status, (images.get(status) ?? 0) + count);
    }
  })();
  const beside = await applyLoad(parse);
  over.abort();
  await fitting;
  origin.close();

  const p99 = (load: typeof alone) => quantile(load.latenciesMs, 0.99);
  const counts = [...images].map(([status, count]) => `${status}: ${count}`).join(', ');
  console.log('\nparse-args over 4 connections, alone and beside 32 callers with images to fit:\n');
  console.log(
    markdownTable(
      ['', 'median ms', 'p99 ms', 'images'],
      [
        ['alone', quantile(alone.latenciesMs, 0.5).toFixed(2), p99(alone).toFixed(2), ''],
        ['beside', quantile(beside.latenciesMs, 0.5).toFixed(2), p99(beside).toFixed(2), counts],
        ['ratio', '', (p99(beside) / p99(alone)).toFixed(2), ''],
      ],
    ),
  );
}

async function fitMutated(count: number): Promise<void> {
  await using fitter = new ImageFitter();
  const sources = [
    await still('png', 330, 60),
    await still('jpeg', 330, 60),
    await still('webp', 330, 60),
    await still('avif', 330, 60),
    await encodeAnimation(movingPicture(48, 4, 60), 'gif'),
    await encodeAnimation(movingPicture(48, 4, 60), 'webp'),
  ];
  const random = noise(4 * 1024 * 1024 + 4);
  let at = 0;
  const next = (below: number) => random.readUInt32BE((at = (at + 4) % (random.length - 4))) % below;
  const answers = new Map<string, number>();
  const rows: (string | number)[][] = [];
  const report = (files: number) => {
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    const said = [...answers].map(([code, times]) => `${code}: ${times}`).join(', ');
    rows.push([files, said, ...[heapUsed, external, rss].map((bytes) => (bytes / 2 ** 20).toFixed(1))]);
  };
  report(0);
  for (let made = 1; made <= count; made += 1) {
    const file = Buffer.from(sources[made % sources.length] ?? noise(100));
    for (let changes = 1 + next(8); changes > 0; changes -= 1) file[next(file.length)] = next(256);
    let answer = 'ok';
    try {
      await fit(fitter, file, 'sticker');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      answer = error.code;
    }
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    if (made % Math.ceil(count / 5) === 0) report(made);
  }
  console.log(markdownTable(['files', 'answers so far', 'heap MiB', 'outside MiB', 'RSS MiB'], rows));
}
