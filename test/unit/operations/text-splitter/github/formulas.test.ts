import fc from 'fast-check';
import { expect, test } from 'vitest';

import { quickOrFull } from '../../../../fixtures/full-run.ts';
import { formulaText } from '../../../../../src/operations/text-splitter/github/read/latex.ts';
import { changes, formula } from './formulas.ts';

const FORMULAS = quickOrFull(4_200, 30_000);
const PAIRS = FORMULAS / 3;

/** Blanks of LaTeX have no effect. */
function keyOf(source: string): string {
  return source.replaceAll(' ', '');
}

/** Formulas that are shown as another one is. */
function findAlike(formulas: readonly string[]): string[] {
  const shownOf = new Map<string, string>();
  const alike: string[] = [];
  for (const source of formulas) {
    const shown = formulaText(source);
    if (shown === null) continue;
    const other = shownOf.get(shown) ?? source;
    shownOf.set(shown, source);
    if (keyOf(other) !== keyOf(source)) alike.push(`${source} and ${other} are both ${shown}`);
  }
  return alike;
}

test('no two formulas look alike', () => {
  const formulas = fc.sample(formula, { seed: 53, numRuns: FORMULAS });
  expect(findAlike(formulas)).toEqual([]);
  // Most can be shown.
  expect(formulas.filter((one) => formulaText(one) !== null).length).toBeGreaterThan((FORMULAS * 2) / 3);
});

test('no formula looks like one that differs in one place', () => {
  const pairs = fc
    .sample(formula, { seed: 54, numRuns: FORMULAS })
    .flatMap((one) => changes.map((change) => [one, change(one)] as const))
    .filter(([one, other]) => keyOf(other) !== keyOf(one))
    .slice(0, PAIRS);
  expect(pairs).toHaveLength(PAIRS);
  expect(pairs.flatMap(findAlike)).toEqual([]);
});
