import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  convertGithub,
  type ConvertOptions,
} from '../../../../src/operations/text-splitter/github/convert-github.ts';
import { WorkCounter } from '../count-work.ts';

/** More than is read in a turn. */
const SMALL = 40_000;
const LARGE = 3 * SMALL;
const OPTIONS: ConvertOptions = {
  tables: 'auto',
  latex: false,
  room: { measure: (text) => text.length, length: 2_000, lines: Infinity },
};

const fill = (length: number, unit: string) => unit.repeat(Math.ceil(length / unit.length));
const TABLE = '|a|b|\n|-|-|\n';

/** What is read or written as one thing, however long it is. */
const PATTERNS: readonly (readonly [name: string, make: (length: number) => string])[] = [
  ['a row of cells with marks', (length) => TABLE + fill(length, '|*x*')],
  ['rows of many cells', (length) => TABLE + fill(length, `${'|x'.repeat(900)}\n`)],
  ['a cell', (length) => `${TABLE}|${fill(length, '*x* ')}|y|`],
  ['a row of HTML', (length) => `<table><tr>${fill(length, '<td>x')}`],
  ['a table of HTML', (length) => `<table>${fill(length, '<tr><td>x')}`],
  ['code', (length) => `~~~\n${fill(length, 'a\n')}`],
  ['definitions', (length) => fill(length, '[a]: x\n')],
  ['lines', (length) => fill(length, 'a\n')],
];

describe('a turn does no more in a longer text', () => {
  let counter: WorkCounter;
  beforeAll(async () => {
    counter = await WorkCounter.start();
  });
  afterAll(() => counter[Symbol.asyncDispose]());

  async function longestTurn(text: string): Promise<number> {
    const steps = convertGithub(text, OPTIONS);
    let longest = 0;
    const state = { isDone: false };
    while (!state.isDone) {
      const work = await counter.count(() => {
        state.isDone = steps.next().done === true;
      });
      longest = Math.max(longest, work);
    }
    return longest;
  }

  test.each(PATTERNS)('%s', async (_name, make) => {
    const before = await longestTurn(make(SMALL));
    expect(before).toBeGreaterThan(0);
    expect((await longestTurn(make(LARGE))) / before).toBeLessThan(1.5);
  });
});
