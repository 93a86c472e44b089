import type { SplitOptions } from '../../src/operations/text-splitter/split-options.ts';
import { splitText } from '../../src/operations/text-splitter/split-text.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { describeMachine, markdownTable, median } from './measure.ts';
import { cpuTimeMs } from './text-splitter/cpu-time.ts';
import { makeCorpus, makeMixed, makePlain } from '../../test/fixtures/text-corpus/corpus.ts';
import { makeHostile } from '../../test/fixtures/text-corpus/hostile.ts';
import { measureOverHttp } from './text-splitter/over-http.ts';
import { PEERS } from './text-splitter/peers.ts';
import { compareQuality } from './text-splitter/quality.ts';
import { longestSteps } from './text-splitter/steps.ts';
import { readRealTexts } from '../../test/fixtures/text-corpus/real-texts.ts';

const SEED = 1;
const MB = 1_000_000;
const COUNT_MAX = 1_000_000;
/** The longest text. */
const LENGTH = 100_000;
const SLOWEST_SHOWN = 8;
const REAL_ROUNDS = 5;
const REAL_WORK_MS = 700;
const HOSTILE_WORK_MS = 250;
const OPTIONS_WORK_MS = 100;
const STEP_ROUNDS = 5;

/** Real text comes first: V8 compiles the code for the texts that it has seen, and hostile ones are not like any other. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  real: compareOnRealTexts,
  speed: compareSpeed,
  hostile: measureHostile,
  steps: async () => {
    console.log(`The longest step on ${LENGTH} hostile characters, least of ${STEP_ROUNDS}:\n`);
    console.log(`${longestSteps(LENGTH, STEP_ROUNDS)}\n`);
  },
  http: async () => {
    console.log('Over HTTP, with the key check and the parsing of JSON:\n');
    const hostile = makeHostile(LENGTH).filter(([name]) =>
      ['stars', 'one long word', 'nested styles'].includes(name),
    );
    console.log(
      `${await measureOverHttp([['mixed', makeMixed(SEED, LENGTH).slice(0, LENGTH)], ...hostile])}\n`,
    );
  },
  quality: async () => {
    console.log('Quality at 2000 characters, on texts of 23 kinds that are made from a seed:\n');
    console.log(`${await compareQuality(PEERS, makeCorpus(SEED))}\n`);
  },
};

/** @param args which parts to run: real, speed, hostile, steps, http, quality; all of them by default */
export async function run(args: readonly string[]): Promise<void> {
  console.log(`${describeMachine()}\n`);
  for (const [name, part] of Object.entries(PARTS))
    if (args.length === 0 || args.includes(name)) await part();
}

/** Strings as they come out of JSON.parse, which is how a service gets them. */
function flatten(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

async function compareSpeed(): Promise<void> {
  const texts = {
    'mixed, 1 MB': flatten(makeMixed(SEED, MB)),
    'mixed, 10 MB': flatten(makeMixed(SEED, 10 * MB)),
    'without markup, 1 MB': flatten(makePlain(SEED, MB)),
  };
  const head = ['MB/s', ...Object.keys(texts)];
  const rows: (string | number)[][] = [];
  const measure = async (name: string, work: (text: string) => unknown) => {
    const row: string[] = [name];
    for (const text of Object.values(texts)) row.push(await speedOf(work, text));
    rows.push(row);
  };
  await measure('a loop over the characters', countSpaces);
  for (const { name, split } of PEERS) await measure(name, split);
  console.log(`Speed in processor time:\n\n${markdownTable(head, rows)}\n`);
}

/** Each text on its own, as bots send them, in turns: what else runs on the machine slows all of them down. */
async function compareOnRealTexts(): Promise<void> {
  const texts = readRealTexts().map(({ text }) => flatten(text));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const speeds = new Map(PEERS.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < REAL_ROUNDS; round += 1) {
    for (const { name, split } of PEERS) {
      const ms = await cpuTimeMs(async () => {
        for (const text of texts) await split(text);
      }, REAL_WORK_MS);
      speeds.get(name)?.push(length / ms / 1000);
    }
  }
  const speedOfPeer = (name: string) => median(speeds.get(name) ?? []);
  const recursive = speedOfPeer('LangChain recursive');
  const rows = PEERS.map(({ name }) => {
    const speed = speedOfPeer(name);
    return [name, speed.toFixed(1), (speed / recursive).toFixed(2)];
  });
  console.log(
    `${texts.length} READMEs, changelogs and guides of installed packages, ${(length / MB).toFixed(1)} MB, in processor time:\n\n${markdownTable(['splitter', 'MB/s', '÷ recursive'], rows)}\n`,
  );
}

async function speedOf(work: (text: string) => unknown, text: string): Promise<string> {
  try {
    const ms = await cpuTimeMs(() => work(text), text.length > MB ? 1500 : 600);
    return (text.length / ms / 1000).toFixed(1);
  } catch {
    return 'refused';
  }
}

function countSpaces(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) <= 0x20) count += 1;
  return count;
}

