import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemberStore } from './member-store.ts';

const GENERATED = { count: 40, firstId: 1000n, idStep: 10n, rolesOf: (index: number) => [String(index % 3)] };

/** The same with a plain map: slow, and plainly right. */
class ReferenceStore {
  readonly members = new Map<string, readonly string[]>();

  constructor() {
    for (let index = 0; index < 40; index += 1)
      this.members.set(String(1000 + index * 10), [String(index % 3)]);
  }

  page(after: string, limit: number): string[] {
    const ids = [...this.members.keys()].sort((a, b) => Number(a) - Number(b));
    return ids.filter((id) => Number(id) > Number(after)).slice(0, limit);
  }
}

const id = fc.integer({ min: 980, max: 1420 }).map(String);
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), id, roles: fc.subarray(['0', '1', '2', '3']) }),
  fc.record({ kind: fc.constant('delete' as const), id, roles: fc.constant<string[]>([]) }),
);

test.each([1, 2, 3])(
  'any changes lead to the same members, pages and counts as a plain map (seed %i)',
  (seed) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), id, (steps, countEarly, after) => {
        const store = new MemberStore(GENERATED);
        const reference = new ReferenceStore();
        const deleted: [boolean, boolean][] = [];
        if (countEarly) store.countByRole();
        for (const { kind, id, roles } of steps) {
          if (kind === 'set') {
            store.set({ id, username: 'x', roles, nick: null, bot: false });
            reference.members.set(id, roles);
          } else deleted.push([store.delete(id), reference.members.delete(id)]);
        }
        for (const [inStore, inReference] of deleted) expect(inStore).toBe(inReference);
        expect(store.size).toBe(reference.members.size);
        expect(store.page('0', 1000).map((member) => member.id)).toEqual(reference.page('0', 1000));
        expect(store.page(after, 7).map((member) => member.id)).toEqual(reference.page(after, 7));
        for (const role of ['0', '1', '2', '3']) {
          const holders = reference
            .page('0', 1000)
            .filter((each) => reference.members.get(each)?.includes(role));
          expect(store.holdersOf(role)).toEqual(holders);
          expect(store.countByRole().get(role) ?? 0).toBe(holders.length);
        }
      }),
      { seed, numRuns: 100 },
    );
  },
);

test('a deleted role is removed from all its holders, and a role of the same id is a new one', () => {
  const store = new MemberStore(GENERATED);
  expect(store.countByRole().get('1')).toBe(13);
  store.set({ id: '5', username: 'x', roles: ['1', '2'], nick: null, bot: false });
  store.dropRole('1');
  expect(store.holdersOf('1')).toEqual([]);
  expect(store.countByRole().get('1')).toBeUndefined();
  expect(store.get('5')?.roles).toEqual(['2']);
  store.set({ id: '6', username: 'x', roles: ['1'], nick: null, bot: false });
  expect(store.holdersOf('1')).toEqual(['6']);
  expect(store.countByRole().get('1')).toBe(1);
});

test('a page at the end of 250,000 generated members computes no other member', () => {
  let asked = 0;
  const store = new MemberStore({
    count: 250_000,
    rolesOf: () => {
      asked += 1;
      return [];
    },
  });
  const last = 200_000_000_000_000_000n + 249_999n * 1_000_003n;
  const page = store.page(String(last - 999n * 1_000_003n - 1n), 1000);
  expect(page).toHaveLength(1000);
  expect(page.at(-1)?.id).toBe(String(last));
  expect(asked).toBe(1000);
});
