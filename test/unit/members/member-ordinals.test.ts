import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { quickOrFull } from '../../fixtures/full-run.ts';
import {
  countBits,
  intersect,
  ordinalsOf,
  setBits,
  subtract,
  unite,
} from '../../../src/members/index/bit-set.ts';
import { RoleLists } from '../../../src/members/index/role-lists.ts';
import { RoleTable } from '../../../src/members/index/role-table.ts';
import { SEGMENT_MEMBERS_MAX } from '../../../src/members/index/segment.ts';

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
  test('return the ordinals that were added, in order, and their number', () => {
    fc.assert(
      fc.property(ordinalsBelow, fc.infiniteStream(fc.nat()), ({ limit, ordinals }, order) => {
        const words = new Uint16Array(Math.ceil(limit / 16));
        const shuffled = ordinals.map((ordinal) => ({ ordinal, by: order.next().value ?? 0 }));
        shuffled.sort((a, b) => a.by - b.by);
        setBits(
          words,
          shuffled.map(({ ordinal }) => ordinal),
        );
        expect(countBits(words)).toBe(ordinals.length);
        expect([...ordinalsOf(words)]).toEqual(ordinals);
      }),
      { seed: 5, numRuns: quickOrFull(150, 500) },
    );
  });
});

describe('the lists of a segment', () => {
  test.each([40, 700, SEGMENT_MEMBERS_MAX])(
    'remain sets of ordinals below %i, however often they outgrow their space in the pool',
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
        fc.property(sequence, fc.array(ordinalsBelow, { maxLength: 6 }), (changes, filled) => {
          const whole = filled.map(({ ordinals }) => ordinals.filter((ordinal) => ordinal < ordinalsMax));
          const lists = new RoleLists(ordinalsMax, whole);
          const model = new Map(whole.map((ordinals, slot) => [slot, new Set(ordinals)]));
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
                if (verb === 'delete') {
                  if (lists.delete(slot, ordinal) !== held.delete(ordinal))
                    throw new Error('delete said it wrong');
                } else if (!held.has(ordinal)) {
                  lists.add(slot, ordinal);
                  held.add(ordinal);
                }
              }
            }
            if (lists.byteLength !== before) grown += 1;
          }
          const others = new Set(whole[0] ?? [1, 5, 39]);
          for (const [slot, held] of model) {
            const ascending = [...held].sort((a, b) => a - b);
            expect([...lists.ordinals(slot)]).toEqual(ascending);
            const list = lists.list(slot);
            const words = lists.bitsOf([...others]);
            unite(words, list);
            expect(new Set(ordinalsOf(words))).toEqual(held.union(others));
            intersect(words, list);
            expect([...ordinalsOf(words)]).toEqual(ascending);
            const left = lists.bitsOf([...others]);
            subtract(left, list);
            expect(new Set(ordinalsOf(left))).toEqual(others.difference(held));
            expect(lists.count(slot)).toBe(held.size);
            for (const { first } of changes) expect(lists.has(slot, first)).toBe(held.has(first));
            for (const ordinal of ascending) lists.delete(slot, ordinal);
            expect(lists.count(slot)).toBe(0);
          }
        }),
        { seed: 7, numRuns: quickOrFull(4, 60) },
      );
      expect(grown).toBeGreaterThan(quickOrFull(4, 60));
    },
  );
});

describe('the roles of a guild', () => {
  test('are distinguished even if most of their digits are equal', () => {
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