async function measureHostile(): Promise<void> {
  const small = makeHostile(LENGTH / 2);
  const plain = flatten(makeMixed(SEED, LENGTH));
  const loopMs = await cpuTimeMs(() => countSpaces(plain));
  const rows: { name: string; ms: number; growth: number }[] = [];
  for (const [index, [name, text]] of makeHostile(LENGTH).entries()) {
    const timeOf = (input: string) =>
      cpuTimeMs(() => splitText(input, { maxChunks: COUNT_MAX }), HOSTILE_WORK_MS);
    const before = await timeOf(flatten(small[index]?.[1] ?? ''));
    const ms = await timeOf(flatten(text));
    rows.push({ name, ms, growth: ms / before });
  }
  rows.sort((a, b) => b.ms - a.ms);
  console.log(
    `The ${SLOWEST_SHOWN} slowest of ${rows.length} hostile patterns, in processor time; 2 is linear growth from half of it. A plain loop over the characters of mixed text takes ${loopMs.toFixed(2)} ms here:\n`,
  );
  console.log(
    `${markdownTable(
      ['pattern', 'ms for 100,000 characters', '÷ plain loop', 'growth'],
      rows
        .slice(0, SLOWEST_SHOWN)
        .map(({ name, ms, growth }) => [name, ms.toFixed(0), (ms / loopMs).toFixed(0), growth.toFixed(1)]),
    )}\n`,
  );
  await measureHostileWithOptions(loopMs);
}

const OPTIONS: readonly Partial<SplitOptions>[] = [
  { maxLines: 10 },
  { mode: 'plain' },
  { mode: 'code' },
  { prefer: 'paragraph' },
  { prefer: 'word' },
];

/** A run of back-ticks that is longer than a chunk leaves no room for a fence. */
function splitOrRefuse(text: string, options: Partial<SplitOptions>): void {
  try {
    splitText(text, { maxChunks: COUNT_MAX, ...options });
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'limit_too_small')) throw error;
  }
}

/** @param loopMs of a plain loop over as much text */
async function measureHostileWithOptions(loopMs: number): Promise<void> {
  const texts = makeHostile(LENGTH).map(([name, text]) => [name, flatten(text)] as const);
  const rows: string[][] = [];
  for (const options of OPTIONS) {
    let slowest = { name: '', ms: 0 };
    for (const [name, text] of texts) {
      const ms = await cpuTimeMs(() => splitOrRefuse(text, options), OPTIONS_WORK_MS);
      if (ms > slowest.ms) slowest = { name, ms };
    }
    rows.push([
      JSON.stringify(options),
      slowest.name,
      slowest.ms.toFixed(0),
      (slowest.ms / loopMs).toFixed(0),
    ]);
  }
  console.log(
    `With other options, the slowest of them:\n\n${markdownTable(['option', 'pattern', 'ms', '÷ plain loop'], rows)}\n`,
  );
}
