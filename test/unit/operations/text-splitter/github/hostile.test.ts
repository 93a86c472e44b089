import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { quickOrFull } from '../../../../fixtures/full-run.ts';
import { makeGithubPatterns } from '../../../../fixtures/text-corpus/github-patterns.ts';
import { makeHostile } from '../../../../fixtures/text-corpus/hostile.ts';
import { Problem } from '../../../../../src/kernel/problem.ts';
import { WorkCounter } from '../../../../fixtures/work-counter.ts';
import { convert } from './convert.ts';

/** Units of the shorter text; the longer one has ten times as many. */
const SMALL = quickOrFull(1_000, 10_000);
const LARGE = 10 * SMALL;
/** Ten times the work is linear. Some parts of a short text are not yet worked on, so a little more is allowed. */
const WORK_FACTOR_MAX = 15;
/** Blocks of code that run for a unit. */
const WORK_PER_UNIT_MAX = 100;

/** Those of Discord's patterns that mean something inside a line on GitHub as well. */
const INLINE = /star|underscore|bracket|link|styles/;

function makePatterns(length: number) {
  return [...makeGithubPatterns(length), ...makeHostile(length).filter(([name]) => INLINE.test(name))];
}

describe('the conversion takes work in proportion to the text', () => {
  let counter: WorkCounter;
  beforeAll(async () => {
    counter = await WorkCounter.start('text-splitter');
  });
  afterAll(() => counter[Symbol.asyncDispose]());

  const countWork = (text: string) =>
    counter.count(() => {
      try {
        convert(text);
      } catch (error) {
        // What would grow beyond its bound is refused.
        if (!(error instanceof Problem) || error.code !== 'text_too_long') throw error;
      }
    });

  const large = makePatterns(LARGE);
  test.each(makePatterns(SMALL).map(([name, text], index) => [name, text, large[index]?.[1] ?? ''] as const))(
    '%s',
    async (_name, short, long) => {
      const before = await countWork(short);
      expect(before).toBeGreaterThan(0);
      const work = await countWork(long);
      expect(work / before).toBeLessThan(WORK_FACTOR_MAX);
      expect(work / long.length).toBeLessThan(WORK_PER_UNIT_MAX);
    },
  );
});
