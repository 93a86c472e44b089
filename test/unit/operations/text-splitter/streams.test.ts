import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { quickOrFull, sampleOf } from '../../../fixtures/full-run.ts';
import { readRealTexts } from '../../../fixtures/text-corpus/real-texts.ts';
import type { SplitOptions } from '../../../../src/operations/text-splitter/split-options.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { closedText, discordText, noise } from './discord-text.ts';
import { difference, partsOf, restMax, shares, stream } from './stream-law.ts';

const streamOf = (parts: readonly string[], options: Partial<SplitOptions>) =>
  stream(parts, (text, isFinal) => splitText(text, { ...options, isFinal }));

const longText = fc
  .tuple(fc.array(closedText, { maxLength: 7 }), discordText)
  .map(([texts, last]) => [...texts, last].join('\n\n'));

/** Markers that mean something at the start of a line, all over the text. */
const lineMarkers = fc
  .array(
    fc.constantFrom(
      'word',
      'words of',
      '> ',
      '# ',
      '- ',
      '>>> ',
      '-# ',
      '1. ',
      'https://example.com/a/b/c',
      '**b**',
      '\n',
      '\n',
      'longwordlongwordlongword',
    ),
    { minLength: 20, maxLength: 150, size: 'max' },
  )
  .map((parts) => parts.join(' '));
const linesOfMarkers = fc.array(lineMarkers, { minLength: 1, maxLength: 4 }).map((texts) => texts.join(' '));

/** Styles about as long as a chunk, and tokens in them: what closes them arrives long after they began. */
const longStyles = fc
  .array(
    fc.tuple(
      fc.constantFrom('**', '__', '~~', '||', '*', '`', ''),
      fc.constantFrom(
        'word ',
        'a <@123456789012345678> ',
        '[link](https://example.com/a) ',
        'https://example.com/b ',
      ),
      fc.integer({ min: 1, max: 250 }),
    ),
    { minLength: 3, maxLength: 10 },
  )
  .map((parts) =>
    parts
      .map(([mark, words, length]) => mark + words.repeat(Math.ceil(length / words.length)).trim() + mark)
      .join(' and '),
  );

const numRuns = Number(process.env['SPLITTER_RUNS'] ?? quickOrFull(10, 100));

