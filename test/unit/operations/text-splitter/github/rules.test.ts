import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { makeHostile } from '../../../../fixtures/text-corpus/hostile.ts';
import { makeGithubPatterns } from '../../../../fixtures/text-corpus/github-patterns.ts';
import { splitText } from '../../../../../src/operations/text-splitter/split-text.ts';
import { noise } from '../discord-text.ts';

import { convert } from './convert.ts';
import { quickOrFull } from '../../../../fixtures/full-run.ts';

function lines(...parts: readonly string[]): string {
  return parts.join('\n');
}

describe('text that Discord shows as GitHub does is kept', () => {
  test.each([
    'A **bold** and *slanted* word, `code`, ~~gone~~ and a [link](https://example.com/a_b).',
    lines('# One', '', '## Two', '### Three', '', '- a', '  - b', '1. c', '2. d', '', '> quote', '> more'),
    lines('```js', 'const a_b = `x` || "**";', '', '\treturn;', '```'),
    'snake_case_names, 2 * 3 = 6, a < b && c > d, **kwargs, https://example.com/__init__.py and C:\\dir',
    '<@1> <@!1> <@&1> <#1> <:blob_cat:1> <a:b:1> <t:1700000000:R> </say hi:1> <id:customize>',
    'escaped \\* and \\_ and \\`',
    '`a` ``b` `` c` d`',
    '<https://example.com/quiet>',
    'Vec<String> and <your-token>',
    lines('two', 'lines', '', '', '', 'and blank lines'),
    '日本語の**太字**です。',
    '**复现：**10 轮对话，每轮 150 KB。',
    '**准备环境：**安装',
    '这是**“重点”**的内容。',
    '它就像医院的**“中央采购系统”**，也像**（备注）**说的**「测试」**那样。',
    '**「重要」**です，~~（旧）~~文，*「斜」*です',
    '이것은 **중요(important)**합니다.',
  ])('%j', (text) => {
    expect(convert(text).text).toBe(text);
    expect(convert(text).changes).toEqual([]);
  });
});

