import { describe, expect, test } from 'vitest';

import { describeImage } from '../../../src/images/describe-image.ts';
import { base64Text, EndOfBytes, ImageBytes } from '../../../src/images/image-bytes.ts';
import type { ImageFormat } from '../../../src/images/image-fetcher.ts';
import { readImageType } from '../../../src/images/image-type.ts';
import { noise, png } from '../../fixtures/image-files.ts';

/** Bytes that are encoded at a time. */
const STEP = 92_160;

/** Appended in pieces of changing length. */
function bytesOf(file: Buffer): ImageBytes {
  const bytes = new ImageBytes();
  for (let at = 0, step = 1; at < file.length; at += step, step = (step * 7) % 100_003) {
    bytes.append(file.subarray(at, at + step));
  }
  return bytes;
}

function answerWith(bytes: ImageBytes, format: ImageFormat, release: () => void) {
  const options = { format, target: null, before: null, timeoutMs: 1_000, release };
  return describeImage(bytes, readImageType(bytes), options);
}

function emojiOk(size: number) {
  const image = answerWith(bytesOf(png(16, 16, { size })), 'base64', () => {});
  image.release();
  return [image.size, image.emojiOk];
}

describe('base64 of a file', () => {
  const lengths = [1, 2, 3, 4, 1_000, STEP - 1, STEP, STEP + 1, 3 * STEP, 3 * STEP + 2, 1_000_000];

  test.each(lengths)('of %i bytes equals what JSON.stringify would write', (length) => {
    const file = noise(length);
    const expected = `data:image/png;base64,${file.toString('base64')}`;
    const text = base64Text(bytesOf(file), 'data:image/png;base64,');
    const json = Buffer.concat([...text.jsonBytes()]);
    expect(json.toString()).toBe(JSON.stringify(expected));
    expect(text.jsonByteLength).toBe(json.length);
    expect(text.toJSON()).toBe(expected);
  });

  test('is made step by step', () => {
    const text = base64Text(bytesOf(noise(8 * 1024 * 1024)), '');
    const pieces = [...text.jsonBytes()].map((piece) => piece.length);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(1 + (STEP / 3) * 4);
  });

  test('returns the bytes of the file by index, and none beyond its end', () => {
    const file = noise(1_000);
    const bytes = bytesOf(file);
    for (const at of [0, 1, 500, 996]) {
      expect(bytes.u32be(at)).toBe(file.readUInt32BE(at));
      expect(bytes.u32le(at)).toBe(file.readUInt32LE(at));
      expect(bytes.u24le(at)).toBe(file.readUIntLE(at, 3));
      expect(bytes.latin1(at, 4)).toBe(file.toString('latin1', at, at + 4));
    }
    expect(() => bytes.u8(1_000)).toThrow(EndOfBytes);
    expect(() => bytes.u16le(999)).toThrow(EndOfBytes);
    expect(() => bytes.u32be(997)).toThrow(EndOfBytes);
    expect(() => bytes.latin1(997, 4)).toThrow(EndOfBytes);
  });
});

describe('the response of an image', () => {
  const file = png(16, 16, { size: 256 * 1024 });

  test('has exactly the fields of its format', () => {
    const texts = (format: 'base64' | 'data_uri' | 'both') => {
      const image = answerWith(bytesOf(file), format, () => {});
      const result = [image.base64?.toJSON(), image.dataUri?.toJSON()];
      image.release();
      return result;
    };
    const base64 = file.toString('base64');
    const dataUri = `data:image/png;base64,${base64}`;
    expect(texts('base64')).toEqual([base64, undefined]);
    expect(texts('data_uri')).toEqual([undefined, dataUri]);
    expect(texts('both')).toEqual([base64, dataUri]);
  });

  test('fits an emoji up to 256 KiB', () => {
    expect(emojiOk(262_144)).toEqual([262_144, true]);
    expect(emojiOk(262_145)).toEqual([262_145, false]);
  });

  test('is unreadable once its memory is released, so that half of it never looks complete', () => {
    const bytes = bytesOf(file);
    let released = 0;
    const image = answerWith(bytes, 'both', () => {
      released += 1;
      bytes.detach();
    });
    const pieces = image.base64?.jsonBytes()[Symbol.iterator]();
    pieces?.next();
    image.release();
    expect(released).toBe(1);
    expect(() => pieces?.next()).toThrow('released');
    expect(() => image.dataUri?.toJSON()).toThrow('released');
    expect(() => [...(image.dataUri?.jsonBytes() ?? [])]).toThrow('released');
    expect(() => bytes.append(file)).toThrow('released');
    expect(() => bytes.u8(0)).toThrow('released');
  });
});
