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
])('an HTML heading becomes one line, even if its source has several: %j', (source, shown) => {
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
  'an HTML style begins and ends at its text, since Discord shows marks next to blanks: %j',
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
])('an HTML style without text leaves no marks: %j', (source, shown) => {
  expect(convert(source).text.trimEnd()).toBe(shown);
});

test('a comment may be as short as CommonMark says', () => {
  expect(convert('a <!-->b').text).toBe('a b');
  expect(convert('<!--->\na').text).toBe('a');
});

test.each([
  'read failed: <I/O error>',
  'if (n<b && m>c) return',
  'Continuar? <s/n>',
  'a <b, c> d and <i.e.> e',
  '1 <a=2> 3, x <p?> y, </b x>',
])('text that is not a tag by its grammar is kept: %j', (text) => {
  expect(convert(text).text).toBe(text);
  expect(convert(`<div>\n${text}\n</div>`).text.trim()).toBe(text);
});

test('text that is not a tag is kept in HTML code', () => {
  expect(convert('<code>read <I/O error> <b>x</b></code>').text).toBe('`read <I/O error> x`');
  expect(convert('<pre>Vec<String> <b>x</b> n<b && m>c</pre>').text).toBe(
    '```\nVec<String> x n<b && m>c\n```',
  );
});

test.each([
  ['a caption', '<table><caption>Sizes</caption><tr><td>a</td></tr></table>', 'Sizes\n```\na\n```'],
  [
    'text between rows',
    '<table><tr><td>a</td></tr>see <b>below</b><tr>and<td>b</td></tr></table>',
    'see **below** and\n```\na\nb\n```',
  ],
  ['code between rows', '<table><pre>x</pre><tr><td>a</td></tr></table>', '```\nx\n```\na'],
  [
    'text after a table in a cell',
    '<table><tr><td>a<table><tr><td>b</td></tr></table>c</td></tr></table>',
    'a\nb\nc',
  ],
  [
    'code between back-ticks in cells',
    '<table>\n<tr><th>Good</th><th>Bad</th></tr>\n<tr>\n<td>\n\n```jsx\nlet a = <b>1</b>;\n\n  a &amp;= 2;\n```\n\n</td>\n<td>\n\n  ~~~\n  var a\n    a\n  ~~~\n</td>\n</tr>\n</table>\n\nend',
    'Good  Bad\n```jsx\nlet a = <b>1</b>;\n\n  a &amp;= 2;\n```\n```\nvar a\n  a\n```\n\nend',
  ],
  [
    'unclosed code in a cell',
    '<table><tr><td>\n\n```\na <b>\n</td></tr></table>',
    '```\na <b>\n</td></tr></table>\n```',
  ],
  [
    'code on a line of a cell',
    '<table><tr><td>\n\n```a``` b</td><td>c</td></tr></table>',
    '```\na b  c\n```',
  ],
  ['a list in a cell', '<table><tr><td>a</td><td>b<ul><li>c</li></ul></td></tr></table>', 'a  b\n- c'],
])('%s of a table is shown', (_name, source, shown) => {
  expect(convert(source).text.trimEnd()).toBe(shown);
});

test.each([
  ['<blockquote>a <b>b</b></blockquote>\n\nc', '> a **b**\n\nc'],
  ['<blockquote>\n\na **b**\n\n- c\n</blockquote>\nd', '> a **b**\n> \n> - c\n\nd'],
  ['<blockquote cite="https://a.bc">\n\na **b**\n\n</blockquote>\nc', '> a **b**\n\nc'],
  ['- a\n  <blockquote>b<br>c</blockquote>\n  d\n- e', '- a\n> b\n> c\n  d\n- e'],
  ['1. a\n   - b\n     <blockquote>c</blockquote>', '1. a\n   - b\n> c'],
  ['- <blockquote>a</blockquote>\n- b', '> - a\n- b'],
  [
    '<think>\nThe user wants a sum.\n\n`2 + 2`\n</think>\n\nThe answer is 4.',
    '> The user wants a sum.\n> \n> `2 + 2`\n\nThe answer is 4.',
  ],
  ['<thinking>\na\n</thinking>\nb', '> a\n\nb'],
  ['a\n<reasoning>\n```js\nopen\n</reasoning>\n<answer>\nb\n</answer>', 'a\n\n> ```js\n> open\n> ```\n\nb'],
  ['<think>\na\n</think>\n\n<answer>`42` it is</answer>', '> a\n\n`42` it is'],
  ['  <Answer> a </Answer> ', 'a'],
  ['<answer>a</answer> or <answer>b', '<answer>a</answer> or <answer>b'],
  ['```html\n<answer>a</answer>\n```', '```html\n<answer>a</answer>\n```'],
  ['```html\n<think>\na\n</think>\n```', '```html\n<think>\na\n</think>\n```'],
  ['<think>\nnobody closed it', '<think>\nnobody closed it'],
  ['I need a sum.\n</think>\n\nIt is 4.', '> I need a sum.\n\nIt is 4.'],
  ['a\n\n- b\n</thinking>\nc\n</thinking>\nd', '> a\n> \n> - b\n\nc\n</thinking>\nd'],
  ['```html\n</think>\n```\na', '```html\n</think>\n```\na'],
  ['<think>a *b*</think> It is 4.\nc', '> a *b*\n\nIt is 4.\nc'],
  ['\n<think>a</think>\n\nb', '> a\n\nb'],
  ['<think></think>\n\nb', 'b'],
  ['a <think>b</think> c', 'a <think>b</think> c'],
  ['<think>\nLast line.</think>\n\nIt is 4.', '> Last line.\n\nIt is 4.'],
  ['<think>One.\nTwo.</think>\n\nIt is 4.', '> One.\n> Two.\n\nIt is 4.'],
  ['`Map<answer>` and <think> in words', '`Map<answer>` and <think> in words'],
])('the reasoning of a model and block quotes become quotes: %j', (source, shown) => {
  expect(convert(source).text.trim()).toBe(shown);
});

const CLIP = 'https://a.bc/clip-1.mp4';

test.each([
  [`Demo:\n\n<video src="${CLIP}" controls></video>\n\nend`, `Demo:\n\n[clip-1.mp4](${CLIP})\n\nend`],
  [
    `<video controls>\n<source src="${CLIP}" type="video/mp4">\n<source src="https://a.bc/x.webm">\n</video>`,
    `[clip-1.mp4](${CLIP})`,
  ],
  [`<audio src="${CLIP}" title="A song"></audio>`, `[A song](${CLIP})`],
  ['<iframe src="https://a.bc/embed/1"></iframe>', '[1](https://a.bc/embed/1)'],
  ['<picture><source srcset="a.png"><img alt="b" src="c.png"></picture>', 'b'],
])('an element that Discord cannot show in a text becomes a link: %j', (source, shown) => {
  expect(convert(source).text.trim()).toBe(shown);
});

test('the language of code is read from its element', () => {
  expect(convert('<pre lang="py">\nx = 1\n</pre>').text.trim()).toBe('```py\nx = 1\n```');
});

test('the numbers of a list equal those in a browser', () => {
  expect(convert('<ol start="3"><li>a</li><li value="9">b</li><li>c</li></ol>').text).toBe(
    '3. a\n9. b\n10. c',
  );
});
