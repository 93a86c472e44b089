import { describe, expect, test } from 'vitest';

import type { SplitOptions } from '../../../../src/operations/text-splitter/split-options.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { findDefects } from './check-split.ts';

type Case = readonly [name: string, text: string, options: Partial<SplitOptions>, chunks: readonly string[]];

function check(cases: readonly Case[]): void {
  test.each(cases)('%s', (_name, text, options, chunks) => {
    expect(splitText(text, options).chunks).toEqual(chunks);
  });
}

const FENCE = '```js\nlet a = 1;\nlet b = 2;\nlet c = 3;\nlet d = 4;\n```';

describe('fences', () => {
  check([
    [
      'are closed and opened again with their language',
      `intro:\n${FENCE}\noutro text`,
      { maxLength: 40 },
      ['intro:\n```js\nlet a = 1;\nlet b = 2;\n```', '```js\nlet c = 3;\nlet d = 4;\n```', 'outro text'],
    ],
    [
      'reopen the spoiler that they are in',
      'see ||spoiler with ```js\nlet a = 1;\nlet b = 2;\n``` in it|| end',
      { maxLength: 57 },
      ['see ||spoiler with ```js\nlet a = 1;\n```||', '||```js\nlet b = 2;\n``` in it|| end'],
    ],
    [
      'end with their quote when they are unclosed, also with CR LF',
      '> ```js\r\n> let a = 1;\r\nafter the quote\r\nand more',
      { maxLength: 33 },
      ['> ```js\r\n> let a = 1;', 'after the quote\r\nand more'],
    ],
    [
      'reopen the quote that they are in',
      '> ```js\n> let a = 1;\n> let b = 2;\n> let c = 3;\n> ```',
      { maxLength: 40 },
      ['> ```js\n> let a = 1;\n> let b = 2;\n> ```', '> ```js\n> let c = 3;\n> ```'],
    ],
    [
      'are cut after a blank line rather than within a part',
      '```js\nlet a = 1;\nlet b = 2;\n\nlet c = 3;\nlet d = 4;\n\nlet e = 5;\nlet f = 6;\n```',
      { maxLength: 40, prefer: 'word' },
      [
        '```js\nlet a = 1;\nlet b = 2;\n\n```',
        '```js\nlet c = 3;\nlet d = 4;\n\n```',
        '```js\nlet e = 5;\nlet f = 6;\n```',
      ],
    ],
    [
      'are cut after the last of several blank lines, so that the next chunk begins with code',
      '```js\nlet a = 1;\nlet b = 2;\n\n\nlet c = 3;\nlet d = 4;\n```',
      { maxLength: 40 },
      ['```js\nlet a = 1;\nlet b = 2;\n\n\n```', '```js\nlet c = 3;\nlet d = 4;\n```'],
    ],
    [
      'are cut before blank lines that do not all fit, not between them',
      '```js\nstart();\nlet a = 1;\n\n\nlet a = 1;\nend();\n```',
      { maxLength: 30 },
      ['```js\nstart();\nlet a = 1;\n```', '```js\n\n\nlet a = 1;\nend();\n```'],
    ],
    [
      'that are empty continue to the end of the next block, as in a client',
      '```\n\n```js\nlet a = 1;\nlet b = 2;\nlet c = 3;\n```',
      { maxLength: 36 },
      ['```\n\n```js\nlet a = 1;\nlet b = 2;\n```', '```\nlet c = 3;\n```'],
    ],
    [
      'that are empty leave the text after them unchanged',
      '```\n\n```\none two three four five\n```js\nlet a = 1;\n```',
      { maxLength: 30 },
      ['```\n\n```\none two three four', 'five\n```js\nlet a = 1;\n```'],
    ],
    [
      'may be made of tildes',
      '~~~py\nline one\nline two\nline three\n~~~',
      { maxLength: 30 },
      ['~~~py\nline one\nline two\n~~~', '~~~py\nline three\n~~~'],
    ],
    [
      'of tildes are closed by at least as many tildes',
      '~~~~\nline one\n~~~\nline two\nline three\n~~~~~',
      { maxLength: 32 },
      ['~~~~\nline one\n~~~\nline two\n~~~~', '~~~~\nline three\n~~~~~'],
    ],
    [
      'of tildes do not begin at other markers',
      '***\nalpha beta\ngamma\n~~~\ndelta',
      { maxLength: 16 },
      ['***\nalpha beta', 'gamma\n~~~\ndelta'],
    ],
    [
      'that are unclosed stay open at the end',
      'open:\n```js\nline one\nline two\nline three\nline four',
      { maxLength: 35 },
      ['open:\n```js\nline one\nline two\n```', '```js\nline three\nline four'],
    ],
    [
      'reopen without the language when their first line is over a quarter of a chunk',
      '```a-very-long-language-name\nline one\nline two\nline three\nline four\n```',
      { maxLength: 50 },
      ['```a-very-long-language-name\nline one\nline two\n```', '```\nline three\nline four\n```'],
    ],
    [
      'with an opening line longer than a chunk stay code in every chunk',
      `\`\`\`${'x'.repeat(60)}\nlet a = 1;\nlet b = 2;\nlet c = 3;\n\`\`\``,
      { maxLength: 50 },
      [
        `\`\`\`${'x'.repeat(43)}\n\`\`\``,
        `\`\`\`\n${'x'.repeat(17)}\nlet a = 1;\nlet b = 2;\n\`\`\``,
        '```\nlet c = 3;\n```',
      ],
    ],
    [
      'with a first line as long as a chunk, and a blank line after it, stay code in every chunk',
      `\`\`\`\`> ${'a'.repeat(20)}\n\n${'b'.repeat(19)} b\`\`\`\``,
      { maxLength: 30 },
      [
        '````> \n````',
        `\`\`\`\`\n${'a'.repeat(20)}\n\`\`\`\``,
        `\`\`\`\`\n\n${'b'.repeat(19)}\n\`\`\`\``,
        '````\n b````',
      ],
    ],
    [
      'reopen without the language after a space, because clients show that as code',
      '``` js\nlet a = 1;\nlet b = 2;\nlet c = 3;\n```',
      { maxLength: 36 },
      ['``` js\nlet a = 1;\nlet b = 2;\n```', '```\nlet c = 3;\n```'],
    ],
    [
      'with lines longer than a chunk are cut after a space and keep all text',
      `\`\`\`\n${'word '.repeat(12)}\n\`\`\``,
      { maxLength: 40 },
      ['```\nword word word word word word \n```', '```\nword word word word word word \n```'],
    ],
    [
      'with one line longer than a chunk are cut at the ends of the others',
      `\`\`\`\n${'x'.repeat(70)}\nlet a = 1;\nlet b = 2;\nlet c = 3;\nlet d = 4;\n\`\`\``,
      { maxLength: 40 },
      [
        `\`\`\`\n${'x'.repeat(32)}\n\`\`\``,
        `\`\`\`\n${'x'.repeat(32)}\n\`\`\``,
        '```\nxxxxxx\nlet a = 1;\nlet b = 2;\n```',
        '```\nlet c = 3;\nlet d = 4;\n```',
      ],
    ],
    [
      'keep Windows line breaks',
      '```js\r\nlet a = 1;\r\nlet b = 2;\r\nlet c = 3;\r\n```',
      { maxLength: 40 },
      ['```js\r\nlet a = 1;\r\nlet b = 2;\n```', '```js\nlet c = 3;\r\n```'],
    ],
  ]);
});

