import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { SplitOptions } from '../../../src/operations/text-splitter/split-options.ts';
import { splitText } from '../../../src/operations/text-splitter/split-text.ts';
import { MEASURES } from './check-split.ts';
import { fenceText, placesAtFences } from './fence-text.ts';
import { difference, partsOf, restMax, shares, stream } from './stream-law.ts';

type Options = Partial<SplitOptions> & { readonly maxLength: number };

/** More runs and other seeds: `SPLITTER_RUNS=10000 SPLITTER_SEED=2 npm test -- text-splitter`. */
const numRuns = Number(process.env['SPLITTER_RUNS'] ?? 150);
const seed = Number(process.env['SPLITTER_SEED'] ?? 1);

const limit = fc.constantFrom(60, 80, 100, 150, 200, 300, 500);
const step = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 60 }));

/** Signs in any order can be read in two ways; what counts are texts that show the same however they are split. */
function hasOneReading(text: string, options: Options): boolean {
  const ways: Partial<SplitOptions>[] = [{}, { maxLines: 1 }, { maxLines: 4 }, { prefer: 'balanced' }];
  return ways.every(
    (way) => difference(text, splitText(text, { ...options, ...way }).chunks, options) === null,
  );
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, '');
}

function inSteps(text: string, length: number): string[] {
  return text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
}

/** The difference between what the chunks of a text in parts show and what its whole does; null when there is none. */
function findChange(text: string, parts: readonly string[], options: Options): string | null {
  const { maxLength, lengthUnit = 'utf16' } = options;
  const read: string[] = [];
  const { chunks, rests } = stream(parts, (part, isFinal) => {
    read.push(part);
    return splitText(part, { ...options, isFinal });
  });
  const measure = MEASURES[lengthUnit];
  if (chunks.some((chunk) => measure(chunk) > maxLength || chunk.trim() === ''))
    return 'a long or blank chunk';
  if (rests.some((rest) => MEASURES.codepoints(rest) > restMax(maxLength))) return 'a long rest';
  const change = difference(text, chunks, options);
  return change !== null && [text, ...read].every((one) => hasOneReading(one, options)) ? change : null;
}

