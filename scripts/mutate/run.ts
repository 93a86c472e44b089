import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Random } from '../../test/fixtures/random.ts';
import { installPackages } from '../install-packages.ts';
import { AREAS, type Area } from './areas.ts';
import { describeSurvivors, scoreRow, type Report } from './report.ts';

// npm run mutate -- [--share=0.1 [--seed=2]] [area …]
// Changes the code of an area in small ways, one at a time, and counts how many of these mutants its tests notice.
// With a share, only some stretches of each file are changed: the same ones each time, and others with another seed.
const HERE = import.meta.dirname;
const OUT = path.join(HERE, 'out');
const STRYKER = path.join(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const STRETCH_LINES = 12;

/** For property tests: a mutant that only one round in thousands notices is as good as unnoticed. */
const FEWER_ROUNDS = {
  MEMBER_RUNS: '2',
  PERMISSION_SAMPLES: '500',
  QUESTION_STEPS: '1500',
  SPLITTER_RUNS: '20',
};

const words = process.argv.slice(2);
const share = numberOf('share');
const seed = numberOf('seed');
const chosen = words.filter((word) => !word.startsWith('--'));
const names = chosen.length === 0 ? Object.keys(AREAS) : chosen;
const unknown = names.filter((name) => AREAS[name] === undefined);

if (unknown.length > 0 || !(share > 0 && share <= 1) || !Number.isSafeInteger(seed)) {
  console.error(
    `Usage: npm run mutate -- [--share=0.1 [--seed=2]] [area …]\nAreas: ${Object.keys(AREAS).join(', ')}`,
  );
  process.exitCode = 2;
} else {
  installPackages(HERE);
  const rows = names.flatMap((name) => {
    const area = AREAS[name];
    return area === undefined ? [] : scoreRow(name, mutate(name, area));
  });
  console.log(
    [
      '',
      '| area | mutants | noticed | survived | not reached | score |',
      '| --- | --: | --: | --: | --: | --: |',
    ]
      .concat(rows)
      .join('\n'),
  );
}

/** The number that an option gives; 1 without it. */
function numberOf(option: string): number {
  const prefix = `--${option}=`;
  return Number(words.find((word) => word.startsWith(prefix))?.slice(prefix.length) ?? 1);
}

function mutate(name: string, { sources, tests }: Area): Report {
  const report = path.join(OUT, `${name}.json`);
  const config = path.join(OUT, `${name}.config.json`);
  mkdirSync(OUT, { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      plugins: ['@stryker-mutator/vitest-runner'],
      testRunner: 'vitest',
      vitest: { configFile: 'scripts/mutate/vitest.config.ts', related: false },
      coverageAnalysis: 'perTest',
      mutate: sources.flatMap(filesOf).flatMap(stretchesOf),
      // Texts and tables are for people: a test that repeats them word for word would only be a copy.
      mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration'] },
      concurrency: 1,
      timeoutMS: 3_000,
      ignorePatterns: ['data', 'docs', 'scripts/mutate/out'],
      // There is no API of this TypeScript with which it could be rewritten.
      tsconfigFile: 'none',
      tempDirName: path.join(os.tmpdir(), 'quartermaster-mutate'),
      cleanTempDir: 'always',
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      allowEmpty: true,
    }),
  );
  const env = { ...process.env, ...FEWER_ROUNDS, MUTATE_TESTS: JSON.stringify(tests.flatMap(testsOf)) };
  const { status } = spawnSync(process.execPath, [STRYKER, 'run', config], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`Stryker failed with ${name}.`);
  const result = JSON.parse(readFileSync(report, 'utf8')) as Report;
  console.log(describeSurvivors(result));
  return result;
}

function filesOf(source: string): string[] {
  return statSync(source).isFile() ? [source] : globSync(`${source}/**/*.ts`).toSorted();
}

function testsOf(test: string): string[] {
  return [statSync(test).isFile() ? test : `${test}/**/*.test.ts`];
}

/** Some stretches of a file, chosen by chance but the same ones each time, as Stryker wants them. */
function stretchesOf(file: string): string[] {
  if (share === 1) return [file];
  const lines = readFileSync(file, 'utf8').split('\n').length;
  const random = new Random(file.length + lines + (seed - 1) * 10_000);
  const stretches = [];
  for (let line = 1; line <= lines; line += STRETCH_LINES) {
    if (random.chance(share)) stretches.push(`${file}:${line}-${line + STRETCH_LINES - 1}`);
  }
  return stretches;
}
