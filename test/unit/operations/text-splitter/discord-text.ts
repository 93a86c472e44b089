import fc from 'fast-check';

/** Texts as they are written on Discord, as arbitraries. */

const PLAIN_WORDS = [
  'alpha',
  'beta',
  'the',
  'of',
  "don't",
  'Ünïcödé',
  'word,',
  '(paren)',
  '"quote"',
  'x',
  '42',
  'end.',
  'Stop!',
  'why?',
  '日本語',
  '这是中文。',
  'สวัสดีครับ',
  'مرحبا',
  'שלום',
  '한국어',
  'e\u0301t\u00e9',
  '👨‍👩‍👧',
  '🇩🇪🇫🇷',
  '👍🏽',
  'ا\u064eل',
];
const TOKENS = [
  '<@123456789012345678>',
  '<@!123456789012345678>',
  '<@&123456789012345678>',
  '<#123456789012345678>',
  '<:blob:123456789012345678>',
  '<a:dance:123456789012345678>',
  '<t:1700000000:R>',
  '</settings key:123456789012345678>',
  'https://example.com/a/b?c=d&e=f',
  '<https://example.com/x>',
  '[masked link](https://example.com/page)',
];
const NAMES = ['snake_case', 'a_b_c', '<:emo_ji:123456789012345678>', 'https://example.com/a_b/__init__.py'];

const codeSpan = fc.constantFrom('`code x`', '``a ` b``', '`npm run x`');
const escaped = fc.constantFrom('\\*', '\\_', '\\`', '\\|', '\\~');

function join(parts: fc.Arbitrary<string>, max: number, separator = ' '): fc.Arbitrary<string> {
  return fc.array(parts, { minLength: 1, maxLength: max, size: 'max' }).map((list) => list.join(separator));
}

/** Where names have underscores these are no marks, so that every reader sees the same styles. */
function wordOf(hasNames: boolean): fc.Arbitrary<string> {
  const token = fc.constantFrom(...TOKENS, ...(hasNames ? NAMES : []));
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...PLAIN_WORDS) },
    { weight: 2, arbitrary: token },
    { weight: 1, arbitrary: codeSpan },
    { weight: 1, arbitrary: escaped },
  );
}

function styledOf(word: fc.Arbitrary<string>, marks: readonly string[], depth: number): fc.Arbitrary<string> {
  const words = join(word, 9);
  if (depth === 0 || marks.length === 0) return words;
  return fc.oneof(
    words,
    fc.constantFrom(...marks).chain((mark) => {
      const inner = styledOf(
        word,
        marks.filter((other) => other[0] !== mark[0]),
        depth - 1,
      );
      return fc
        .tuple(words, inner, words)
        .map(([before, text, after]) => `${before} ${mark}${text}${mark} ${after}`);
    }),
  );
}

const codeLine = fc.constantFrom(
  'let a = 1;',
  '  foo(bar, baz);',
  '    return x + y',
  '// note',
  '',
  'if (a) {',
  '}',
);
const codeBody = fc
  .array(codeLine, { minLength: 1, maxLength: 14, size: 'max' })
  .map((lines) => `start();\n${lines.join('\n')}\nend();`);
const fence = fc
  .tuple(fc.constantFrom('js', '', 'py', 'c++'), codeBody)
  .map(([language, body]) => `\`\`\`${language}\n${body}\n\`\`\``);

function blockOf(hasNames: boolean): fc.Arbitrary<string> {
  const word = wordOf(hasNames);
  const words = join(word, 9);
  const styled = styledOf(word, hasNames ? ['**', '*', '~~', '||'] : ['**', '*', '__', '_', '~~', '||'], 3);
  const lines = (line: fc.Arbitrary<string>, max: number) => join(line, max, '\n');
  return fc.oneof(
    { weight: 4, arbitrary: styled },
    fence,
    words.map((text) => `# ${text}`),
    words.map((text) => `### ${text}`),
    words.map((text) => `-# ${text}`),
    lines(
      styled.map((text) => `- ${text}`),
      5,
    ),
    lines(
      fc.tuple(fc.constantFrom('', '  '), words).map(([indent, text]) => `${indent}- ${text}`),
      6,
    ).map((list) => `Intro:\n${list}`),
    lines(
      styled.map((text) => `> ${text}`),
      4,
    ),
    fence.map((code) => `> ${code.replaceAll('\n', '\n> ')}`),
    fc.tuple(words, fence, words).map(([before, code, after]) => `||${before}\n${code}\n${after}||`),
    fc
      .array(words, { minLength: 2, maxLength: 5 })
      .map((items) => items.map((text, k) => `${k + 1}. ${text}`).join('\n')),
    fc
      .array(fc.constantFrom('| x | 22 |', '| yy | 1 |'), { minLength: 1, maxLength: 6 })
      .map((rows) => ['| a | b |', '|---|---|', ...rows].join('\n')),
  );
}

function messageOf(tail: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.boolean().chain((hasNames) =>
    fc
      .tuple(
        fc.array(blockOf(hasNames), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('\n\n', '\n\n', '\n'),
        fc.option(
          join(wordOf(hasNames), 30).map((text) => `\n\n>>> ${text}`),
          { nil: '', freq: 12 },
        ),
        tail,
        fc.boolean(),
      )
      .map(([blocks, separator, rest, open, isWindows]) => {
        const text = blocks.join(separator) + (rest === '' ? open : rest);
        return isWindows ? text.replaceAll('\n', '\r\n') : text;
      }),
  );
}

const openFence = codeBody.map((body) => `\n\`\`\`js\n${body}`);

/** A message of several blocks, with one meaning only. */
export const discordText = messageOf(fc.option(openFence, { nil: '', freq: 12 }));

/** A message that closes each fence, so that another one can follow it. */
export const closedText = messageOf(fc.constant(''));

const NOISE = [
  ...PLAIN_WORDS,
  ...TOKENS,
  ...NAMES,
  '**',
  '*',
  '__',
  '_',
  '~~',
  '||',
  '`',
  '``',
  '```',
  '````',
  '```js\n',
  '\n```\n',
  '~~~\n',
  '\n',
  '\n\n',
  '\r\n',
  ' ',
  '   ',
  '\t',
  '\u00a0',
  '> ',
  '>>> ',
  '# ',
  '- ',
  '1. ',
  '| a | b |\n',
  '\\',
  '[',
  '](',
  ')',
  '<',
  '\ud800',
  '\udc00',
  '\u200d',
  '\u0301',
  'longwordlongwordlongwordlongword',
];

/** Marks, tokens and characters in any order. */
export const noise: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...NOISE), { minLength: 1, maxLength: 80, size: 'max' })
  .map((parts) => parts.join(''));
