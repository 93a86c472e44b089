import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  DEFAULT_OPTIONS,
  type SplitOptions,
} from '../../../../src/operations/text-splitter/split-options.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { Problem } from '../../../../src/kernel/problem.ts';
import { asWritten } from './as-written.ts';
import { type CheckedPiece, type Defect, findDefects } from './check-split.ts';
import { readBounded, readStyles } from './discord-reader.ts';
import { discordText, noise } from './discord-text.ts';

/** More runs and other seeds: `SPLITTER_RUNS=10000 SPLITTER_SEED=2 npm test -- text-splitter`. */
const numRuns = Number(process.env['SPLITTER_RUNS'] ?? quickOrFull(25, 200));
const seed = Number(process.env['SPLITTER_SEED'] ?? 1);
const parameters = { numRuns, seed };

function split(text: string, options: Partial<SplitOptions>) {
  const { chunks, pieces } = splitText(text, options);
  const checked = pieces.map((piece, index): CheckedPiece => {
    const isForced = piece.cut === 'forced' || pieces[index - 1]?.cut === 'forced';
    return {
      chunk: chunks[index] ?? '',
      start: piece.start,
      end: piece.end,
      prefixLength: piece.addedPrefix.length,
      isForced,
    };
  });
  return { chunks, pieces, checked };
}

function defectsOf(text: string, options: Partial<SplitOptions>, ignored: readonly Defect[] = []) {
  const { checked } = split(text, options);
  const { maxLength } = { ...DEFAULT_OPTIONS, ...options };
  return findDefects(text, checked, maxLength).filter(({ defect }) => !ignored.includes(defect));
}

/**
 * Null where a fence, which takes eight characters and more, is more than the limit, or where what is added to each
 * chunk is more than half of it, which no request may ask for.
 */
function splitOrRefuse(text: string, options: Partial<SplitOptions>) {
  try {
    return splitText(text, options);
  } catch (error) {
    const { prepend = '', append = '', counter = '', maxLength = 0 } = options;
    const isNarrow = options.mode === 'code' || (prepend + append + counter).length > maxLength / 2;
    if (error instanceof Problem && error.code === 'limit_too_small' && isNarrow) return null;
    throw error;
  }
}

/** True when a client that sees the whole text and its author read the same: no pair is longer than the limit. */
function hasOneMeaning(text: string, limit: number): boolean {
  return readStyles(text).join() === readBounded(text, limit).join();
}

describe('a text with one meaning', () => {
  test('has no defect at any limit that fits its marks', () => {
    fc.assert(
      fc.property(discordText, fc.constantFrom(200, 300, 500, 1000, 2000), (text, maxLength) => {
        fc.pre(hasOneMeaning(text, maxLength));
        expect(defectsOf(text, { maxLength })).toEqual([]);
      }),
      parameters,
    );
  });

  test('keeps its styles whatever is preferred', () => {
    const prefer = fc.constantFrom('paragraph', 'line', 'sentence', 'word');
    fc.assert(
      fc.property(discordText, prefer, (text, preferred) => {
        fc.pre(hasOneMeaning(text, 400));
        const options = { maxLength: 400, prefer: preferred as SplitOptions['prefer'] };
        expect(defectsOf(text, options)).toEqual([]);
      }),
      parameters,
    );
  });

  test('is cut into verbatim pieces when no mark is opened again', () => {
    fc.assert(
      fc.property(discordText, (text) => {
        const { chunks, pieces } = splitText(text, { maxLength: 150, reopen: false });
        expect(chunks).toEqual(pieces.map(({ start, end }) => text.slice(start, end)));
      }),
      parameters,
    );
  });
});

