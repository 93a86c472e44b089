import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { BOTS_PSEUDO_ROLE, MemberIndex } from '../../../src/members/index/member-index.ts';
import { Segment } from '../../../src/members/index/segment.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';
import { finishSync } from './finish-sync.ts';
import { MemberModel } from './member-index-model.ts';
import { rolePage } from '../../fixtures/role-page.ts';

const GUILD = '81384788765712384';
/** Sequences of changes for each size of segments. */
const RUNS = Number(process.env['MEMBER_RUNS'] ?? quickOrFull(2, 12));

type Step =
  | {
      readonly do: 'upsert' | 'synced';
      readonly id: string;
      readonly roles: readonly string[];
      readonly isBot: boolean;
    }
  | { readonly do: 'remove'; readonly id: string }
  | { readonly do: 'addRole' | 'deleteRole'; readonly role: string }
  | { readonly do: 'beginSync' | 'finishSync' };

// Few enough to meet again, of all lengths that ids have, and neighbours on both sides of 2^32 and of 2^64.
const memberId = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.integer({ min: 1, max: 900 }).map((n) => String(10n ** 17n + BigInt(n) * 7_777_777_777n)),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 40 }).map((n) => String(2n ** 64n - 1n - BigInt(n))) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }).map((n) => String(2n ** 32n - 20n + BigInt(n))) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 18 }).map((n) => String(10n ** BigInt(n))) },
);
const roleId = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }).map((n) => String(2n ** 60n + BigInt(n))) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 800 }).map((n) => String(3n ** 35n + BigInt(n) * 4_194_304n)),
  },
  { weight: 1, arbitrary: fc.constant(GUILD) },
);
const memberRoles = fc.oneof(
  { weight: 12, arbitrary: fc.array(roleId, { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.array(roleId, { minLength: 260, maxLength: 700, size: 'max' }) },
);
const isBot = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 300,
    arbitrary: fc.record({ do: fc.constant('upsert' as const), id: memberId, roles: memberRoles, isBot }),
  },
  {
    weight: 150,
    arbitrary: fc.record({ do: fc.constant('synced' as const), id: memberId, roles: memberRoles, isBot }),
  },
  { weight: 140, arbitrary: fc.record({ do: fc.constant('remove' as const), id: memberId }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('addRole' as const), role: roleId }) },
  { weight: 20, arbitrary: fc.record({ do: fc.constant('deleteRole' as const), role: roleId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('beginSync' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('finishSync' as const) }) },
);

/** Does a step to both; the rows of a step count only while a sync is under way. */
function take(step: Step, index: MemberIndex, model: MemberModel): void {
  switch (step.do) {
    case 'upsert':
      index.upsert(step.id, step.roles, step.isBot);
      model.upsert(step.id, step.roles, step.isBot);
      break;
    case 'synced':
      if (!model.isSyncing) return;
      index.upsertSynced(step.id, step.roles, step.isBot);
      model.upsertSynced(step.id, step.roles, step.isBot);
      break;
    case 'remove':
      if (index.remove(step.id) !== model.remove(step.id) && !model.isReadFirst)
        throw new Error(`remove(${step.id}) said it wrong`);
      break;
    case 'addRole':
    case 'deleteRole':
      if (step.role === GUILD) return;
      index[step.do](step.role);
      model[step.do](step.role);
      break;
    case 'beginSync':
      index.beginSync();
      model.beginSync();
      break;
    case 'finishSync':
      finishSync(index);
      model.finishSync();
      break;
  }
}

