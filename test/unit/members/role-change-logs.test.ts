import { describe, expect, test } from 'vitest';

import { changesQuery, type ChangesQuestion, type RoleChanges } from '../../../src/members/changes-query.ts';
import { RoleChangeLogs, type ChangeLogLimits } from '../../../src/members/changes/role-change-logs.ts';
import { readCursor, writeCursor } from '../../../src/members/cursor.ts';
import { MemberIndex } from '../../../src/members/index/member-index.ts';
import { withIds } from '../../fixtures/any-caller.ts';
import { ManualTimers } from '../../fixtures/manual-timers.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const guildId = (n: number) => String(300_000_000_000_000_000n + BigInt(n));
const roleId = (n: number) => String(400_000_000_000_000_000n + BigInt(n));
const userId = (n: number) => String(200_000_000_000_000_000n + BigInt(n));

/** Guilds with roles 0 to 99, and their change logs. */
function open(limits: Partial<ChangeLogLimits> = {}) {
  const timers = new ManualTimers();
  const changeLogs = new RoleChangeLogs(timers, limits);
  const indexes = new Map<number, MemberIndex>();
  const indexOf = (guild: number) => {
    const known = indexes.get(guild);
    if (known !== undefined) return known;
    const index = new MemberIndex({ guildId: guildId(guild) });
    for (let role = 0; role < 100; role += 1) index.addRole(roleId(role));
    indexes.set(guild, index);
    return index;
  };
  return {
    timers,
    changeLogs,
    indexOf,
    ask: (guild: number, role: number, more: Partial<ChangesQuestion> = {}) => {
      const question: ChangesQuestion = {
        guildId: guildId(guild),
        roleId: roleId(role),
        bots: 'exclude',
        since: null,
        reader: null,
        ...more,
      };
      const answer = changesQuery.answer({ index: indexOf(guild), changeLogs }, question);
      const { since: _, reader, ...about } = question;
      /** The whole answer has gone to the reader. */
      const sent = () =>
        changeLogs.commitReaderOffset({ ...about, reader: reader ?? '', offset: answer.offset });
      return { ...withIds(answer), sent };
    },
    /** So many members get the role and lose it again. */
    stir: (guild: number, role: number, entries: number) => {
      for (let n = 0; n < entries; n += 2) {
        indexOf(guild).upsert(userId(n), [roleId(role)]);
        indexOf(guild).upsert(userId(n), []);
      }
    },
  };
}

type Opened = ReturnType<typeof open>;

function isKnown(
  { ask }: Opened,
  guild: number,
  role: number,
  { offset }: Pick<RoleChanges, 'offset'>,
): boolean {
  return !ask(guild, role, { since: offset }).isReset;
}

