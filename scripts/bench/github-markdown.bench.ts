import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { remark } from 'remark';
import remarkGfm from 'remark-gfm';

import { DEFAULT_OPTIONS } from '../../src/operations/text-splitter/split-options.ts';
import { conversionFor, convertGithub } from '../../src/operations/text-splitter/github/convert-github.ts';
import { splitText } from '../../src/operations/text-splitter/split-text.ts';
import { describeMachine, markdownTable } from './measure.ts';
import { cpuTimeMs } from './text-splitter/cpu-time.ts';
import { measureTurns } from './text-splitter/turns.ts';
import { makeGithubPatterns } from '../../test/fixtures/text-corpus/github-patterns.ts';
import { makeHostile } from '../../test/fixtures/text-corpus/hostile.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The longest text. */
const LENGTH = 100_000;
const SLOWEST_SHOWN = 3;
const MB_MAX = 1;
const ROUNDS = 3;
const DIALECTS = ['dialect=discord', 'dialect=github'];
const ANY_COUNT = { maxChunks: 1_000_000 };

/**
 * GitHub's Markdown against `remark` on real texts, and on hostile ones beside the dialect of Discord. Only when asked
 * for, as it takes minutes: `turns [rounds] [options]`, hostile texts over HTTP, in both dialects or
 * with options such as `dialect=github&tables=list`.
 */
export async function run(args: readonly string[]): Promise<void> {
  console.log(`${describeMachine()}\n`);
  if (args.length === 0 || args.includes('hostile')) await measureHostile();
  if (args.length === 0 || args.includes('speed')) await compareSpeed();
  if (args.includes('turns')) {
    const options = args.filter((each) => each.includes('='));
    const rounds = args.map(Number).find((each) => each > 0) ?? ROUNDS;
    await measureTurns(options.length > 0 ? options : DIALECTS, rounds);
  }
}

function splitGithub(text: string): unknown {
  const conversion = conversionFor(DEFAULT_OPTIONS, { tables: 'auto', latex: false });
  const { text: converted, solids } = convertGithub(text, conversion);
  return splitText(converted, { ...ANY_COUNT, solids });
}

/** READMEs and changelogs of installed packages. */
function realTexts(): string[] {
  const files = globSync('node_modules/{*,@*/*}/{README,readme,CHANGELOG,History}*.md', { cwd: ROOT }).sort();
  const texts: string[] = [];
  let length = 0;
  for (const [index, file] of files.entries()) {
    if (index % 4 !== 0 || length > MB_MAX * 1_000_000) continue;
    // A changelog may be longer than a text may be, and what it becomes is bounded too.
    texts.push(readFileSync(path.join(ROOT, file), 'utf8').slice(0, LENGTH / 2));
    length += texts.at(-1)?.length ?? 0;
  }
  return texts;
}

async function compareSpeed(): Promise<void> {
  const texts = realTexts();
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const reader = remark().use(remarkGfm);
  const rows: (string | number)[][] = [];
  for (const [name, work] of [
    ['dialect=github: converted and split', splitGithub],
    ['dialect=discord: split', (text: string) => splitText(text, ANY_COUNT)],
    ['remark with GFM, reading alone', (text: string) => reader.parse(text)],
    ['remark with GFM, reading and writing', (text: string) => reader.processSync(text)],
  ] as const) {
    const ms = await cpuTimeMs(() => {
      for (const text of texts) work(text);
    }, 2_000);
    rows.push([name, (length / ms / 1000).toFixed(2)]);
  }
  console.log(`${texts.length} READMEs and changelogs of installed packages, in processor time:\n`);
  console.log(`${markdownTable(['', 'MB/s'], rows)}\n`);
}

async function measureHostile(): Promise<void> {
  const rows: { name: string; ms: number; growth: number; plain: number }[] = [];
  const small = [...makeHostile(LENGTH / 2), ...makeGithubPatterns(LENGTH / 2)];
  for (const [index, [name, text]] of [...makeHostile(LENGTH), ...makeGithubPatterns(LENGTH)].entries()) {
    const before = await cpuTimeMs(() => tryTo(splitGithub, small[index]?.[1] ?? ''), 100);
    const ms = await cpuTimeMs(() => tryTo(splitGithub, text), 100);
    const plain = await cpuTimeMs(() => splitText(text, ANY_COUNT), 100);
    rows.push({ name, ms, growth: ms / before, plain });
  }
  const worst = Math.max(...rows.map(({ plain }) => plain));
  rows.sort((a, b) => b.ms - a.ms);
  const shown = rows
    .slice(0, SLOWEST_SHOWN)
    .map(({ name, ms, growth, plain }) => [
      name,
      ms.toFixed(0),
      growth.toFixed(1),
      plain.toFixed(0),
      (ms / worst).toFixed(1),
    ]);
  console.log(
    `The ${SLOWEST_SHOWN} slowest of ${rows.length} hostile patterns, in processor time; 2 is linear growth from half of it. The worst of dialect=discord takes ${worst.toFixed(0)} ms:\n`,
  );
  const head = [
    'pattern',
    'ms for 100,000 characters',
    'growth',
    'dialect=discord, ms',
    'of the worst of it',
  ];
  console.log(`${markdownTable(head, shown)}\n`);
}

/** A text that grows beyond its bound is refused; only that error is let pass. */
function tryTo(work: (text: string) => unknown, text: string): void {
  try {
    work(text);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('converted text')) throw error;
  }
}
