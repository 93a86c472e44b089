import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { IdList } from '../../../src/members/index/id-list.ts';
import { indexOfId } from '../../../src/members/index/search.ts';

const id = fc.oneof(
  fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 10n ** 16n, max: 2n * 10n ** 18n }),
  // Where digits, halves and doubles change: powers of 2 and of 10 and their neighbours.
  fc
    .tuple(fc.constantFrom(2n, 10n), fc.integer({ min: 1, max: 63 }), fc.integer({ min: -2, max: 2 }))
    .map(([base, exponent, by]) => base ** BigInt(exponent) + BigInt(by))
    .filter((value) => value > 0n && value < 2n ** 64n),
);

function textOf(value: { jsonBytes(): Iterable<Uint8Array> }): string {
  return Buffer.concat([...value.jsonBytes()]).toString();
}

describe('ids', () => {
  test('are found in a sorted list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 40 }), fc.nat(40), id, (values, cut, wanted) => {
        const ids = BigUint64Array.from(values).sort();
        const length = Math.min(cut, ids.length);
        const below = [...ids.subarray(0, length)].filter((other) => other < wanted);
        expect(indexOfId(ids, length, wanted)).toBe(below.length);
      }),
      { seed: 15, numRuns: 500 },
    );
  });

  test('are computed once, and only when needed beyond their number', () => {
    let readings = 0;
    const read = () => {
      readings += 1;
      return BigUint64Array.from([1n, 20n]);
    };
    const list = new IdList(read, 2);
    expect([list.length, list.idCount, readings]).toEqual([2, 2, 0]);
    expect([list.jsonByteLength, textOf(list), list.toJSON()]).toEqual([10, '["1","20"]', ['1', '20']]);
    expect(readings).toBe(1);
  });

  test('are written as a JSON array of strings, whose length is known beforehand', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 60 }), (ids) => {
        const list = new IdList(BigUint64Array.from(ids));
        const text = textOf(list);
        expect(text).toBe(JSON.stringify(ids.map(String)));
        expect(list.jsonByteLength).toBe(text.length);
        expect(list.toJSON()).toEqual(ids.map(String));
        expect([...list.toBigUint64Array()]).toEqual(ids);
      }),
      { seed: 12, numRuns: 2_000 },
    );
  });

  test('are written in pieces, each made when it is taken', () => {
    const ids = BigUint64Array.from({ length: 100_000 }, (_, at) => 2n ** 60n + BigInt(at));
    const pieces = [...new IdList(ids).jsonBytes()].map(({ length }) => length);
    expect(pieces.length).toBeGreaterThan(20);
    expect(Math.max(...pieces)).toBeLessThan(100_000);
  });
});
