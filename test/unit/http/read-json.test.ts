import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Problem } from '../../../src/problem.ts';
import { readJson } from '../../../src/http/body/read-json.ts';
import { runAtOnce } from '../../../src/http/body/turns.ts';

/** Larger texts are read piece by piece. */
const LARGE = 16 * 1024;
const SLICE = 64 * 1024;

const read = (text: string) => runAtOnce(readJson(Buffer.from(text)));
const outcome = (make: () => unknown) => {
  try {
    return { value: make() };
  } catch (error) {
    return error instanceof SyntaxError ? 'syntax' : error;
  }
};
/** White space in front makes a text large and changes nothing else. */
const enlarge = (text: string) => ' '.repeat(LARGE) + text;

/** Pieces of which strings and texts are made, right and wrong. */
const SIGNS = [
  '"',
  '\\',
  '\\"',
  '\\u',
  '\\u0041',
  '\\ud83d',
  '\\ude00',
  '\\n',
  '\\x',
  '\n',
  'é',
  '€',
  '😀',
  'a',
];
const signs = fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }).map((parts) => parts.join(''));

describe('a large JSON text', () => {
  test('is what JSON.parse makes of it', () => {
    const spaces = fc.constantFrom('', ' ', '\n\t', '\r\n  ');
    const values = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.json(),
        fc.constantFrom('-0', '1e3', '1E-2', '0.5', 'true', 'false', 'null', '{}', '[]', '[[]]'),
        fc
          .tuple(spaces, fc.array(tie('value'), { maxLength: 4 }))
          .map(([s, items]) => `[${s}${items.join(`${s},${s}`)}${s}]`),
        fc
          .tuple(
            spaces,
            fc.array(fc.tuple(fc.constantFrom('a', '', '__proto__', '1', 'é\\n'), tie('value')), {
              maxLength: 4,
            }),
          )
          .map(
            ([s, members]) =>
              `{${s}${members.map(([name, value]) => `"${name}"${s}:${s}${value}`).join(`${s},`)}${s}}`,
          ),
      ),
    })).value;
    fc.assert(
      fc.property(values, (text) => {
        expect(read(enlarge(text))).toEqual(JSON.parse(text));
        expect(JSON.stringify(read(enlarge(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { seed: 14, numRuns: 600 },
    );
  });

  test('is refused exactly when JSON.parse refuses it', () => {
    const tokens = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '1',
        '-',
        '1.',
        '01',
        'tru',
        'true',
        'nulll',
        ' ',
        '\u00a0',
        '\\',
        ...SIGNS,
      ),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(tokens, (parts) => {
        const text = parts.join('');
        expect(outcome(() => read(enlarge(text)))).toEqual(outcome(() => JSON.parse(text)));
      }),
      { seed: 14, numRuns: 5_000 },
    );
  });

  test('may cut its strings anywhere, and they come out whole', () => {
    fc.assert(
      fc.property(
        fc.array(signs, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 40 }),
        (parts, shift) => {
          const unit = parts.join('');
          const text = `{"${'b'.repeat(shift)}":"${unit.repeat(Math.ceil((2 * SLICE + shift) / Buffer.byteLength(`${unit}a`)))}"}`;
          expect(outcome(() => read(enlarge(text)))).toEqual(outcome(() => JSON.parse(text)));
        },
      ),
      { seed: 14, numRuns: 300 },
    );
  });

  test.each([
    ['a name of a megabyte', `{"${'n'.repeat(1_000_000)}":1,"text":"x"}`, { text: 'x' }],
    ['a byte order mark', `\uFEFF${enlarge('{"text":"x"}')}`, { text: 'x' }],
    ['two fields of one name', enlarge('{"text":"a","text":"b"}'), { text: 'b' }],
  ])('with %s is read', (_name, text, value) => {
    expect(read(text)).toEqual(value);
  });

  test('of more values or levels than any request needs is a problem', () => {
    for (const text of [`[${'0,'.repeat(20_000)}0]`, '['.repeat(20_000)]) {
      expect(outcome(() => read(text))).toBeInstanceOf(Problem);
    }
  });
});