describe('other text is made readable', () => {
  test.each([
    ['a heading of level 4', '#### Deep **one** #', '**Deep one**'],
    ['an underlined heading', lines('Title', '=====', 'Sub', '---'), lines('# Title', '## Sub')],
    ['a rule', lines('a', '', '***', '', 'b'), lines('a', '', 'b')],
    ['a horizontal rule without blank lines', lines('a', '***', 'b'), lines('a', '', 'b')],
    ['a task', lines('- [ ] a', '- [x] b', '* [X] c'), lines('- ☐ a', '- ☑ b', '* ☑ c')],
    ['bold by underscores', '__a__ and ___b___', '**a** and _**b**_'],
    ['bold in bold', '**a __b__ c**', '**a b c**'],
    ['underscores that only Discord reads', 'foo__bar__baz', 'foo\\_\\_bar\\_\\_baz'],
    ['slanted words with a name', '_the snake_case one_', '*the snake_case one*'],
    ['struck by one tilde', '~a~', '~~a~~'],
    ['indented code', lines('a', '', '    b', '', '      c'), lines('a', '', '```', 'b', '', '  c', '```')],
    ['code between tildes', lines('~~~py x=1', 'a', '~~~'), lines('```py', 'a', '```')],
    [
      'a fence in a fence',
      lines('````md', '```', 'a', '```', '````'),
      lines('```md', '``​`', 'a', '``​`', '```'),
    ],
    ['unclosed code', lines('```js', 'a'), lines('```js', 'a', '```')],
    ['an empty block of code', lines('a', '```', '```', 'b'), lines('a', 'b')],
    [
      'code in a list',
      lines('1. a', '   ```', '   b', '   ```', '2. c'),
      lines('1. a', '```', 'b', '```', '2. c'),
    ],
    ['an alert', lines('> [!WARNING]', '> Hot.'), lines('> **Warning**', '> Hot.')],
    ['a quote in a quote', lines('> a', '> > b'), lines('> a', '> b')],
    ['a quote that continues without its marker', lines('> a', 'b'), lines('> a', '> b')],
    ['an empty quoted line', lines('> a', '>', '> b'), lines('> a', '> ', '> b')],
    ['other list markers', lines('+ a', '1) b'), lines('- a', '1. b')],
    ['a relative link', '[a](./b.md), [c](#d) and [e](mailto:f@g.hi)', 'a, c and e'],
    [
      'a picture',
      '![alt](https://a.bc/d.png) ![](https://a.bc/d.png?x)',
      '[alt](https://a.bc/d.png) [d.png](https://a.bc/d.png?x)',
    ],
    ['a picture without an address', '![logo](./logo.svg)', 'logo'],
    ['a badge', '[![Build](https://ci.bc/a.svg)](https://ci.bc)', '[Build](https://ci.bc)'],
    ['a link that shows an address', '[https://a.bc/d](https://a.bc/d)', 'https://a.bc/d'],
    ['a link that shows another address', '[https://a.bc](https://d.ef)', '[a.bc](https://d.ef)'],
    [
      'reference links',
      lines('[a][x], [x] and [X][]', '', '[x]: https://a.bc "t"'),
      '[a](https://a.bc), [x](https://a.bc) and [X](https://a.bc)',
    ],
    [
      'footnotes',
      lines('a[^1] b[^n]', '', '[^1]: One', '[^n]: Two', '', 'c'),
      lines('a¹ b[n]', '', 'c', '', '¹ One', '', '[n] Two'),
    ],
    ['a mail address', '<a@b.cd>', 'a@b.cd'],
    ['www', 'see www.example.com', 'see http://www.example.com'],
    ['comments', lines('a', '', '<!-- b -->', '', 'c <!-- d -->e'), lines('a', '', 'c e')],
    [
      'tags with a meaning',
      '<b>a</b> <i>b</i> <s>c</s> <u>d</u> <kbd>e_f</kbd> <a href="https://a.bc">g</a>',
      '**a** *b* ~~c~~ __d__ `e_f` [g](https://a.bc)',
    ],
    ['other tags', 'H <sub>2</sub>O <span class="x">a</span>', 'H 2O a'],
    ['breaks', 'a<br>b<br/>\nc\\\nd  \ne', lines('a', 'b', 'c', 'd', 'e')],
    [
      'details',
      lines('<details>', '<summary>More</summary>', '', 'a **b**', '', '</details>'),
      lines('**More**', '', 'a **b**'),
    ],
    ['a list of HTML', '<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>', lines('- a', '- b', '  1. c')],
    ['character references', 'a &amp; b &copy; &lt;@1&gt; &#42;', 'a & b © \\<@1\\> \\*'],
    ['bars', 'a || b || c', 'a \\|\\| b \\|\\| c'],
    ['three tildes and more', 'a ~~~ b ~~~~ c', 'a \\~\\~\\~ b \\~\\~\\~\\~ c'],
    ['tildes in HTML', lines('<div>', '~~~', 'a', '~~~', '</div>'), lines('\\~\\~\\~', 'a', '\\~\\~\\~')],
    ['subtext, which only Discord has', '-# a', '\\-# a'],
    [
      'spaces around code in a cell',
      lines('| a | b |', '|-|-|', '| ` x ` | `` y ` `` |', '| `  ` | ` z` |'),
      lines('```', 'a  b', '-  ---', 'x  y `', '   z', '```'),
    ],
    [
      'escaped pipes and backslashes in a cell',
      lines('| a \\| b | c \\\\ |', '|-|-|', '| d | e |'),
      lines('```', 'a | b  c \\', '-----  ---', 'd      e', '```'),
    ],
    [
      'a table without outer pipes',
      lines('a | b', '-|-', 'c | d'),
      lines('```', 'a  b', '-  -', 'c  d', '```'),
    ],
    ['a target with a space', '[a](<https://example.com/a b>)', '[a](https://example.com/a%20b)'],
    ['an escaped target', '[b](https://example.com/a\\_b)', '[b](https://example.com/a_b)'],
    ['three quote markers', '>>> a', '> a'],
    ['a backslash before an emoji', '\\👍', '\\\\👍'],
    ['tabs after the marks of a list', lines('-\ta', '\t- b'), lines('- a', '  - b')],
    ['Windows line breaks', 'a\r\n***\r\nb', lines('a', '', 'b')],
    [
      'a reference to a character in a target',
      '[a](https://a.bc/?d=1&amp;e=2)',
      '[a](https://a.bc/?d=1&e=2)',
    ],
    [
      'a reference to a character in an address between angles',
      '<https://a.bc/?d=1&amp;e=2>',
      '<https://a.bc/?d=1&e=2>',
    ],
    [
      'a reference to a character in a definition',
      lines('[a]', '', '[a]: https://a.bc/?d=1&amp;e=2'),
      '[a](https://a.bc/?d=1&e=2)',
    ],
    ['references to a line break and to a tab', 'a&#10;b&#9;c &NewLine;d&Tab;e', lines('a', 'b c', 'd e')],
    ['references to characters that do not exist', 'a&#0;&#1;&#x80;&#xFFFE;', 'a\ufffd\ufffd\ufffd\ufffd'],
    ['stars between spaces', '2 ** 3 ** 4', '2 \\*\\* 3 \\*\\* 4'],
    ['stars around a quoted word', 'a*"b"*', 'a\\*"b"\\*'],
    ['stars of two arguments', 'f(*a, **b), g(*a)', 'f(\\*a, \\*\\*b), g(\\*a)'],
    ['stars across a blank line', lines('*a', '', 'b*'), lines('\\*a', '', 'b\\*')],
    ['stars before a heading of level 4', lines('**a', '', '#### b'), lines('\\*\\*a', '', '**b**')],
    ['stars before tags', '**a <b>b</b>', '\\*\\*a **b**'],
    ['underscores across a blank line', lines('_a', '', 'b_'), lines('\\_a', '', 'b\\_')],
    ['tildes between spaces', 'a ~~ b ~~ c', 'a \\~\\~ b \\~\\~ c'],
    ['tildes across a blank line', lines('a ~~b', '', 'c~~'), lines('a \\~\\~b', '', 'c\\~\\~')],
    [
      'quotes in the title of a definition',
      lines('[a] [b]', '', '[a]: https://a.bc "a\\"b"', "[b]: https://a.bc 'it\\'s'"),
      '[a](https://a.bc) [b](https://a.bc)',
    ],
    [
      'a definition before an underlined heading',
      lines('[a]: https://a.bc', 'Title [a]', '===='),
      '# Title [a](https://a.bc)',
    ],
    [
      'an underline that has only definitions above it',
      lines('[a]: https://a.bc', '====', '[a]'),
      lines('====', '[a](https://a.bc)'),
    ],
    [
      'a quote that ends in definitions',
      lines('> a [b]', '>', '> [b]: https://a.bc', '', 'c'),
      lines('> a [b](https://a.bc)', '', 'c'),
    ],
    ['a quote that ends in empty lines', lines('> a', '>', '>', '', 'b'), lines('> a', '', 'b')],
    [
      'escaped stars in the text of a picture',
      lines('![a\\*b][c] ![d\\*e](https://a.bc)', '', '[c]: https://a.bc'),
      '[a\\*b](https://a.bc) [d\\*e](https://a.bc)',
    ],
    [
      'wide spaces in a target',
      '[a](<https://a.bc/d\u3000e\u2003f g>)',
      '[a](https://a.bc/d%E3%80%80e%E2%80%83f%20g)',
    ],
    [
      'attributes without a space between them',
      '<img src="https://a.bc/d.png" width="260"alt="Logo">',
      '[Logo](https://a.bc/d.png)',
    ],
    [
      'an attribute in the value of another',
      `<img title="no alt=x" src='https://a.bc/d.png' ALT = Logo>`,
      '[Logo](https://a.bc/d.png)',
    ],
    ['a picture that is decoration', 'a <img src="https://a.bc/d.png" alt=""> b', 'a  b'],
    ['stars in the text of a picture', '![a *b*](https://a.bc)', '[a b](https://a.bc)'],
    [
      'stars that begin outside of a link',
      '*[a*](https://b.cd) [_c](https://b.cd)_',
      '\\*[a\\*](https://b.cd) [\\_c](https://b.cd)\\_',
    ],
    ['a name that ends in an underscore', 'foo_bar_', 'foo_bar\\_'],
    ['code between three back-ticks in a line', '``` a ` b ```', '``a ` b``'],
    ['six back-ticks in code', lines('~~~', '``````', '~~~'), lines('```', '``\u200b``\u200b``', '```')],
    ['brackets in a link that leads nowhere', '[`a[b]` [c]](#d)', '`a[b]` [c]'],
    ['a backslash at the end', '**a** __b__\\', '**a** **b**\\'],
    [
      'an address in angle brackets that is no page',
      '<app:https://a.bc> <http://a.bc>',
      'app:https://a.bc <http://a.bc>',
    ],
    ['an unclosed table of HTML', '<table><tr><td>a</td><td>b', lines('```', 'a  b', '```')],
    ['a picture of HTML without a text', '<img src="https://a.bc/d.png">', '[d.png](https://a.bc/d.png)'],
  ])('%s', (_name, text, expected) => {
    expect(convert(text).text.trimEnd()).toBe(expected);
    expect(convert(text).changes.length > 0 || convert(text).text !== text).toBe(true);
  });

  test.each([
    ['_Note: `my_func` is old_ and fine', '*Note: `my_func` is old* and fine'],
    ['_see [the docs](https://example.org/a_b) now_', '*see [the docs](https://example.org/a_b) now*'],
    ['_a <:b_c:1>_, _b https://e.io/c_d_ and _c_ d_e', '*a <:b_c:1>*, *b https://e.io/c_d* and _c_ d_e'],
    ['_a <u>b</u>_', '*a __b__*'],
    ['**pass `**kwargs` on**', '**pass** `**kwargs` **on**'],
    [
      '*a `*b` c*, ~~a `~~` b~~ and ***a `*b` c***',
      '*a* `*b` *c*, ~~a~~ `~~` ~~b~~ and ***a*** `*b` ***c***',
    ],
    ['#### a `**b` c', '**a** `**b` **c**'],
    ['**[a](https://e.io/b**c) d**', '[a](https://e.io/b**c) **d**'],
    ['See https://e.io/user_name_ and *x* and snake_', 'See https://e.io/user_name_ and *x* and snake\\_'],
    ['https://e.io/a<b>x</b>, https://e.io/b<sup>2</sup>', '<https://e.io/a>**x**, <https://e.io/b>²'],
    ['||https://e.io/a||', '\\|\\|<https://e.io/a>\\|\\|'],
    ['https://e.io/a`b`, **https://e.io/c**', '<https://e.io/a>`b`, **https://e.io/c**'],
    ['<b>z <a href="https://e.io">q</b> r</a>', '**z [q r](https://e.io)**'],
    ['see [https://e.io/a](#b) now', 'see https://e.io/a now'],
    ['see <a href="#b">x https://e.io/a</a>now', 'see x <https://e.io/a>now'],
    ['https://e.io/a<a href="https://e.io/b">x</a>', '<https://e.io/a>[x](https://e.io/b)'],
    ['[www.e.io/x](https://e.io/1), www.e.io', '[www.e.io/x](https://e.io/1), http://www.e.io'],
    ['``` a ` b `` c ```', '``a ` b `\u200b` c``'],
    ['Press <kbd>Ctrl</kbd><kbd>C</kbd>', 'Press `Ctrl` `C`'],
    ['<b>New:</b><b>soon</b> and <i>A</i><i>B</i><i>C</i>', '**New:soon** and *ABC*'],
    ['**a1***b2*', '**a1**_b2_'],
    ['<em>Hi</em><strong>there</strong>.', '_Hi_**there**.'],
    ['<i>a_b</i><b>c</b>, <b>d</b><i>e</i>f', '*a_b*\u200b**c**, **d**\u200b*e*f'],
    ['x<i>a</i><b>c</b> and <s>a</s><u>b</u>', 'x*a*\u200b**c** and ~~a~~\u200b__b__'],
    ['<i>a </i><b>b</b> <i>c</i> <i>d</i>', '*a* **b** *c* *d*'],
    ['[[v1](https://e.io/1)](https://e.io/2)', '[[v1](https://e.io/1)]\\(https://e.io/2)'],
    ['[a [b](#c) d](https://e.io/2)', '[a b d]\\(https://e.io/2)'],
    ['```` a ``` b ````', '``a `\u200b`\u200b` b``'],
    ['`` a ```` b ``', '`a ``\u200b`` b`'],
  ])('marks of Discord and what is beside them: %j', (text, expected) => {
    expect(convert(text).text).toBe(expected);
  });

  test.each([
    [
      '1. Install\n\n   ```sh\n   npm i\n   ```\n\n1. Configure\n1. Run',
      '1. Install\n\n```sh\nnpm i\n```\n\n2. Configure\n3. Run',
    ],
    ['3. a\n3. b\n1) c\n1) d', '3. a\n4. b\n1. c\n2. d'],
    ['1. a\n   1. b\n   1. c\n1. d', '1. a\n   1. b\n   2. c\n2. d'],
    ['1. a\n\ntext\n\n1. b\n- c\n1. d', '1. a\n\ntext\n\n1. b\n- c\n1. d'],
    ['1. one\n\n   > note\n   > more\n\n2. two', '1. one\n\n> note\n> more\n\n2. two'],
    ['- a\n  - > b\n    > - c', '- a\n> - b\n> - c'],
    ['    code\n\n\ntext', '```\ncode\n```\n\n\ntext'],
  ])('lists, quotes and code: %j', (text, expected) => {
    expect(convert(text).text).toBe(expected);
  });

  test.each(['a || b', 'a ~~~ b', '-# a'])('%s is counted as escaped', (text) => {
    expect(convert(text).changes).toContainEqual({ kind: 'escape', count: 1 });
  });

  test.each([
    ['$\\alpha^2 + \\beta_{10} \\leq \\frac{a+1}{b}$', 'α² + β₁₀ ≤ (a+1)/b'],
    ['\\(\\sqrt{x} \\to \\infty\\) and \\[E = mc^2\\]', '√x → ∞ and E = mc²'],
    [lines('$$', '\\sum_{i=1}^n i', '$$'), '∑ᵢ₌₁ⁿ i'],
    [lines('```math', 'a \\times b', '```'), 'a × b'],
    ['$\\log_2 n$ and $\\mathbb{RN} \\ni \\hat{x}$', 'log₂ n and ℝℕ ∋ x̂'],
    ['$\\left( x^{\\text{a b}} \\right)$ and $a \\, b\\! c \\% $', '( xᵃᵇ ) and $a \\, b\\! c \\% $'],
    ['$\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}$ and $\\sqrt{x+1}$', '(−b ± √(b²−4ac))/(2a) and √(x+1)'],
    ['$\\sqrt[3]{x}$', '`$\\sqrt[3]{x}$`'],
    ['$x \\not\\in A$, $a \\not= b$ and $\\not{ab}$', 'x ∉ A, a ≠ b and `$\\not{ab}$`'],
    ['$\\widehat{AB}$ and $\\overrightarrow{x}$', 'A\u0302B\u0302 and x\u20d7'],
    ['$\\operatorname*{argmax}_x f$ at $90^\\circ$', 'argmaxₓ f at 90°'],
    ['$x^{\\mathrm+}$ and $\\mathrm* + y$', 'x⁺ and ∗ + y'],
    [`$${'x'.repeat(501)}$`, `$${'x'.repeat(501)}$`],
    ['$5 and $6', '$5 and $6'],
    ['$\\begin{matrix}a\\end{matrix}$', '`$\\begin{matrix}a\\end{matrix}$`'],
  ])('formulas with latex=true: %j', (text, expected) => {
    expect(convert(text, { latex: true }).text).toBe(expected);
  });

  test.each([
    ['$5\\frac{1}{2}$, 5$\\frac{1}{2}$ and $\\frac12$', '5 (1/2), 5 (1/2) and 1/2'],
    ['$\\frac{a}{b}c$ or $\\frac{a}{bc}$', '(a/b)c or a/(bc)'],
    ['$\\frac{x}{y}^2$ or $\\frac{x}{y^2}$', '(x/y)² or x/(y²)'],
    ['$\\sqrt{2}x$, $\\sqrt{2x}$, $\\sqrt{2}3$ and $\\sqrt{x}^2$', '√2x, √(2x), √(2)3 and √(x)²'],
    ['$E = \\frac{1}{2}mv^2$', 'E = (1/2)mv²'],
    ['$\\ln\\frac{a}{b}$ and $\\ln\\left(\\frac{a}{b}\\right)$', 'ln (a/b) and ln( a/b )'],
    ['$\\left(\\frac{a}{b} + 1\\right)$ and $x = \\frac{a}{b}.$', '(a/b + 1) and x = a/b.'],
    ['$\\sin{x}$ and $x\\sin y$', 'sin x and x sin y'],
    ['${ab}^2$ and $x^2^3$', '`${ab}^2$` and `$x^2^3$`'],
    ['$\\overline{AB}$ and $\\overline{A}\\overline{B}$', 'A\u0305B\u0305 and A\u0305 B\u0305'],
    ['$\\mathbf{F} = m\\mathbf{a}$', '𝐅 = m𝐚'],
    ['$\\left. x \\right|_0$', 'x \\|₀'],
  ])('different formulas look different: %j', (text, expected) => {
    expect(convert(text, { latex: true }).text).toBe(expected);
  });

  test.each([
    ['10<sup>6</sup>, 2<sup>64</sup> and H<sub>2</sub>O', '10⁶, 2⁶⁴ and H₂O'],
    [
      'x<sup>q</sup>, x<sup>a,b</sup>, x<sup>(a,b)</sup> and x<sub>q</sub>',
      'x^q, x^(a,b), x^(a,b) and x\\_q',
    ],
    [
      '**x**<sup>2</sup>, [y](https://a.bc)<sup>2</sup> and z<sup>&minus;1</sup>',
      '**x**², [y](https://a.bc)² and z⁻¹',
    ],
    ['a <sup>b</sup>, a<sup>b c</sup> and a<sup>a thirteen</sup>', 'a b, ab c and aa thirteen'],
    ['<sub><b>Jane Doe</b></sub> and a<br><sup>b</sup>', '**Jane Doe** and a\nb'],
  ])('exponents and indexes of HTML: %j', (text, expected) => {
    expect(convert(text).text).toBe(expected);
  });

  test('counts each kind of change', () => {
    const text = lines('#### a', '- [x] b', '- [ ] [c](./d)', '', '| a |', '|-|', '| [b](https://a.bc) |');
    expect(convert(text, { tables: 'code' }).changes).toEqual([
      { kind: 'heading', count: 1 },
      { kind: 'link_removed', count: 1 },
      { kind: 'table', count: 1 },
      { kind: 'table_link_removed', count: 1 },
      { kind: 'task', count: 2 },
    ]);
  });

  test('a URL that is no page is counted as a removed link', () => {
    expect(convert('<app:a>').changes).toEqual([{ kind: 'link_removed', count: 1 }]);
  });

  test('a text that would grow beyond four times its length is refused', () => {
    const text = lines(`[a]: https://a.bc/${'x'.repeat(2_000)}`, '', '[a] '.repeat(2_000));
    expect(() => convert(text)).toThrow(expect.objectContaining({ code: 'text_too_long' }));
  });
});

/** Converts and splits; chunks that are blank or too long are named. */
function findBad(text: string): string[] {
  const capacity = { measure: (part: string) => part.length, length: 200, lines: Infinity };
  const { text: converted, unbreakable } = convert(text, { capacity, latex: true });
  const { chunks } = splitText(converted, { maxLength: 200, maxChunks: 1_000_000, unbreakable });
  return chunks.filter((chunk) => chunk.length > 200 || chunk.trim() === '');
}

describe('any text', () => {
  test('with marks in any order makes chunks that fit', () => {
    fc.assert(
      fc.property(noise, (text) => {
        expect(findBad(text)).toEqual([]);
      }),
      { seed: 18, numRuns: quickOrFull(150, 400) },
    );
  });

  test.each([...makeHostile(6_000), ...makeGithubPatterns(6_000)])(
    'with %s makes chunks that fit',
    (_name, text) => {
      expect(findBad(text)).toEqual([]);
    },
  );
});