describe('styles', () => {
  check([
    [
      'within a long word stay whole when they fit',
      `${'x'.repeat(24)}**${'y'.repeat(20)}**${'z'.repeat(24)}`,
      { maxLength: 24 },
      ['x'.repeat(24), `**${'y'.repeat(20)}**`, 'z'.repeat(24)],
    ],
    [
      'are closed inside out and opened outside in',
      'a **b _italic inside of it that goes on_** after',
      { maxLength: 41 },
      ['a **b _italic inside of it that goes_**', '**_on_** after'],
    ],
    [
      'of three stars are italics and bold',
      'before ***a b c d e f g h*** behind it',
      { maxLength: 22 },
      ['before ***a b c d e***', '***f g h*** behind it'],
    ],
    [
      'in a quote reopen after its marker',
      '> a **quoted line\n> two is bold** and more\n> third',
      { maxLength: 30 },
      ['> a **quoted line\n> two is**', '> **bold** and more\n> third'],
    ],
    [
      'around a list reopen on a line of their own',
      'see ||a spoiler with\n- a list\n- of items|| and the rest',
      { maxLength: 40 },
      ['see ||a spoiler with\n- a list||', '||\n- of items|| and the rest'],
    ],
    [
      'end a URL at their closing mark',
      '**https://example.com/path** and ||https://example.com/b|| more text',
      { maxLength: 40 },
      ['**https://example.com/path** and', '||https://example.com/b|| more text'],
    ],
    [
      'do not begin in names, formulas and unpaired marks',
      'snake_case and 2 * 3 and **kwargs and so on',
      { maxLength: 20 },
      ['snake_case and 2 * 3', 'and **kwargs and', 'so on'],
    ],
    [
      'do not cross a blank line',
      'a **b\n\nc and *d `e\n\nf** and* g` h',
      { maxLength: 22 },
      ['a **b\n\nc and *d `e', 'f** and* g` h'],
    ],
    [
      'need marks that are no further apart than a chunk is long',
      'src/**/*.ts and then some more, 2**8 and so on',
      { maxLength: 24 },
      ['src/**/*.ts and then', 'some more,', '2**8 and so on'],
    ],
    [
      'of spoilers continue across a blank line',
      'see ||hidden words\n\nand more|| of it here',
      { maxLength: 34 },
      ['see ||hidden words||', '||and more|| of it here'],
    ],
    [
      'of spoilers do not begin at operators: pipes between spaces',
      'if a || b then\n\nor c || d then it is so',
      { maxLength: 34 },
      ['if a || b then', 'or c || d then it is so'],
    ],
    [
      'of spoilers may have spaces around their marks within a paragraph',
      'x y z a || b c d e f g h || i j k',
      { maxLength: 24 },
      ['x y z a || b c d e f g||', '||h || i j k'],
    ],
    [
      'of spoilers and lines struck through end at their marks after a backslash too',
      'look in ||the folder C:\\games\\|| and ~~never ever on D:\\~~ for it',
      { maxLength: 27 },
      ['look in ||the folder||', '||C:\\games\\|| and ~~never~~', '~~ever on D:\\~~ for it'],
    ],
    [
      'never separate a backslash from the character that it escapes',
      'aaaaaaa\\.bbbbbbb',
      { maxLength: 8 },
      ['aaaaaaa', '\\.bbbbbb', 'b'],
    ],
    [
      'are not opened by marks after a backslash',
      'write \\|| twice and then \\~~ or \\||| for it',
      { maxLength: 20 },
      ['write \\|| twice and', 'then \\~~ or \\|||', 'for it'],
    ],
    [
      'of names with an underscore do not cross lines',
      'one snake_case and the words of\na line_ of text',
      { maxLength: 36, append: '…' },
      ['one snake_case and the words of…', 'a line_ of text'],
    ],
    [
      'of names with an underscore are italics in their own line',
      'five and six\nx_one two three four_ and five',
      { maxLength: 24, append: ' (more)' },
      ['five and six (more)', 'x_one two three_ (more)', '_four_ and five'],
    ],
    [
      'of a star in a word are italics across lines too',
      'word*one two\nthree four* five',
      { maxLength: 20 },
      ['word*one two*', '*three four* five'],
    ],
    [
      'begin at text, not at the indentation of a line',
      'some words and **one two three\n  four five six** here',
      { maxLength: 40 },
      ['some words and **one two three**', '**four five six** here'],
    ],
    [
      'stay unchanged with reopen=false',
      '**bold words that go on**',
      { maxLength: 15, reopen: false },
      ['**bold words', 'that go on**'],
    ],
  ]);
});

