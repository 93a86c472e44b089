import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { discordText } from './discord-text.ts';
import { shownByParser, shownByReader } from './two-readers.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';

describe('the reader of the tests', () => {
  test.each([
    'a **b *c* d** e',
    '***both*** **_nested_** *a **b** c*',
    'snake_case and __init__',
    '2 * 3 * 4',
    'a lone **kwargs',
    '||a `b` c|| ~~d~~ \\*e\\*',
    '> quote **a\n> b**\nrest',
    '>>> all\nof it',
    '```js\ncode\n``` `` a ` b ``',
  ])('reads %s', (text) => {
    expect(shownByReader(text)).toEqual(shownByParser(text));
  });

  test('agrees with an independent parser of Discord Markdown', () => {
    fc.assert(
      fc.property(discordText, (generated) => {
        // The parser knows no line breaks of two characters, and no heading directly behind a quote.
        const text = generated.replaceAll('\r\n', '\n').replaceAll(/\n(?=-?#)/g, '\n\n');
        expect(shownByReader(text)).toEqual(shownByParser(text));
      }),
      { numRuns: quickOrFull(60, 300), seed: 7 },
    );
  });
});
