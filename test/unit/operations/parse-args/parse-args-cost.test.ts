import { expect, test } from 'vitest';

import { replaceMentions } from '../../../../src/operations/parse-args/answer-line.ts';
import { parseLine } from '../../../../src/operations/parse-args/parse-line.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';

const ONCE = ['charCodeAt', 'codePointAt', 'charAt'] as const;
const SEARCHES = ['indexOf', 'includes'] as const;

/** More than a sticky expression of the parser reads when it does not match. */
const STICKY_MISS = 150;

/**
 * Counts what the work reads of strings: each look at a unit or character, the length of each copy, the distance of
 * each search, also of regular expressions.
 */
function countSteps(work: () => unknown): number {
  let steps = 0;
  const restore: (() => void)[] = [];
  const replace = (
    prototype: object,
    name: string,
    cost: (self: unknown, args: unknown[], result: unknown, before: number) => number,
  ) => {
    const original = Object.getOwnPropertyDescriptor(prototype, name)!;
    restore.push(() => Object.defineProperty(prototype, name, original));
    const call = original.value as (...args: unknown[]) => unknown;
    Object.defineProperty(prototype, name, {
      ...original,
      value: function count(this: unknown, ...args: unknown[]) {
        const before = this instanceof RegExp ? this.lastIndex : 0;
        const result = call.apply(this, args);
        steps += cost(this, args, result, before);
        return result;
      },
    });
  };
  for (const name of ONCE) replace(String.prototype, name, () => 1);
  replace(String.prototype, 'slice', (_self, _args, result) => 1 + (result as string).length);
  for (const name of SEARCHES) {
    replace(String.prototype, name, (self, [, from = 0], result) =>
      typeof result === 'number' && result >= 0
        ? 1 + result - Number(from)
        : 1 + (self as string).length - Number(from),
    );
  }
  replace(RegExp.prototype, 'exec', (self, [text], result, before) => {
    const { global, sticky } = self as RegExp;
    const from = global || sticky ? before : 0;
    const match = result as RegExpExecArray | null;
    if (match !== null) return 1 + match.index + match[0].length - from;
    return sticky ? STICKY_MISS : 1 + (text as string).length - from;
  });
  try {
    work();
  } finally {
    for (const undo of restore) undo();
  }
  return steps;
}

const HOSTILE = [
  'a', ' ', '1', '0', '.', ',', '-', '!', '"', "'", '<', '>', '@', '\n', '\u200b', '\u0301', '\u2067', '\u2069', '😀', '\ud800',
  '1h', '1h ', '1h1m', '1d, ', '1 day and ', 'for ', 'and ', 'a ', 'a week ', 'perm ', '9,', '9.', '1 ', '1\u200b',
  '<@', '<@1', '<@1>', '<@1> ', '<@1>, ', '<@1> and ', '<@<@1>', '(<@1>)', '@a ', '@a', '100000000000000001 ', '<@1\u200b>',
  '--a ', '--a', '--a="', '--a=" ', '--a="x"', '--a="x"y ', '--a=“ ', '--a=“x ”y', '-- ', '="',
  '<#1>', '<@&1> ', '<t:1>', '"7d" ', '"7d', 'until ', 'на ', 'perm', '1 дн', 'half a ', 'd\'', '1 day left ', '.5', '! ', '!a', 'a!', 'a.', 'a-', '</a', '</a b:1>', '<:a:1>', '1️⃣', '"a" ', "a'b", '\\"', '| ', '||', '- ', '\u2067a\u2069', ' \u200b',
  '—a ', '–a', '—', '—a=“x “ ', '“ ', '‘', '<@1>. ', '<@1>;', '. ', '… ', '100000000000000001/', '100000000000000001. ', '/', '1m ago ', '1h 1m ago ', 'ago ', 'de edad ', 'me ', 'all 1h ', 'set --a ', 'or ', '<@1> or ', ', --a ', 'and a half ', 'hour and a half ', 'an hour and a half ', '1 hour and half ', '1h:', '1h+', '1/2 ', '½', '1½h ', 'half an ', 'demi-', "d'", 'a couple of ', 'on iki ', 'час ', 'year month week day hour ', '\n- <@1>', '\n- 100000000000000001', '- ', 'для ', 'for the next ', 'boyunca ', '<#1:2:', '<#1:2:a>', 'create ', '1 day one day ', '1 h 30 ', '1 y 2 ', '3 sem ', 'in <#1> ', '@"a ', '-<@&1> ', 'reason: ', '12 7d ',
]; // prettier-ignore
/** Units of the shorter lines; the longer ones have ten times as many. */
const SMALL = quickOrFull(500, 1_000);
/** A square term of a 450th of the linear one at the shorter length exceeds this. */
const FACTOR_MAX = 10.2;

const HEADS = ['', '!ban ', '!ban <@1> ', '!ban <@1> x '];

function parseArguments(text: string) {
  return parseLine(text, true);
}

function searchFromEverywhere(text: string): number[] {
  return Array.from(text, (_, at) => text.indexOf('#', at));
}

function fill(head: string, piece: string, units: number): string {
  return head + piece.repeat(Math.ceil(units / piece.length));
}

test.each(HOSTILE.map((piece) => [piece]))(
  'ten times as much of %j costs at most ten times as much',
  (piece) => {
    for (const head of HEADS) {
      const small = fill(head, piece, SMALL);
      const large = fill(head, piece, SMALL * 10);
      for (const work of [parseLine, parseArguments, replaceMentions]) {
        expect(countSteps(() => work(large))).toBeLessThanOrEqual(FACTOR_MAX * countSteps(() => work(small)));
      }
    }
  },
);

test.each([
  ['nested mentions', (n: number) => `${'<@'.repeat(n / 4)}1${'>'.repeat(n / 2)}`],
  ['invisible characters in a mention', (n: number) => `<@1${'\u200b'.repeat(n / 2)}${'>'.repeat(n / 2)}`],
  ['a late end of a quoted flag', (n: number) => `!ban <@1> ${'--a=“x '.repeat(n / 7)}”y`],
  ['quotes around everything', (n: number) => `!ban <@1> "${"'".repeat(n)}"`],
])('ten times as much input with %s costs at most ten times as much', (_name, make) => {
  for (const work of [parseLine, replaceMentions]) {
    const small = countSteps(() => work(make(SMALL)));
    expect(countSteps(() => work(make(SMALL * 10)))).toBeLessThanOrEqual(FACTOR_MAX * small);
  }
});

test('the measurement notices quadratic work', () => {
  const small = countSteps(() => searchFromEverywhere('a'.repeat(100)));
  expect(countSteps(() => searchFromEverywhere('a'.repeat(1000)))).toBeGreaterThan(50 * small);

  const reads = (units: number) => {
    const text = 'a'.repeat(units);
    return countSteps(() => {
      for (let from = 0; from < units; from += 1) /[a-z]*/.test(text.slice(from));
    });
  };
  expect(reads(1000)).toBeGreaterThan(50 * reads(100));
});
