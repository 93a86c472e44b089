import { describe, expect, test } from 'vitest';

import { changesQuery, type ChangesQuestion } from '../../../src/members/changes-query.ts';
import type { ChangeOffset } from '../../../src/members/changes/reader.ts';
import { RoleChangeLogs, type ChangeLogLimits } from '../../../src/members/changes/role-change-logs.ts';
import { MemberIndex } from '../../../src/members/index/member-index.ts';
import { BOT_FILTERS, type BotFilter } from '../../../src/members/bot-filter.ts';
import { withIds } from '../../fixtures/any-caller.ts';
import { ManualTimers } from '../../fixtures/manual-timers.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';
import { Random } from '../../fixtures/random.ts';
import { finishSync } from './finish-sync.ts';

const GUILD = '81384788765712384';
const ROLES = Array.from({ length: 6 }, (_, index) => String(2n ** 60n + BigInt(index)));
/** `CHANGES_STEPS=1000000` for the long run. */
const STEPS = Number(process.env['CHANGES_STEPS'] ?? quickOrFull(4_000, 50_000));

interface Person {
  readonly roles: ReadonlySet<string>;
  readonly isBot: boolean;
}

/** The plainest thing that can answer: all members, and the lists as they were at each offset. */
class PlainGuild {
  readonly people = new Map<string, Person>();

  list(roleId: string, bots: BotFilter): Set<string> {
    const ids = new Set<string>();
    for (const [id, { roles, isBot }] of this.people) {
      if (bots !== 'include' && isBot !== (bots === 'only')) continue;
      if (roleId === GUILD || roles.has(roleId)) ids.add(id);
    }
    return ids;
  }

  deleteRole(roleId: string): void {
    for (const [id, { roles, isBot }] of this.people) {
      this.people.set(id, { roles: roles.difference(new Set([roleId])), isBot });
    }
  }
}

/** A list, and the offset at which it was so. */
interface Known {
  readonly roleId: string;
  readonly bots: BotFilter;
  readonly list: ReadonlySet<string>;
  readonly offset: ChangeOffset;
  /** How often the role had been deleted by then. */
  readonly deleted: number;
}

const question = (roleId: string, bots: BotFilter, since: ChangeOffset | null): ChangesQuestion => ({
  guildId: GUILD,
  roleId,
  bots,
  since,
  reader: null,
});

describe('the net difference', () => {
  test.each<{ name: string; seed: number; limits: Partial<ChangeLogLimits>; isLimited: boolean }>([
    { name: 'with room for everything', seed: 1, limits: { entriesMax: 1_000_000 }, isLimited: false },
    {
      name: 'with change logs that are too short, too many and too full',
      seed: 2,
      limits: { entriesMax: 40, entriesOfAllMax: 120, logsPerGuildMax: 4 },
      isLimited: true,
    },
  ])(
    'turns the list at a cursor into the list now, $name: joins, leaves, updates, bots, deleted roles, lost sessions',
    ({ seed, limits, isLimited }) => {
      const random = new Random(seed);
      const index = new MemberIndex({ guildId: GUILD, segmentMembersMax: 64 });
      const changeLogs = new RoleChangeLogs(new ManualTimers(), limits);
      const plain = new PlainGuild();
      const deleted = new Map<string, number>();
      let known: Known[] = [];
      let [answers, resets, changes] = [0, 0, 0];

      const someone = () => String(10n ** 17n + BigInt(random.int(1, 300)) * 7_777_777_777n);
      const changeOne = (tell: boolean) => {
        const id = someone();
        if (random.chance(0.15)) {
          plain.people.delete(id);
          if (tell) index.remove(id);
          return;
        }
        // Few who are bots turn out to be people, and the other way round.
        const isBot = (Number(id.slice(-3)) % 5 === 0) !== random.chance(0.02);
        const roles = ROLES.filter(() => random.chance(0.3));
        plain.people.set(id, { roles: new Set(roles), isBot });
        if (tell) index.upsert(id, roles, isBot);
      };
      const ask = () => {
        const old = random.chance(0.7) ? known[random.int(0, known.length - 1)] : undefined;
        const roleId = old?.roleId ?? (random.chance(0.2) ? GUILD : random.pick(ROLES));
        const bots = old?.bots ?? random.pick(BOT_FILTERS);
        const list = plain.list(roleId, bots);
        const { added, removed, count, offset, isReset } = withIds(
          changesQuery.answer({ index, changeLogs }, question(roleId, bots, old?.offset ?? null)),
        );
        answers += 1;
        if (isReset) resets += 1;
        changes += added.length + removed.length;
        expect(count).toBe(list.size);
        expect([added, removed]).toEqual([added.toSorted(), removed.toSorted()]);
        // Nothing is reported when the time before is unknown.
        const before = isReset || old === undefined ? list : old.list;
        expect(added.filter((id) => before.has(id))).toEqual([]);
        expect(removed.filter((id) => !before.has(id))).toEqual([]);
        const now = before.difference(new Set(removed)).union(new Set(added));
        expect(now.symmetricDifference(list).size).toBe(0);
        // With room for everything, only a deleted role ends a log.
        const mayReset = isLimited || (old !== undefined && old.deleted < (deleted.get(roleId) ?? 0));
        expect(isReset && !mayReset).toBe(false);
        known.push({ roleId, bots, list, offset, deleted: deleted.get(roleId) ?? 0 });
        if (known.length > 60) known = known.filter(() => random.chance(0.7));
      };
      /** No event comes for what happens in the meantime; then all rows come in, with changes between them. */
      const loseSession = () => {
        for (let n = 0; n < 30; n += 1) changeOne(false);
        index.beginSync();
        for (const [id, { roles, isBot }] of Array.from(plain.people)) {
          if (random.chance(0.05)) changeOne(true);
          index.upsertSynced(id, [...roles], isBot);
        }
        finishSync(index);
      };

      index.beginSync();
      finishSync(index);
      for (const role of ROLES) index.addRole(role);
      for (let step = 0; step < STEPS / 2; step += 1) {
        const kind = random.next();
        if (kind < 0.2) ask();
        else if (kind < 0.998) changeOne(true);
        else if (kind < 0.999) loseSession();
        else {
          const role = random.pick(ROLES);
          plain.deleteRole(role);
          index.deleteRole(role);
          deleted.set(role, (deleted.get(role) ?? 0) + 1);
          index.addRole(role);
        }
      }
      // The steps were not for nothing.
      expect(answers).toBeGreaterThan(STEPS / 15);
      expect(changes).toBeGreaterThan(STEPS / 20);
      expect(resets / answers).toBeGreaterThan(isLimited ? 0.1 : 0);
      expect(resets / answers).toBeLessThan(0.9);
    },
  );
});
