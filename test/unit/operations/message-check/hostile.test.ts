import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Problem } from '../../../../src/kernel/problem.ts';
import { checkMessage } from '../../../../src/operations/message-check/check-message.ts';
import { joinError } from '../../../../src/operations/message-check/join-error.ts';
import { messageCheck } from '../../../../src/operations/message-check/operation.ts';
import { readError } from '../../../../src/operations/message-check/read-error.ts';
import { readJson } from '../../../../src/operations/message-check/read-message.ts';
import { type Fields, isObject } from '../../../../src/operations/message-check/check-context.ts';
import type { OperationContext } from '../../../../src/operations/operation.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';
import { WorkCounter } from '../../../fixtures/work-counter.ts';

/** The number of units or values, and ten times as many. */
const FEW = quickOrFull(600, 1_800);
const MANY = 10 * FEW;

/** Ten, and a little more because searching for a path takes longer in a longer text. */
const GROWTH_MAX = 10.5;

const list = <Value>(length: number, make: (index: number) => Value): Value[] =>
  Array.from({ length }, (_, n) => make(n));
const object = (length: number, make: (index: number) => [string, unknown]) =>
  Object.fromEntries(list(length, make));

function nested(levels: number, inside: Fields): Fields {
  return levels === 0 ? inside : { type: 17, components: [nested(levels - 1, inside)] };
}

const context = { signal: new AbortController().signal } as OperationContext;

/** Discord's errors at a hundred paths. */
const REFUSALS = readError({
  code: 50_035,
  message: 'Invalid Form Body',
  errors: { embeds: { 0: object(100, (n) => [`q${n}`, { _errors: [{ code: 'X', message: 'Wrong.' }] }]) } },
});

const MESSAGES: Readonly<Record<string, (size: number) => Fields>> = {
  'unknown names': (size) => object(size, (n) => [`n${n}`, 1]),
  'unknown names in an embed': (size) => ({ embeds: [object(size, (n) => [`n${n}`, 1])] }),
  'names in other spellings': (size) => ({ EMBEDS: list(size / 10, () => ({ TITLE: 5, FOOTER: 'x' })) }),
  'many entries': (size) => ({ allowed_mentions: { users: list(size, String) } }),
  'a long text': (size) => ({ content: 'x'.repeat(size * 14) }),
  'components inside others': (size) => ({
    flags: 32_768,
    components: [
      nested(14, { type: 17, components: list(size / 4, (n) => ({ type: 10, content: 5, id: n })) }),
    ],
  }),
};

const TEXTS: Readonly<Record<string, (size: number) => string>> = {
  'open braces': (size) => '{'.repeat(size * 14),
  'pairs of braces': (size) => '{"a"}'.repeat(size * 3),
  'lines about one place': (size) => 'embeds[0].title: x\n'.repeat(size / 2),
  'an open quotation mark': (size) => `{"a": "${'\\"'.repeat(size)}`,
  fences: (size) => '```\n'.repeat(size),
};

describe('ten times as much takes at most ten times the work:', () => {
  let counter: WorkCounter;
  beforeAll(async () => {
    counter = await WorkCounter.start('message-check');
  });
  afterAll(() => counter[Symbol.asyncDispose]());

  /** How many times as much work ten times the size takes. */
  async function growthOf(work: (size: number) => unknown): Promise<number> {
    await counter.count(() => work(FEW));
    const few = await counter.count(() => work(FEW));
    expect(few).toBeGreaterThan(0);
    return (await counter.count(() => work(MANY))) / few;
  }

  test.each(Object.entries(MESSAGES))('a message of %s', async (_, make) => {
    const growth = await growthOf((size) => {
      const message = make(size);
      return joinError(checkMessage(message, 'bot'), REFUSALS, message, 'bot');
    });
    expect(growth).toBeLessThan(GROWTH_MAX);
  });

  test.each(Object.entries(TEXTS))('a text of %s, as an error and as a message', async (_, make) => {
    expect(await growthOf((size) => readError(make(size)))).toBeLessThan(GROWTH_MAX);
    expect(await growthOf((size) => readJson(make(size)))).toBeLessThan(GROWTH_MAX);
  });
});

test('many large messages together leave the event loop to other work in between', async () => {
  const message = object(quickOrFull(5_000, MANY), (n) => [`n${n}`, 1]);
  let iterations = 0;
  const count = () => {
    iterations += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const seen = await Promise.all(
    list(10, async () => {
      await messageCheck.answer({ message }, context);
      return iterations;
    }),
  );
  clearImmediate(immediate);
  // The first ones may share an iteration, as far as they are quick.
  expect(new Set(seen).size).toBeGreaterThan(2);
});

test.each([
  ['33 levels', nested(16, { type: 10 })],
  ['20,000 values', object(20_000, (n) => [`n${n}`, 1])],
])('a message of %s is refused before it is checked', async (_, message) => {
  const refusal = await messageCheck.answer({ message }, context).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect(isObject(refusal) && refusal['key']).toBe('invalid_field/message_size');
});
