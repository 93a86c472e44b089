import { describe, expect, test } from 'vitest';

import type { StreamedValue } from '../../../src/kernel/streamed-value.ts';
import { answerQuestion, membersQuestion } from '../../../src/members/members-query.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';
import { Random } from '../../fixtures/random.ts';
import {
  BOTS_PSEUDO_ROLE,
  MemberIndex,
  type RoleCondition,
} from '../../../src/members/index/member-index.ts';

const GUILD = '81384788765712384';
const ROLES = Array.from({ length: 14 }, (_, index) => String(2n ** 60n + BigInt(index)));
/** `QUESTION_STEPS=1000000` for the long run. */
const STEPS = Number(process.env['QUESTION_STEPS'] ?? quickOrFull(2_000, 50_000));

/** The plainest thing that can answer: a set of roles for each member. */
class PlainGuild {
  readonly members = new Map<string, ReadonlySet<string>>();

  set(id: string, roles: readonly string[], isBot: boolean): void {
    this.members.set(id, new Set(isBot ? [...roles, BOTS_PSEUDO_ROLE] : roles));
  }

  /** Ids in no order. */
  find({ all, any, none }: RoleCondition, among: readonly string[] | null): Set<string> {
    const found = new Set<string>();
    for (const [id, roles] of this.members) {
      if (among !== null && !among.includes(id)) continue;
      const isHeld = (role: string) => role === GUILD || roles.has(role);
      if (!all.every(isHeld) || none.some(isHeld)) continue;
      if (any.length === 0 || any.some(isHeld)) found.add(id);
    }
    return found;
  }
}

const id = (n: number) => String(200_000_000_000_000_000n + BigInt(n));

function ascending(ids: Iterable<string>): string[] {
  return [...ids].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
}

/** Nearly everybody has the first roles, nearly nobody the last ones: lists and bit sets are both met. */
function rolesOf(random: Random): string[] {
  return ROLES.filter((_, index) => random.chance(0.8 / (1 + index * index * 0.4)));
}

function questionOf(random: Random): RoleCondition {
  const some = (max: number) => random.list(0, max, () => (random.chance(0.05) ? GUILD : random.pick(ROLES)));
  const question = { all: some(3), any: some(4), none: some(3) };
  const isEmpty = question.all.length + question.any.length + question.none.length === 0;
  const asked = isEmpty ? { ...question, all: [random.pick(ROLES)] } : question;
  if (random.chance(0.3)) return { ...asked, none: [...asked.none, BOTS_PSEUDO_ROLE] };
  return random.chance(0.2) ? { ...asked, all: [...asked.all, BOTS_PSEUDO_ROLE] } : asked;
}