describe('a change log', () => {
  test('begins with the first question, so no response contains earlier changes', () => {
    const { ask, indexOf, changeLogs } = open();
    indexOf(1).upsert(userId(1), [roleId(1)]);
    expect(changeLogs.stats).toEqual({ logs: 0, entries: 0 });
    const first = ask(1, 1);
    expect(first).toMatchObject({ added: [], removed: [], count: 1, isReset: false });
    indexOf(1).upsert(userId(2), [roleId(1)]);
    indexOf(1).remove(userId(1));
    expect(ask(1, 1, { since: first.offset })).toMatchObject({
      added: [userId(2)],
      removed: [userId(1)],
      count: 1,
      isReset: false,
    });
    expect(changeLogs.stats).toEqual({ logs: 1, entries: 2 });
  });

  test('contains joins and leaves for the guild itself', () => {
    const { ask, indexOf } = open();
    indexOf(1).upsert(userId(1), []);
    const everyone = { roleId: guildId(1) };
    const { offset } = ask(1, 0, everyone);
    indexOf(1).upsert(userId(2), [roleId(1)]);
    indexOf(1).upsert(userId(2), []);
    indexOf(1).remove(userId(1));
    expect(ask(1, 0, { ...everyone, since: offset })).toMatchObject({
      added: [userId(2)],
      removed: [userId(1)],
      count: 1,
    });
  });

  test('omits bots unless they are requested', () => {
    const { ask, indexOf } = open();
    const { offset } = ask(1, 1);
    indexOf(1).upsert(userId(1), [roleId(1)], true);
    indexOf(1).upsert(userId(2), [roleId(1)], false);
    const added = (bots: 'include' | 'exclude' | 'only') => {
      const answer = ask(1, 1, { since: offset, bots });
      return [answer.added, answer.count];
    };
    expect(added('exclude')).toEqual([[userId(2)], 1]);
    expect(added('only')).toEqual([[userId(1)], 1]);
    expect(added('include')).toEqual([[userId(1), userId(2)], 2]);
  });

  test('ends with its role, with 404 and then, if the role returns, a reset', () => {
    const opened = open();
    const { ask, indexOf, changeLogs } = opened;
    const before = ask(1, 1);
    indexOf(1).deleteRole(roleId(1));
    expect(() => ask(1, 1, { since: before.offset })).toThrow(
      expect.objectContaining({ code: 'unknown_role' }),
    );
    expect(changeLogs.stats.logs).toBe(0);
    indexOf(1).addRole(roleId(1));
    expect(isKnown(opened, 1, 1, before)).toBe(false);
  });

  test('computes the response to equal questions once, and again after a change', () => {
    const { indexOf, changeLogs } = open();
    const index = indexOf(1);
    const about = { guildId: guildId(1), roleId: roleId(1), reader: null } as const;
    const { offset } = changeLogs.answer(index, { ...about, bots: 'exclude', since: null });
    const since = (bots: 'exclude' | 'include' = 'exclude') =>
      changeLogs.answer(index, { ...about, bots, since: offset }).difference;
    index.upsert(userId(1), [roleId(1)]);
    const first = since();
    expect([since(), since()]).toEqual([first, first]);
    expect(since()).toBe(first);
    expect(since('include')).not.toBe(first);
    index.upsert(userId(2), [roleId(1)]);
    expect(since()).not.toBe(first);
    expect([...since().added]).toEqual([BigInt(userId(1)), BigInt(userId(2))]);
  });

  test('drops its oldest change beyond 10,000', () => {
    const opened = open();
    const { ask, changeLogs, stir } = opened;
    const begin = ask(1, 1);
    stir(1, 1, 2);
    const later = ask(1, 1);
    stir(1, 1, 9_998);
    expect(isKnown(opened, 1, 1, begin)).toBe(true);
    stir(1, 1, 2);
    expect([isKnown(opened, 1, 1, begin), isKnown(opened, 1, 1, later)]).toEqual([false, true]);
    expect(changeLogs.stats).toMatchObject({ entries: 10_000 });
    // An offset that is not there yet, as a cursor from a clock set back would have.
    const { epoch, at } = later.offset;
    expect(ask(1, 1, { since: { epoch, at: at + 10_001 } })).toMatchObject({ isReset: true, added: [] });
  });

  test('is evicted beyond 50 in its guild, the least recently asked first', () => {
    const opened = open();
    const { ask, changeLogs } = opened;
    const answers = Array.from({ length: 50 }, (_, role) => ask(1, role));
    const other = ask(2, 1);
    ask(1, 0);
    ask(1, 50);
    expect(changeLogs.stats.logs).toBe(51);
    expect(isKnown(opened, 1, 0, answers[0]!)).toBe(true);
    expect(isKnown(opened, 2, 1, other)).toBe(true);
    expect(isKnown(opened, 1, 1, answers[1]!)).toBe(false);
  });

  test('is evicted beyond 1,000 in the process, from the guild with the most', () => {
    const opened = open();
    const { ask, changeLogs } = opened;
    const few = ask(1, 1);
    const oldest = ask(2, 0);
    for (let role = 1; role < 50; role += 1) ask(2, role);
    for (let guild = 3; guild < 22; guild += 1) for (let role = 0; role < 49; role += 1) ask(guild, role);
    for (let role = 0; role < 18; role += 1) ask(22, role);
    expect(changeLogs.stats.logs).toBe(1_000);
    ask(23, 1);
    expect(changeLogs.stats.logs).toBe(1_000);
    expect(isKnown(opened, 1, 1, few)).toBe(true);
    expect(isKnown(opened, 2, 0, oldest)).toBe(false);
  });

  test('is evicted as the least recently asked when guilds have equally many', () => {
    const opened = open({ logsMax: 4 });
    const { ask } = opened;
    const [first, oldest, other] = [ask(1, 1), ask(2, 1), ask(2, 2)];
    ask(1, 2);
    ask(1, 1);
    ask(3, 1);
    expect(isKnown(opened, 1, 1, first)).toBe(true);
    expect(isKnown(opened, 2, 2, other)).toBe(true);
    expect(isKnown(opened, 2, 1, oldest)).toBe(false);
  });

  test('is evicted as the least recently asked when guilds have equally many changes', () => {
    const opened = open({ entriesOfAllMax: 9 });
    const { ask, stir } = opened;
    const [often, seldom] = [ask(1, 1), ask(2, 1)];
    stir(1, 1, 4);
    stir(2, 1, 4);
    ask(1, 1);
    ask(3, 1);
    stir(3, 1, 2);
    expect(isKnown(opened, 1, 1, often)).toBe(true);
    expect(isKnown(opened, 2, 1, seldom)).toBe(false);
  });

  test('is evicted beyond 500,000 changes in the process, from the guild with the most', () => {
    const opened = open();
    const { ask, changeLogs, stir } = opened;
    const small = ask(1, 1);
    stir(1, 1, 100);
    const first = ask(2, 0);
    for (let role = 0; role < 50; role += 1) {
      ask(2, role);
      stir(2, role, 10_000);
    }
    expect(changeLogs.stats.entries).toBeLessThanOrEqual(500_000);
    expect(isKnown(opened, 1, 1, small)).toBe(true);
    expect(isKnown(opened, 2, 0, first)).toBe(false);
  });

  test('is dropped a day after the last question', () => {
    const opened = open();
    const { ask, changeLogs, timers } = opened;
    const first = ask(1, 1);
    timers.advance(DAY_MS - 1);
    const again = ask(1, 1, { since: first.offset });
    expect(again.isReset).toBe(false);
    timers.advance(DAY_MS - 1);
    expect(changeLogs.stats.logs).toBe(1);
    timers.advance(1);
    expect(changeLogs.stats.logs).toBe(0);
    expect(isKnown(opened, 1, 1, again)).toBe(false);
  });

  test('is dropped with its guild, which may come back as another list', () => {
    const opened = open();
    const { ask, changeLogs } = opened;
    const before = ask(1, 1);
    changeLogs.dropGuild(guildId(1));
    expect(changeLogs.stats.logs).toBe(0);
    expect(isKnown(opened, 1, 1, before)).toBe(false);
  });
});

