import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ImageFetcher } from '../../../src/images/image-fetcher.ts';
import { IMAGE_TARGETS, type ImageTargetName } from '../../../src/images/targets.ts';
import { isStreamedValue } from '../../../src/kernel/streamed-value.ts';
import { imageToBase64 } from '../../../src/operations/image-to-base64/operation.ts';
import {
  decodeAnimation,
  difference,
  encodeAnimation,
  movingPicture,
  pannedPicture,
  still,
} from '../../fixtures/fit-pictures.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { quickOrFull, sampleOf } from '../../fixtures/full-run.ts';
import { avif, gif, png } from '../../fixtures/image-files.ts';
import { childFile, PATIENT, temporaryFolder } from './images-fit-jobs.ts';
import { sendFile, startOrigin, type Origin } from './images-origin.ts';
import { admitting, contextWith, fetcherFor } from './images-setup.ts';

const FRAMES = quickOrFull(100, 783);

const files = new Map<string, Buffer>();
/** Bytes after the end belong to no pixel, but they count. */
const withMoreBytes = (file: Buffer) => Buffer.concat([file, Buffer.alloc(300_000)]);
/** 12 pictures small enough for an emoji. */
const grainy = await encodeAnimation(movingPicture(120, 12, 80, 30), 'gif');
let origin: Origin;
let images: ImageFetcher & AsyncDisposable;

beforeAll(async () => {
  origin = await startOrigin((socket, path) => sendFile(socket, files.get(path.slice(1)) ?? Buffer.alloc(0)));
  images = fetcherFor({ addressRule: admitting(origin.port), fitting: { limits: PATIENT } });
  const moving = movingPicture(160, 12, 80);
  for (const type of ['png', 'jpeg', 'webp', 'avif', 'gif'] as const)
    files.set(type, await still(type, 600, 400));
  files.set('gif', withMoreBytes(files.get('gif') ?? Buffer.alloc(0)));
  files.set('grainy-gif', withMoreBytes(grainy));
  files.set('apng', await encodeAnimation(movingPicture(330, 4, 100), 'apng'));
  files.set('animated-gif', await encodeAnimation(moving, 'gif'));
  files.set('animated-webp', await encodeAnimation(movingPicture(100, 6, 80), 'webp'));
  files.set('heavy-webp', await encodeAnimation(movingPicture(200, 12, 80, 255), 'webp'));
  files.set('heavy-gif', await encodeAnimation(movingPicture(160, 30, 50, 255), 'gif'));
  files.set('small', png(64, 64));
  files.set('long', gif(400, 400, { frames: 51, delay: 10 }));
  files.set('avif-sequence', avif(200, 200, { brands: ['avis', 'avif'] }));
  files.set('broken', png(2_000, 2_000));
});

afterAll(async () => {
  await images[Symbol.asyncDispose]();
  await origin[Symbol.asyncDispose]();
});

async function fit(file: string, target: ImageTargetName, using = images) {
  const input = { url: `${origin.url}/${file}`, for: target, fit: true };
  const answer = await imageToBase64.answer(input, contextWith(using));
  const { base64, ...said } = answer.value;
  const bytes = Buffer.from(isStreamedValue(base64) ? String(base64.toJSON()) : '', 'base64');
  answer.release?.();
  return { ...said, bytes };
}

const TYPES = ['png', 'jpeg', 'webp', 'gif', 'avif', 'animated-gif', 'animated-webp', 'apng'] as const;
type Made = Record<(typeof TYPES)[number], string>;

/** Stills are of 600 x 400 pixels. What is kept as it is fits already, as the verdicts of Discord's documents say. */
const IMAGE_DATA: Made = {
  png: 'kept',
  jpeg: 'kept',
  webp: 'image/png 600 x 400',
  gif: 'kept',
  avif: 'image/png 600 x 400',
  'animated-gif': 'kept',
  'animated-webp': 'animated image/gif 100 x 100',
  apng: 'kept',
};
const MADE: Record<ImageTargetName, Made> = {
  emoji: {
    png: 'image/png 128 x 85',
    jpeg: 'kept',
    webp: 'kept',
    gif: 'image/png 128 x 85',
    avif: 'kept',
    'animated-gif': 'kept',
    'animated-webp': 'kept',
    apng: 'image_cannot_fit',
  },
  sticker: {
    png: 'image/png 320 x 320',
    jpeg: 'image/png 320 x 320',
    webp: 'image/png 320 x 320',
    gif: 'image/png 320 x 320',
    avif: 'image/png 320 x 320',
    'animated-gif': 'kept',
    'animated-webp': 'animated image/gif 320 x 320',
    apng: 'image_cannot_fit',
  },
  avatar: IMAGE_DATA,
  banner: IMAGE_DATA,
  icon: IMAGE_DATA,
  role_icon: {
    png: 'image/png 64 x 43',
    jpeg: 'kept',
    webp: 'image/png 64 x 43',
    gif: 'image/png 64 x 43',
    avif: 'image/png 64 x 43',
    'animated-gif': 'kept',
    'animated-webp': 'image_cannot_fit',
    apng: 'image_cannot_fit',
  },
  splash: {
    ...IMAGE_DATA,
    gif: 'image/png 600 x 400',
    'animated-gif': 'image_cannot_fit',
    'animated-webp': 'image_cannot_fit',
  },
};

