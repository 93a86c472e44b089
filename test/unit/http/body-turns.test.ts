import { describe, expect, test } from 'vitest';

import { readFields } from '../../../src/http/body/read-fields.ts';
import type { BodyKind } from '../../../src/http/body/body-kind.ts';
import { runAtOnce, Turns } from '../../../src/http/body/turns.ts';

const MEBIBYTE = 1024 * 1024;
const BYTES = 4 * MEBIBYTE;
const SLICE_BYTES = 64 * 1024;

function fill(head: string, unit: string, tail = ''): Buffer {
  const count = Math.floor((BYTES - head.length - tail.length) / Buffer.byteLength(unit));
  return Buffer.from(head + unit.repeat(count) + tail);
}

/** How many slices the whole body takes. */
function countSlices(bytes: Buffer, kind: BodyKind): number {
  const work = readFields(bytes, kind, 'text');
  let slices = 1;
  while (work.next().done !== true) slices += 1;
  return slices;
}

describe('a body of 4 MiB', () => {
  test.each<[string, BodyKind, Buffer]>([
    ['a form of plus signs', 'form', fill('text=', '+')],
    ['a form of escapes', 'form', fill('text=', '%C3%A9')],
    ['a form of bytes that are no UTF-8', 'form', fill('text=', '%ff')],
    ['a form of a few hundred fields', 'form', fill('', `${'a'.repeat(8_000)}=${'+'.repeat(8_000)}&`)],
    ['JSON of one string', 'json', fill('{"text":"', 'a', '"}')],
    ['JSON of escapes', 'json', fill('{"text":"', String.raw`\u20ac`, '"}')],
    ['JSON of line breaks', 'json', fill('{"text":"', String.raw`\n`, '"}')],
    ['JSON of long names', 'json', fill('{', `"${'a'.repeat(20_000)}":0,`, '"":0}')],
    ['JSON of white space', 'json', fill('{', ' ', '}')],
    ['JSON of one number', 'json', fill('{"a":', '1', '}')],
    ['text beyond Latin', 'text', fill('', '€')],
    ['text of one byte a sign', 'text', fill('', 'a')],
    ['white space that is sent as a form', 'form', fill('', ' ', '{}')],
  ])('is read in slices of 64 KiB: %s', (_name, kind, bytes) => {
    const slices = countSlices(bytes, kind);
    expect(slices).toBeGreaterThanOrEqual(Math.floor(bytes.length / SLICE_BYTES) - 1);
    // Linear: reading and decoding are two passes at most, and the tokens are few.
    expect(slices).toBeLessThanOrEqual(3 * Math.ceil(bytes.length / SLICE_BYTES));
  });
});

describe('turns', () => {
  /** Everything that is left to be done in later turns, in order. */
  const deferred: (() => void)[] = [];
  const turns = new Turns((callback) => deferred.push(callback));

  test('do one slice in each turn of the loop, and owners take turns', async () => {
    const done: string[] = [];
    function* job(name: string, slices: number) {
      for (let slice = 1; slice <= slices; slice += 1) {
        done.push(`${name}${slice}`);
        if (slice < slices) yield;
      }
      return name;
    }
    const many = ['a', 'b', 'c'].map((name) => turns.run('worst', job(name, 2)));
    const one = turns.run('other', job('x', 2));
    const perTurn: number[] = [];
    while (deferred.length > 0) {
      const before = done.length;
      deferred.shift()?.();
      perTurn.push(done.length - before);
    }
    expect(perTurn).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(done.indexOf('x2')).toBe(3);
    expect(await Promise.all([...many, one])).toEqual(['a', 'b', 'c', 'x']);
  });

  test('go on when one of them fails', async () => {
    const failing = turns.run('a', readFields(Buffer.from('{"a"'), 'json', null));
    const good = turns.run('a', readFields(Buffer.from('{"a":1}'), 'json', null));
    while (deferred.length > 0) deferred.shift()?.();
    await expect(failing).rejects.toMatchObject({ code: 'invalid_json' });
    expect(await good).toEqual({ a: 1 });
    expect(runAtOnce(readFields(Buffer.from('a=1'), 'form', null))).toEqual({ a: '1' });
  });
});
