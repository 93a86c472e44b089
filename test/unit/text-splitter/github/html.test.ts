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

test.each([
  'read failed: <I/O error>',
  'if (n<b && m>c) return',
  'Continuar? <s/n>',
  'a <b, c> d and <i.e.> e',
  '1 <a=2> 3, x <p?> y, </b x>',
])('text that is not a tag by its grammar stays: %j', (text) => {
  expect(convert(text).text).toBe(text);
  expect(convert(`<div>\n${text}\n</div>`).text.trim()).toBe(text);
});

test('text that is not a tag stays in code of HTML', () => {
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
  ['code between rows', '<table><pre>x</pre><tr><td>a</td></tr></table>', '```\nx\n```\n```\na\n```'],
  [
    'text after a table in a cell',
    '<table><tr><td>a<table><tr><td>b</td></tr></table>c</td></tr></table>',
    '```\na\nb c\n```',
  ],
])('%s of a table is shown', (_name, source, shown) => {
  expect(convert(source).text.trimEnd()).toBe(shown);
});

const CODE_TABLE =
  '<table>\n<tr><th>Before</th><th>After</th></tr>\n<tr><td>\n\n```py\nif x:\n    y("<td>")\n```\n\n</td><td>\n\nor\n\n~~~\nz\n~~~\n\nas well</td></tr>\n<tr><td>a</td><td><pre>b\n  c</pre></td></tr></table>';

test('code in the cells of a table keeps its lines', () => {
  expect(convert(CODE_TABLE).text.trimEnd().split('\n')).toEqual([
    '**Before**',
    '```py',
    'if x:',
    '    y("<td>")',
    '```',
    '- After: or',
    '```',
    'z',
    '```',
    '  as well',
    '',
    '**a**',
    '- After:',
    '```',
    'b',
    '  c',
    '```',
  ]);
  expect(convert(CODE_TABLE, { tables: 'code' }).text).toContain('if x: y("<td>")');
});

test('the numbers of a list are those that a browser shows', () => {
  expect(convert('<ol start="3"><li>a</li><li value="9">b</li><li>c</li></ol>').text).toBe(
    '3. a\n9. b\n10. c',
  );
});
