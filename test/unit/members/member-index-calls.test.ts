import { describe, expect, test } from 'vitest';

import { BOTS_PSEUDO_ROLE, MemberIndex } from '../../../src/members/index/member-index.ts';
import { RoleTable } from '../../../src/members/index/role-table.ts';
import { finishSync } from './finish-sync.ts';
import { rolePage } from '../../fixtures/role-page.ts';

const GUILD = '81384788765712384';

/** An index that was read once, and has these members. */
function read(members: Readonly<Record<string, readonly string[]>>): MemberIndex {
  const index = new MemberIndex({ guildId: GUILD, now: () => 7_000 });
  index.beginSync();
  for (const [id, roles] of Object.entries(members)) index.upsertSynced(id, roles);
  finishSync(index);
  return index;
}

function holdersOf(index: MemberIndex, roleId: string): string[] {
  return rolePage(index, roleId).ids.toJSON();
}

describe('a change', () => {
  test('reports whether it had an effect', () => {
    const index = read({ '10': ['5', '6'] });
    expect(index.upsert('10', ['6', '5'])).toBe(false);
    expect(index.upsert('10', ['6'])).toBe(true);
    expect(index.upsert('10', ['6', '7'])).toBe(true);
    expect(index.upsert('11', [])).toBe(true);
    expect(index.upsert('11', [])).toBe(false);
    expect(index.remove('11')).toBe(true);
    expect(index.remove('11')).toBe(false);
    expect(index.addRole('8')).toBe(true);
    expect(index.addRole('8')).toBe(false);
    expect(index.addRole(GUILD)).toBe(false);
    expect(index.deleteRole('8')).toBe(true);
    expect(index.deleteRole('8')).toBe(false);
    expect(index.upsert('11', ['5'])).toBe(true);
    expect(holdersOf(index, '5')).toEqual(['11']);
  });

  test('forgets the roles of a member who left and came back without roles', () => {
    const index = read({ '10': ['5', '6'], '11': ['5'] });
    index.remove('10');
    expect([index.has('10'), index.has('11'), index.has('12'), index.has('x')]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    index.upsert('10', []);
    expect(index.has('10')).toBe(true);
    expect([index.count('5'), index.count('6'), index.memberCount]).toEqual([1, 0, 2]);
    expect(index.upsert('10', ['6'])).toBe(true);
    expect(holdersOf(index, '6')).toEqual(['10']);
  });

  test('is refused beyond the possible number of roles', () => {
    const table = new RoleTable();
    for (let role = 1; role <= 65_000; role += 1) table.findOrAdd(String(role));
    expect(() => table.findOrAdd('65001')).toThrow(RangeError);
    const slot = table.find('1');
    table.delete(slot, 0);
    expect(table.findOrAdd('65001')).toBe(slot);
  });
});

describe('the first sync', () => {
  test('applies changes that arrive during it, and shows none of its rows before its end', () => {
    const index = new MemberIndex({ guildId: GUILD });
    index.beginSync();
    const empty = index.byteLength;
    for (let n = 0; n < 1_000; n += 1) index.upsertSynced(String(1_000 + n), ['5', '6', '7', '8']);
    expect(index.byteLength - empty).toBeGreaterThanOrEqual(1_000 * 20 - 64 * 20);
    expect([index.memberCount, index.has('1000'), index.count('5')]).toEqual([0, false, 0]);
    expect(index.upsert('10', ['5'])).toBe(true);
    expect(index.has('10')).toBe(true);
    expect([index.remove('10'), index.has('10'), index.remove('10')]).toEqual([true, false, false]);
    expect(() => index.upsert('x', [])).toThrow(RangeError);
    expect(() => index.upsertSynced('x', [])).toThrow(RangeError);
    finishSync(index);
    expect([index.memberCount, index.count('5')]).toEqual([1_000, 1_000]);
  });

  test('uses the first of repeated rows, however many there are', () => {
    const index = new MemberIndex({ guildId: GUILD, segmentMembersMax: 16 });
    index.beginSync();
    for (let n = 0; n < 200; n += 1) index.upsertSynced('10', n === 0 ? ['5'] : ['6']);
    for (let n = 0; n < 100; n += 1) index.upsertSynced(String(20 + n), ['6']);
    finishSync(index);
    expect([index.memberCount, holdersOf(index, '5'), index.count('6')]).toEqual([101, ['10'], 100]);
    expect(index.segmentCount).toBeGreaterThan(6);
  });
});

describe('a later sync', () => {
  test('drops members without a row, and reports which rows were new', () => {
    const index = read({ '10': ['5'], '11': ['5'], '12': ['5'] });
    expect(index.finishSyncStep()).toBe(false);
    expect(() => index.upsertSynced('10', [])).toThrow(RangeError);
    index.beginSync();
    expect(index.upsertSynced('10', ['5'])).toBe(false);
    expect(index.upsertSynced('10', ['6'])).toBe(false);
    expect(index.upsertSynced('13', ['5'])).toBe(true);
    index.upsert('11', ['6']);
    expect(index.upsertSynced('11', ['5'])).toBe(false);
    index.remove('13');
    expect(index.upsertSynced('13', ['5'])).toBe(false);
    finishSync(index);
    expect([holdersOf(index, '5'), holdersOf(index, '6')]).toEqual([['10'], ['11']]);
    index.beginSync();
    finishSync(index);
    expect([index.memberCount, index.count('5')]).toEqual([0, 0]);
  });

  test('uses the time of its rows if they have one', () => {
    const index = read({ '10': ['5'] });
    index.beginSync();
    index.upsertSynced('10', ['6'], false, 9_000);
    expect([index.asOf('5'), index.asOf('6'), index.asOf(GUILD), index.wholeAsOf]).toEqual([9, 9, 7, 9]);
  });
});

describe('a long list', () => {
  test.each([
    { name: 'from the first sync', late: 0 },
    { name: 'with members who came later', late: 400 },
  ])('knows the length of its JSON $name, with ids of any length', ({ late }) => {
    const ids = Array.from({ length: 20_000 }, (_, n) => String(10n ** 17n + BigInt(n - 9_000) * 7n));
    const index = new MemberIndex({ guildId: GUILD });
    index.beginSync();
    for (const id of ids.slice(late)) index.upsertSynced(id, ['5']);
    finishSync(index);
    for (const id of ids.slice(0, late).toReversed()) index.upsert(id, ['5']);
    const list = rolePage(index, '5').ids;
    const text = Buffer.concat([...list.jsonBytes()]).toString();
    expect(text).toBe(JSON.stringify(ids));
    expect(list.jsonByteLength).toBe(text.length);
    const numbers = list.toBigUint64Array();
    expect(numbers).toHaveLength(ids.length);
    expect(numbers.at(-1)).toBe(BigInt(ids.at(-1) ?? 0));
  });

  test('can be requested in pages that are longer than a segment', () => {
    const ids = Array.from({ length: 30_000 }, (_, n) => String(10n ** 17n + BigInt(n)));
    const index = read(Object.fromEntries(ids.map((id) => [id, ['5']])));
    const first = rolePage(index, '5', 20_000, null);
    expect([first.ids.length, first.nextAfter]).toEqual([20_000, ids[19_999]]);
    const second = rolePage(index, '5', 10_000, first.nextAfter);
    expect([second.ids.toJSON(), second.nextAfter]).toEqual([ids.slice(20_000), null]);
  });
});

test('a sample knows the length of its JSON', () => {
  const index = read({ '9': ['5'], '10': ['5'], '100': ['5'], '12345678901': ['5'] });
  for (const among of [null, ['9', '100', '12345678901', '77']]) {
    const list = index.holders({ all: ['5'], any: [], none: [] }, among).sample(4, (below) => below - 1);
    const text = Buffer.concat([...list.jsonBytes()]).toString();
    expect([list.length, list.jsonByteLength]).toEqual([among === null ? 4 : 3, text.length]);
  }
});

describe('bots', () => {
  test('are one more role that no list, count or limit of roles shows', () => {
    const index = new MemberIndex({ guildId: GUILD });
    index.upsert('10', ['5']);
    index.upsert('11', ['5'], true);
    expect(index.roleIds()).toEqual(['5']);
    expect(index.roleCounts()).toEqual([{ roleId: '5', count: 2 }]);
    expect([index.count('5'), index.memberCount]).toEqual([2, 2]);
    expect(() => index.addRole(BOTS_PSEUDO_ROLE)).toThrow(RangeError);
    expect(() => index.upsert('12', [BOTS_PSEUDO_ROLE])).toThrow(RangeError);
    expect(index.deleteRole(BOTS_PSEUDO_ROLE)).toBe(false);
  });

  test('have their own version, which people do not change', () => {
    const index = new MemberIndex({ guildId: GUILD });
    index.upsert('10', ['5'], true);
    const version = index.version(BOTS_PSEUDO_ROLE);
    index.upsert('11', ['5']);
    index.upsert('10', ['5', '6'], true);
    expect(index.version(BOTS_PSEUDO_ROLE)).toBe(version);
    index.upsert('12', [], true);
    expect(index.version(BOTS_PSEUDO_ROLE)).not.toBe(version);
  });

  test('stay bots if they join during the first sync', () => {
    const index = new MemberIndex({ guildId: GUILD });
    index.beginSync();
    index.upsertSynced('10', ['5'], true);
    index.upsertSynced('11', ['5']);
    index.upsert('12', ['5'], true);
    finishSync(index);
    const people = index.holders({ all: ['5'], any: [], none: [BOTS_PSEUDO_ROLE] });
    expect(people.page(null, null).ids.toJSON()).toEqual(['11']);
  });
});