describe('any text', () => {
  const mode = fc.constantFrom('markdown' as const, 'markdown' as const, 'plain' as const, 'code' as const);
  const limit = fc.constantFrom(3, 5, 10, 20, 30, 50, 100, 200, 500);

  test('is never over the limit, lost, repeated, blank or cut within a grapheme that fits', () => {
    const ignored: Defect[] = ['fence broken', 'style changed', 'token split', 'word cut'];
    fc.assert(
      fc.property(noise, limit, mode, fc.boolean(), (text, maxLength, chosen, reopen) => {
        try {
          const small: Defect[] = maxLength < 60 ? ['grapheme split'] : [];
          const options = { maxLength, mode: chosen, reopen };
          expect(defectsOf(asWritten(text, chosen), options, [...ignored, ...small])).toEqual([]);
        } catch (error) {
          // A fence takes eight characters and more, whatever the limit is.
          const isTooSmall = chosen === 'code';
          if (!(error instanceof Problem && error.code === 'limit_too_small' && isTooSmall)) throw error;
        }
      }),
      parameters,
    );
  });

  test('is returned unchanged when it fits, and the same way each time', () => {
    fc.assert(
      fc.property(fc.oneof(noise, discordText), (text) => {
        const whole = splitText(text, { maxLength: 100_000 }).chunks;
        expect(whole).toEqual(text.trim() === '' ? [] : [text]);
        expect(splitText(text, { maxLength: 120 })).toEqual(splitText(text, { maxLength: 120 }));
      }),
      parameters,
    );
  });

  test('leaves out white space only between chunks, and one line break within code', () => {
    fc.assert(
      fc.property(fc.oneof(noise, discordText), (text) => {
        const { pieces } = splitText(text, { maxLength: 200 });
        const gaps = pieces.slice(1).map(({ start }, index) => {
          const before = pieces[index];
          return {
            gap: text.slice(before?.end, start),
            inFence: before?.addedSuffix.includes('\n```') === true,
          };
        });
        expect(gaps.filter(({ gap }) => gap.trim() !== '')).toEqual([]);
        expect(gaps.filter(({ gap, inFence }) => inFence && !/^(?:\r?\n)?$/.test(gap))).toEqual([]);
      }),
      parameters,
    );
  });
});

describe('a limit of lines', () => {
  const line = fc.constantFrom(
    'one two',
    '- item',
    '> quote',
    '',
    '# head',
    '```js\nlet a;\n\nlet b;\n```',
    '**b**',
  );
  const text = fc.array(line, { minLength: 1, maxLength: 30, size: 'max' }).map((lines) => lines.join('\n'));
  const limits = fc.record({
    maxLines: fc.constantFrom(8, 9, 12),
    prepend: fc.constantFrom('', '…', '…\n'),
    append: fc.constantFrom('', '…'),
    counter: fc.constantFrom('', '({i}/{n})'),
  });
  test('counts the added lines too', () => {
    fc.assert(
      fc.property(text, limits, (lines, options) => {
        const { chunks } = splitText(lines, { maxLength: 300, ...options });
        expect(chunks.filter((chunk) => chunk.trim().split('\n').length > options.maxLines)).toEqual([]);
      }),
      parameters,
    );
  });
});

describe('any options', () => {
  const affix = fc.constantFrom('', 'pre', '**x**', '> ', '🇩🇪');
  const options = fc.record({
    maxLength: fc.constantFrom(40, 60, 100, 200, 500),
    mode: fc.constantFrom('markdown' as const, 'plain' as const, 'code' as const),
    prefer: fc.constantFrom('fewest' as const, 'line' as const, 'word' as const),
    reopen: fc.boolean(),
    maxLines: fc.constantFrom(null, 1, 2, 5),
    prepend: affix,
    append: affix,
    counter: fc.constantFrom('', '({i}/{n})', ' — {i} of {n} —', '{n}{n}{n}'),
    maxChunks: fc.constantFrom(null, 1, 3),
    overflow: fc.constant('truncate' as const),
  });
  test('make chunks that fit, and pieces that report their origin', () => {
    fc.assert(
      fc.property(fc.oneof(noise, discordText), options, (given, chosen) => {
        const result = splitOrRefuse(given, chosen);
        const text = asWritten(given, chosen.mode);
        if (result === null) return;
        const { chunks, pieces, truncated } = result;
        expect(chunks.filter(({ length }) => length > chosen.maxLength)).toEqual([]);
        expect(chunks.filter((chunk) => chunk.trim() === '')).toEqual([]);
        expect(chunks.length).toBeLessThanOrEqual(chosen.maxChunks ?? Infinity);
        expect(
          pieces.map(
            ({ start, end, addedPrefix, addedSuffix }) => addedPrefix + text.slice(start, end) + addedSuffix,
          ),
        ).toEqual(chunks);
        const ends = [0, ...pieces.map(({ end }) => end)];
        const starts = pieces.map(({ start }) => start);
        if (!truncated) starts.push(text.length);
        expect(starts.filter((start, index) => text.slice(ends[index], start).trim() !== '')).toEqual([]);
        expect(starts.filter((start, index) => start < (ends[index] ?? 0))).toEqual([]);
      }),
      parameters,
    );
  });
});