describe('lines', () => {
  check([
    [
      'of back-ticks alone, at the end of a quote, are text',
      '> alpha beta\n> ```\r\n\ngamma delta',
      { maxLength: 16 },
      ['> alpha beta', '> ```', 'gamma delta'],
    ],
    [
      'of a quote to the end are quoted in each chunk',
      '>>> a long block quote that goes on\nand on and on\n- item one\n- item two',
      { maxLength: 40 },
      ['>>> a long block quote that goes on', '>>> and on and on\n- item one\n- item two'],
    ],
    [
      'of headings continue as headings',
      '# A heading that is rather long\nText',
      { maxLength: 30 },
      ['# A heading that is rather', '# long\nText'],
    ],
    [
      'of subtext continue as subtext',
      '-# subtext that is quite long here\nrest',
      { maxLength: 25 },
      ['-# subtext that is quite', '-# long here\nrest'],
    ],
    [
      'of tables stay whole',
      '| a | b |\n|---|---|\n| one | two |\n| three | four |',
      { maxLength: 34 },
      ['| a | b |\n|---|---|\n| one | two |', '| three | four |'],
    ],
    [
      'that are headings do not end a chunk',
      'Some text of a paragraph.\n\n## Heading\n\nParagraph under the heading.',
      { maxLength: 45 },
      ['Some text of a paragraph.', '## Heading\n\nParagraph under the heading.'],
    ],
    [
      'that lead in to a list stay with it',
      'Some text of a paragraph.\nThe list:\n- item one\n- item two\n- item three',
      { maxLength: 48 },
      ['Some text of a paragraph.', 'The list:\n- item one\n- item two\n- item three'],
    ],
    [
      'of lists continue without a new bullet',
      '- one two three four five six seven eight\n- nine',
      { maxLength: 25 },
      ['- one two three four five', 'six seven eight\n- nine'],
    ],
  ]);
});