describe('blocks of code that arrive in parts', () => {
  test('show the same as when they come at once, however their signs are mixed', () => {
    const maxLines = fc.constantFrom(null, null, 6, 12);
    const unit = fc.constantFrom('utf16' as const, 'codepoints' as const, 'bytes' as const);
    fc.assert(
      fc.property(
        fenceText,
        limit,
        unit,
        maxLines,
        shares,
        step,
        (text, maxLength, lengthUnit, lines, cutAt, by) => {
          const parts = by === null ? partsOf(text, cutAt) : inSteps(text, by);
          expect(findChange(text, parts, { maxLength, lengthUnit, maxLines: lines })).toBe(null);
        },
      ),
      { numRuns, seed },
    );
  });

  test('show the same whatever comes after the first part', () => {
    const places = fc.array(fc.nat(), { minLength: 5, maxLength: 15, size: 'max' });
    fc.assert(
      fc.property(fenceText, limit, places, (text, maxLength, chosen) => {
        const options = { maxLength };
        const all = placesAtFences(text);
        for (const place of chosen) {
          const at = all[place % Math.max(1, all.length)] ?? 0;
          const { chunks, rest } = splitText(text.slice(0, at), { ...options, isFinal: false });
          const change = difference(text, [...chunks, (rest ?? '') + text.slice(at)], options);
          const counts = () => [text, text.slice(0, at)].every((one) => hasOneReading(one, options));
          expect(change !== null && counts() ? change : null).toBe(null);
        }
      }),
      { numRuns, seed },
    );
  });

  const PROSE = 'Some words of prose that go on for a while. ';
  const LINES = `${PROSE.trim()}\n`.repeat(8);

  test.each([
    ['a line of tildes that goes on as text', `~~~\n${LINES}~~~ is no end\n\n${PROSE}`],
    ['a line of tildes within a longer fence', `~~~~\n${LINES}~~~\n${LINES}~~~~\n${PROSE}`],
    ['tildes after text', `${PROSE.repeat(3)}~~~js\n${LINES}${PROSE}\n\n${PROSE}`],
    ['a fence after text', `${PROSE.repeat(3)}\`\`\`two words\n${LINES}\`\`\`\n${PROSE}`],
    ['a fence with a language after text', `${PROSE.repeat(3)}\`\`\`js\n${LINES}\`\`\`\n${PROSE}`],
    ['a sign that is only mentioned', `${PROSE}\`\`\` and more\n${LINES}\`\`\`js\nlet a;\n\`\`\`\n${PROSE}`],
    ['a fence in a quote', `> \`\`\`js\n> ${LINES.trim().replaceAll('\n', '\n> ')}\n> \`\`\`\n${PROSE}`],
    [
      'a fence in a quote that ends before it',
      `> \`\`\`\n> ${PROSE}\n${LINES}\n\`\`\`\n${LINES}\`\`\`\n${PROSE}`,
    ],
    ['a fence of tildes with back-ticks in it', `~~~\n${LINES}\`\`\`\n${LINES}~~~\n\`\`\`\n${LINES}\`\`\``],
    ['a fence with tildes in it', `\`\`\`\n${LINES}~~~\n${LINES}\`\`\`\n~~~\n${LINES}~~~\n${PROSE}`],
    ['a fence that nothing closes', `${PROSE}\n\`\`\`js\n${LINES.repeat(6)}`],
    ['words that begin like a block', `${PROSE.repeat(3)}# ${PROSE.repeat(3)}> ${PROSE.repeat(3)}- ${PROSE}`],
  ])('%s', (_name, text) => {
    for (const maxLength of [60, 90, 100, 150]) {
      const whole = difference(text, splitText(text, { maxLength }).chunks, { maxLength });
      for (const by of [1, 7, 50]) {
        const { chunks } = stream(inSteps(text, by), (part, isFinal) =>
          splitText(part, { maxLength, isFinal }),
        );
        expect([maxLength, by, difference(text, chunks, { maxLength })]).toEqual([maxLength, by, whole]);
      }
    }
  });

  test.each([
    ['tildes', `${PROSE}\n~~~\n${LINES.repeat(9)}~~~\n${PROSE}`],
    ['back-ticks after text', `${PROSE}\`\`\`\n${LINES.repeat(9)}\`\`\`\n${PROSE}`],
  ])('are waited for up to the longest rest when they begin with %s', (_name, text) => {
    const maxLength = 500;
    const { chunks, rests } = stream(inSteps(text, 100), (part, isFinal) =>
      splitText(part, { maxLength, isFinal }),
    );
    expect(difference(text, chunks, { maxLength })).toBe(null);
    expect(rests.filter(({ length }) => length > restMax(maxLength))).toEqual([]);
  });

  test.each(['# ', '> ', '- '])('repeat no %swhere a line is full of them', (sign) => {
    const text = `${PROSE}${sign.repeat(150)}`;
    const { chunks } = stream(inSteps(text, 20), (part, isFinal) =>
      splitText(part, { maxLength: 60, isFinal }),
    );
    expect(withoutBlanks(chunks.join(''))).toBe(withoutBlanks(text));
  });

  test.each(['markdown', 'plain', 'code'] as const)(
    'lose nothing in mode %s when nothing is opened again',
    (mode) => {
      fc.assert(
        fc.property(fenceText, limit, shares, (text, maxLength, cutAt) => {
          const options = { maxLength, mode, reopen: false };
          const { chunks, rests } = stream(partsOf(text, cutAt), (part, isFinal) =>
            splitText(part, { ...options, isFinal }),
          );
          const own =
            mode === 'code' ? chunks.map((chunk) => chunk.replaceAll(/^```\n|\n```$/g, '')) : chunks;
          expect(mode === 'code' ? own.filter((chunk) => chunk.includes('```')) : []).toEqual([]);
          expect(withoutBlanks(own.join('').replaceAll('\u200b', ''))).toBe(withoutBlanks(text));
          expect(rests.filter((rest) => rest.includes('\u200b'))).toEqual([]);
          expect(rests.filter(({ length }) => length > restMax(maxLength))).toEqual([]);
        }),
        { numRuns: Math.ceil(numRuns / 3), seed },
      );
    },
  );
});
