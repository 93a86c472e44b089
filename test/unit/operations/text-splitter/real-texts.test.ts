import { describe, expect, test } from 'vitest';

import { sampleOf } from '../../../fixtures/full-run.ts';
import { readRealTexts } from '../../../fixtures/text-corpus/real-texts.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { readBounded, type StyleMap } from './discord-reader.ts';

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Han', 'Hiragana', 'Hangul', 'Arabic', 'Devanagari', 'Thai'];
const LETTERS_MIN = 300;

const texts = readRealTexts();

/** Anything that is not text is no style either, and a token is text. */
function nameOf(style: string | undefined): string {
  return (style ?? '').replace(/ ?token/, '').trim();
}

function styleChange(
  chunk: StyleMap,
  whole: StyleMap,
  text: string,
  start: number,
  end: number,
  prefix: number,
) {
  for (let at = start; at < end; at += 1) {
    if (/\s/.test(text[at] ?? '')) continue;
    const [before, after] = [nameOf(whole[at]), nameOf(chunk[prefix + at - start])];
    if (before !== after) {
      return `${JSON.stringify(`${text.slice(Math.max(0, at - 30), at)}¦${text.slice(at, at + 20)}`)}: ${before} became ${after}`;
    }
  }
  return null;
}

describe('the corpus of real texts', () => {
  test('has at least 150 documents in five scripts', () => {
    expect(texts.length).toBeGreaterThanOrEqual(150);
    const all = texts.map(({ text }) => text).join('');
    const hasEnough = (name: string) =>
      all
        .matchAll(new RegExp(`\\p{sc=${name}}`, 'gu'))
        .take(LETTERS_MIN)
        .toArray().length === LETTERS_MIN;
    expect(SCRIPTS.filter(hasEnough)).toEqual(SCRIPTS);
  });

  test.each([500, 2000])('looks the same in chunks of %i as its authors meant it', (maxLength) => {
    const changes = sampleOf(texts, 16).flatMap(({ name, text }) => {
      const whole = readBounded(text, maxLength);
      const { chunks, pieces } = splitText(text, { maxLength });
      return pieces.flatMap(({ start, end, addedPrefix, cut }, index) => {
        if (cut === 'forced' || pieces[index - 1]?.cut === 'forced') return [];
        const own = readBounded(chunks[index] ?? '', maxLength);
        const change = styleChange(own, whole, text, start, end, addedPrefix.length);
        return change === null ? [] : [`${name}: ${change}`];
      });
    });
    expect(changes).toEqual([]);
  });

  test.each([500, 2000])('can be joined again to the same words from chunks of %i', (maxLength) => {
    const broken = sampleOf(texts, 6)
      .filter(({ text }) => !isJoined(text, maxLength))
      .map(({ name }) => name);
    expect(broken).toEqual([]);
  });
});

/** A chunk without what was added is the text's own, and between two there is only white space. */
function isJoined(text: string, maxLength: number): boolean {
  const { chunks, pieces } = splitText(text, { maxLength });
  const gaps = [...pieces.slice(1), { start: text.length }].map(({ start }, index) => ({
    gap: text.slice(pieces[index]?.end, start),
    isInCode: /^\n(?:> )?(?:`{3,}|~{3,})/.test(pieces[index]?.addedSuffix ?? ''),
  }));
  return (
    text.slice(0, pieces[0]?.start).trim() === '' &&
    chunks.every((chunk) => chunk.length <= maxLength && chunk.trim() !== '') &&
    pieces.every(
      ({ start, end, addedPrefix, addedSuffix }, index) =>
        chunks[index] === addedPrefix + text.slice(start, end) + addedSuffix,
    ) &&
    gaps.every(({ gap, isInCode }) => (isInCode ? /^(?:\r?\n)?$/ : /^\s*$/).test(gap))
  );
}