describe('markup in a quote or a heading', () => {
  check([
    [
      'ends with the quote: inline code',
      '> `one two\nthree four` five six',
      { maxLength: 24 },
      ['> `one two', 'three four` five six'],
    ],
    [
      'ends with the heading: inline code',
      '# `one two\nthree four` five six',
      { maxLength: 24 },
      ['# `one two', 'three four` five six'],
    ],
    [
      'ends with the quote: the text of a link',
      '> [one two\nthree](https://x.org/a) four',
      { maxLength: 26 },
      ['> [one two', 'three](https://x.org/a)', 'four'],
    ],
    [
      'begins with the quote: the text of a link',
      '[one two\n> three](https://x.org/a) four',
      { maxLength: 26 },
      ['[one two', '> three](https://x.org/a)', '> four'],
    ],
    [
      'ends with the quote: an unclosed block of code',
      '> ```\n> line one\n> line two\nand four words after\nand four words more',
      { maxLength: 30 },
      ['> ```\n> line one\n> line two', 'and four words after', 'and four words more'],
    ],
    [
      'continues over the lines of one quote: inline code',
      'start here\n> `one two\n> three four` five',
      { maxLength: 25 },
      ['start here', '> `one two\n> three four`', '> five'],
    ],
    [
      'continues to the end of the text: inline code in a `>>>` quote',
      'start here\n>>> `one two\nthree four` five',
      { maxLength: 24 },
      ['start here', '>>> `one two\nthree four`', '>>> five'],
    ],
    [
      'continues after a quote marker inside a `>>>` quote',
      '>>> `one two\n> three four` five',
      { maxLength: 26 },
      ['>>> `one two\n> three four`', '>>> five'],
    ],
  ]);
});

describe('a script without spaces', () => {
  const phrases = [
    ['th', 'วันนี้อากาศดีมากเราจึงออกไปเดินเล่นที่สวนสาธารณะใกล้บ้านและพบเพื่อนเก่าที่ไม่ได้เจอกันมานานหลายปี'],
    ['ja', '昨日は友達と一緒に新しい図書館へ行って日本の歴史についての本をたくさん借りてきました'],
    ['zh', '昨天我们在图书馆里学习了很长时间然后一起去附近的餐厅吃晚饭并讨论了明年的旅行计划'],
  ] as const;

  test.each(phrases)('fills chunks up to the last word that fits (%s)', (language, phrase) => {
    const text = phrase.repeat(40);
    const words = new Intl.Segmenter(language, { granularity: 'word' }).segment(text);
    const starts = new Set(Array.from(words, ({ index }) => index));
    for (const maxLength of [20, 50, 200, 1000]) {
      const { chunks, pieces } = splitText(text, { maxLength });
      expect(Math.min(...chunks.slice(0, -1).map(({ length }) => length))).toBeGreaterThan(maxLength - 8);
      expect(new Set(pieces.slice(0, -1).map(({ cut }) => cut))).toEqual(new Set(['word']));
      // The dictionary sees a small window: with the whole text it would part one word or another elsewhere.
      expect(pieces.slice(0, -1).filter(({ end }) => !starts.has(end)).length).toBeLessThanOrEqual(1);
    }
  });

  test('fills chunks after a comma as well', () => {
    const sentence = '管理者の権限を確認してから設定を変更する方法を説明する';
    const text = `${sentence}サーバーにボットを招待して、${sentence}${sentence}管理者の権限を確認してから設定を変更`;
    expect(splitText(text, { maxLength: 60 }).chunks.map(({ length }) => length)).toEqual([59, 54]);
  });

  test.each([
    ...phrases,
    ['km', 'ភាសាខ្មែរគឺជាភាសាផ្លូវការរបស់ប្រទេសកម្ពុជានិងមានអក្សរផ្ទាល់ខ្លួនដែលប្រើតាំងពីសតវត្សទីប្រាំមួយមក'] as const,
  ])('keeps its styles, tokens, clusters and opening brackets whole (%s)', (_language, phrase) => {
    const [start, middle, end] = [phrase.slice(0, 17), phrase.slice(17, 30), phrase.slice(30)];
    const text = `${start}**${middle}**（${end}）<@123456789012345678>${start}||${middle}||${end}`.repeat(5);
    for (let maxLength = 30; maxLength < 70; maxLength += 1) {
      const { chunks, pieces } = splitText(text, { maxLength });
      const checked = pieces.map(({ start, end, addedPrefix }, index) => {
        return { chunk: chunks[index] ?? '', start, end, prefixLength: addedPrefix.length };
      });
      expect(findDefects(text, checked, maxLength)).toEqual([]);
      expect(chunks.filter((chunk) => chunk.endsWith('（'))).toEqual([]);
    }
  });

  test.each([
    ['ends its sentence', `"')]}”’»›〉》」』】〕〗〙〛）］｝｣`, 11],
    ['begins the next sentence', '([{“‘«‹〈《「『【〔〖〘〚（［｛｢〇〓', 10],
  ])('is cut so that after a full stop, each mark of these %s: %s', (_name, marks, end) => {
    for (const mark of marks) {
      const text = `${'字'.repeat(9)}。${mark}${'字'.repeat(9)}`;
      const { pieces } = splitText(text, { maxLength: 15, prefer: 'sentence' });
      expect([mark, pieces[0]?.end]).toEqual([mark, end]);
    }
  });

  // Text is walked over in parts, and one of them ends at this full stop.
  test.each([16_382, 16_383, 16_384])('is cut at the end of a sentence after %i letters', (letters) => {
    const text = `${'あ'.repeat(letters)}。${'い'.repeat(300)}`;
    const { pieces } = splitText(text, { maxLength: 16_500, prefer: 'sentence' });
    expect(pieces[0]).toMatchObject({ end: letters + 1, cut: 'sentence' });
  });
});

