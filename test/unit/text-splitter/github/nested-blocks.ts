import fc from 'fast-check';

/**
 * Texts of nested blocks of HTML and Markdown in which each word is another one: `w1w`, `w2w` … Words of headers, which
 * are repeated, are `h3h`, and those in a table but in no cell, which stand before it, `s4s`.
 */

type Lines = readonly string[];

const WORD = 'w#w';
const words = (max: number) =>
  fc
    .array(fc.constantFrom(WORD, WORD, WORD, `**${WORD}**`, `<b>${WORD}</b>`, `\`${WORD}\``), {
      minLength: 1,
      maxLength: max,
    })
    .map((list) => list.join(' '));
const lines = (max: number) => fc.array(words(8), { minLength: 1, maxLength: max });

function inside(block: Lines, first: string, rest: string): Lines {
  return block.map((line, index) => (line === '' ? '' : (index === 0 ? first : rest) + line));
}

function apart(blocks: readonly Lines[]): Lines {
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

const fence = fc
  .tuple(fc.constantFrom('```', '~~~~'), fc.constantFrom('', 'js'), lines(30))
  .map(([run, language, code]) => [run + language, ...code, run]);
const table = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 20 }))
  .map(([columns, rows]) => [
    `| ${Array.from({ length: columns }, () => 'h#h').join(' | ')} |`,
    `|${'-|'.repeat(columns)}`,
    ...Array.from({ length: rows }, () => `| ${Array.from({ length: columns }, () => WORD).join(' | ')} |`),
  ]);
const pre = lines(20).map((code) => ['<pre>', ...code, '</pre>']);
const comment = lines(4).map((hidden) => [
  '<!--',
  ...hidden.map((line) => line.replaceAll('w#w', 'hidden')),
  '-->',
]);

const { blocks } = fc.letrec<{ blocks: Lines; block: Lines; cell: Lines; row: Lines; html: Lines }>(
  (tie) => ({
    blocks: fc.array(tie('block'), { minLength: 1, maxLength: 4 }).map(apart),
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true, depthIdentifier: 'block' },
      { weight: 3, arbitrary: lines(3) },
      lines(40),
      fence,
      table,
      pre,
      comment,
      words(4).map((text) => [`#### ${text}`]),
      tie('html'),
      tie('blocks').map((block) => inside(block, '- ', '  ')),
      tie('blocks').map((block) => inside(block, '1. ', '   ')),
      fc
        .array(lines(2), { minLength: 2, maxLength: 12 })
        .map((items) => items.flatMap((item) => inside(item, '1. ', '   '))),
      tie('blocks').map((block) => block.map((line) => (line === '' ? '>' : `> ${line}`))),
      tie('blocks').map((block) => [
        '<details>',
        `<summary>${WORD}</summary>`,
        '',
        ...block,
        '',
        '</details>',
      ]),
    ),
    html: fc.oneof(
      lines(20).map((text) => ['<div>', ...text, '</div>']),
      fc
        .array(lines(3), { minLength: 1, maxLength: 12 })
        .map((items) => ['<ol>', ...items.flatMap((item) => ['<li>', ...item, '</li>']), '</ol>']),
      fc
        .tuple(
          fc.constantFrom<Lines>([], ['<caption>', 's#s s#s', '</caption>']),
          fc.constantFrom<Lines>(
            [],
            ['<tr><th>h#h</th><th>h#h</th></tr>'],
            ['<thead>', '<tr>', '<th>h#h</th>', '<th>', 'h#h', '</th>', '</tr>', '</thead>'],
          ),
          fc.array(tie('row'), { minLength: 1, maxLength: 12 }),
        )
        .map(([caption, head, rows]) => ['<table>', ...caption, ...head, ...rows.flat(), '</table>']),
    ),
    row: fc
      .tuple(
        fc.array(tie('cell'), { minLength: 1, maxLength: 3 }),
        fc.constantFrom<Lines>([], [], [], ['s#s']),
      )
      .map(([cells, stray]) => ['<tr>', ...cells.flat(), '</tr>', ...stray]),
    cell: fc.oneof(
      { weight: 4, arbitrary: words(4).map((text) => [`<td>${text}</td>`]) },
      { weight: 2, arbitrary: lines(30).map((text) => ['<td>', ...text, '</td>']) },
      fc.oneof(fence, lines(6), pre).map((block) => ['<td>', '', ...block, '', '</td>']),
      lines(4).map((items) => ['<td><ul>', ...items.map((item) => `<li>${item}</li>`), '</ul></td>']),
      words(3).map((text) => [`<td><table><tr><td>${text}</td></tr></table> ${WORD}</td>`]),
    ),
  }),
);

export const nestedText: fc.Arbitrary<string> = fc
  .array(blocks, { minLength: 1, maxLength: 4 })
  .map((list) => {
    let count = 0;
    return `${apart(list).join('\n')}\n`.replaceAll(/([whs])#\1/g, (_word: string, kind: string) => {
      count += 1;
      return `${kind}${count}${kind}`;
    });
  });

/** What is wrong with the words that are shown of such a text: lost ones, and those that came twice or too early. */
export function findWrongWords(text: string, shown: string): string[] {
  const found = shown.match(/([whs])\d+\1/g) ?? [];
  const lost = (text.match(/([whs])\d+\1/g) ?? []).filter((word) => !found.some((each) => each === word));
  let last = 0;
  const moved = found.filter((word) => {
    if (!word.startsWith('w')) return false;
    const number = Number(word.slice(1, -1));
    const isMoved = number <= last;
    last = number;
    return isMoved;
  });
  return [...lost.map((word) => `lost ${word}`), ...moved.map((word) => `moved ${word}`)];
}