/** Calls the matcher only for its message: it takes longer than the index. */
function expectIds(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

function expectSame(index: MemberIndex, model: MemberModel): void {
  if (model.isReadFirst) return;
  expect(index.memberCount).toBe(model.members.size);
  expect(index.roleIds().sort()).toEqual([...model.roles].sort());
  const holdersOf = model.allHolders();
  for (const role of [GUILD, ...model.roles]) {
    const { all, people, bots } = holdersOf(role);
    expectIds([role, index.count(role)], [role, all.length]);
    expectIds(rolePage(index, role).ids.toJSON(), all);
    const peopleFound = index.holders({ all: [role], any: [], none: [BOTS_PSEUDO_ROLE] });
    expectIds(peopleFound.page(null, null).ids.toJSON(), people);
    const botsFound = index.holders({ all: [role, BOTS_PSEUDO_ROLE], any: [], none: [] });
    expectIds(botsFound.page(null, null).ids.toJSON(), bots);
  }
}

describe('the member index', () => {
  test.each([
    { seed: 1, segmentMembersMax: 16, steps: 1_500, segmentsMin: 20 },
    { seed: 20_260_101, segmentMembersMax: 64, steps: 1_500, segmentsMin: 4 },
    { seed: 4_194_304, segmentMembersMax: 16_384, steps: 1_500, segmentsMin: 1 },
  ])(
    'answers like a plain map of sets after any sequence of changes (seed $seed, segments of $segmentMembersMax)',
    ({ seed, segmentMembersMax, steps, segmentsMin }) => {
      let segments = 0;
      fc.assert(
        fc.property(fc.array(step, { minLength: steps / 2, maxLength: steps, size: 'max' }), (sequence) => {
          const index = new MemberIndex({ guildId: GUILD, segmentMembersMax });
          const model = new MemberModel(GUILD);
          sequence.forEach((next, at) => {
            take(next, index, model);
            if (at % 500 === 0) expectSame(index, model);
          });
          segments = Math.max(segments, index.segmentCount);
          expectSame(index, model);
        }),
        { seed, numRuns: RUNS, endOnFailure: true },
      );
      // Small segments make the sequences cross splits and joins: they were not for nothing.
      expect(segments).toBeGreaterThanOrEqual(segmentsMin);
    },
  );

  test.each([16, 64, 16_384])(
    'equals a plain map of sets after its first sync (segments of %i)',
    (segmentMembersMax) => {
      fc.assert(
        fc.property(
          fc.array(step, { maxLength: 40 }),
          fc.array(step, { minLength: 100, maxLength: 1_500, size: 'max' }),
          (before, during) => {
            const index = new MemberIndex({ guildId: GUILD, segmentMembersMax });
            const model = new MemberModel(GUILD);
            for (const next of [...before, { do: 'beginSync' } as const, ...during]) {
              if (next.do !== 'finishSync') take(next, index, model);
            }
            take({ do: 'finishSync' }, index, model);
            expectSame(index, model);
            for (const next of during.slice(0, 200)) take(next, index, model);
            expectSame(index, model);
          },
        ),
        { seed: 11, numRuns: quickOrFull(RUNS, RUNS * 2), endOnFailure: true },
      );
    },
  );

  test('stays correct when a role is deleted between two final steps of a sync', () => {
    const index = new MemberIndex({ guildId: GUILD, segmentMembersMax: 64 });
    index.beginSync();
    for (const id of ids(1_000)) index.upsertSynced(id, ['5', '6']);
    for (let at = 0; at < 3; at += 1) expect(index.finishSyncStep()).toBe(true);
    index.deleteRole('5');
    index.upsert(ids(1)[0]!, ['7']);
    index.remove(ids(2)[1]!);
    finishSync(index);
    expect(index.roleIds().sort()).toEqual(['6', '7']);
    expect(rolePage(index, '7').ids.toJSON()).toEqual(ids(1));
    expect(rolePage(index, '6').ids.toJSON()).toEqual(ids(1_000).slice(2));
    index.upsert(ids(3)[2]!, []);
    expect(index.count('6')).toBe(997);
  });

  test('joins segments again when members leave', () => {
    const index = new MemberIndex({ guildId: GUILD, segmentMembersMax: 64 });
    for (const id of ids(2_000)) index.upsert(id, ['5']);
    const most = index.segmentCount;
    for (const id of ids(2_000).slice(50)) index.remove(id);
    expect(most).toBeGreaterThan(30);
    expect(index.segmentCount).toBeLessThan(6);
    expect(rolePage(index, '5').ids.toJSON()).toEqual(ids(50));
    expect(index.byteLength).toBeLessThan(4_000);
  });

  test('pages through any role in order, from any id on', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(memberId, { minLength: 1, maxLength: 300, size: 'max' }),
        fc.integer({ min: 1, max: 60 }),
        memberId,
        (members, limit, after) => {
          const index = new MemberIndex({ guildId: GUILD, segmentMembersMax: 32 });
          members.forEach((id, at) => index.upsert(id, at % 3 === 0 ? ['7'] : ['8']));
          const holders = members
            .filter((_, at) => at % 3 === 0)
            .sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
          const pages: string[] = [];
          for (let from: string | null = null; ;) {
            const page = rolePage(index, '7', limit, from);
            expect(page.ids.length).toBeLessThanOrEqual(limit);
            pages.push(...page.ids.toJSON());
            from = page.nextAfter;
            if (from === null) break;
            expect(from).toBe(pages.at(-1));
          }
          expect(pages).toEqual(holders);
          expect(rolePage(index, '7', null, after).ids.toJSON()).toEqual(
            holders.filter((id) => BigInt(id) > BigInt(after)),
          );
        },
      ),
      { seed: 7, numRuns: quickOrFull(60, 200) },
    );
  });

  test('removes a role from its holders when the sum of slots no longer fits 16 bits', () => {
    const index = new MemberIndex({ guildId: GUILD });
    const roles = Array.from({ length: 3_000 }, (_, at) => String(10n ** 18n + BigInt(at)));
    index.upsert('1', roles);
    index.upsert('2', roles.slice(0, 361));
    index.upsert('1', roles.slice(0, 1));
    index.upsert('2', []);
    expect(index.count(roles[0]!)).toBe(1);
    for (const role of roles.slice(1)) expect(index.count(role)).toBe(0);
    index.upsert('2', roles.toReversed());
    for (const role of roles.slice(1)) expect(rolePage(index, role).ids.toJSON()).toEqual(['2']);
  });

  test('keeps a returned list unchanged, whatever its length and later changes', () => {
    const index = new MemberIndex({ guildId: GUILD });
    const members = ids(quickOrFull(10_000, 40_000));
    for (const id of members) index.upsert(id, ['5']);
    const before = rolePage(index, '5').ids;
    const begun = before.jsonBytes();
    const pieces = [begun.next().value as Uint8Array];
    for (const id of members) index.remove(id);
    const later = ids(members.length / 2, 3n);
    for (const id of later) index.upsert(id, ['5', '6']);
    index.deleteRole('5');
    pieces.push(...begun);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(members);
    expect(before.toJSON()).toEqual(members);
    expect(rolePage(index, GUILD).ids.length).toBe(later.length);
  });

  test('copies no ids if only the length of a whole list is read, as for a 304', () => {
    const index = new MemberIndex({ guildId: GUILD });
    for (const id of ids(3)) index.upsert(id, ['5']);
    const copied = vi.spyOn(Segment.prototype, 'copyIds');
    onTestFinished(() => copied.mockRestore());
    const list = rolePage(index, '5').ids;
    expect([list.length, copied.mock.calls.length]).toEqual([3, 0]);
    expect([list.toJSON(), copied.mock.calls.length]).toEqual([ids(3), 1]);
  });

  test('gives a role a new version exactly when its holders change', () => {
    let now = 1_767_225_600_000;
    const index = new MemberIndex({ guildId: GUILD, now: () => now });
    index.upsert('10', ['5', '6']);
    const five = index.version('5');
    const everyone = index.version(GUILD);
    now += 5_000;
    index.upsert('10', ['6', '5', '5', GUILD]);
    index.upsert('10', ['5', '7']);
    expect(index.version('5')).toBe(five);
    expect(index.version(GUILD)).toBe(everyone);
    expect([index.asOf('5'), index.asOf('6')]).toEqual([1_767_225_600, 1_767_225_605]);
    index.upsert('11', ['5']);
    expect(index.version('5')).not.toBe(five);
    expect(index.version(GUILD)).not.toBe(everyone);

    const again = new MemberIndex({ guildId: GUILD });
    again.upsert('10', ['5', '6']);
    expect(again.version('5')).not.toBe(five);
  });

  test('never reuses a version for a role that was deleted and created again', () => {
    const index = new MemberIndex({ guildId: GUILD });
    const seen = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      index.addRole('5');
      seen.add(index.version('5'));
      index.upsert('10', ['5']);
      seen.add(index.version('5'));
      index.deleteRole('5');
      expect(index.hasRole('5')).toBe(false);
      expect(rolePage(index, '5').ids.toJSON()).toEqual([]);
    }
    expect(seen.size).toBe(40);
  });

  test.each([
    '',
    '0',
    '-1',
    '1.5',
    '18446744073709551616',
    '99999999999999999999',
    '0123',
    '1e5',
    'abc',
    '١',
  ])('refuses %j as an id and stays unchanged', (id) => {
    const index = new MemberIndex({ guildId: GUILD });
    index.upsert('10', ['5']);
    expect(() => index.upsert(id, ['5', '6'])).toThrow(RangeError);
    expect(() => index.upsert('11', [id])).toThrow(RangeError);
    expect(() => rolePage(index, '5', null, id)).toThrow(RangeError);
    expect(index.remove(id)).toBe(false);
    expect(rolePage(index, GUILD).ids.toJSON()).toEqual(['10']);
    expect(index.roleIds()).toEqual(['5']);
  });

  test('finds a page in the middle of a large role', () => {
    const index = new MemberIndex({ guildId: GUILD });
    const members = ids(60_000);
    index.beginSync();
    for (const id of members) index.upsertSynced(id, ['5']);
    finishSync(index);
    const page = rolePage(index, '5', 10, members[30_000]);
    expect(page.ids.toJSON()).toEqual(members.slice(30_001, 30_011));
    expect(page.nextAfter).toBe(members[30_010]);
  });

  test('lists roles of any size in order, after a sync and after joins and leaves', () => {
    const index = new MemberIndex({ guildId: GUILD });
    const shares = [100, 90, 45, 20, 3];
    const rolesOf = (id: string) => shares.filter((share) => Number(id.slice(-7)) % 101 < share).map(String);
    // Those who come later lie among the others.
    const loaded = ids(quickOrFull(10_000, 40_000), 1_009n);
    const members = new Set(loaded);
    index.beginSync();
    for (const id of loaded.toReversed()) index.upsertSynced(id, rolesOf(id));
    finishSync(index);
    const expectAll = () => {
      const ascending = [...members].sort((a, b) => Number(BigInt(a) - BigInt(b)));
      for (const share of shares.map(String)) {
        const holders = ascending.filter((id) => rolesOf(id).includes(share));
        expect(rolePage(index, share).ids.toJSON()).toEqual(holders);
        expect(rolePage(index, share, 9_000, holders[99]).ids.toJSON()).toEqual(holders.slice(100, 9_100));
      }
    };
    expectAll();
    for (const id of ids(2_000, 9_973n)) {
      index.upsert(id, rolesOf(id));
      members.add(id);
    }
    for (const id of loaded.filter((_, at) => at % 9 === 0)) {
      index.remove(id);
      members.delete(id);
    }
    expectAll();
  });

  test('takes at most 20 bytes a member with four roles each', () => {
    const index = new MemberIndex({ guildId: GUILD });
    const roles = Array.from({ length: 250 }, (_, at) => String(10n ** 18n + BigInt(at)));
    index.beginSync();
    // Scattered, so that nearly every member comes in between two others.
    for (let at = 0; at < 50_000; at += 1) {
      const id = String(10n ** 17n + ((BigInt(at) * 2_654_435_761n) % 4_294_967_296n) * 1_000_003n);
      index.upsertSynced(
        id,
        roles.filter((_, role) => (at * 7 + role * role) % (role + 1.2) < 0.85),
      );
    }
    finishSync(index);
    expect(index.memberCount).toBe(50_000);
    expect(index.byteLength / index.memberCount).toBeLessThan(20);
  });
});

function ids(count: number, step = 1n): string[] {
  return Array.from({ length: count }, (_, at) => String(10n ** 17n + BigInt(at) * step));
}
