import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { withRecipe } from '../../../src/recipes/recipe-operations.ts';
import { permissionEncoder } from '../../../src/operations/permission-encoder/operation.ts';

const FILE = `
const linear = /^\\s+|^a*b/;
const BLANKS = '\\\\s*';
const literal = /\\s*,\\s*/;
const constant = new RegExp(BLANKS + ',');
const later = (word: string) => new RegExp(\`\\\\s*\${word}\`);
const unseen = (word: string) => new RegExp(word);
const nested = /(?:x|(?<name>(?:a+)+b))$/g;
`;

const JUDGE = `
import { findExpressions } from './scripts/check-expressions/find-expressions.ts';
import { judgeExpression } from './scripts/check-expressions/judge-expression.ts';

for (const expression of await findExpressions(process.argv[1], ['some.ts'])) {
  const reason = await judgeExpression(expression);
  if (reason !== null) console.log(expression.line, reason.split(/[,:]/)[0]);
}
`;

test('expressions that are not linear are found by their lines, in any notation', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'expressions-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(path.join(root, 'some.ts'), FILE);
  // The runner of tests would load the file in its own way.
  const named = execFileSync(process.execPath, ['--input-type=module', '--eval', JUDGE, root], {
    encoding: 'utf8',
  });
  expect(named.trim().split('\n').sort()).toEqual([
    '4 2nd degree polynomial',
    '5 2nd degree polynomial',
    '6 2nd degree polynomial',
    '7 what is in it cannot be seen',
    '8 exponential',
  ]);
});

/** What it takes of the processor, in milliseconds. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test('a recipe with four times as many blanks is written in about four times the time', () => {
  const operation = withRecipe(permissionEncoder);
  if (operation === null) throw new Error('It has a recipe.');
  const write = (blanks: number) =>
    writeRecipe(RECIPE_WRITERS.curl, {
      operation,
      publicUrl: 'https://qm.example',
      key: 'KEY',
      fields: { permissions: ' '.repeat(blanks) },
    });
  const [few, many] = [16_000, 64_000].map((blanks) => cost(() => write(blanks)));
  // An expression that tries again from each blank takes sixteen times as long; under 10 ms nothing can be compared.
  expect(many).toBeLessThan(8 * Math.max(10, few ?? 0));
});
