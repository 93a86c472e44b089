import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  convertGithub,
  type ConvertOptions,
} from '../../../../src/operations/text-splitter/github/convert-github.ts';
import { DEFAULT_OPTIONS } from '../../../../src/operations/text-splitter/split-options.ts';
import { splitTextInSteps } from '../../../../src/operations/text-splitter/split-text.ts';
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

/** Each is read or written as one thing, however long it is. */
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

/** A turn reads a mark in much more work than it takes to find one. */
const SPLIT_TIMES = 8;

/** These are looked for in the whole text before the first mark is read. */
const SPLIT_PATTERNS = [
  ['back-ticks apart', 'a ` '],
  ['escaped back-ticks', '\\`'],
  ['fences', 'a\n```\n'],
  ['styles', '**a** _b_ '],
] as const;

describe('a turn does no more in a longer text', () => {
  let counter: WorkCounter;
  beforeAll(async () => {
    counter = await WorkCounter.start();
  });
  afterAll(() => counter[Symbol.asyncDispose]());

  async function longestTurn(steps: Generator<void>): Promise<number> {
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

  async function expectBounded(work: (length: number) => Generator<void>): Promise<void> {
    const before = await longestTurn(work(SMALL));
    expect(before).toBeGreaterThan(0);
    expect((await longestTurn(work(LARGE))) / before).toBeLessThan(1.5);
  }

  test.each(PATTERNS)('that is converted: %s', (_name, make) =>
    expectBounded(function* (length) {
      yield* convertGithub(make(length), OPTIONS);
    }),
  );

  test.each(SPLIT_PATTERNS)('that is split: %s', (_name, unit) =>
    expectBounded(function* (length) {
      yield* splitTextInSteps(fill(SPLIT_TIMES * length, unit), DEFAULT_OPTIONS);
    }),
  );
});
