import fc from 'fast-check';
import { expect, test } from 'vitest';

import { quickOrFull } from '../../../fixtures/full-run.ts';
import type { SplitOptions } from '../../../../src/operations/text-splitter/split-options.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { type Limits, type KnownText, markdownText, plainText, Ways } from './cheapest-model.ts';

const parameters = {
  numRuns: Number(process.env['SPLITTER_RUNS'] ?? quickOrFull(60, 150)),
  seed: Number(process.env['SPLITTER_SEED'] ?? 1),
};

const limits: fc.Arbitrary<Limits> = fc.record({
  maxLength: fc.constantFrom(60, 80, 120, 200, 400),
  prefer: fc.constantFrom<SplitOptions['prefer'][]>(
    'fewest',
    'fewest',
    'paragraph',
    'line',
    'sentence',
    'word',
  ),
  prepend: fc.constantFrom('', '', '…'),
  append: fc.constantFrom('', '', ' (more)'),
});

function check(known: KnownText, chosen: Limits, mode: 'markdown' | 'plain'): void {
  const ways = new Ways(known, chosen);
  const cheapest = ways.cheapest();
  // Where no way fits, cuts are made where there are no places.
  fc.pre(cheapest !== null);
  const { pieces } = splitText(known.text, { ...chosen, mode });
  const { cost, ...counts } = ways.costOf(pieces);
  const { cost: lowest, ...fewest } = cheapest;
  expect(counts).toEqual(fewest);
  expect(cost).toBeCloseTo(lowest, 3);
}

test('Markdown is cut where it costs least, as brute force shows', () => {
  fc.assert(
    fc.property(markdownText, limits, (known, chosen) => check(known, chosen, 'markdown')),
    parameters,
  );
});

test('plain text is cut where it costs least, as brute force shows', () => {
  fc.assert(
    fc.property(plainText, limits, (known, chosen) => check(known, chosen, 'plain')),
    parameters,
  );
});

/** Some of them run together: flags into pairs, accents into what is before them. */
const CHARACTERS = [
  'a',
  'bc',
  'defghijklm',
  'e\u0301',
  '\u0302',
  '👨‍👩‍👧',
  '👍🏽',
  '🇩🇪',
  '🇫',
  'ن\u064e',
  '\u1112\u1161\u11ab',
];
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

test('a word longer than a chunk is cut between characters into as few chunks as a simple loop makes', () => {
  const word = fc.array(fc.constantFrom(...CHARACTERS), { minLength: 5, maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(word, fc.constantFrom(40, 61, 300), (characters, maxLength) => {
      const text = `x${characters.join('')}`;
      const filled = [0];
      const boundaries = new Set([text.length]);
      for (const { index, segment } of segmenter.segment(text)) {
        boundaries.add(index);
        if (segment.length + index - (filled.at(-1) ?? 0) > maxLength) filled.push(index);
      }
      const { pieces } = splitText(text, { maxLength });
      expect(pieces.filter(({ end }) => !boundaries.has(end))).toEqual([]);
      expect(pieces).toHaveLength(filled.length);
    }),
    parameters,
  );
});
