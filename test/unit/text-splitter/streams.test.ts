import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readRealTexts } from '../../../scripts/bench/text-splitter/real-texts.ts';
import { DEFAULT_OPTIONS, type SplitOptions } from '../../../src/operations/text-splitter/split-options.ts';
import { splitText } from '../../../src/operations/text-splitter/split-text.ts';
import { MEASURES, tailOfOpenFence } from './check-split.ts';
import { readBounded, type StyleMap } from './discord-reader.ts';
import { discordText, noise } from './discord-text.ts';

const REST_UNITS_MAX = 2500;

interface Stream {
  readonly chunks: string[];
  /** What was carried from call to call. */
  readonly rests: string[];
}

/** Sends a text in parts, as a bot does while a model writes. */
function stream(parts: readonly string[], options: Partial<SplitOptions>): Stream {
  const chunks: string[] = [];
  const rests: string[] = [];
  let rest = '';
  for (const part of parts) {
    const answer = splitText(rest + part, { ...options, isFinal: false });
    chunks.push(...answer.chunks);
    rest = answer.rest ?? '';
    rests.push(rest);
  }
  chunks.push(...splitText(rest, options).chunks);
  return { chunks, rests };
}

/** What a reader sees: each character that is no white space, with its style. */
function shown(text: string, read: (text: string) => StyleMap, tail: string): string[] {
  const styles = read(text + tail);
  return Array.from({ length: text.length }, (_, at) => `${text[at]} ${plain(styles[at] ?? '')}`).filter(
    (one, at) => styles[at] !== 'mark' && !/^\s/.test(one),
  );
}

function plain(style: string): string {
  return style.replace(/ ?token/, '').trim();
}

/** The first place at which the chunks show something else than the text; null when there is none. */
function difference(text: string, chunks: readonly string[], options: Partial<SplitOptions>): string | null {
  const { maxLength, lengthUnit } = { ...DEFAULT_OPTIONS, ...options };
  const read = (part: string) => readBounded(part, maxLength, MEASURES[lengthUnit]);
  const tail = tailOfOpenFence(text, read);
  const whole = shown(text, read, tail);
  const own = chunks.flatMap((chunk, index) => shown(chunk, read, index === chunks.length - 1 ? tail : ''));
  const at = whole.findIndex((one, index) => one !== own[index]);
  if (at < 0) return whole.length === own.length ? null : `${own.length - whole.length} more`;
  const around = (list: readonly string[]) => list.slice(Math.max(0, at - 6), at + 3).join(', ');
  return `${around(whole)} became ${around(own)}`;
}

