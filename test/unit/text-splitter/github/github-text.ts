import fc from 'fast-check';

/** Texts in GitHub's Markdown, as arbitraries. */

const WORDS = [
  'alpha',
  'beta',
  'the',
  'snake_case',
  'Größe',
  '日本語',
  '👍🏽',
  'end.',
  'why?',
  '42',
  '2 * 3',
  'a < b',
  '`code x`',
  '<kbd>Ctrl</kbd>',
  '&amp;',
  '\\*',
  'https://example.com/a_b?c=d',
  '[link](https://example.com/page)',
  '[local](./page.md)',
  '[known]',
  '[unknown]',
  '![picture](https://example.com/a.png)',
  '<@123456789012345678>',
  '**bold words here**',
  '*slanted __and bold__ words*',
  '~~gone~~',
  '<b>tags</b>',
  '**kwargs',
];

const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 40 })
  .map((list) => list.join(' '));
const fewWords = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
  .map((list) => `word ${list.join(' ')}`);

function lines(line: fc.Arbitrary<string>, max: number): fc.Arbitrary<string> {
  return fc.array(line, { minLength: 1, maxLength: max }).map((list) => list.join('\n'));
}

function indented(block: string, by: string): string {
  return block.replaceAll(/^(?=.)/gm, by);
}

const codeLines = lines(fc.constantFrom('let a = `b`;', '  **x** | y', '# note', '- item', '', '> z'), 30);
const fence = fc
  .tuple(fc.constantFrom('```', '~~~', '````'), fc.constantFrom('', 'js', 'py x=1'), codeLines)
  .map(([run, info, body]) => `${run}${info}\nstart\n${body}\nend\n${run}`);
const item = fc
  .tuple(fc.constantFrom('- ', '  - ', '* [x] ', '1. ', '10) '), fewWords)
  .map((one) => one.join(''));
const table = fc
  .array(fc.tuple(fc.constantFrom('a', 'two words', '`x`', '漢字'), fc.constantFrom('1', '22', '')), {
    minLength: 1,
    maxLength: 8,
  })
  .map((rows) => ['| Name | Size |', '|:--|--:|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'));

const block = fc.oneof(
  { weight: 4, arbitrary: words },
  { weight: 2, arbitrary: lines(fewWords, 5) },
  { weight: 2, arbitrary: lines(item, 12) },
  fc.tuple(fewWords, lines(item, 6)).map(([lead, list]) => `${lead}\n${list}`),
  { weight: 2, arbitrary: fence },
  fc.tuple(fc.integer({ min: 1, max: 6 }), fewWords).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
  fewWords.map((text) => `${text}\n---`),
  words.map((text) => `> [!NOTE]\n> ${text}`),
  lines(fewWords, 6).map((text) => indented(text, '> ')),
  fence.map((code) => indented(code, '> ')),
  fc.tuple(item, fence, words).map(([first, code, text]) => {
    const rest = indented(`${code}\n\n${text}`, '    ');
    return `1.  ${first.slice(4)}\n\n${rest}\n2.  ${first.slice(4)}`;
  }),
  codeLines.map((code) => indented(`start\n${code}`, '    ')),
  table,
  table.map((rows) => `- item\n\n${indented(rows, '  ')}`),
  fewWords.map((text) => `-\n  ${text}\n-\n  ${text}`),
  fewWords.map((text) => `>\n> [!TIP]\n> ${text}`),
  words.map((text) => `<table>\n<tr><td>\n\n${text}\n\n</td><td>two</td></tr>\n</table>`),
  fc.constantFrom('---', '<!-- a\n\nb -->', '<details>\n<summary>More</summary>', '</details>', '<br>'),
);

/** Definitions come first: later ones do not change what was already sent. */
export const githubText: fc.Arbitrary<string> = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 14 }), fc.boolean())
  .map(([blocks, isWindows]) => {
    const text = ['[known]: https://example.com/known', ...blocks].join('\n\n');
    return isWindows ? text.replaceAll('\n', '\r\n') : text;
  });
