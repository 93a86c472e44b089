import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { readRealTexts } from '../../../fixtures/text-corpus/real-texts.ts';
import { conversionFor } from '../../../../src/operations/text-splitter/github/conversion-for.ts';
import { splitPart } from '../../../../src/operations/text-splitter/github/split-part.ts';
import {
  DEFAULT_OPTIONS,
  type SplitOptions,
} from '../../../../src/operations/text-splitter/split-options.ts';
import { splitText } from '../../../../src/operations/text-splitter/split-text.ts';
import { MEASURES } from '../check-split.ts';
import { noise } from '../discord-text.ts';
import { splitTexts } from '../split-with.ts';
import { difference, partsOf, restMax, shares } from '../stream-law.ts';
import { GFM_EXAMPLES } from './gfm-examples.ts';
import { githubText } from './github-text.ts';
import { mixedText } from './mixed-text.ts';
import { convertWhole, FIELDS, finish, streamGithub } from './stream-github.ts';

/** The difference between what a text shows in parts and what it shows whole; null when there is none. */
function findChange(
  text: string,
  cutAt: readonly number[],
  options: { readonly maxLength: number },
): string | null {
  const { text: converted, solids } = convertWhole(text, options);
  // Some marks can be read in two ways. Where a whole text is split so that they are, its parts are as well.
  if (difference(converted, splitText(converted, { ...options, solids }).chunks, options) !== null)
    return null;
  const { chunks, rests } = streamGithub(partsOf(text, cutAt), options);
  const longest = Math.max(0, ...rests.map(({ length }) => length));
  if (longest > restMax(options.maxLength)) return `a rest of ${longest}`;
  if (chunks.some((chunk) => chunk.length > options.maxLength)) return 'a long chunk';
  return difference(converted, chunks, options);
}

/** The same of a text of which a part has come, and then all that is left. */
function findLaterChange(text: string, at: number, options: { readonly maxLength: number }): string | null {
  const all = { ...DEFAULT_OPTIONS, ...options };
  const { chunks, rest } = finish(splitPart(text.slice(0, at), all, conversionFor(all, FIELDS)));
  const last = convertWhole((rest ?? '') + text.slice(at), options).text;
  const { text: converted, solids } = convertWhole(text, options);
  const change = difference(converted, last.trim() === '' ? chunks : [...chunks, last], options);
  if (change === null) return null;
  const ways: Partial<SplitOptions>[] = [{}, { maxLines: 6 }, { prefer: 'line' }];
  const hasOneReading = ways.every((way) => {
    const whole = splitText(converted, { ...options, ...way, solids }).chunks;
    return difference(converted, whole, options) === null;
  });
  return hasOneReading ? change : null;
}

