import fc from 'fast-check';

/** Lines of GitHub's Markdown that open and close something else than they seem to, as an arbitrary. */

const words = fc.constantFrom(
  'alpha beta',
  'some words here.',
  'a much longer line of words that goes on for a while, and then some more.',
  '**bold words**',
  '*slanted*',
  '`code x`',
  '[link](https://example.com)',
  '~~gone~~',
  '<b>tag</b>',
  'a | b',
);
const prose = fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const run = fc.constantFrom('```', '```', '````', '~~~', '~~~~');
const opening = fc.tuple(run, fc.constantFrom('', '', 'js', 'two words')).map((parts) => parts.join(''));
const row = fc
  .array(fc.constantFrom('a', 'two words', '`x`', '漢字', '', '1 \\| 2'), { minLength: 1, maxLength: 4 })
  .map((cells) => `| ${cells.join(' | ')} |`);

const line = fc.oneof(
  { weight: 6, arbitrary: prose },
  { weight: 2, arbitrary: opening },
  { weight: 2, arbitrary: run },
  { weight: 2, arbitrary: row },
  fc
    .tuple(
      fc.constantFrom('> ', '  ', '    ', '- ', '1. ', '  - ', '>', '#### ', '> > ', '> [!NOTE]\n> '),
      fc.oneof(opening, prose, row),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('|--|--|', '| a | b |\n|-|-|', '---', '===', '', '', '- item', '> [!TIP]'),
  fc.constantFrom(
    '<details>',
    '</details>',
    '<!-- a',
    '-->',
    '<table>',
    '<tr><td>x</td></tr>',
    '</table>',
    '<pre>',
  ),
);
const list = (item: fc.Arbitrary<string>, before: string) =>
  fc
    .array(item, { minLength: 1, maxLength: 8 })
    .map((items) => items.map((text) => before + text).join('\n'));
const codeLine = fc.oneof(prose, fc.constantFrom('', '~~~ no', '| a |', '- x', '> q', '  y', '``` no'));
const block = fc.oneof(
  prose,
  list(line, ''),
  list(prose, '- '),
  list(prose, '> '),
  list(row, '').map((rows) => `| Name | Size |\n|:-|-:|\n${rows}`),
  fc.tuple(run, list(codeLine, '')).map(([sign, code]) => `${sign}\n${code}\n${sign}`),
);
const nested = fc.oneof(
  { weight: 3, arbitrary: block },
  block.map((text) => text.replaceAll(/^/gm, '> ')),
  block.map((text) => `- item\n\n${text.replaceAll(/^(?=.)/gm, '  ')}`),
  block.map((text) => `<details>\n<summary>More</summary>\n\n${text}\n\n</details>`),
);

export const mixedText: fc.Arbitrary<string> = fc
  .tuple(fc.array(nested, { minLength: 2, maxLength: 14 }), fc.constantFrom('\n', '\n\n'), fc.boolean())
  .map(([blocks, separator, isWindows]) => {
    const text = blocks.join(separator);
    return isWindows ? text.replaceAll('\n', '\r\n') : text;
  });
