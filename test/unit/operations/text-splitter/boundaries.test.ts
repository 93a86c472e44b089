import fc from 'fast-check';
import { expect, test } from 'vitest';

import { quickOrFull } from '../../../fixtures/full-run.ts';
import { Boundaries, clusterBoundaries } from '../../../../src/operations/text-splitter/chars/boundaries.ts';
import { standsAlone } from '../../../../src/operations/text-splitter/chars/char-class.ts';
import { MarkupReopener } from '../../../../src/operations/text-splitter/cuts/reopen-markup.ts';
import { LEVEL, startAt, TextWalk } from '../../../../src/operations/text-splitter/cuts/text-walk.ts';

const parameters = {
  numRuns: Number(process.env['SPLITTER_RUNS'] ?? quickOrFull(30, 60)),
  seed: Number(process.env['SPLITTER_SEED'] ?? 1),
};

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters that join their neighbours, by each rule of Unicode for clusters, among others that do not. */
const JOINING = [
  '\u0301',
  '🇩',
  '🇪',
  '\u200d',
  '👩',
  '🏽',
  '\u1112',
  '\u1161',
  '\u11ab',
  '가',
  'क',
  '\u094d',
  'ष',
];
const OTHER = ['a', 'é', 'abcdef', '日本', '\r', '\n', '\u0600', '\ud83d', '\udc69', '©', '\u00ad'];

const text = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.nat(JOINING.length + OTHER.length - 1), { minLength: 2, maxLength: 500, size: 'max' }),
  )
  .map(([onlyJoining, choice]) => {
    const characters = onlyJoining ? JOINING : [...JOINING, ...OTHER];
    return choice.map((at) => characters[at % characters.length]).join('');
  });

function boundariesOf(whole: string): number[] {
  return Array.from(segmenter.segment(whole), ({ index }) => index).slice(1);
}

test('the segmenter finds all clusters within a text, without its ends', () => {
  fc.assert(
    fc.property(text, (whole) => {
      expect([...clusterBoundaries(whole, 0, whole.length)]).toEqual(boundariesOf(whole));
    }),
    parameters,
  );
});

test('the segmenter finds clusters of text without joining characters too', () => {
  const units = Array.from({ length: 0x300 }, (_, unit) => String.fromCharCode(unit)).filter(
    (one) => one !== '\r',
  );
  const pairs = units.flatMap((one) => [one, 'a', one, one, '©', one]).join('');
  for (const whole of [pairs, pairs + '\r', `a\r\nb`]) {
    expect([...clusterBoundaries(whole, 0, whole.length)]).toEqual(boundariesOf(whole));
  }
});

test('each position is between two clusters or within one, as Unicode says, in any order of calls', () => {
  fc.assert(
    fc.property(text, fc.infiniteStream(fc.nat()), (given, jumps) => {
      const whole = given.repeat(4);
      const expected = new Set(boundariesOf(whole));
      const clusters = new Boundaries(whole, 'grapheme');
      const inOrder = Array.from({ length: whole.length - 1 }, (_, at) => at + 1);
      const inNone = Array.from(jumps.take(50), (jump) => 1 + (jump % (whole.length - 1)));
      const wrong = [...inOrder, ...inNone].filter((at) => clusters.has(at) !== expected.has(at));
      expect(wrong).toEqual([]);
    }),
    parameters,
  );
});

test('characters that stand alone join no neighbour that does', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => unit).filter(standsAlone);
  const whole = units.map((unit) => String.fromCharCode(unit, 0x6c49, unit, unit)).join('');
  expect(boundariesOf(whole)).toHaveLength(whole.length - 1);
});

test('the segmenter is not asked between ideographs, kana and wide punctuation', () => {
  class NeverAsked extends Boundaries {
    override has(at: number): boolean {
      throw new Error(`asked at ${at}`);
    }
  }
  const whole = '好！中文。「カタカナ」、ひらがな（ｗｉｄｅ）';
  const options = {
    text: whole,
    markup: { tokens: [], styles: [] },
    clusters: new NeverAsked(whole, 'grapheme'),
    words: new NeverAsked(whole, 'word'),
    reopener: new MarkupReopener(100, true),
    capacity: 100,
    readsLines: true,
    lines: null,
  };
  const walk = new TextWalk(options, LEVEL.natural, startAt(0));
  for (let at = 1; at < whole.length; at += 1) expect(walk.isClusterBoundary(at)).toBe(true);
});