/** Up to 6,000 units without definitions, which may come after what they are about, and without long tables. */
function realSamples(): readonly (readonly [name: string, text: string])[] {
  return [...readRealTexts(), ...GFM_EXAMPLES.map((text) => ({ name: text, text }))].flatMap(
    ({ name, text }) => {
      const plain = text.replaceAll(/^ {0,3}\[[^\]\n]+\]:.*(?:\n[ \t]+["'<h].*)*$/gm, '');
      const table = Math.max(0, ...(plain.match(/(?:^[ >]*\|.*\n)+/gm) ?? []).map(({ length }) => length));
      // A table that is longer than the rest, with what is before it in a chunk, is cut.
      if (table > restMax(300) - 300) return [];
      return [[name, plain.slice(0, plain.lastIndexOf('\n', 6_000))] as const];
    },
  );
}

describe('a text of GitHub that arrives in parts', () => {
  test('shows the same as when it comes at once, for 250 real texts', () => {
    const samples = realSamples().slice(0, 250);
    expect(samples).toHaveLength(250);
    const cuts = fc.sample(shares, { seed: 18, numRuns: samples.length });
    const changes = samples.flatMap(([name, text], index) => {
      const change = findChange(text, cuts[index] ?? [], { maxLength: index % 2 === 0 ? 300 : 2_000 });
      return change === null ? [] : [`${name}: ${change}`];
    });
    expect(changes).toEqual([]);
  });

  test('shows the same whatever comes next, however its lines are mixed', () => {
    const limit = fc.constantFrom(80, 100, 150, 200, 300, 500);
    const places = fc.array(fc.integer({ min: 150, max: 1_000 }), { minLength: 3, maxLength: 6 });
    fc.assert(
      fc.property(mixedText, places, limit, (text, shareOf, maxLength) => {
        for (const share of shareOf) {
          expect(findLaterChange(text, Math.floor((share * text.length) / 1_000), { maxLength })).toBe(null);
        }
      }),
      { seed: 18, numRuns: 100 },
    );
  });

  test('shows the same as when it comes at once, for 250 texts of all kinds of blocks', () => {
    fc.assert(
      fc.property(githubText, shares, fc.constantFrom(200, 400, 1_000), (text, cutAt, maxLength) => {
        expect(findChange(text, cutAt, { maxLength })).toBe(null);
      }),
      { seed: 18, numRuns: 250 },
    );
  });
});

const noisy = fc
  .array(fc.oneof(noise, githubText), { minLength: 1, maxLength: 12 })
  .map((list) => list.join(' '));

describe('whatever arrives', () => {
  test('gives chunks that fit and a rest that stays small', () => {
    fc.assert(
      fc.property(
        noisy,
        shares,
        fc.constantFrom(50, 300, 1_000),
        fc.constantFrom('utf16' as const, 'codepoints' as const, 'bytes' as const),
        (text, cutAt, maxLength, lengthUnit) => {
          const { chunks, rests } = streamGithub(partsOf(text, cutAt), { maxLength, lengthUnit });
          const measure = MEASURES[lengthUnit];
          expect(chunks.filter((chunk) => measure(chunk) > maxLength || chunk.trim() === '')).toEqual([]);
          expect(rests.filter(({ length }) => length > restMax(maxLength))).toEqual([]);
        },
      ),
      { seed: 18, numRuns: 100 },
    );
  });

  const LONG = 9_000;
  const fill = (unit: string) => unit.repeat(Math.ceil(LONG / unit.length));
  const styled = 'Words **in bold that go on and on for longer** and *slanted ones for as long as that*. ';

  test.each([
    ['a paragraph', fill(styled), /^(?:[^*]*(?:\*\*[^*]+\*\*|\*[^*]+\*))+[^*]*$/],
    ['a paragraph of lines', fill(`${styled}\n`), /^(?:[^*]*(?:\*\*[^*]+\*\*|\*[^*]+\*))+[^*]*$/],
    ['a paragraph in a quote', `> ${fill(styled)}`, /^> /],
    ['a paragraph in a list', `- a\n  - ${fill(styled)}`, /\S/],
    ['code', `\`\`\`js\n${fill('let a;\n')}`, /^```js\n(?:let a;\n)+```$/],
    ['code in a quote', `> ~~~js\n${fill('> let a;\n')}`, /^> ```js\n(?:> let a;\n)+> ```$/],
    ['code in a list', `- a\n  \`\`\`js\n${fill('  let a;\n')}`, /```js\n(?:let a;\n)+```$/],
    ['code of one line', `\`\`\`\n${fill('let a; ')}`, /^```\n.*\n```$/],
    ['indented code', fill('    let a;\n'), /^```\n(?:let a;\n)+```$/],
    [
      'a table',
      `| Name | Size |\n|-|-|\n${fill('| a | 1 |\n')}`,
      /^```\nName {2}Size\n-+ {2}-+\n(?:a {5}1\n)+```$/,
    ],
    [
      'a table in a list',
      `- a\n\n  | Name | Size |\n  |-|-|\n${fill('  | a | 1 |\n')}`,
      /```\nName {2}Size\n/,
    ],
    ['a table with a long header', `|${fill('a')}|b|\n|-|-|\n${fill('| c | d |\n')}`, /^(?!.*\|)/s],
    ['a list', fill('- item **x**\n'), /^- item \*\*x\*\*/],
    ['a quote', fill('> words\n'), /^> words/],
    ['a footnote', `[^1]: ${fill('words ')}`, /words/],
    ['HTML', `<div>\n${fill('words\n')}`, /^words/],
    ['a table of HTML', `<table>\n${fill('<tr><td>words</td></tr>\n\n')}`, /words/],
    ['text between tags', `<pre>\n${fill('a * b\n')}`, /^```\n(?:a \* b\n)+```$/],
    ['one word', fill('w'), /^w+$/],
    ['words without spaces', fill('漢字、'), /^[漢字、]+$/],
  ])('takes %s that is open for longer than the rest may be', (_name, text, expected) => {
    const { chunks, rests } = streamGithub(text.match(/[^]{1,800}/g) ?? [], { maxLength: 500 });
    expect(chunks.length).toBeGreaterThan(5);
    for (const chunk of chunks.slice(1, -1)) expect(chunk).toMatch(expected);
    expect(chunks.filter((chunk) => chunk.length > 500 || chunk.trim() === '')).toEqual([]);
    expect(rests.filter(({ length }) => length > restMax(500))).toEqual([]);
    expect(rests.filter(({ length }) => length > 0).length).toBeGreaterThan(5);
  });

  // Cut before one of these, the rest would begin with a heading, an item, a definition that nobody sees …
  test.each([
    '# a ',
    '- a ',
    '1. a ',
    '> a ',
    '| a ',
    '[a]: b ',
    '[^a]: b ',
    '~~~ a ',
    '<div> a ',
    '--- a ',
    '[a]: b\n',
  ])('reads %j within the words of a long paragraph as words, wherever it is cut', (words) => {
    for (let maxLength = 180; maxLength < 180 + words.length; maxLength += 1) {
      expect(findChange(`Here ${fill(words)}`, [300, 600, 900], { maxLength })).toBe(null);
    }
  });

  test('takes hardly more chunks than a text that comes at once', () => {
    const counts = realSamples()
      .slice(0, 60)
      .map(([, text]) => {
        const { text: converted, solids } = convertWhole(text, { maxLength: 500 });
        const parts = streamGithub(text.match(/[^]{1,200}/g) ?? [], { maxLength: 500 });
        return [splitText(converted, { maxLength: 500, solids }).chunks.length, parts.chunks.length] as const;
      });
    const [whole, inParts] = [0, 1].map((way) => counts.reduce((sum, count) => sum + (count[way] ?? 0), 0));
    expect(inParts).toBeLessThan(1.3 * (whole ?? 0));
  });

  test.each([
    ['blank lines', fill('\n')],
    ['a comment', `<!-- ${fill('hidden words ')}`],
    ['definitions', fill('[a]: https://example.com\n')],
    ['back-ticks', fill('`')],
    ['quote signs', fill('> ')],
    ['list signs', fill('- ')],
  ])('keeps %s small', (_name, text) => {
    const { rests } = streamGithub(text.match(/[^]{1,800}/g) ?? [], { maxLength: 100 });
    expect(rests.filter(({ length }) => length > restMax(100))).toEqual([]);
  });
});

test.each(['', '> ', '  '])('a list of definitions shows nothing, however long it is: %j', (sign) => {
  const lines = Array.from({ length: 300 }, (_, at) => `${sign}[${at}]: https://example.com/${at} "Title"\n`);
  const { chunks, rests } = streamGithub(lines.join('').match(/[^]{1,200}/g) ?? [], { maxLength: 300 });
  expect(chunks).toEqual([]);
  expect(rests.filter(({ length }) => length > restMax(300))).toEqual([]);
});

// After a cut, what follows the definitions would not be an item, an alert or prose any more.
test.each([
  '- [a]: https://x.y/1\n  [a] here\n- two',
  '- [a]: https://x.y/1\n  [x] done',
  '> [a]: https://x.y/1\n> [!NOTE]\n> here',
  '> [a]: https://x.y/1\n[b] lazy text',
  '- [a]: https://x.y/1\n[b] lazy text',
  '[a]: https://x.y/1\n      [b] indented',
  '> [a]: https://x.y/1\n> [b] text',
])('%j reads the same when it arrives in parts', (text) => {
  const all = { ...DEFAULT_OPTIONS, maxLength: 300 };
  const tail = 'Some words at the end.\n\n'.repeat(8);
  for (let words = 30; words < 70; words += 1) {
    const first = `${'word '.repeat(words)}\n\n${text}\n\n`;
    const { chunks, rest } = finish(splitPart(`${first}${tail}`, all, conversionFor(all, FIELDS)));
    const parts = [...chunks, convertWhole(rest ?? '', {}).text].join('\n');
    const whole = convertWhole(`${first}${tail}`, {}).text;
    expect(parts.replaceAll(/\s+/g, ' ')).toBe(whole.replaceAll(/\s+/g, ' '));
  }
});

test.each([
  ['items that are all typed as 1.', (at: number) => `1. item ${at} of the list, with a few more words\n`],
  [
    'items with code in them',
    (at: number) => `1. item ${at}\n\n   \`\`\`js\n   let a = ${at};\n   \`\`\`\n\n`,
  ],
  [
    'items of many paragraphs',
    (at: number) => `1. item ${at}\n\n   ${'More words. '.repeat(12)}\n\n   End\n\n`,
  ],
  [
    'items in an item',
    (at: number) => (at === 1 ? '1. outer\n1. outer\n\n   1. item 1\n' : `   1. item ${at}\n`),
  ],
  ['items in a quote', (at: number) => `> 7. item ${at + 6} of the list, with a few more words\n`],
  ['items that are longer than the rest', (at: number) => `1) item ${at} ${'and many words '.repeat(300)}\n`],
])('%s have the numbers of the whole list in a stream', (_name, item) => {
  const text = Array.from({ length: 30 }, (_, at) => item(at + 1)).join('');
  for (const size of [40, 333, text.length]) {
    const { chunks } = streamGithub(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [], { maxLength: 300 });
    const numbers = [...chunks.join('\n').matchAll(/(\d+)\. item (\d+)/g)].map(([, shown, meant]) => [
      shown,
      meant,
    ]);
    expect(numbers).toHaveLength(30);
    expect(numbers.filter(([shown, meant]) => shown !== meant)).toEqual([]);
  }
});

const PROSE = 'One two three four five six seven eight nine ten.\n\n'.repeat(30);

describe('what is decided', () => {
  test('is sent as soon as a chunk is full', () => {
    const sent: number[] = [];
    let rest = '';
    for (const paragraph of PROSE.match(/.+\n\n/g) ?? []) {
      const all = { ...DEFAULT_OPTIONS, maxLength: 300 };
      const part = finish(splitPart(rest + paragraph, all, conversionFor(all, FIELDS)));
      sent.push(...part.chunks.map(({ length }) => length));
      rest = part.rest ?? '';
      expect(rest.length).toBeLessThanOrEqual(450);
    }
    expect(sent.length).toBe(5);
    expect(Math.min(...sent)).toBeGreaterThan(200);
  });

  test('does not wait for code to end', () => {
    const text = `\`\`\`js\n${'let a;\n'.repeat(60)}`;
    const { chunks, rests } = streamGithub([text, text.slice(6)], { maxLength: 200 });
    expect(chunks[0]).toMatch(/^```js\n(?:let a;\n){20,}```$/);
    expect(rests[0]).toMatch(/^```js\n(?:let a;\n)+$/);
  });

  test('does not change when a definition or a footnote comes later', () => {
    const parts = [
      '[a] and b[^1].\n\n',
      PROSE,
      '[a]: https://example.com\n\n[^1]: Note\n\nEnd [a] b[^1].\n\n',
      PROSE,
    ];
    const { chunks } = streamGithub(parts, { maxLength: 300 });
    expect(chunks[0]).toContain('[a] and b[^1].');
    const text = chunks.join('\n');
    expect(text).toMatch(/ten\.\s+¹ Note\s+End \[a\]\(https:\/\/example\.com\) b¹\./);
  });

  test('is known to what comes after it', () => {
    const parts = ['[a]: https://example.com\n\n[^1]: Note\n\nText[^1]\n\n', PROSE, PROSE, 'End [a] b[^1].'];
    const { chunks, rests } = streamGithub(parts, { maxLength: 300 });
    expect(chunks.at(-1)).toContain('End [a](https://example.com) b¹.');
    expect(chunks.join('\n').match(/¹ Note/g)).toHaveLength(1);
    expect(rests.at(-2)?.match(/\[\^1\]:|\[A\]:/g)).toHaveLength(2);
  });
});

describe('final=false with dialect=github', () => {
  const table = '| A | B |\n|-|-|\n| [x](https://example.com) | $\\alpha$ |\n\n';

  test('goes with tables, latex and as', async () => {
    const options = {
      dialect: 'github',
      final: false,
      latex: true,
      tables: 'code',
      as: 'embed',
      max_length: 300,
    };
    const { payloads, chunks, rest = '' } = await splitTexts({ text: table + PROSE, ...options });
    expect(chunks[0]).toMatch(/^```\nA {2}B\n-+ {2}-+\nx {2}α\n```/);
    expect(payloads.flatMap(({ embeds = [] }) => embeds).map(({ description }) => description)).toEqual(
      chunks,
    );
    expect(PROSE.endsWith(rest)).toBe(true);
    const last = await splitTexts({ text: rest, ...options, final: true });
    expect(last).not.toHaveProperty('rest');
    expect([...chunks, ...last.chunks].join(' ').match(/seven/g)).toHaveLength(30);
  });

  test('is refused where a text is not read as Markdown', async () => {
    const input = { text: table, dialect: 'github', final: false, mode: 'code' };
    await expect(splitTexts(input)).rejects.toMatchObject({ field: 'dialect' });
  });
});
