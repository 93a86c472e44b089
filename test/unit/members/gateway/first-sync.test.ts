import type { GatewayDispatchEvents, GatewayDispatchPayload } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { membersQuestion, membersQuery } from '../../../../src/members/members-query.ts';
import { GatewayMembers } from '../../../../src/members/gateway/gateway-members.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { manualShardStates } from './manual-shard-states.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { anyCaller } from '../../../fixtures/any-caller.ts';

const GUILD = '81384788765712384';
const ROLE = '901000000000000000';
const BOT = { user: { id: '100' }, roles: [] };
const ROWS = [BOT, { user: { id: '101' }, roles: [ROLE] }, { user: { id: '102' }, roles: [ROLE] }];

/** One guild on a shard that is let in. Each request is answered by hand. */
function start(memberCount: unknown, members: readonly unknown[] = []) {
  const timers = new ManualTimers();
  const nonces: string[] = [];
  const lists = new GatewayMembers({
    timers,
    shardStates: manualShardStates([0], timers),
    fetchRoleCounts: null,
    log: createLog('silent', { destination: { write: () => undefined } }),
    requestMembers: (_, { d }) => void nonces.push(d.nonce ?? ''),
  });
  const dispatch = (t: `${GatewayDispatchEvents}`, d: unknown) => {
    const packet: unknown = { op: 0, s: 1, t, d };
    lists.handleDispatch(0, packet as GatewayDispatchPayload);
  };
  dispatch('READY', { shard: [0, 1], user: BOT.user, guilds: [{ id: GUILD, unavailable: true }] });
  dispatch('GUILD_CREATE', { id: GUILD, member_count: memberCount, roles: [{ id: ROLE }], members });
  return {
    timers,
    nonces,
    dispatch,
    lists,
    /** Answers the last request with these rows. */
    answer: (rows: readonly unknown[]) =>
      dispatch('GUILD_MEMBERS_CHUNK', {
        guild_id: GUILD,
        nonce: nonces.at(-1),
        chunk_index: 0,
        chunk_count: 1,
        members: rows,
      }),
    count: () => lists.completeIndex(GUILD)?.count(ROLE) ?? null,
  };
}

describe('the first sync', () => {
  test('is answered immediately when it matches the number of members', () => {
    const guild = start(3);
    guild.answer(ROWS);
    expect([guild.count(), guild.nonces.length]).toEqual([2, 1]);
  });

  test('matches when Discord reports a member twice as joined, as after a lost connection', () => {
    const guild = start(3);
    const member = { user: { id: '103' }, roles: [ROLE] };
    for (let time = 0; time < 2; time += 1)
      guild.dispatch('GUILD_MEMBER_ADD', { guild_id: GUILD, ...member });
    guild.answer([...ROWS, member]);
    expect(guild.count()).toBe(3);
  });

  test.each([
    ['an empty chunk', []],
    ['rows missing', ROWS.slice(0, 2)],
    ['one row too many', [...ROWS, { user: { id: '103' }, roles: [] }]],
  ])('with %s is not answered, and a matching second one is', (_, rows) => {
    const guild = start(3);
    guild.answer(rows);
    expect(guild.count()).toBe(null);
    guild.timers.advance(30_000);
    expect(guild.nonces.length).toBe(2);
    guild.answer(ROWS);
    expect(guild.count()).toBe(2);
  });

  test('that differs is answered when a second one agrees: Discord counts differently then', () => {
    const guild = start(7);
    guild.answer(ROWS);
    expect(guild.count()).toBe(null);
    // Joins and leaves in between are no difference.
    guild.dispatch('GUILD_MEMBER_ADD', { guild_id: GUILD, user: { id: '104' }, roles: [ROLE] });
    guild.timers.advance(30_000);
    guild.answer([...ROWS, { user: { id: '104' }, roles: [ROLE] }]);
    expect(guild.count()).toBe(3);
  });

  test.each([[0], [null], [undefined]])('of a guild with a member_count of %s needs a second one', (told) => {
    const guild = start(told, ROWS);
    expect([guild.count(), guild.nonces.length]).toEqual([null, 1]);
    guild.answer(ROWS);
    expect(guild.count()).toBe(null);
    guild.timers.advance(30_000);
    guild.answer(ROWS);
    expect(guild.count()).toBe(2);
  });

  test('without the bot itself is wrong, however often it comes, and is requested less and less often', () => {
    const guild = start(2);
    for (let sync = 1; sync <= 5; sync += 1) {
      guild.answer(ROWS.slice(1));
      expect(guild.count()).toBe(null);
      guild.timers.advance(30_000 * 2 ** (sync - 1));
      expect(guild.nonces.length).toBe(sync + 1);
    }
    guild.answer(ROWS.slice(0, 2));
    expect(guild.count()).toBe(1);
  });

  test('in GUILD_CREATE without the bot is requested', () => {
    const guild = start(2, ROWS.slice(1));
    expect([guild.count(), guild.nonces.length]).toEqual([null, 1]);
  });

  test('makes a complete list stale when it checks it and comes out short', () => {
    const guild = start(3);
    guild.answer(ROWS);
    guild.dispatch('GUILD_CREATE', { id: GUILD, member_count: 3, roles: [{ id: ROLE }], members: [] });
    guild.timers.advance(30_000);
    guild.answer([]);
    expect(guild.count()).toBe(null);
  });
});

describe('a guild that READY named and that never arrives', () => {
  const question = membersQuestion({ guildId: GUILD, all: [ROLE], countOnly: true });

  test('counts as unavailable after 15 s, and not as still connecting', async () => {
    const timers = new ManualTimers();
    const lists = new GatewayMembers({
      timers,
      shardStates: manualShardStates([0], timers),
      fetchRoleCounts: null,
      log: createLog('silent', { destination: { write: () => undefined } }),
      requestMembers: () => {},
    });
    const ready: unknown = {
      op: 0,
      s: 1,
      t: 'READY',
      d: { shard: [0, 1], user: BOT.user, guilds: [{ id: GUILD }] },
    };
    lists.handleDispatch(0, ready as GatewayDispatchPayload);
    const ask = () => lists.ask(membersQuery, question, anyCaller);
    await expect(ask()).rejects.toThrow('is connecting to Discord');
    timers.advance(15_000);
    await expect(ask()).rejects.toThrow('Discord has an outage that affects this server');
  });
});
