import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { highlight } from '../../../src/http/docs/assets/operation/highlight.js';

const kinds = (code: string, language: string) =>
  highlight(code, language).flatMap(([kind, text]) => (kind === null ? [] : [`${kind} ${text}`]));

describe('coloured code', () => {
  test.each([
    ['js', "const a = 'b'; // c", ['keyword const', "string 'b'", 'comment // c']],
    ['js', 'return `x ${1}` + 2', ['keyword return', 'string `x ${1}`', 'number 2']],
    [
      'json',
      '{"a": "b", "c": 1.5, "d": null}',
      ['name "a"', 'string "b"', 'name "c"', 'number 1.5', 'name "d"', 'keyword null'],
    ],
    ['python', 'async def a():  # b', ['keyword async', 'keyword def', 'comment # b']],
    ['sh', 'curl -sS "$URL" # now', ['name -sS', 'string "$URL"', 'comment # now']],
    ['', '$nomention $if[$message==]', ['name $nomention', 'name $if', 'name $message']],
  ])('marks the kinds of %s in %s', (language, code, found) => {
    expect(kinds(code, language)).toEqual(found);
  });

  test('contains the code unchanged', () => {
    const language = fc.constantFrom('js', 'json', 'python', 'sh', '', 'unknown');
    const code = fc.string({
      unit: fc.constantFrom('"', "'", '`', '\\', '/', '*', '#', '$', 'a', '1', '.', ' ', '\n', ':', '"""'),
    });
    fc.assert(
      fc.property(code, language, (text, name) => {
        expect(
          highlight(text, name)
            .map(([, piece]) => piece)
            .join(''),
        ).toBe(text);
      }),
      { numRuns: 1_000, seed: 3 },
    );
  });

  test.each(['"', "'", '`', '/*', '"""', '\\"', '$', '1', '" '])('reads 64 KiB of %j once', (char) => {
    for (const language of ['js', 'json', 'python', 'sh', '']) {
      expect(highlight(char.repeat(65_536 / char.length), language).length).toBeGreaterThan(0);
    }
  });
});
