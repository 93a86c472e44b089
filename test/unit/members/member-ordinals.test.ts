import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { copyBitOrdinals, copyBitValues } from '../../../src/members/index/bit-set.ts';
import { RoleLists } from '../../../src/members/index/role-lists.ts';
import { RoleTable } from '../../../src/members/index/role-table.ts';
import { SlotSet } from '../../../src/members/index/slot-set.ts';
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

describe('the lists of a segment', () => {
  test.each([40, 700, SEGMENT_MEMBERS_MAX])(
    'are sets of ordinals below %i, however often they outgrow their place in the pool',
    (ordinalsMax) => {
      const change = fc.record({
        do: fc.constantFrom<('add' | 'delete' | 'clear')[]>('add', 'add', 'add', 'add', 'delete', 'clear'),
        slot: fc.oneof(fc.nat(12), fc.nat(400)),
        first: fc.nat(ordinalsMax - 1),
        step: fc.integer({ min: 1, max: 97 }),
        count: fc.nat(300),
      });
      let grown = 0;
      const sequence = fc.array(change, { minLength: 20, maxLength: 80, size: 'max' });
      fc.assert(
        fc.property(sequence, fc.boolean(), (changes, growing) => {
          const lists = new RoleLists({ ordinalsMax, slots: 4, poolLength: 10, growing });
          const model = new Map<number, Set<number>>();
          for (const { do: verb, slot, first, step, count } of changes) {
            const held = model.get(slot) ?? new Set();
            model.set(slot, held);
            const before = lists.byteLength;
            if (verb === 'clear') {
              lists.clear(slot);
              held.clear();
            } else {
              for (let at = 0; at < count; at += 1) {
                const ordinal = (first + at * step) % ordinalsMax;
                const isOther = verb === 'add' ? !held.has(ordinal) : held.has(ordinal);
                if (lists[verb](slot, ordinal) !== isOther) throw new Error(`${verb} said it wrong`);
                held[verb](ordinal);
              }
            }
            if (lists.byteLength !== before) grown += 1;
          }
          const slots = new SlotSet();
          const missing = new SlotSet();
          const out = new Uint16Array(ordinalsMax);
          for (const [slot, held] of model) {
            expect([...out.subarray(0, lists.copyTo(slot, out))]).toEqual([...held].sort((a, b) => a - b));
            slots.add(slot);
          }
          slots.settle();
          for (const { first } of changes) {
            const holding = [...model].filter(([, held]) => held.has(first)).map(([slot]) => slot);
            expect(lists.sumHeld(slots, first, missing)).toBe(holding.reduce((sum, slot) => sum + slot, 0));
            expect(missing.count).toBe(model.size - holding.length);
          }
        }),
        { seed: 7, numRuns: 60 },
      );
      expect(grown).toBeGreaterThan(60);
    },
  );
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