/** The result for a file, in the words of the table; the code of a refusal. */
async function madeOf(type: string, target: ImageTargetName): Promise<string> {
  try {
    const { fitted, fits, before, animated, mime_type, width, height, size, bytes } = await fit(type, target);
    expect([fits, size]).toEqual([true, bytes.length]);
    if (!fitted) return bytes.equals(files.get(type) ?? Buffer.alloc(0)) ? 'kept' : 'changed';
    expect(before?.size).toBe(files.get(type)?.length);
    return `${animated ? 'animated ' : ''}${mime_type} ${width} x ${height}`;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('fit=true', () => {
  test.each(Object.keys(IMAGE_TARGETS) as ImageTargetName[])(
    'for %s converts each type to one that Discord accepts, as large as possible',
    async (target) => {
      const made = new Map<string, string>();
      for (const type of TYPES) made.set(type, await madeOf(type, target));
      expect(Object.fromEntries(made)).toEqual(MADE[target]);
    },
  );

  test.each(['emoji', 'sticker', 'avatar'] as const)(
    'for %s keeps an animated WebP animated, with its time',
    async (target) => {
      const fitted = await fit('heavy-webp', target);
      const { delaysMs, width, height } = await decodeAnimation(fitted.bytes);
      expect(fitted).toMatchObject({ animated: true, fits: true, problems: [], width, height });
      expect(delaysMs.reduce((sum, ms) => sum + ms, 0)).toBe(960);
      expect(Math.max(width, height)).toBeLessThanOrEqual(IMAGE_TARGETS[target].madeSideMax);
    },
  );

  test('makes the largest animation: at the largest side, or within a tenth of the bytes', async () => {
    for (const target of ['emoji', 'sticker'] as const) {
      const { bytes, width, size } = await fit('heavy-gif', target);
      const { bytesMax, madeSideMax } = IMAGE_TARGETS[target];
      expect(size).toBeLessThanOrEqual(bytesMax);
      const isLargest = (target !== 'sticker' && width === madeSideMax) || size >= 0.9 * bytesMax;
      expect([target, width, size, isLargest]).toEqual([target, width, size, true]);
      expect((await decodeAnimation(bytes)).frames).toHaveLength(30);
    }
  });

  // Pixels that were reached with an encoder of our own; a tenth less is the worst that is taken.
  const pans = [
    ['smooth', { width: 320, height: 320, frames: 60, step: 4, delayMs: 50, grain: 0, bestSide: 182 }],
    ['grainy', { width: 320, height: 320, frames: 60, step: 4, delayMs: 50, grain: 30, bestSide: 160 }],
    ['long', { width: 200, height: 140, frames: 240, step: 1, delayMs: 20, grain: 10, bestSide: 155 }],
  ] as const;
  test.each(sampleOf(pans, 3))(
    'keeps a panned %s picture large as a sticker',
    async (name, { width, height, frames: count, bestSide, ...how }) => {
      files.set(`${name}-pan`, await encodeAnimation(pannedPicture(width, height, count, how), 'webp'));
      const { bytes } = await fit(`${name}-pan`, 'sticker');
      const { frames } = await decodeAnimation(bytes);
      expect(frames).toHaveLength(count);
      const [first = new Uint8Array()] = frames;
      const middle = first.subarray(160 * 320 * 4, 161 * 320 * 4);
      expect(middle.filter((value, at) => at % 4 === 3 && value > 0).length).toBeGreaterThan(0.9 * bestSide);
    },
  );

  test(`keeps the largest side of an emoji with ${FRAMES} frames`, async () => {
    const long = pannedPicture(192, 126, FRAMES, { step: 1, delayMs: 30, grain: 10 });
    files.set('many-frames', await encodeAnimation(long, 'webp'));
    expect(await fit('many-frames', 'emoji')).toMatchObject({ animated: true, width: 128, height: 84 });
  });

  test('pads a sticker of a small animation without changing it', async () => {
    const { bytes } = await fit('animated-webp', 'sticker');
    const { frames } = await decodeAnimation(bytes);
    expect(frames).toHaveLength(6);
    // 100 pixels in the middle of 320: nothing around them, and the gradient of the source inside.
    const [first = new Uint8Array()] = frames;
    const at = (x: number, y: number) => first.subarray((y * 320 + x) * 4, (y * 320 + x + 1) * 4);
    expect([...at(105, 105)].at(-1)).toBe(0);
    expect([...at(215, 215)].at(-1)).toBe(0);
    const source = movingPicture(100, 1, 80).frames[0] ?? new Uint8Array();
    for (const place of [10, 50, 90]) {
      const pixel = source.subarray((place * 100 + place) * 4, (place * 100 + place + 1) * 4);
      expect(difference(at(110 + place, 110 + place), pixel)).toBeLessThan(40);
    }
  });

  test('keeps every frame of an animation when the bytes suffice', async () => {
    const { bytes } = await fit('grainy-gif', 'emoji');
    const { frames } = await decodeAnimation(grainy);
    const made = await decodeAnimation(bytes);
    expect(made.frames.map((frame, at) => difference(frame, frames[at] ?? frame))).toEqual(
      frames.map(() => 0),
    );
  });

  test('leaves a fitting file unchanged', async () => {
    const { bytes, ...said } = await fit('small', 'emoji');
    expect(said).toMatchObject({ fitted: false, before: null, fits: true, width: 64, height: 64 });
    expect(bytes).toEqual(files.get('small'));
  });

  test.each([
    ['long', 'sticker', 'longer than 5 seconds'],
    ['avif-sequence', 'sticker', 'animated AVIF'],
    ['apng', 'sticker', 'animated PNG'],
    ['animated-gif', 'splash', 'no animated image'],
    ['heavy-gif', 'role_icon', 'no animated image'],
    ['broken', 'sticker', 'could not be made to fit'],
  ] as const)('refuses %s for %s instead of changing its frames', async (file, target, error) => {
    await expect(fit(file, target)).rejects.toMatchObject({
      code: 'image_cannot_fit',
      status: 422,
      message: expect.stringContaining(error) as string,
    });
  });

  test.each([
    [{ fit: true }, 'missing_field', 'for'],
    [{ for: 'sticker', format: 'data_uri' }, 'invalid_field', 'format'],
    [{ for: 'sticker', format: 'both', fit: true }, 'invalid_field', 'format'],
    [{ for: 'wallpaper' }, 'invalid_field', 'for'],
  ])('refuses %j before anything is fetched', async (input, code, field) => {
    const before = origin.connections;
    const answer = imageToBase64.answer({ url: `${origin.url}/png`, ...input }, contextWith(images));
    await expect(answer).rejects.toMatchObject({ code, field });
    expect(origin.connections).toBe(before);
  });

  test.each([
    [
      'throws',
      "throw new Error('Could not load the module\\nUnsupported CPU: too old');",
      'Unsupported CPU: too old',
    ],
    ['is killed', "process.kill(process.pid, 'SIGILL'); setInterval(() => {}, 1000);", 'SIGILL'],
    ['ends', 'process.exit(3);', '3'],
  ])('reports that sharp is installed but %s when it is loaded', async (_case, program, reason) => {
    const folder = path.join(temporaryFolder(), 'sharp');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'package.json'), '{}');
    writeFileSync(path.join(folder, 'index.js'), program);
    await using broken = fetcherFor({
      addressRule: admitting(origin.port),
      fitting: { packageName: path.join(folder, 'index.js'), limits: PATIENT },
    });
    await expect(fit('png', 'sticker', broken)).rejects.toMatchObject({
      code: 'image_cannot_fit',
      message: 'This service cannot change images, because its package sharp does not load.',
      hint: expect.stringMatching(/finds the reason in the log/) as string,
      key: 'image_cannot_fit/not_loaded',
      cause: { message: expect.stringContaining(reason) as string },
    });
  });

  test('ignores the stderr of a process that has a file', async () => {
    const noisy = `process.stderr.write('a secret of the picture'); setTimeout(() => process.exit(1), 50);`;
    await using talkative = fetcherFor({
      addressRule: admitting(origin.port),
      fitting: { childFile: childFile(noisy), limits: PATIENT },
    });
    const problem: unknown = await fit('png', 'sticker', talkative).catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: 'image_cannot_fit' });
    expect(inspect(problem)).not.toContain('secret of the picture');
  });

  test('reports that sharp is not installed, while everything else works', async () => {
    await using without = fetcherFor({
      addressRule: admitting(origin.port),
      fitting: { packageName: 'sharp-is-not-here' },
    });
    await expect(fit('png', 'sticker', without)).rejects.toMatchObject({
      code: 'image_cannot_fit',
      hint: expect.stringContaining('install the package sharp') as string,
    });
    expect(await fit('small', 'emoji', without)).toMatchObject({ fitted: false, fits: true });
    const judged = await imageToBase64.answer(
      { url: `${origin.url}/png`, for: 'sticker' },
      contextWith(without),
    );
    expect(judged.value).toMatchObject({ fits: false, width: 600 });
    expect(judged.value).not.toHaveProperty('fitted');
    judged.release?.();
  });
});
