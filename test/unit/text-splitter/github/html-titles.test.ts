import { expect, test } from 'vitest';

import { convert } from './convert.ts';

test.each([
  [
    '<h1 align="center">\n  <br>\n  <a href="https://a.bc"><img alt="A" src="x.png"></a>\n  <br>\n  b\n</h1>\n\nc',
    '# [A](https://a.bc) b\n\nc',
  ],
  ['<h2>\nA\n</h2>', '## A'],
  ['<h4>\n  A <i>b</i>\n</h4>', '**A *b***'],
  ['<details>\n<summary>\n<b>A</b>\n</summary>\n\nb\n</details>', '**A**\n\nb'],
  ['<details><summary> A </summary>\n\n- b\n\n</details>', '**A**\n\n- b'],
  ['<summary></summary>\na', 'a'],
  ['<h1></h1>\na', 'a'],
])('a title of HTML is one line, however many it has: %j', (source, shown) => {
  expect(convert(source).text.trimEnd()).toBe(shown);
});

test('a comment may be as short as CommonMark says', () => {
  expect(convert('a <!-->b').text).toBe('a b');
  expect(convert('<!--->\na').text).toBe('a');
});