describe('a question about several roles', () => {
  test.each([
    { seed: 17, segmentMembersMax: 16, people: 400 },
    { seed: 1_000_003, segmentMembersMax: 256, people: 1_500 },
    { seed: 20_261_122, segmentMembersMax: 16_384, people: 3_000 },
  ])(
    'is answered like plain sets after any changes (seed $seed, segments of $segmentMembersMax)',
    ({ seed, segmentMembersMax, people }) => {
      const random = new Random(seed);
      const index = new MemberIndex({ guildId: GUILD, segmentMembersMax });
      const plain = new PlainGuild();
      for (const role of ROLES) index.addRole(role);
      let asked = 0;
      const person = () => String(10n ** 17n + BigInt(random.int(1, people)) * 7_777_777_777n);
      for (let step = 0; step < people + STEPS / 3; step += 1) {
        if (step < people || random.chance(0.9)) {
          const id = person();
          if (random.chance(0.8)) {
            const roles = rolesOf(random);
            const isBot = random.chance(0.1);
            index.upsert(id, roles, isBot);
            plain.set(id, roles, isBot);
          } else {
            index.remove(id);
            plain.members.delete(id);
          }
          continue;
        }
        asked += 1;
        const question = questionOf(random);
        const among = random.chance(0.2) ? random.list(1, 100, person) : null;
        const expected = plain.find(question, among);
        const holders = index.holders(question, among);
        expect({ question, count: holders.count }).toEqual({ question, count: expected.size });
        const limit = random.chance(0.5) ? null : random.int(1, 60);
        const after = random.chance(0.5) ? null : person();
        const ids = ascending(expected).filter((id) => after === null || BigInt(id) > BigInt(after));
        const page = holders.page(limit, after);
        expect(page.ids.toJSON()).toEqual(ids.slice(0, limit ?? undefined));
        expect(page.nextAfter).toBe(limit !== null && ids.length > limit ? ids[limit - 1] : null);
        expect(page.ids.jsonByteLength).toBe(Buffer.concat([...page.ids.jsonBytes()]).length);

        const size = random.int(1, 100);
        const sample = holders.sample(size, (below) => random.int(0, below - 1)).toJSON();
        expect(sample).toHaveLength(Math.min(size, expected.size));
        expect(new Set(sample).size).toBe(sample.length);
        expect(expected.isSupersetOf(new Set(sample))).toBe(true);
      }
      expect(asked).toBeGreaterThan(STEPS / 40);
    },
  );

  test('keeps a returned list unchanged, even if it is read later', () => {
    const index = new MemberIndex({ guildId: GUILD });
    const members = 3 * quickOrFull(4_000, 13_334);
    for (let n = 0; n < members; n += 1) index.upsert(id(n), n % 3 === 0 ? ['5'] : ['5', '6']);
    const { ids } = index.holders({ all: ['5'], any: [], none: ['6'] }).page(null, null);
    const expected = Array.from({ length: members / 3 }, (_, n) => id(n * 3));
    for (let n = 0; n < members; n += 7) index.upsert(id(n), ['6']);
    index.deleteRole('5');
    expect(ids.toJSON()).toEqual(expected);
  });

  test('uses no further memory and leaves the index unchanged', () => {
    const index = new MemberIndex({ guildId: GUILD });
    const random = new Random(1);
    for (let n = 0; n < quickOrFull(6_000, 20_000); n += 1)
      index.upsert(String(10n ** 17n + BigInt(n)), rolesOf(random));
    const before = index.byteLength;
    for (let n = 0; n < 100; n += 1) index.holders(questionOf(random)).page(null, null);
    expect(index.byteLength).toBe(before);
  });

  test('changes its version only when one of its roles changes', () => {
    const index = new MemberIndex({ guildId: GUILD });
    for (const [id, roles] of Object.entries({ 11: ['5', '6'], 12: ['6'], 13: ['7'] }))
      index.upsert(id, roles);
    const version = index.version('5', '6');
    index.upsert('13', ['7', '8']);
    expect(index.version('5', '6')).toBe(version);
    index.upsert('12', []);
    expect(index.version('5', '6')).not.toBe(version);
  });
});

describe('a draw for a giveaway', () => {
  const QUESTION = membersQuestion({ guildId: GUILD, all: ['5'], sample: 3, bots: 'exclude' });

  test('is among people only and favours none of them (chi-square)', () => {
    const random = new Random(58);
    const index = new MemberIndex({ guildId: GUILD, segmentMembersMax: 16 });
    // Every fourth holder is a bot, among unsorted members and in gaps as well.
    for (let n = 0; n < 80; n += 1) index.upsert(id((n * 37) % 80), ['5'], n % 4 === 0);
    const people = Array.from({ length: 80 }, (_, n) => n).filter((n) => n % 4 !== 0);
    const drawn = new Map(people.map((n) => [id((n * 37) % 80), 0]));
    const draws = quickOrFull(3_000, 10_000);
    for (let draw = 0; draw < draws; draw += 1) {
      const { count, members } = answerQuestion(index, QUESTION, (below) => random.int(0, below - 1));
      expect(count).toBe(60);
      for (const winner of idsOf(members)) drawn.set(winner, (drawn.get(winner) ?? 0) + 1);
    }
    expect(drawn.size).toBe(60);
    // With 59 degrees of freedom a fair draw passes 110 once in 15,000 times.
    expect(chiSquare([...drawn.values()], 3 * draws)).toBeLessThan(110);
  });

  test('reports no candidates for a role that only bots hold', () => {
    const index = new MemberIndex({ guildId: GUILD });
    index.upsert(id(1), ['5'], true);
    expect(answerQuestion(index, QUESTION)).toMatchObject({ count: 0, returned: 0 });
    expect(answerQuestion(index, { ...QUESTION, bots: 'only' })).toMatchObject({ count: 1, returned: 1 });
    expect(answerQuestion(index, { ...QUESTION, bots: 'include' })).toMatchObject({ count: 1 });
  });

  test('has a version of the role and the bots, not of all members', () => {
    const index = new MemberIndex({ guildId: GUILD });
    index.upsert(id(1), ['5']);
    index.upsert(id(2), ['5'], true);
    const list = membersQuestion({ guildId: GUILD, all: ['5'], bots: 'exclude' });
    const { version } = answerQuestion(index, list);
    index.upsert(id(3), ['6']);
    expect(answerQuestion(index, list).version).toBe(version);
    index.upsert(id(4), ['6'], true);
    expect(answerQuestion(index, list).version).not.toBe(version);
    const all = { ...list, bots: 'include' as const };
    const before = answerQuestion(index, all).version;
    index.upsert(id(5), [], true);
    expect(answerQuestion(index, all).version).toBe(before);
  });
});

