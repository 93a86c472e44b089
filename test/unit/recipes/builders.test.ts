import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { KEY_BUILDERS, BUILDERS } from '../../../src/recipes/builders.ts';

// What a bot builder still lacks, each with the file to open. Other tests find what is wrong in these files.

const ROOT = path.resolve(import.meta.dirname, '../../..');
const GUIDE = 'docs/recipes.md';
const TESTS = 'test/integration/recipes';

const readPage = (page: string) => readFileSync(path.join(ROOT, page), 'utf8');

/** The builders in the first column of the table with this heading; a row may be about several. */
function buildersInTable(heading: string): readonly string[] {
  const [, below = ''] = readPage(GUIDE).split(`| builder | ${heading} |`);
  const [table = ''] = below.split('\n\n');
  return [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, builders = '']) => builders.split(', '));
}

const TABLES = ['what limits its users', 'how the text travels', 'where the URL goes'].map(
  (heading) => [heading, buildersInTable(heading)] as const,
);
const TEST_CODE = globSync('*.ts', { cwd: path.join(ROOT, TESTS) })
  .map((file) => readPage(`${TESTS}/${file}`))
  .join('\n');

test.each(Object.entries(BUILDERS))('%s is in the documents, and its recipes are tested', (id, { label }) => {
  const tables = TABLES.filter(
    // No recipe for a shell decides who may use it.
    ([heading, builders]) =>
      !builders.includes(label) && !(id === 'curl' && heading === 'what limits its users'),
  );
  const keys = KEY_BUILDERS.some((builder) => builder === id) ? [`\`${id}\``] : [];
  expect([
    ...tables.map(([heading]) => `${GUIDE}: a row for ${label} below "${heading}"`),
    ...keys
      .filter((key) => !readPage('docs/operate.md').includes(key))
      .map((key) => `docs/operate.md: ${key} among the builders of a key`),
    ...(new RegExp(`\\b${id}\\b`).test(TEST_CODE)
      ? []
      : [`${TESTS}/: ${id}, with a reader or a recipe runner`]),
  ]).toEqual([]);
});
