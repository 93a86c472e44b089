import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { CopiedIds, IdList } from '../../../src/members/index/id-list.ts';
import { Segment } from '../../../src/members/index/segment.ts';
import { compareDigits, parseId, placeOfId } from '../../../src/members/index/snowflake.ts';

const id = fc.oneof(
  fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 10n ** 16n, max: 2n * 10n ** 18n }),
  // Where digits, halves and doubles change: powers of 2 and of 10 and their neighbours.
  fc
    .tuple(fc.constantFrom(2n, 10n), fc.integer({ min: 1, max: 63 }), fc.integer({ min: -2, max: 2 }))
    .map(([base, exponent, by]) => base ** BigInt(exponent) + BigInt(by))
    .filter((value) => value > 0n && value < 2n ** 64n),
);

function listOf(ids: readonly bigint[], perRange = 7): IdList {
  const ranges = [];
  for (let from = 0; from < ids.length; from += perRange) {
    const part = ids.slice(from, from + perRange);
    ranges.push(new CopiedIds(BigUint64Array.from(part), false));
  }
  return new IdList(ranges);
}

/** As many as a segment has. */
function idsOfRange(range: number): BigUint64Array {
  return BigUint64Array.from({ length: 16_384 }, (_, at) => BigInt(at + (0x1000_0000 + range) * 2 ** 32));
}

function textOf(value: { jsonBytes(): Iterable<Uint8Array> }): string {
  return Buffer.concat([...value.jsonBytes()]).toString();
}

describe('ids', () => {
  test('are read and compared as what they are, up to 2^64 - 1', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(parseId(String(a))).toBe(a);
        expect(Math.sign(compareDigits(String(a), String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      { seed: 11, numRuns: 20_000 },
    );
  });

  test('are found among ascending ones', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 40 }), fc.nat(40), id, (values, cut, wanted) => {
        const ids = BigUint64Array.from(values).sort();
        const length = Math.min(cut, ids.length);
        const below = [...ids.subarray(0, length)].filter((other) => other < wanted);
        expect(placeOfId(ids, length, wanted)).toBe(below.length);
      }),
      { seed: 15, numRuns: 500 },
    );
  });

  test('come out as a JSON array of strings, with its length known beforehand', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 60 }), (values) => {
        const ids = values.sort((a, b) => (a < b ? -1 : 1));
        const list = listOf(ids);
        const text = textOf(list);
        expect(text).toBe(JSON.stringify(ids.map(String)));
        expect(list.jsonByteLength).toBe(text.length);
        expect(list.toJSON()).toEqual(ids.map(String));
        expect([...list.toBigUint64Array()]).toEqual(ids);
      }),
      { seed: 12, numRuns: 2_000 },
    );
  });

  test('are written into room that is given, a piece after the other', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 1_024, max: 2_000 }),
        (ids, bytes) => {
          const room = new Uint8Array(bytes);
          let text = '';
          let elsewhere = false;
          for (const piece of listOf(ids).jsonBytes(room)) {
            elsewhere ||= piece.buffer !== room.buffer;
            text += Buffer.from(piece).toString();
          }
          expect(text).toBe(JSON.stringify(ids.map(String)));
          expect(elsewhere).toBe(false);
        },
      ),
      { seed: 14 },
    );
  });

  test('are written in pieces of 64 KiB at most, each made when it is taken', () => {
    let copied = 0;
    const ranges = Array.from({ length: 50 }, (_, range) => ({
      count: 16_384,
      digitCount: 18 * 16_384,
      ids: () => {
        copied += 1;
        return idsOfRange(range);
      },
      copyTo: (target: BigUint64Array) => target.set(idsOfRange(range)),
    }));
    const pieces = new IdList(ranges).jsonBytes();
    for (let taken = 1; taken <= 60; taken += 1) {
      expect((pieces.next().value as Uint8Array).length).toBeLessThanOrEqual(65_536);
      expect(copied).toBeLessThanOrEqual(Math.ceil((taken * 65_536) / (16_384 * 22)) + 1);
    }
  });

  test('of a segment have one number of digits only where each of them has it', () => {
    const ids = BigUint64Array.of(10n ** 17n, 10n ** 18n);
    const segment = Segment.of(0n, { ids, sums: Uint32Array.of(0, 0), holders: [[0, 1]] }, 16);
    segment.append(10n ** 16n);
    // 18, 19 and 17: 18 in the mean.
    expect(segment.digits).toBeNull();
    const even = Segment.of(0n, { ids: ids.subarray(0, 1), sums: Uint32Array.of(0), holders: [[0]] }, 16);
    even.append(10n ** 18n - 1n);
    expect(even.digits).toBe(18);
  });
});