/** Cuts a text at places that are chosen by shares of it. */
function partsOf(text: string, shares: readonly number[]): string[] {
  const places = [0, ...shares.map((share) => Math.floor(share * text.length)), text.length];
  places.sort((a, b) => a - b);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
const longText = fc.array(discordText, { minLength: 1, maxLength: 8 }).map((texts) => texts.join('\n\n'));
const unit = fc.constantFrom('utf16' as const, 'codepoints' as const, 'bytes' as const);
const parameters = { numRuns: 500, seed: 7 };

describe('a text that arrives in parts', () => {
  test('shows the same as when it comes at once', () => {
    fc.assert(
      fc.property(
        longText,
        shares,
        fc.constantFrom(200, 300, 500, 2000),
        unit,
        (text, cutAt, maxLength, lengthUnit) => {
          const options = { maxLength, lengthUnit };
          // Joined texts can be read in two ways: a quote in the rest quote of the text before.
          fc.pre(difference(text, splitText(text, options).chunks, options) === null);
          const { chunks } = stream(partsOf(text, cutAt), options);
          expect(difference(text, chunks, options)).toBe(null);
        },
      ),
      parameters,
    );
  });

  test('gives chunks that fit and a rest that stays small, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(noise, discordText), { minLength: 1, maxLength: 40 }),
        shares,
        fc.constantFrom(50, 100, 300, 1000),
        unit,
        (texts, cutAt, maxLength, lengthUnit) => {
          const measure = MEASURES[lengthUnit];
          const { chunks, rests } = stream(partsOf(texts.join(' '), cutAt), { maxLength, lengthUnit });
          expect(chunks.filter((chunk) => measure(chunk) > maxLength || chunk.trim() === '')).toEqual([]);
          const restMax = maxLength * 4 + REST_UNITS_MAX;
          expect(rests.filter((rest) => MEASURES.codepoints(rest) > restMax)).toEqual([]);
        },
      ),
      parameters,
    );
  });

  test('looks as its authors meant it', () => {
    const changes = readRealTexts().flatMap(({ name, text }) => {
      const parts = text.match(/[^]{1,1500}/g) ?? [];
      const { chunks, rests } = stream(parts, { maxLength: 2000 });
      expect(rests.filter(({ length }) => length > 4 * 2000 + REST_UNITS_MAX)).toEqual([]);
      const change = difference(text, chunks, {});
      return change === null ? [] : [`${name}: ${change}`];
    });
    expect(changes).toEqual([]);
  });

  test('gives each chunk of prose as soon as the next one has begun', () => {
    const prose = 'One two three four five six seven eight nine ten. '.repeat(50);
    const { chunks, rest } = splitText(prose, { maxLength: 500, isFinal: false });
    expect(chunks.length).toBe(4);
    expect(chunks.join(' ') + ' ' + rest).toBe(prose);
  });

  test.each([
    ['a block of code', '```js\nlet a;\n', 'let b;\n', /^```js\nlet b;/],
    ['a quote', '>>> said\n', 'and said more\n', /^>>> and said/],
  ])('carries %s that is open', (_name, opening, line, expected) => {
    const { chunks, rest } = splitText(opening + line.repeat(200), { maxLength: 300, isFinal: false });
    expect(chunks.length).toBeGreaterThan(0);
    expect(rest).toMatch(expected);
  });

  test('carries a style that is open at the cut', () => {
    const text = `||${'spoiler words '.repeat(30)}||${' plain words'.repeat(300)}`;
    const { chunks, rest } = splitText(text, { maxLength: 450, isFinal: false });
    const early = splitText(text.slice(0, 3400), { maxLength: 450, isFinal: false });
    expect(chunks[0]?.startsWith('||')).toBe(true);
    expect(
      difference(text, [...chunks, ...splitText(rest ?? '', { maxLength: 450 }).chunks], { maxLength: 450 }),
    ).toBe(null);
    expect(chunks.slice(0, early.chunks.length)).toEqual(early.chunks);
  });

  test('waits for what may close a fence within a line', () => {
    const text = `${'words '.repeat(60)}~~~\n`.replace('~~~', '\n~~~');
    const open = splitText(`${text}${'code line\n'.repeat(40)}`, { maxLength: 200, isFinal: false });
    expect(open.rest).toContain('~~~\ncode line');
    const whole = splitText(`${open.rest}~~~\nend`, { maxLength: 200 });
    expect(
      whole.chunks.filter((chunk) => chunk.includes('code line')).every((chunk) => chunk.includes('~~~')),
    ).toBe(true);
  });

  test('that is all code is fenced once in each chunk', () => {
    const code = 'let a = 1;\n'.repeat(400);
    const options = { maxLength: 300, mode: 'code' as const, language: 'js' };
    const { chunks } = stream(partsOf(code, [0.2, 0.7, 0.9]), options);
    expect(chunks.every((chunk) => /^```js\n(?:let a = 1;\n)+\n?```$/.test(chunk))).toBe(true);
    expect(chunks.join('').match(/let a/g)?.length).toBe(400);
  });

  test('may be blank up to now, however long', () => {
    expect(splitText('\n'.repeat(100_000), { isFinal: false })).toMatchObject({ chunks: [] });
    const { rest } = splitText(`word${'\n'.repeat(100_000)}`, { isFinal: false });
    expect(rest?.length).toBeLessThanOrEqual(4 * 2000 + REST_UNITS_MAX);
  });
});
