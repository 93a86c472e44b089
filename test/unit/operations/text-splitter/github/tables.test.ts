import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { splitText } from '../../../../../src/operations/text-splitter/split-text.ts';
import { convert } from './convert.ts';
import { quickOrFull } from '../../../../fixtures/full-run.ts';

const WORDS = [
  'alpha',
  'Beta 2',
  'x',
  '10.5',
  'a longer cell of words',
  '日本語',
  '漢字かな',
  '✅',
  '👍🏽 yes',
  '한국어',
  'naïve',
  '—',
];
const MARKED = [
  '`code x`',
  '**bold**',
  '*it*',
  '[docs](https://example.com/a_b)',
  'a \\| b',
  '`x \\| y`',
  '~~old~~',
  'snake_case',
];

interface Sample {
  readonly source: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly place: '' | '> ' | '  ';
}

const cell = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  fc.constantFrom(...MARKED),
  fc.constant(''),
);
const sample: fc.Arbitrary<Sample> = fc
  .record({
    header: fc.array(fc.constantFrom('Name', 'Größe', '値段', 'Is it?', '`key`', 'Notes'), {
      minLength: 2,
      maxLength: 6,
    }),
    rows: fc.array(fc.array(cell, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 40 }),
    place: fc.constantFrom('', '', '> ', '  ' as const),
    hasPipes: fc.boolean(),
  })
  .map(({ header, rows, place, hasPipes }) => {
    const join = (cells: readonly string[]) =>
      hasPipes || cells.length < 2 || cells[0] === '' || cells.at(-1) === ''
        ? `| ${cells.join(' | ')} |`
        : cells.join(' | ');
    const table = [join(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(join)];
    const lead = place === '  ' ? '- item\n\n' : '';
    return { header, rows, place, source: `${lead}${table.map((line) => place + line).join('\n')}` };
  });

function shown(source: string): string {
  return source
    .replaceAll('\\|', '|')
    .replaceAll(/\[(.*?)\]\(.*?\)/g, '$1')
    .replaceAll(/`|\*\*|~~|\*(?=\w)|(?<=\w)\*/g, '');
}

/** Cells of code lines by where columns start; wide glyphs count 1.7. */
function width(text: string): number {
  let cells = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    cells += /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3]|\p{Emoji_Presentation}/u.test(segment) ? 1.7 : 1;
  }
  return cells;
}

const samples = fc.sample(sample, { seed: 18, numRuns: quickOrFull(30, 240) });

describe('tables are converted', () => {
  test('with every cell found again, in code in its order, and no raw row', () => {
    for (const { source, header, rows } of samples) {
      for (const tables of ['auto', 'code', 'list'] as const) {
        const { chunks } = splitText(...split(source, tables));
        const text = chunks.join('\n');
        let at = 0;
        const cells = [...header, ...rows.flat()].map(shown).filter((each) => each !== '');
        const isCode = text.includes('```');
        for (const [index, each] of cells.entries()) {
          const plain = isCode ? text : shownList(text);
          // A list names its columns in each row, and not above.
          const from = !isCode && index < header.length ? 0 : at;
          const found = plain.indexOf(each, from);
          expect(found, `${each} in ${tables} of\n${source}\n${text}`).toBeGreaterThanOrEqual(0);
          if (isCode && !text.includes('```\n```') && chunks.length === 1) at = found;
        }
        expect(text).not.toMatch(/^(?:> )?\s*\|/m);
        expect(text).not.toMatch(/-\|-/);
      }
    }
  });

  test('in code with its header on each part', () => {
    let parts = 0;
    for (const { source, header } of samples) {
      const { chunks } = splitText(...split(source, 'code', 600));
      for (const chunk of chunks) {
        expect(chunk.length).toBeLessThanOrEqual(600);
        const blocks = chunk.split(/^(?:> )?```$/m).filter((_part, index) => index % 2 === 1);
        for (const block of blocks) {
          parts += 1;
          const first = block.trim().split('\n')[0] ?? '';
          for (const name of header) expect(first.replace(/^> /, '')).toContain(shown(name));
        }
      }
    }
    expect(parts).toBeGreaterThan(samples.length);
  });

  test('in code with straight columns, within a cell', () => {
    for (const { source } of samples) {
      const { text } = convert(source, { tables: 'code' });
      const lines = text.split('\n').map((line) => line.replace(/^> /, ''));
      const rule = lines.findIndex((line) => /^-+(?: {2}-+)*$/.test(line));
      if (rule < 0) continue;
      const starts = [...(lines[rule] ?? '').matchAll(/-+/g)].map(({ index }) => index);
      const end = lines.indexOf('```', rule);
      for (const line of [lines[rule - 1] ?? '', ...lines.slice(rule + 1, end)]) {
        for (const part of line.matchAll(/(?<= {2})\S/g)) {
          const at = width(line.slice(0, part.index));
          const nearest = Math.min(...starts.map((start) => Math.abs(start - at)));
          expect(nearest, `${line}\n${lines[rule] ?? ''}`).toBeLessThanOrEqual(1);
        }
      }
    }
  });
});

