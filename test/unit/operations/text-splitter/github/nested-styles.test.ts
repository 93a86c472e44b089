import fc from 'fast-check';
import { expect, test } from 'vitest';

import { quickOrFull } from '../../../../fixtures/full-run.ts';
import { shownByParser, shownByReader } from '../two-readers.ts';
import { convert } from './convert.ts';
import { shownOnGithub } from './shown.ts';

const STYLES = [
  ['bold', '**', '**'],
  ['bold', '__', '__'],
  ['bold', '<b>', '</b>'],
  ['italic', '*', '*'],
  ['italic', '_', '_'],
  ['italic', '<i>', '</i>'],
  ['strike', '~~', '~~'],
  ['underline', '<u>', '</u>'],
] as const;

const TOKENS = [
  '`my_func`',
  '`**kwargs`',
  '`*args`',
  '`a ~~ b`',
  '`__init__`',
  '`~~`',
  '`` ` * ``',
  '<https://e.io/a_b>',
  'https://e.io/a_b',
  'https://e.io/a**b',
  'https://e.io/__init__.py',
  'https://e.io/~~x/*y',
  '[w](https://e.io/a_b)',
  '[`x_y`](https://e.io/c)',
  '[`*x`](https://e.io/a**b)',
  '<:a_b:123456789012345678>',
  '<a:__b__:123456789012345678>',
  '<@123456789012345678>',
  '</say_it now:123456789012345678>',
];

/** Words as `w`, between marks and tokens that hold the same characters. */
function nested(depth: number, around: readonly string[]): fc.Arbitrary<string> {
  const one = fc.constantFrom('w', 'w', 'ww', ...TOKENS);
  const free = STYLES.filter(([style]) => !around.includes(style));
  if (depth === 0 || free.length === 0) return one;
  const styled = fc
    .constantFrom(...free)
    .chain(([style, opening, closing]) =>
      sequence(depth - 1, [...around, style]).map((inner) => opening + inner + closing),
    );
  return fc.oneof({ weight: 4, arbitrary: one }, { weight: 3, arbitrary: styled });
}

function sequence(depth: number, around: readonly string[]): fc.Arbitrary<string> {
  return fc.array(nested(depth, around), { minLength: 3, maxLength: 5 }).map((all) => all.join(' '));
}

/** The styles of the words that a reader sees; what else it shows as text is named. */
function wordsOf(shown: readonly string[]): string[] {
  return shown.flatMap((each) => {
    const [marker = '', ...styles] = each.split(' ');
    // An invisible character keeps marks apart that would run together.
    if (marker === '@' || marker === '\u200b' || styles.includes('code')) return [];
    return [marker === 'w' ? styles.join(' ') : each];
  });
}

/** The same on GitHub, where a token is one character that marks see alike. */
function wordsOnGithub(source: string): string[] {
  let text = source;
  for (const token of TOKENS.toSorted((a, b) => b.length - a.length)) {
    if (!token.startsWith('`')) text = text.replaceAll(token, token.startsWith('h') ? 'z' : '\u25a1');
  }
  return wordsOf(shownOnGithub(text).filter((each) => !/^[z\u25a1]/.test(each)));
}

test('nested styles around code, URLs, links, mentions and emoji look as on GitHub', () => {
  fc.assert(
    fc.property(sequence(3, []), (source) => {
      // Decided as in CommonMark: its rule of three counts whole runs, where micromark counts what is left of them.
      fc.pre(!/\*{3}|_{3}/.test(source));
      const { text } = convert(source);
      expect(wordsOf(shownByReader(text))).toEqual(wordsOnGithub(source));
      expect(wordsOf(shownByParser(text))).toEqual(wordsOnGithub(source));
    }),
    { seed: 53, numRuns: quickOrFull(30, 700) },
  );
});