describe('white space', () => {
  test.each(['\u00a0', '\u2007', '\u202f', '\ufeff'])('%j holds two words together', (space) => {
    for (let maxLength = 12; maxLength < 20; maxLength += 1) {
      const { chunks } = splitText(`some words 10${space}000 of them here`, { maxLength });
      expect(chunks.filter((chunk) => chunk.includes(`10${space}000`))).toHaveLength(1);
    }
  });

  test.each(['\t', '\v', '\u1680', '\u2003', '\u2028', '\u205f', '\u3000'])(
    '%j separates two words',
    (space) => {
      const { chunks, pieces } = splitText(`alpha${space}beta${space}gamma`, { maxLength: 11 });
      expect(chunks).toEqual([`alpha${space}beta`, 'gamma']);
      expect(pieces[0]?.cut).toBe('space');
    },
  );
});

describe('a long stretch of white space', () => {
  test.each([' ', '\u00a0', '\u1680', '\u2003', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff'])(
    'of %j never becomes a chunk',
    (space) => {
      expect(splitText(`one${space.repeat(40)}two`, { maxLength: 10 }).chunks).toEqual(['one', 'two']);
    },
  );
});

describe('the start of a line', () => {
  const words = 'some words that go on and on';
  test.each(['# ', '## ', '### ', '-# '])('is repeated when its line is cut: %s', (marker) => {
    const { chunks } = splitText(marker + words, { maxLength: 20 });
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.every((chunk) => chunk.startsWith(marker))).toBe(true);
  });

  test.each(['#### ', '#', '##', '12. ', '12) ', '1.', '-', '- '])('is not repeated: %s', (marker) => {
    const { chunks } = splitText(marker + words, { maxLength: 20 });
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.slice(1).join(' ')).not.toMatch(/[#.)-]/);
  });
});

describe('a punctuation mark within a line', () => {
  const words = 'word '.repeat(10);
  test.each(['# ', '### ', '-# ', '> ', '>>> ', '- ', '* ', '12. ', '12) '])(
    'begins no chunk: %s',
    (marker) => {
      for (let maxLength = 46; maxLength < 60; maxLength += 1) {
        const { chunks } = splitText(`${words}${marker}${words}and so on.`, { maxLength });
        expect(chunks.filter((chunk) => chunk.startsWith(marker))).toEqual([]);
      }
    },
  );

  test.each(['#### ', '12.', '1.5 ', '#tag ', '12345678901. '])(
    'begins a chunk when it has no meaning there: %s',
    (marker) => {
      const { chunks } = splitText(`${words}${marker}more words here`, { maxLength: 50 });
      expect(chunks[1]?.startsWith(marker)).toBe(true);
    },
  );

  test('begins a chunk when there is no other position', () => {
    expect(splitText('a # # # # # # # #', { maxLength: 5 }).chunks.join(' ')).toBe('a # # # # # # # #');
  });

  test('begins no chunk after a wide full stop either', () => {
    const text = `${'字'.repeat(20)}。> ${'字'.repeat(20)}`;
    expect(splitText(text, { maxLength: 30 }).chunks.filter((chunk) => chunk.startsWith('>'))).toEqual([]);
  });
});

describe('a lone marker of a quote or list', () => {
  check([
    [
      'does not end a chunk when it is a line of its own',
      '> one two three\n> \n> four five six seven',
      { maxLength: 26 },
      ['> one two three', '> \n> four five six seven'],
    ],
    [
      'does not end a chunk without its space either',
      '> one two three\n>\n> four five six seven',
      { maxLength: 26 },
      ['> one two three', '>\n> four five six seven'],
    ],
    [
      'does not end a chunk within a nested quote',
      '> > one two three\n> > four five six seven',
      { maxLength: 26 },
      ['> > one two three', '> > four five six seven'],
    ],
    [
      'does not end a chunk of a list',
      'one two three four\n- \n- five six seven',
      { maxLength: 21 },
      ['one two three four', '- \n- five six seven'],
    ],
    [
      'does not end a chunk of numbers',
      'one two three four\n12.\n13. five six',
      { maxLength: 22 },
      ['one two three four', '12.\n13. five six'],
    ],
    [
      'does not end a chunk before a link that is longer than a chunk',
      '> one two\n> - [three](https://example.com/four/five) six',
      { maxLength: 36 },
      ['> one two\n> - [three](https://', '> example.com/four/five) six'],
    ],
  ]);
});

describe('the label of a link', () => {
  check([
    [
      'ends at its target, even within back-ticks that pair with those of the next item',
      [
        '- [`a](https://e.io/1).',
        '- [`b` word word word](https://e.io/2).',
        '- [`c` word word word](https://e.io/3).',
      ].join('\n'),
      { maxLength: 60 },
      [
        '- [`a](https://e.io/1).',
        '- [`b` word word word](https://e.io/2).',
        '- [`c` word word word](https://e.io/3).',
      ],
    ],
    [
      'holds code with brackets that lead nowhere',
      'one two [three `a](b` four](https://e.io/3) five',
      { maxLength: 30 },
      ['one two [three `a](b`', 'four](https://e.io/3) five'],
    ],
    [
      'holds no other link',
      'one [two three [four](https://e.io/3) five](https://e.io/4) six',
      { maxLength: 40 },
      ['one [two three [four](https://e.io/3)', 'five](https://e.io/4) six'],
    ],
    [
      'does not go past the end of a list item',
      '- [one two three\n- four five](https://e.io/3) six',
      { maxLength: 45 },
      ['- [one two three', '- four five](https://e.io/3) six'],
    ],
    [
      'does not go past the end of an item that begins in code',
      'x\n1. [one `two\n2. four` five](https://e.io/3) six',
      { maxLength: 40 },
      ['x\n1. [one `two\n2. four`', 'five](https://e.io/3) six'],
    ],
    [
      'continues on the next line',
      '- [one two three\n  four five](https://e.io/3) six',
      { maxLength: 46 },
      ['- [one two three\n  four five](https://e.io/3)', 'six'],
    ],
  ]);

  test('ends with the item, whichever back-tick of a list of links is missing', () => {
    const items = ['add', 'sub', 'between', 'closest', 'format', 'parse'].map(
      (name, index) => `- [Fixed \`${name}\` to read \`${name}Of\` too](https://example.com/pull/${index}).`,
    );
    const list = items.join('\n');
    for (const { index } of list.matchAll(/`/g)) {
      const text = list.slice(0, index) + list.slice(index + 1);
      for (const maxLength of [80, 100, 200]) {
        const { chunks } = splitText(text, { maxLength });
        expect(chunks.join('\n')).toBe(text);
        expect(chunks.filter((chunk) => !/^- .*\)\.$/s.test(chunk))).toEqual([]);
      }
    }
  });
});

describe('tokens', () => {
  const emoji = '<:name_of:123456789012345678>';
  check([
    ['stay whole', `a ${emoji} b ${emoji}`, { maxLength: 33 }, [`a ${emoji} b`, emoji]],
    [
      'longer than a chunk are cut after separators such as the slash',
      'https://example.com/one/two?three=four&five=six',
      { maxLength: 30 },
      ['https://example.com/one/two?', 'three=four&five=six'],
    ],
    [
      'of inline code are closed and opened again',
      '`inline code that does not fit at all here`\nx',
      { maxLength: 43, counter: ' — {i} of {n} —' },
      ['`inline code that does not fit` — 1 of 2 —', '`at all here`\nx — 2 of 2 —'],
    ],
    [
      'of one long word are cut between characters',
      'a'.repeat(50),
      { maxLength: 30 },
      ['a'.repeat(30), 'a'.repeat(20)],
    ],
    ['of joined emoji stay whole', '👨‍👩‍👧‍👦'.repeat(4), { maxLength: 30 }, ['👨‍👩‍👧‍👦'.repeat(2), '👨‍👩‍👧‍👦'.repeat(2)]],
    [
      'of one huge character are cut between code points',
      `a${'\u0301'.repeat(9)}`,
      { maxLength: 5 },
      ['a\u0301\u0301\u0301\u0301', '\u0301'.repeat(5)],
    ],
  ]);
});

describe('more blanks than a chunk holds', () => {
  test.each([
    ['within a fence', `\`\`\`${'\u3000'.repeat(40)}${'\n'.repeat(300)}~~~\n`],
    ['within a quoted fence', `\t\n\`\`\`\n- . >>> ${'> \n'.repeat(24)}${' '.repeat(15)}> `],
    ['after a list marker', `- ${'\n'.repeat(26)}${' '.repeat(143)}${'`'.repeat(29)}`],
  ])('are accepted in a text: %s', (_name, text) => {
    const { chunks } = splitText(text, { maxLength: 20 });
    expect(chunks.filter((chunk) => chunk.length > 20 || chunk.trim() === '')).toEqual([]);
    expect(chunks.join('').replaceAll(/\s/g, '')).toContain(text.replaceAll(/\s/g, '').slice(0, 8));
  });
});

describe('blanks after the start of a line', () => {
  const blanks = ' '.repeat(3000);
  check(
    ['#', '-', '>', '1.', '-#', '>>>'].map((start): Case => {
      const next = start === '>>>' ? '>>> alpha' : 'alpha';
      return [`are left out when they do not fit: ${start}`, `${start}${blanks}\nalpha`, {}, [start, next]];
    }),
  );
  check([
    [
      'are left out in a style',
      `**a\n-${' '.repeat(90)}\nb** c`,
      { maxLength: 100, counter: `\n${'{i}'.repeat(30)}` },
      [`**a\n-**\n${'1'.repeat(30)}`, `**b** c\n${'2'.repeat(30)}`],
    ],
    ['are left out before a fence', `- ${blanks}\n\`\`\`\nx\n\`\`\``, {}, ['-', '```\nx\n```']],
  ]);
});

describe('options', () => {
  check([
    [
      'plain text has no styles',
      '**a b c** `d e`',
      { maxLength: 8, mode: 'plain' },
      ['**a b', 'c** `d', 'e`'],
    ],
    [
      'code is fenced in every chunk, the counter outside',
      'let a;\nlet b;\nlet c;',
      { maxLength: 28, mode: 'code', language: 'js', counter: '({i}/{n})' },
      ['```js\nlet a;\n```\n(1/3)', '```js\nlet b;\n```\n(2/3)', '```js\nlet c;\n```\n(3/3)'],
    ],
    ['code is fenced when it fits too', 'let a;', { mode: 'code' }, ['```\nlet a;\n```']],
    [
      'back-ticks in code are apart',
      'a\n```\nb ````` c',
      { mode: 'code' },
      ['```\na\n``\u200b`\nb ``\u200b``\u200b` c\n```'],
    ],
    [
      'back-ticks in code are apart without marks that are opened again, too',
      'a\n```\nb',
      { mode: 'code', reopen: false },
      ['```\na\n``\u200b`\nb\n```'],
    ],
    [
      'additions count towards the limit, and are outside of fences',
      `Text before.\n${FENCE}\nText behind it goes on.`,
      { maxLength: 60, counter: '({i}/{n})', prepend: '…', append: '…' },
      [
        'Text before.\n```js\nlet a = 1;\nlet b = 2;\n```\n… (1/3)',
        '…\n```js\nlet c = 3;\nlet d = 4;\n```\n… (2/3)',
        '…Text behind it goes on. (3/3)',
      ],
    ],
    [
      'an addition with a line break of its own gets no second one',
      '- item one is long\n- item two is long\n```\nlet a = 1;\nlet b = 2;\nlet c = 3;\n```',
      { maxLength: 44, prefer: 'line', prepend: 'more:\n', append: '\n(more)' },
      [
        '- item one is long\n(more)',
        'more:\n- item two is long\n(more)',
        'more:\n```\nlet a = 1;\nlet b = 2;\n```\n(more)',
        'more:\n```\nlet c = 3;\n```',
      ],
    ],
    [
      'an addition stays on a line that only looks like the end of a fence',
      '`code` one two three\n~~old~~ five six seven\n| a ```b``` and some more',
      { maxLength: 30, append: '…' },
      ['`code` one two three…', '~~old~~ five six seven…', '| a ```b``` and some more'],
    ],
    [
      'an addition stays on a line with code in it',
      'see```b``` one two\nthree four five',
      { maxLength: 22, append: '…' },
      ['see```b``` one two…', 'three four five'],
    ],
    [
      'indentation stays where it is at most a quarter of a chunk',
      `one two three four five six seven\n${' '.repeat(10)}eight`,
      { maxLength: 40 },
      ['one two three four five six seven', `${' '.repeat(10)}eight`],
    ],
    [
      'indentation is left out where it is more',
      `one two three four five six seven\n${' '.repeat(11)}eight`,
      { maxLength: 40 },
      ['one two three four five six seven', 'eight'],
    ],
    [
      'an accent that begins a line begins a chunk',
      'one two three\n\u0301four five',
      { maxLength: 16 },
      ['one two three', '\u0301four five'],
    ],
    [
      'a combining accent keeps the space before it',
      `one two three\nfour${' '.repeat(3)}\u0301five six`,
      { maxLength: 20, mode: 'plain' },
      [`one two three`, `four${' '.repeat(3)}\u0301five six`],
    ],
    [
      'additions to other chunks do not make the last chunk short',
      '```js\nlet x;\n    c(d, e);\nlet a = 1;\ndone();\n```\n  - and so on',
      { maxLength: 60, append: ' (more)' },
      ['```js\nlet x;\n    c(d, e);\nlet a = 1;\ndone();\n```\n (more)', '  - and so on'],
    ],
    ['lines are limited', 'a\nb\nc\nd', { maxLines: 2 }, ['a\nb', 'c\nd']],
    [
      'a space with a combining accent stays in inline code that is longer than a chunk',
      'see `abc def ghi \u0301jklmnopqr stu` end',
      { maxLength: 30, append: '…………' },
      ['see `abc def`…………', '`ghi \u0301jklmnopqr stu` end'],
    ],
    [
      'a line that exceeds the limit with its additions is cut no more often than without the limit',
      '- one two three four five six seven eight nine',
      { maxLength: 40, maxLines: 1, counter: '({i}/{n})' },
      ['- one two three four five six\n(1/2)', 'seven eight nine (2/2)'],
    ],
    [
      'lines that are added for a fence count',
      `intro\n${FENCE}\nend`,
      { maxLines: 5 },
      ['intro\n```js\nlet a = 1;\nlet b = 2;\n```', '```js\nlet c = 3;\nlet d = 4;\n```\nend'],
    ],
    [
      'lines that are added to each chunk count',
      'a\nb\nc\nd',
      { maxLines: 3, prepend: '—\n', counter: '\n{i}' },
      ['a\nb\n1', '—\nc\n2', '—\nd\n3'],
    ],
    [
      'lines that a counter needs after a list count',
      '- a\n- b\n- c',
      { maxLines: 2, counter: '{i}/{n}' },
      ['- a\n1/3', '- b\n2/3', '- c\n3/3'],
    ],
    [
      'lines within a longer token may be more',
      '`a\nb\nc\nd` e\nf',
      { maxLines: 2 },
      ['`a\nb\nc\nd`', 'e\nf'],
    ],
    [
      'a hard boundary is kept',
      'One two. Three four five. Six.',
      { maxLength: 24, prefer: 'sentence' },
      ['One two.', 'Three four five. Six.'],
    ],
    [
      'chunks beyond the limit are dropped on request',
      'a b c d e f',
      { maxLength: 3, maxChunks: 2, overflow: 'truncate' },
      ['a b', 'c d'],
    ],
    ['a text that fits is unchanged', ' **a** b\n', { maxLength: 9 }, [' **a** b\n']],
    ['a blank text has no chunks', ' \n\t ', {}, []],
    ['white space at the ends stays where it fits', '\n a b c \n', { maxLength: 5 }, ['\n a b', 'c \n']],
  ]);

  test('a larger number of chunks makes the counter longer, never the chunks', () => {
    const { chunks } = splitText('word '.repeat(400), { maxLength: 20, counter: '{i}/{n}' });
    expect(chunks.length).toBeGreaterThan(99);
    expect(chunks.at(-1)).toMatch(new RegExp(` ${chunks.length}/${chunks.length}$`));
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(20);
  });

  test('too many chunks are refused', () => {
    expect(() => splitText('a b c d e f', { maxLength: 3, maxChunks: 2 })).toThrow(/more than 2 chunks/);
    expect(() => splitText('a'.repeat(100_000), { maxLength: 9 })).toThrow(/more than 10000 chunks/);
  });

  test('a character that fits no chunk is refused', () => {
    expect(() => splitText('😀😀', { maxLength: 1 })).toThrow(
      expect.objectContaining({ code: 'limit_too_small' }),
    );
  });

  test('pieces report the origin of each chunk', () => {
    const { pieces } = splitText(`intro:\n${FENCE}`, { maxLength: 40 });
    expect(pieces).toEqual([
      { start: 0, end: 34, addedPrefix: '', addedSuffix: '\n```', cut: 'line' },
      { start: 35, end: 60, addedPrefix: '```js\n', addedSuffix: '', cut: 'end' },
    ]);
  });
});