function split(source: string, tables: 'auto' | 'code' | 'list', maxLength = 2_000) {
  const capacity = { measure: (text: string) => text.length, length: maxLength, lines: Infinity };
  const { text, unbreakable } = convert(source, { tables, capacity });
  return [text, { maxLength, unbreakable }] as const;
}

function shownList(text: string): string {
  return shown(text.replaceAll('\\|', '|')).replaceAll('*', '');
}

function table(...rows: readonly string[]): string {
  return ['| Name | Size |', '|:--|--:|', ...rows].join('\n');
}

function codeOf(row: string): readonly string[] {
  return ['```', 'Name  Size', '----  ----', row, '```'];
}

describe('a table', () => {
  test('is aligned, with numbers at the right, under a rule', () => {
    expect(convert(table('| a | 1 |', '| 漢字 | 22 |')).text).toBe(
      ['```', 'Name  Size', '----  ----', 'a        1', '漢字     22', '```'].join('\n'),
    );
  });

  test('becomes a list when it has a link', () => {
    expect(convert(table('| [a](https://a.bc) | **1** |', '| b | |')).text).toBe(
      ['-# Name', '**[a](https://a.bc)**', '- Size: **1**', '', '**b**'].join('\n'),
    );
  });

  test('begins each row of a list with its first cell, also when that is its only cell', () => {
    const rows = ['| a | 1 |', '| d |', '| e | |', '| **group** |', '| f | 2 |', '| | 3 |'];
    expect(convert(table(...rows), { tables: 'list' }).text).toBe(
      '-# Name\n**a**\n- Size: 1\n\n**d**\n\n**e**\n\n**group**\n\n**f**\n- Size: 2\n\n- Size: 3',
    );
  });

  test.each(['|-|', '|---|---|---|', '---|---|---', ':--|--:|:-:|-', ':-:'])(
    'may have a row of dashes with another number of cells: %s',
    (dashes) => {
      const { text } = convert(['| A | B |', dashes, '| a | 1 |'].join('\n'), { tables: 'list' });
      expect(text).toBe(['-# A', '**a**', '- B: 1'].join('\n'));
    },
  );

  test('of one column may have a header without a pipe', () => {
    expect(convert('Name\n|---|\n| a |', { tables: 'list' }).text).toBe('-# Name\n**a**');
  });

  test.each([
    ['A | B\n---', '## A | B'],
    ['A\n:-:', 'A\n:-:'],
    ['A\n---|---', 'A\n---|---'],
    ['A | B\n|', 'A | B\n|'],
    ['A | B\nC | D', 'A | B\nC | D'],
  ])('does not begin where nothing says that it is one: %j', (source, shown) => {
    expect(convert(source, { tables: 'list' }).text).toBe(shown);
  });

  test('becomes a list when it is wider than 56 cells', () => {
    const wide = table(`| ${'a'.repeat(51)} | 1 |`);
    expect(convert(wide).text).toContain('- Size: 1');
    expect(convert(table(`| ${'a'.repeat(50)} | 1 |`)).text).toContain('```');
  });

  test('in code shows a row that is longer than a chunk as a list, between code with the header', () => {
    const capacity = { measure: (text: string) => text.length, length: 100, lines: Infinity };
    const long = 'a '.repeat(60).trim();
    const { text, unbreakable } = convert(table('| b | 1 |', `| ${long} | 2 |`, '| c | 3 |'), {
      tables: 'code',
      capacity,
    });
    expect(text).toBe(
      [...codeOf('b        1'), `**${long}**`, '- Size: 2', ...codeOf('c        3')].join('\n'),
    );
    expect(unbreakable).toHaveLength(2);
    expect(convert(table(`| ${long} | 2 |`), { tables: 'code', capacity }).text).toBe(
      `-# Name\n**${long}**\n- Size: 2`,
    );
  });

  test('keeps extra cells of rows longer than the header', () => {
    expect(convert(table('| a | 1 | more |'), { tables: 'list' }).text).toContain('- Size: 1\n- more');
    expect(convert(table('| a | 1 | more |')).text).toContain('more');
  });

  test('may be written in HTML', () => {
    const html = '<table><tr><th>A</th><th>B</th></tr>\n\n<tr><td>1</td><td>2</td></tr></table>';
    expect(convert(html).text).toBe(['```', 'A  B', '-  -', '1  2', '```'].join('\n'));
  });

  test('stays text in code', () => {
    const code = ['```', table('| a | 1 |'), '```'].join('\n');
    expect(convert(code).text).toBe(code);
  });
});

test.each([
  '<:gold:123456789012345678>',
  '<a:silver:123456789012345679>',
  '<@123456789012345678>',
  '<@&123456789012345678>',
  '<#123456789012345678>',
  '<t:1700000000:R>',
  '</say now:123456789012345678>',
  '<id:customize>',
  'www.example.com/a',
])('a table with %s in a cell becomes a list, since a code block shows it as letters', (token) => {
  expect(convert(`| Rank | Name |\n|---|---|\n| Ann | ${token} |`).text).toContain('**Ann**\n- Name: ');
});

test('a table with a mention and a URL inside code stays a code block', () => {
  expect(convert('| a | b |\n|---|---|\n| `<@123456789012345678>` | `www.example.com` |').text).toMatch(
    /^```\n/,
  );
});
