import { globSync } from 'node:fs';
import path from 'node:path';

import { findExpressions } from './check-expressions/find-expressions.ts';
import { judgeExpression } from './check-expressions/judge-expression.ts';

// npm run expressions
// Names each regular expression of src/ that may take more time than in proportion to the text it reads: somebody's text
// could hold up the service with it, or a reader's browser.
const ROOT = path.resolve(import.meta.dirname, '..');

/** Expressions that stay, by their file and how they begin, each with what bounds it. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/config/environment.ts /^[^\\S\\n]*(?:export': 'the `.env` of whoever runs the service, read once',
  'src/http/docs/assets/what-went-wrong/explain.js /null/':
    'the expressions of third-party-errors.ts, which are checked there',
  'src/http/docs/assets.ts /': 'files of our own, each read once',
  'src/images/guard/image-url.ts /^(?::[\\w': 'flag v, which recheck does not know; 100 characters',
  'src/operations/parse-args/token.ts /[[\\p{L}':
    'flag v, which recheck does not know; one set, repeated once',
};

const unused = new Set(Object.keys(BOUNDED));
for (const expression of await findExpressions(
  ROOT,
  globSync('src/**/*.{ts,js}', { cwd: ROOT, exclude: ['src/recipes/templates/**'] }).sort(),
)) {
  const { file, line, source, flags } = expression;
  const bounded = Object.keys(BOUNDED).find((start) => `${file} /${source}/${flags}`.startsWith(start));
  unused.delete(bounded ?? '');
  const reason = bounded === undefined ? await judgeExpression(expression) : null;
  if (reason !== null) complain(`${file}:${line} /${source}/${flags} is not linear: ${reason}`);
}
for (const start of unused) complain(`No expression begins with: ${start}`);

function complain(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
