import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseLine } from '../../../../src/operations/parse-args/parse-line.ts';
import { LONE_UNITS, TIME_LANGUAGES } from '../../../../src/operations/parse-args/time-words.ts';
import { ENGLISH } from './cases/lengths/english.ts';
import { FRENCH } from './cases/lengths/french.ts';
import { GERMAN } from './cases/lengths/german.ts';
import { PORTUGUESE } from './cases/lengths/portuguese.ts';
import { RUSSIAN } from './cases/lengths/russian.ts';
import { SPANISH } from './cases/lengths/spanish.ts';
import { TURKISH } from './cases/lengths/turkish.ts';
import { A, SECOND } from './cases/line-case.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';

const TABLES = {
  en: ENGLISH,
  ru: RUSSIAN,
  fr: FRENCH,
  es: SPANISH,
  'pt-BR': PORTUGUESE,
  de: GERMAN,
  tr: TURKISH,
};

/** Everything in the tables of the languages, and what is between such words. */
const WORDS = [
  ...new Set(
    TIME_LANGUAGES.flatMap((language) => [
      ...Object.values(language.units),
      ...Object.values(language.numbers),
      ...(language.lengths ?? []).map(([phrases]) => phrases),
      ...Object.values(language.addedFractions),
      language.and,
      language.for,
      language.in,
      language.forPostpositions,
      language.inPostpositions,
      language.prose,
      language.past,
      language.lateness,
      language.without,
      language.notUnits,
      language.pronouns,
    ]).flatMap((phrases = '') => phrases.split(',').map((phrase) => phrase.trim())),
  ),
].filter((phrase) => phrase !== '');
const rest = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS),
      fc.constantFrom('1', '2', '30', '½', '1/2', '7d', '1h30', '1h:30m', '7-day', 'spam', 'xyz', 'hour', 'час', 'gün', 'día'),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((words) => words.join(' ')); // prettier-ignore

/** What is lost of a text: neither in the time nor in the reason, nor a word that leads to a time or follows one. */
function lostOf(text: string): string[] {
  const { duration, reason } = parseLine(`!ban <@${A}> ${text}`);
  if (duration === null) return reason === text ? [] : [text];
  const at = text.indexOf(duration);
  const end = text.length - (reason?.length ?? 0);
  if (text.slice(end) !== (reason ?? '')) return [text];
  return [text.slice(0, at), text.slice(at + duration.length, end)]
    .map((words) => strip(words.trim()))
    .filter((words) => words !== '' && !LED.has(words));
}

function strip(words: string): string {
  return words.normalize('NFD').replaceAll(/\p{M}/gu, '');
}

const LED = new Set(
  TIME_LANGUAGES.flatMap((language) => [language.for, language.forPostpositions])
    .flatMap((phrases = '') => phrases.split(','))
    .map((phrase) => strip(phrase.trim())),
);

test.each([1, 2026, 77_777])('a line without a length keeps its whole reason, seed %i', (seed) => {
  fc.assert(
    fc.property(rest, (text) => {
      expect([text, lostOf(text)]).toEqual([text, []]);
    }),
    { seed, numRuns: quickOrFull(1_500, 5_000) },
  );
});

/** The ways in which a length is written around, each with what is then read. */
function readAround(duration: string): [string, ReturnType<typeof parseLine>][] {
  const lines = [
    `!ban <@${A}> ${duration}, xyz`,
    `!ban <@${A}> (${duration}) xyz`,
    `!ban ${duration} <@${A}> xyz`,
  ];
  return lines.map((line) => [line, parseLine(line)]);
}

describe.each(Object.entries(TABLES))('lengths in %s', (_language, cases) => {
  const lengths = cases.flatMap(({ expected: { duration, duration_ms } }) =>
    duration === undefined || duration_ms === undefined ? [] : [{ duration, durationMs: duration_ms }],
  );

  test('are tested with at least sixty lines', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
  });

  test('mean the same before a punctuation mark, before a target, in brackets and without a command', () => {
    for (const { duration, durationMs } of lengths) {
      for (const [line, read] of readAround(duration)) {
        expect([line, read]).toMatchObject([line, { duration, durationMs, reason: 'xyz' }]);
      }
      expect(parseLine(`<@${A}> ${duration}`, true)).toMatchObject({ duration, durationMs, reason: null });
    }
  });

  test('mean the same before a reason', () => {
    // Before other words "час" may be part of a sentence, and "une seconde" a number.
    const plain = lengths.filter(
      ({ duration, durationMs }) => !LONE_UNITS.has(duration.toLowerCase()) && durationMs !== SECOND,
    );
    for (const { duration, durationMs } of plain) {
      expect(parseLine(`!ban <@${A}> ${duration} xyz`)).toMatchObject({
        duration,
        durationMs,
        reason: 'xyz',
      });
    }
  });
});

test('a number word has one meaning in all languages', () => {
  const counts = new Map<string, number>();
  for (const { numbers } of TIME_LANGUAGES) {
    for (const [count, words] of Object.entries(numbers)) {
      for (const word of words.split(',').map((each) => each.trim())) {
        expect([word, counts.get(word) ?? Number(count)]).toEqual([word, Number(count)]);
        counts.set(word, Number(count));
      }
    }
  }
});
