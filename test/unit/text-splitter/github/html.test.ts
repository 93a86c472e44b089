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

test.each([
  ['a <i> b </i> c', 'a  *b*  c'],
  ['<i>\ntext\n</i>', '*text*'],
  ['<b><i>\na\n</i></b> b', '***a***\nb'],
  ['<b>\n<i>a</i> b<br>\n</b>c', '***a* b**\nc'],
  ['<em> <a href="https://a.bc"> b </a> </em>', '*[b](https://a.bc)*'],
  ['<a href="https://a.bc"><i> b </i></a>', '[*b*](https://a.bc)'],
  ['<b>C:\\a\\ </b>b <i>c\\\\ </i>', '**C:\\a\\\\** b *c\\\\*'],
  ['<a href="https://a.bc">a<b></a> b</b>', '[a](https://a.bc) **b**'],
])(
  'a style of HTML begins and ends at its text, since Discord shows marks next to blanks: %j',
  (source, shown) => {
    expect(convert(source).text.trimEnd()).toBe(shown);
  },
);

test.each([
  ['<i class="icon"></i> a', 'a'],
  ['a<b> </b>b', 'a b'],
  ['<b><i></b></i>a <b>b</b>', 'a **b**'],
  ['<a href="https://a.bc"><i></i>b</a>', '[b](https://a.bc)'],
  ['<b><a href="https://a.bc"></a></b>a', 'a'],
])('a style of HTML without text leaves no marks: %j', (source, shown) => {
  expect(convert(source).text.trimEnd()).toBe(shown);
});

test('a comment may be as short as CommonMark says', () => {
  expect(convert('a <!-->b').text).toBe('a b');
  expect(convert('<!--->\na').text).toBe('a');
});