describe('a text that arrives in parts', () => {
  test('looks like one that arrives together', () => {
    fc.assert(
      fc.property(longText, shares, fc.constantFrom(200, 300, 500, 2000), (text, cutAt, maxLength) => {
        const options = { maxLength };
        // Joined texts can be read in two ways: a quote in the rest quote of the text before.
        fc.pre(difference(text, splitText(text, options).chunks, options) === null);
        const { chunks } = streamOf(partsOf(text, cutAt), options);
        expect(difference(text, chunks, options)).toBe(null);
      }),
      { numRuns, seed: 7 },
    );
  });

  test('keeps a long block in its fence when an empty one arrives right before it', () => {
    const text = `\`\`\`\n\n\`\`\`js\n${'let a = 1;\n'.repeat(400)}\`\`\`\nend`;
    const options = { maxLength: 300 };
    const { chunks } = streamOf(text.match(/[^]{1,400}/g) ?? [], options);
    expect(difference(text, chunks, options)).toBe(null);
  });

  test('waits until a line, a word or a URL cannot become something else', () => {
    fc.assert(
      fc.property(
        linesOfMarkers,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(60, 120, 300),
        (text, step, maxLength) => {
          const options = { maxLength };
          fc.pre(difference(text, splitText(text, options).chunks, options) === null);
          const parts = text.match(new RegExp(`[^]{1,${step}}`, 'g')) ?? [];
          expect(difference(text, streamOf(parts, options).chunks, options)).toBe(null);
        },
      ),
      { numRuns, seed: 3 },
    );
  });

  test('looks the same when it grows by a few characters at a time', () => {
    const options = { maxLength: 300 };
    fc.assert(
      fc.property(
        fc.oneof(longStyles, longStyles, discordText),
        fc.integer({ min: 1, max: 60 }),
        (text, step) => {
          fc.pre(difference(text, splitText(text, options).chunks, options) === null);
          const parts = text.match(new RegExp(`[^]{1,${step}}`, 'g')) ?? [];
          expect(difference(text, streamOf(parts, options).chunks, options)).toBe(null);
        },
      ),
      { numRuns, seed: 7 },
    );
  });

  test('makes chunks that fit and a rest that stays small, whatever its content', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(noise, discordText), { minLength: 1, maxLength: 40, size: 'max' }),
        shares,
        fc.constantFrom(50, 100, 300, 1000),
        (texts, cutAt, maxLength) => {
          const { chunks, rests } = streamOf(partsOf(texts.join(' '), cutAt), { maxLength });
          expect(chunks.filter((chunk) => chunk.length > maxLength || chunk.trim() === '')).toEqual([]);
          expect(rests.filter(({ length }) => length > restMax(maxLength))).toEqual([]);
        },
      ),
      { numRuns, seed: 7 },
    );
  });

  test('looks as its authors meant it', () => {
    const changes = sampleOf(readRealTexts(), 24).flatMap(({ name, text }) => {
      const parts = text.match(/[^]{1,1500}/g) ?? [];
      const { chunks, rests } = streamOf(parts, { maxLength: 2000 });
      expect(rests.filter(({ length }) => length > restMax(2000))).toEqual([]);
      const change = difference(text, chunks, {});
      return change === null ? [] : [`${name}: ${change}`];
    });
    expect(changes).toEqual([]);
  });

  test('keeps back the last two chunks of prose', () => {
    const prose = 'One two three four five six seven eight nine ten. '.repeat(50);
    const { chunks, rest } = splitText(prose, { maxLength: 500, isFinal: false });
    expect(chunks.length).toBe(3);
    expect(chunks.join(' ') + ' ' + rest).toBe(prose);
  });

  test.each([
    ['a block of code', '```js\nlet a;\n', 'let b;\n', /^```js\nlet b;/],
    ['a quote', '>>> said\n', 'and said more\n', /^>>> and said/],
  ])('carries an open %s', (_name, opening, line, expected) => {
    const { chunks, rest } = splitText(opening + line.repeat(200), { maxLength: 300, isFinal: false });
    expect(chunks.length).toBeGreaterThan(0);
    expect(rest).toMatch(expected);
  });

  test('carries a style that is open at the cut', () => {
    const text = `||${'spoiler words '.repeat(30)}||${' plain words'.repeat(300)}`;
    const { chunks, rest } = splitText(text, { maxLength: 450, isFinal: false });
    const early = splitText(text.slice(0, 3400), { maxLength: 450, isFinal: false });
    expect(chunks[0]?.startsWith('||')).toBe(true);
    const all = [...chunks, ...splitText(rest ?? '', { maxLength: 450 }).chunks];
    expect(difference(text, all, { maxLength: 450 })).toBe(null);
    expect(chunks.slice(0, early.chunks.length)).toEqual(early.chunks);
  });

  test('is fenced once in each chunk when it is all code', () => {
    const code = 'let a = 1;\n'.repeat(400);
    const options = { maxLength: 300, mode: 'code' as const, language: 'js' };
    const { chunks } = streamOf(partsOf(code, [200, 700, 900]), options);
    expect(chunks.every((chunk) => /^```js\n(?:let a = 1;\n)+\n?```$/.test(chunk))).toBe(true);
    expect(chunks.join('').match(/let a/g)?.length).toBe(400);
  });

  test('waits with its last words, which may not fill a chunk, however many blanks follow', () => {
    const { chunks, rest } = splitText(`${'word '.repeat(190)}${' '.repeat(300)}`, {
      maxLength: 500,
      isFinal: false,
    });
    expect(chunks).toEqual([]);
    expect(rest?.trim()).toBe('word '.repeat(190).trim());
  });

  test('keeps its rest small when no chunk can begin', () => {
    const { rests } = streamOf(`a ${'- '.repeat(5_000)}`.match(/.{1,200}/g) ?? [], { maxLength: 100 });
    expect(Math.max(...rests.map(({ length }) => length))).toBeLessThanOrEqual(restMax(100));
  });

  test('may be blank so far, however long', () => {
    const blank = '\n'.repeat(100_000);
    expect(splitText(blank, { isFinal: false })).toMatchObject({ chunks: [], rest: blank });
  });
});
