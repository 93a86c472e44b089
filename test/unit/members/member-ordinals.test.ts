import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { copyBitOrdinals, copyBitValues } from '../../../src/members/index/bit-set.ts';
import { RoleTable } from '../../../src/members/index/role-table.ts';
import { SEGMENT_MEMBERS_MAX, sortOrdinals } from '../../../src/members/index/sort-ordinals.ts';

/** Different ordinals below a limit, of any share of it: how they are read depends on how many there are. */
const ordinalsBelow = fc
  .tuple(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 0, max: 100 }), fc.integer())
  .map(([limit, percent, seed]) => {
    const ordinals = Array.from({ length: limit }, (_, ordinal) => ordinal);
    return {
      limit,
      ordinals: ordinals.filter((at) => (Math.imul(at + seed, 0x9e37_79b1) >>> 8) % 100 < percent),
    };
  });

describe('bit sets', () => {
  test('give their ordinals and the values of these in order, and touch nothing else', () => {
    fc.assert(
      fc.property(ordinalsBelow, fc.nat(40), fc.nat(20), ({ limit, ordinals }, first, start) => {
        const words = Math.ceil(limit / 16);
        const pool = new Uint16Array(first + words + 1).fill(0xffff);
        pool.fill(0, first, first + words);
        for (const ordinal of ordinals) pool[first + (ordinal >>> 4)]! |= 1 << (ordinal & 15);
        const set = { pool, first, words, count: ordinals.length };

        const copied = new Uint16Array(start + ordinals.length + 1).fill(9);
        copyBitOrdinals(set, copied, start);
        expect([...copied]).toEqual([...Array<number>(start).fill(9), ...ordinals, 9]);

        const values = BigUint64Array.from({ length: limit }, (_, at) => 2n ** 64n - 1n - BigInt(at));
        const found = new BigUint64Array(start + ordinals.length + 1);
        copyBitValues(set, values, found, start);
        expect([...found]).toEqual([
          ...Array<bigint>(start).fill(0n),
          ...ordinals.map((ordinal) => values[ordinal]),
          0n,
        ]);
      }),
      { seed: 5, numRuns: 1_000 },
    );
  });
});

describe('ordinals', () => {
  test('are sorted within their bounds, however many they are', () => {
    const ordinal = fc.nat(2 * SEGMENT_MEMBERS_MAX - 1);
    fc.assert(
      fc.property(fc.uniqueArray(ordinal, { maxLength: 400, size: 'max' }), fc.nat(400), (ordinals, cut) => {
        const from = Math.min(cut, ordinals.length) >>> 1;
        const array = Uint16Array.from(ordinals);
        sortOrdinals(array, from, array.length);
        const sorted = ordinals.slice(from).sort((a, b) => a - b);
        expect([...array]).toEqual([...ordinals.slice(0, from), ...sorted]);
      }),
      { seed: 6, numRuns: 500 },
    );
  });
});

describe('the roles of a guild', () => {
  test('are told apart when most of their digits are the same', () => {
    const ids = ['7', '70', '100', '1000', '12345678', '123456789', '18446744073709551615'];
    for (let at = 0; at < 300; at += 1) ids.push(`${100 + at}00000012345678`, `12345678000${100 + at}`);
    const table = new RoleTable();
    const slots = ids.map((id) => table.findOrAdd(id));
    expect(new Set(slots).size).toBe(ids.length);
    expect(ids.map((id) => table.find(id))).toEqual(slots);
    slots.forEach((slot, at) => at % 2 === 0 && table.delete(slot, 0));
    expect(ids.map((id) => table.find(id))).toEqual(slots.map((slot, at) => (at % 2 === 0 ? -1 : slot)));
    expect(table.ids().sort()).toEqual(ids.filter((_, at) => at % 2 === 1).sort());
    expect(['', '07', '8', 'x', '1234567812345678'].map((id) => table.find(id))).toEqual([
      -1, -1, -1, -1, -1,
    ]);
    for (const id of ['', '07', 'x', '18446744073709551616']) {
      expect(() => table.findOrAdd(id)).toThrow(RangeError);
    }
  });
});
