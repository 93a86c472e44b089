import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ImageFitter } from '../../../src/images/fit/fit-image.ts';
import { difference, encodeAnimation, movingPicture, still } from '../../fixtures/fit-pictures.ts';
import { pngChunk } from '../../fixtures/image-files.ts';
import { fit, fitterWith, outcome } from './images-fit-jobs.ts';

let fitter: ImageFitter;
beforeAll(() => {
  fitter = fitterWith();
});
afterAll(() => fitter[Symbol.asyncDispose]());

const jpeg = await still('jpeg', 400, 300);
const progressive = await sharp(jpeg).jpeg({ progressive: true }).toBuffer();
const png = await still('png', 400, 300);
const webp = await still('webp', 400, 300);
const animated = await encodeAnimation(movingPicture(80, 3, 80), 'webp');

/** Turns one byte into another. */
function spoil(file: Buffer, at: number): Buffer {
  const copy = Buffer.from(file);
  copy[at] = (copy[at] ?? 0) ^ 0x55;
  return copy;
}

function resized(file: Buffer, difference: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt32LE(copy.readUInt32LE(4) + difference, 4);
  return copy;
}

const pixelsAt = png.indexOf('IDAT') - 4;
const checksumAt = pixelsAt + 8 + png.readUInt32BE(pixelsAt);
const afterFirstSegment = 4 + jpeg.readUInt16BE(4);

describe('a damaged image that browsers show is fitted and looks right:', () => {
  test.each([
    ['a JPEG without its end', jpeg.subarray(0, -2), jpeg],
    ['a JPEG with half of its end', jpeg.subarray(0, -1), jpeg],
    ['a progressive JPEG without its end', progressive.subarray(0, -2), progressive],
    [
      'a JPEG with zeros between its segments',
      Buffer.concat([
        jpeg.subarray(0, afterFirstSegment),
        Buffer.alloc(10),
        jpeg.subarray(afterFirstSegment),
      ]),
      jpeg,
    ],
    ['a PNG whose pixels have a wrong checksum', spoil(png, checksumAt), png],
    ['a PNG whose end has a wrong checksum', spoil(png, png.length - 1), png],
    [
      'a PNG whose text has a wrong checksum',
      Buffer.concat([png.subarray(0, 33), spoil(pngChunk('tEXt', 'a\0b'), 12), png.subarray(33)]),
      png,
    ],
    ['a WebP that says one byte more', resized(webp, 1), webp],
    ['a WebP that says one byte less', resized(webp, -1), webp],
    ['a WebP without its last byte', Buffer.concat([webp, Buffer.from('XMP \x01\0\0\0x', 'latin1')]), webp],
    ['a WebP animation that says one byte more', resized(animated, 1), animated],
  ])('%s', async (_name, damaged, whole) => {
    const made = await fit(fitter, damaged);
    const [one, other] = await Promise.all(
      [made, await fit(fitter, whole)].map((file) => sharp(file).ensureAlpha().raw().toBuffer()),
    );
    expect(difference(one ?? Buffer.alloc(0), other ?? Buffer.alloc(1))).toBeLessThan(0.01);
  });
});

describe('missing pixels are not invented:', () => {
  test.each([
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2)],
    ['a JPEG without its last rows', jpeg.subarray(0, -1_000)],
    ['half a progressive JPEG', progressive.subarray(0, progressive.length / 2)],
    ['half a PNG', png.subarray(0, png.length / 2)],
  ])('%s', async (_name, file) => {
    expect(await outcome(fitter, file)).toBe('image_cannot_fit');
  });
});

test('a still picture is compressed at level 6, which is fast', async () => {
  const made = await fit(fitter, jpeg);
  const at = made.indexOf('IDAT') + 4;
  // The level is in the head of the deflate stream: https://www.rfc-editor.org/rfc/rfc1950 (FLEVEL 2 is the default, 3 the slowest).
  expect((made[at + 1] ?? 0) >> 6).toBe(2);
});