describe('the counts of all roles', () => {
  test('equal those of each role, ascending by id, and their version changes with each of them', () => {
    const index = new MemberIndex({ guildId: GUILD, now: () => 5_000 });
    index.upsert('11', ['900', '1000']);
    index.upsert('12', ['1000']);
    index.addRole('70');
    expect(index.roleCounts()).toEqual([
      { roleId: '70', count: 0 },
      { roleId: '900', count: 1 },
      { roleId: '1000', count: 2 },
    ]);
    expect(index.wholeAsOf).toBe(5);
    const versions = [index.wholeVersion];
    for (const change of [
      () => index.upsert('13', []),
      () => index.upsert('13', ['70']),
      () => index.remove('13'),
      () => index.deleteRole('70'),
      () => index.addRole('71'),
    ]) {
      change();
      versions.push(index.wholeVersion);
    }
    expect(new Set(versions).size).toBe(versions.length);
  });
});

function idsOf(members: StreamedValue): string[] {
  return JSON.parse(Buffer.concat([...members.jsonBytes()]).toString()) as string[];
}

/** Pearson's statistic of `observed` against equal shares. */
function chiSquare(observed: readonly number[], total: number): number {
  const share = total / observed.length;
  return observed.reduce((sum, count) => sum + (count - share) ** 2 / share, 0);
}

describe('a sample', () => {
  test.each([
    { name: 'of a condition', among: false },
    { name: 'of named members', among: true },
  ])('$name favours no member and no position (chi-square)', ({ among }) => {
    const random = new Random(20_261_122);
    const index = new MemberIndex({ guildId: GUILD, segmentMembersMax: 16 });
    // Added in no order and some of them gone, so that unsorted members, gaps and many segments are met.
    const people = Array.from({ length: 120 }, (_, n) => String(10n ** 17n + BigInt((n * 37) % 120)));
    for (const id of people) index.upsert(id, ['5', ...(BigInt(id) % 3n === 0n ? ['6'] : [])]);
    for (const id of people.slice(0, 30)) index.remove(id);
    const holders = index.holders({ all: ['5'], any: [], none: ['6'] }, among ? people : null);
    const ids = holders.page(null, null).ids.toJSON();
    const size = 5;
    const draws = quickOrFull(12_000, 40_000);
    const byPlace = Array.from({ length: size }, () => new Map(ids.map((id) => [id, 0])));
    for (let draw = 0; draw < draws; draw += 1) {
      const drawn = holders.sample(size, (below) => random.int(0, below - 1)).toJSON();
      drawn.forEach((id, place) => byPlace[place]?.set(id, (byPlace[place]?.get(id) ?? 0) + 1));
    }
    // With about 60 holders: 110 is passed once in 30,000 times by a fair draw.
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.length).toBeLessThan(70);
    for (const counts of byPlace) {
      expect(counts.size).toBe(ids.length);
      expect(chiSquare([...counts.values()], draws)).toBeLessThan(110);
    }
  });
});