const named = (n: number) => ({ reader: `r${n}` });

describe('a reader', () => {
  const READER = { reader: 'welcome' };

  test('gets a reset first, and is known once that response was sent', () => {
    const { ask, indexOf } = open();
    expect(ask(1, 1, READER)).toMatchObject({ isReset: true, added: [] });
    // The first answer was lost.
    const first = ask(1, 1, READER);
    expect(first.isReset).toBe(true);
    first.sent();
    indexOf(1).upsert(userId(1), [roleId(1)]);
    expect(ask(1, 1, READER)).toMatchObject({ isReset: false, added: [userId(1)] });
    const second = ask(1, 1, READER);
    expect(second.added).toEqual([userId(1)]);
    second.sent();
    expect(ask(1, 1, READER).added).toEqual([]);
  });

  test('gets a change twice when it asks twice concurrently, and never misses one', () => {
    const { ask, indexOf } = open();
    ask(1, 1, READER).sent();
    indexOf(1).upsert(userId(1), [roleId(1)]);
    const one = ask(1, 1, READER);
    indexOf(1).upsert(userId(2), [roleId(1)]);
    const other = ask(1, 1, READER);
    expect([one.added, other.added]).toEqual([[userId(1)], [userId(1), userId(2)]]);
    other.sent();
    one.sent();
    indexOf(1).upsert(userId(3), [roleId(1)]);
    expect(ask(1, 1, READER).added).toEqual([userId(3)]);
  });

  test('is another one for another role and for another value of bots', () => {
    const { ask } = open();
    ask(1, 1, READER).sent();
    expect(ask(1, 2, READER).isReset).toBe(true);
    expect(ask(1, 1, { ...READER, bots: 'include' }).isReset).toBe(true);
    expect(ask(1, 1, { reader: 'other' }).isReset).toBe(true);
    expect(ask(2, 1, READER).isReset).toBe(true);
    expect(ask(1, 1, READER).isReset).toBe(false);
  });

  test('is evicted for the 21st of its guild when it was used longest ago', () => {
    const { ask } = open();
    for (let n = 0; n < 20; n += 1) ask(1, 1, named(n)).sent();
    ask(2, 1, named(0)).sent();
    // Not silent, although its answer did not arrive.
    ask(1, 1, named(0));
    ask(1, 1, named(20)).sent();
    expect(ask(1, 1, named(1)).isReset).toBe(true);
    expect(ask(1, 1, named(0)).isReset).toBe(false);
    expect(ask(2, 1, named(0)).isReset).toBe(false);
  });

  test('is forgotten after a day of silence, also when others keep the log', () => {
    const { ask, timers } = open();
    ask(1, 1, READER).sent();
    timers.advance(DAY_MS / 2);
    ask(1, 1, { reader: 'other' }).sent();
    timers.advance(DAY_MS / 2);
    expect(ask(1, 1, { reader: 'other' }).isReset).toBe(false);
    expect(ask(1, 1, READER).isReset).toBe(true);
  });

  test('is forgotten when it got a response of another process: a reset follows, and no change comes twice', () => {
    const [one, other] = [open(), open()];
    for (const { ask } of [one, other]) ask(1, 1, READER).sent();
    const both = (change: (opened: Opened) => void) => [one, other].forEach(change);
    both(({ indexOf }) => indexOf(1).upsert(userId(1), [roleId(1)]));
    const answer = other.ask(1, 1, READER);
    expect(answer).toMatchObject({ added: [userId(1)], isReset: false });
    both(({ changeLogs }) =>
      changeLogs.commitReaderOffset({
        ...READER,
        guildId: guildId(1),
        roleId: roleId(1),
        bots: 'exclude',
        offset: answer.offset,
      }),
    );
    both(({ indexOf }) => indexOf(1).remove(userId(1)));
    // Between what the reader knows and its offset here, somebody came and went: nothing could be said of it.
    expect(one.ask(1, 1, READER)).toMatchObject({ added: [], removed: [], isReset: true });
    expect(other.ask(1, 1, READER)).toMatchObject({ removed: [userId(1)], isReset: false });
  });

  test('is reset when its log is gone, and continues no other log', () => {
    const { ask, changeLogs } = open();
    const lost = ask(1, 1, READER);
    changeLogs.dropGuild(guildId(1));
    ask(1, 1);
    lost.sent();
    expect(ask(1, 1, READER).isReset).toBe(true);
  });
});

describe('a cursor', () => {
  const CURSOR = {
    guildId: '18446744073709551615',
    roleId: '400000000000000001',
    bots: 'only',
    offset: { epoch: 'uJ0xQm9Yd3Ra', at: 2 ** 48 - 1 },
  } as const;

  test('holds the guild, the role, the bots and the position, in 64 characters that need no encoding', () => {
    const text = writeCursor(CURSOR);
    expect(text).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(readCursor(text)).toEqual(CURSOR);
  });

  test.each([
    ['nothing', ''],
    ['another length', writeCursor(CURSOR).slice(1)],
    ['one too long', `${writeCursor(CURSOR)}AAAA`],
    ['a word', 'abc'],
    ['an unknown bot filter', `_${writeCursor(CURSOR).slice(1)}`],
    ['bits that belong to no byte', `${writeCursor(CURSOR).slice(0, -1)}9`],
  ])('is not read from %s', (_, text) => {
    expect(readCursor(text)).toBeNull();
  });
});
