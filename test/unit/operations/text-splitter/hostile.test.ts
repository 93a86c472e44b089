import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeHostile } from '../../../fixtures/text-corpus/hostile.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { asWritten } from './as-written.ts';
import { type CheckedPiece, findDefects } from './check-split.ts';
import { WorkCounter } from '../../../fixtures/work-counter.ts';

/** Code units of the texts whose chunks are checked. */
const LARGE = quickOrFull(4_500, 100_000);

/** Code units of the shorter of two texts whose work is counted. The longer one has ten times as many. */
const SMALL = quickOrFull(1_200, 10_000);
/** Of the chunks whose work is counted: in shorter chunks, what is done for each of them shows in shorter texts. */
const MAX_LENGTH = quickOrFull(400, 2_000);
const TIMES = 10;
/** Ten times the work is linear. A square term of a fiftieth at the shorter length exceeds this. */
const WORK_FACTOR_MAX = 12;
/** Coverage blocks that run for each code unit, in all steps together. */
const WORK_PER_UNIT_MAX = 150;

function piece(chunk: string, start: number, prefixLength = 0): CheckedPiece {
  return { chunk, start, end: start + chunk.length - prefixLength, prefixLength };
}

function kinds(text: string, chunks: readonly CheckedPiece[], limit = 2000): string[] {
  return findDefects(text, chunks, limit).map(({ defect }) => defect);
}

describe('hostile patterns', () => {
  test.each(makeHostile(LARGE))('with %s make sound chunks', (_name, text) => {
    const { chunks, pieces } = splitText(text, { maxChunks: 1_000_000 });
    let last = 0;
    for (const [index, { start, end, addedPrefix, addedSuffix }] of pieces.entries()) {
      const chunk = chunks[index] ?? '';
      expect(chunk.length).toBeLessThanOrEqual(2000);
      expect(chunk.trim()).not.toBe('');
      expect(text.slice(last, start).trim()).toBe('');
      expect(chunk).toBe(addedPrefix + text.slice(start, end) + addedSuffix);
      last = end;
    }
    expect(text.slice(last).trim()).toBe('');
  });

  describe.each(['plain', 'code'] as const)('in mode %s, hostile patterns', (mode) => {
    test.each(makeHostile(LARGE))('with %s make chunks that fit and lose no text', (_name, given) => {
      const { chunks, pieces } = splitText(given, { mode, maxChunks: 1_000_000 });
      const text = asWritten(given, mode);
      expect(chunks.filter(({ length }) => length > 2000)).toEqual([]);
      const ends = [0, ...pieces.map(({ end }) => end)];
      const starts = [...pieces.map(({ start }) => start), text.length];
      expect(starts.filter((start, index) => text.slice(ends[index], start).trim() !== '')).toEqual([]);
    });
  });

  describe('take work in proportion to their length', () => {
    let counter: WorkCounter;
    beforeAll(async () => {
      counter = await WorkCounter.start('text-splitter');
    });
    afterAll(() => counter[Symbol.asyncDispose]());
    const countWork = (text: string) =>
      counter.count(() => splitText(text, { maxLength: MAX_LENGTH, maxChunks: 1_000_000 }));

    const large = makeHostile(SMALL * TIMES);
    test.each(
      makeHostile(SMALL).map(([name, text], index) => [name, text, large[index]?.[1] ?? ''] as const),
    )('%s', async (_name, short, long) => {
      const before = await countWork(short);
      expect(before).toBeGreaterThan(0);
      const work = await countWork(long);
      expect(work / before).toBeLessThan(WORK_FACTOR_MAX);
      expect(work / long.length).toBeLessThan(WORK_PER_UNIT_MAX);
    });
  });

  test('are checked by a checker that notices defects', () => {
    expect(kinds('abc', [piece('abc', 0)])).toEqual([]);
    expect(kinds('abc', [piece('abc', 0)], 2)).toEqual(['over the limit']);
    expect(kinds('abc def', [piece('abc', 0)])).toEqual(['lost or repeated']);
    expect(kinds('abc def', [piece('abc d', 0), piece('def', 4)])).toContain('lost or repeated');
    expect(kinds('abcdef', [piece('abc', 0), piece('def', 3)])).toEqual(['word cut']);
    expect(kinds('e\u0301', [piece('e', 0), piece('\u0301', 1)])).toContain('grapheme split');
    expect(kinds('<@12345678> x', [piece('<@123', 0), piece('45678> x', 5)])).toContain('token split');
    expect(kinds('**a b**', [piece('**a', 0), piece('b**', 4)])).toContain('style changed');
    expect(kinds('```\na\nb\n```', [piece('```\na', 0), piece('b\n```', 6)])).toContain('fence broken');
  });
});
