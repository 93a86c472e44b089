import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ImageBytes } from '../../../src/images/image-bytes.ts';
import { readImageType } from '../../../src/images/image-type.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import {
  avif,
  box,
  gif,
  jpeg,
  jpegSegment,
  png,
  pngChunk,
  pngHeader,
  riffChunk,
  webpAnimated,
  webpExtended,
  webpLossless,
  webpLossy,
} from '../../fixtures/image-files.ts';
import { IMAGES, NAMED, pngWithout, REFUSED } from './image-type-table.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

function bytesOf(file: Uint8Array | string): ImageBytes {
  const content = typeof file === 'string' ? Buffer.from(file) : file;
  const bytes = new ImageBytes();
  // In two pieces: the second one makes room for more bytes than there are.
  for (const piece of [content.subarray(0, -1), content.subarray(-1)]) bytes.append(piece);
  return bytes;
}

/** Type, size and animation in one line, or the code of the refusal. */
function judge(file: Uint8Array | string): string {
  try {
    const { mimeType, width, height, animated } = readImageType(bytesOf(file));
    return `${mimeType} ${width}x${height}${animated ? ' animated' : ''}`;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('the type and size from the bytes', () => {
  test.each(IMAGES)('are read: %s', (_name, file, verdict) => {
    expect(judge(file)).toBe(verdict);
  });

  test.each(REFUSED)('are refused: %s', (_name, file, verdict) => {
    expect(judge(file)).toBe(verdict);
  });

  test.each([
    ['after white space', '  <!doctype HTML><p>404'],
    ['behind comments', '<!-- saved -->\n<!-- by a browser --><!DOCTYPE html><p>404'],
    ['after a long comment', `<!--${' licence'.repeat(5_000)}--><html>`],
    ['in XML', '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><p>404</p>'],
  ])('name a web page %s', (_name, page) => {
    expect(() => readImageType(bytesOf(page))).toThrow('There is a web page at this URL');
  });

  test.each(NAMED)('name %s', (_name, file, sentence) => {
    expect(() => readImageType(bytesOf(file))).toThrow(sentence);
  });

  test.each([
    ['a song in the boxes of a film', Buffer.concat([box('ftyp', 'M4A ', '\0\0\0\0'), Buffer.alloc(50)])],
    ['a broken AVIF', Buffer.concat([box('ftyp', 'avif', '\0\0\0\0', 'mif1'), Buffer.alloc(50)])],
    ['something in a container of another kind', Buffer.from('\x1a\x45\xdf\xa3\x84\x42\x82\x81x', 'latin1')],
  ])('do not name %s as another type', (_name, file) => {
    expect(() => readImageType(bytesOf(file))).toThrow('There is no image');
  });

  const headers: readonly (readonly [name: string, file: Buffer, headerBytes: number])[] = [
    ['png', png(3, 4), 41],
    ['jpeg', jpeg(3, 4), 43],
    ['gif', gif(3, 4), 45],
    ['lossy webp', webpLossy(3, 4), webpLossy(3, 4).length - 1],
    ['lossless webp', webpLossless(3, 4), webpLossless(3, 4).length - 1],
    ['animated webp', webpAnimated(3, 4), webpAnimated(3, 4).length - 1],
    ['avif', avif(3, 4), avif(3, 4).length - 68],
  ];
  test.each(headers)(
    'are refused for a %s cut anywhere in its header, and read from a complete header',
    (_name, file, headerBytes) => {
      for (let length = 0; length < headerBytes; length += 1) {
        expect([length, judge(file.subarray(0, length))]).toEqual([length, 'image_not_an_image']);
      }
      expect(judge(file.subarray(0, headerBytes))).toMatch(/^image\/\w+ 3x4/);
    },
  );
});

test('files with changed bytes are images within bounds or refused, but never cause an error', () => {
  const file = fc.constantFrom(...IMAGES.map(([, file]) => file));
  const changes = fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 0, max: 255 })), {
    minLength: 1,
    maxLength: 8,
  });
  const result = fc.check(
    fc.property(file, changes, (file, changes) => {
      const changed = Buffer.from(file);
      for (const [at, byte] of changes) changed[at % changed.length] = byte;
      const verdict = judge(changed);
      const [, width = '1', height = '1'] = /(\d+)x(\d+)/.exec(verdict) ?? [];
      return Number(width) * Number(height) > 0 && Number(width) * Number(height) <= 50_000_000;
    }),
    { seed: 20_261_120, numRuns: quickOrFull(600, 5_000) },
  );
  expect(result).toMatchObject({ failed: false, counterexample: null });
});

/** Counts what is looked at. */
class CountingBytes extends ImageBytes {
  reads = 0;

  override u8(at: number): number {
    this.reads += 1;
    return super.u8(at);
  }

  override u16be(at: number): number {
    this.reads += 1;
    return super.u16be(at);
  }

  override u16le(at: number): number {
    this.reads += 1;
    return super.u16le(at);
  }

  override u24le(at: number): number {
    this.reads += 1;
    return super.u24le(at);
  }

  override u32be(at: number): number {
    this.reads += 1;
    return super.u32be(at);
  }

  override u32le(at: number): number {
    this.reads += 1;
    return super.u32le(at);
  }

  override latin1(at: number, length: number): string {
    this.reads += 1;
    return super.latin1(at, length);
  }
}

describe('the work on one file is bounded by counts, whatever its size', () => {
  const MIB8 = 8 * 1024 * 1024;
  const fill = (head: Buffer, unit: Buffer) => Buffer.concat([head, Buffer.alloc(MIB8 - head.length, unit)]);
  const files: readonly (readonly [name: string, file: Buffer])[] = [
    ['png of empty chunks', fill(pngWithout([pngHeader(1, 1)]), pngChunk('tEXt', ''))],
    ['jpeg of empty segments', fill(Buffer.from([0xff, 0xd8]), jpegSegment(0xfe, ''))],
    ['jpeg of fill bytes', fill(Buffer.from([0xff, 0xd8]), Buffer.from([0xff]))],
    ['gif of the shortest sub-blocks', fill(gif(1, 1).subarray(0, 44), Buffer.from([1, 0]))],
    ['gif of empty extensions', fill(gif(1, 1).subarray(0, 25), Buffer.from([0x21, 0xf9, 0]))],
    [
      'webp of empty chunks',
      fill(Buffer.concat([webpExtended(1, 1).subarray(0, 30)]), riffChunk('JUNK', '')),
    ],
    ['avif of empty boxes', fill(avif(1, 1).subarray(0, 24), box('free'))],
    ['svg-like noise', fill(Buffer.from('<'), Buffer.from('<!--'))],
    ['markup of the shortest comments', fill(Buffer.from('<!---->'), Buffer.from('<!---->'))],
  ];

  test.each(files)('%s', (_name, file) => {
    const reader = new CountingBytes(file);
    expect(() => readImageType(reader)).toThrow(Problem);
    expect(reader.reads).toBeLessThan(110_000);
  });
});
