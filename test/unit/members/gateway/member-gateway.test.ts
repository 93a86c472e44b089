import type { GatewayDispatchEvents, GatewayDispatchPayload } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { createLog } from '../../../../src/telemetry/log.ts';
import { GatewayMembers } from '../../../../src/members/gateway/gateway-members.ts';
import { manualShardStates } from './manual-shard-states.ts';
import { ManualTimers } from '../../../fixtures/manual-timers.ts';
import { rolePage } from '../../../fixtures/role-page.ts';

const GUILD = '81384788765712384';
const ROLE = '901000000000000000';
/** The member with the number 0. */
const BOT = String(10n ** 17n);

function packet(t: `${GatewayDispatchEvents}`, d: unknown): GatewayDispatchPayload {
  const payload: unknown = { op: 0, s: 1, t, d };
  return payload as GatewayDispatchPayload;
}

/** Lists that are fed by hand, on one shard that is let in. */
function startFeed() {
  const timers = new ManualTimers();
  const shardStates = manualShardStates([0, 1], timers);
  const lines: string[] = [];
  const sent: { guildId: string; nonce: string }[] = [];
  const members = new GatewayMembers({
    timers,
    shardStates,
    fetchRoleCounts: null,
    log: createLog('debug', { destination: { write: (line) => void lines.push(line) } }),
    requestMembers: (_, { d }) => void sent.push({ guildId: d.guild_id, nonce: d.nonce ?? '' }),
  });
  const dispatch = (t: `${GatewayDispatchEvents}`, d: unknown) => members.handleDispatch(0, packet(t, d));
  dispatch('READY', ready({ id: GUILD, unavailable: true }));
  return { members, timers, lines, sent, dispatch };
}

const ready = (...guilds: readonly object[]) => ({ shard: [0, 1], user: { id: BOT }, guilds });
const create = (memberCount: number) => ({
  id: GUILD,
  member_count: memberCount,
  roles: [{ id: GUILD }, { id: ROLE }],
  members: [],
});
const member = (at: number) => ({
  user: { id: String(10n ** 17n + BigInt(at)) },
  roles: at % 2 === 0 ? [ROLE] : [],
});

const silent = createLog('silent', { destination: { write: () => undefined } });

/** The answer to a request, in chunks of 1,000. */
function* chunks(memberCount: number, nonce: string) {
  const count = Math.ceil(memberCount / 1_000);
  for (let index = 0; index < count; index += 1) {
    const members = Array.from({ length: Math.min(1_000, memberCount - index * 1_000) }, (_, at) =>
      member(index * 1_000 + at),
    );
    yield { guild_id: GUILD, nonce, chunk_index: index, chunk_count: count, members };
  }
}

describe('a very large list', () => {
  test('is finished over several iterations of the event loop, with changes in between', () => {
    const { members, timers, sent, dispatch } = startFeed();
    dispatch('GUILD_CREATE', create(150_000));
    for (const chunk of chunks(150_000, sent[0]!.nonce)) dispatch('GUILD_MEMBERS_CHUNK', chunk);
    expect(members.completeIndex(GUILD)).toBeNull();
    dispatch('GUILD_MEMBER_REMOVE', { guild_id: GUILD, ...member(2) });
    dispatch('GUILD_MEMBER_UPDATE', { guild_id: GUILD, user: member(1).user, roles: [ROLE] });
    timers.advance(0);
    expect(members.completeIndex(GUILD)).not.toBeNull();
    const index = members.completeIndex(GUILD)!;
    expect([index.memberCount, index.count(ROLE)]).toEqual([149_999, 75_000]);
    expect(rolePage(index, ROLE, 2, null).ids.toJSON()).toEqual([member(0).user.id, member(1).user.id]);
  });

  test('stays incomplete when its guild leaves while it is finished', () => {
    const { members, timers, sent, dispatch } = startFeed();
    dispatch('GUILD_CREATE', create(150_000));
    for (const chunk of chunks(150_000, sent[0]!.nonce)) dispatch('GUILD_MEMBERS_CHUNK', chunk);
    dispatch('GUILD_DELETE', { id: GUILD, unavailable: true });
    timers.advance(600_000);
    expect(members.completeIndex(GUILD)).toBeNull();
    expect(members.stats.guilds).toEqual({ complete: 0, loading: 0, stale: 1 });
  });
});

describe('a new session', () => {
  test('makes all lists stale immediately, also those whose guilds it does not name', () => {
    const { members, dispatch } = startFeed();
    dispatch('GUILD_CREATE', { ...create(1), members: [member(0)] });
    expect(members.completeIndex(GUILD)).not.toBeNull();
    dispatch('READY', ready({ id: GUILD, unavailable: true }));
    expect(members.completeIndex(GUILD)).toBeNull();
    expect(members.stats.guilds).toEqual({ complete: 0, loading: 0, stale: 1 });
  });

  test('on one shard leaves the lists of other shards whole', () => {
    const { members, dispatch } = startFeed();
    const other = { ...create(1), id: '91384788765712384', members: [member(0)] };
    members.handleDispatch(1, packet('READY', { ...ready(), shard: [1, 2] }));
    members.handleDispatch(1, packet('GUILD_CREATE', other));
    dispatch('READY', { ...ready(), shard: [0, 2] });
    expect(members.completeIndex(other.id)).not.toBeNull();
  });
});

describe('a dispatch that makes no sense', () => {
  test.each([
    ['a row whose member id is no snowflake', { user: { id: 'x' }, roles: [] }],
    ['a row whose role id is no snowflake', { user: { id: '5' }, roles: ['no'] }],
    ['a row without a user', { roles: [] }],
    ['a row without roles', { user: { id: '5' } }],
    ['no row at all', null],
  ])('does not throw, and %s makes the list be requested again before it is complete', (_, row) => {
    const { members, timers, lines, sent, dispatch } = startFeed();
    dispatch('GUILD_CREATE', create(2));
    const chunk = { guild_id: GUILD, chunk_index: 0, chunk_count: 1 };
    dispatch('GUILD_MEMBERS_CHUNK', { ...chunk, nonce: sent[0]!.nonce, members: [member(0), row] });
    expect(members.completeIndex(GUILD)).toBeNull();
    const [line, ...others] = lines.filter((each) => each.includes('could not be understood'));
    expect(JSON.parse(line!)).toMatchObject({ guild_id: GUILD, event: 'GUILD_MEMBERS_CHUNK' });
    expect(others).toEqual([]);
    timers.advance(29_999);
    expect(sent.length).toBe(1);
    timers.advance(1);
    dispatch('GUILD_MEMBERS_CHUNK', { ...chunk, nonce: sent[1]!.nonce, members: [member(0), member(1)] });
    expect(members.completeIndex(GUILD)).not.toBeNull();
  });

  test.each([
    ['READY', {}],
    ['GUILD_CREATE', { id: GUILD }],
    ['GUILD_CREATE', null],
    ['GUILD_MEMBER_ADD', { guild_id: GUILD }],
    ['GUILD_MEMBER_UPDATE', { guild_id: GUILD, user: { id: '18446744073709551616' }, roles: [ROLE] }],
    ['GUILD_MEMBER_REMOVE', { guild_id: GUILD }],
    ['GUILD_ROLE_CREATE', { guild_id: GUILD, role: { id: '-5' } }],
    ['GUILD_ROLE_DELETE', {}],
    ['RATE_LIMITED', { opcode: 8 }],
    ['GUILD_MEMBERS_CHUNK', 'nonsense'],
  ] as const)('%s with %j is logged at most and harms no other guild', (event, data) => {
    const { members, sent, dispatch } = startFeed();
    const other = '91384788765712384';
    dispatch('GUILD_CREATE', { ...create(1), id: other, members: [member(0)] });
    dispatch('GUILD_CREATE', create(1));
    expect(() => dispatch(event, data)).not.toThrow();
    expect(members.completeIndex(other)).not.toBeNull();
    expect(sent.map(({ guildId }) => guildId)).toEqual([GUILD]);
  });
});

describe('requests that cannot be sent', () => {
  test('wait for the connection and are sent in order when it is back', () => {
    const timers = new ManualTimers();
    const shardStates = manualShardStates([0], timers);
    const sent: string[] = [];
    let connected = false;
    const members = new GatewayMembers({
      timers,
      shardStates,
      fetchRoleCounts: null,
      log: silent,
      requestMembers: (_, { d }) => {
        if (!connected) throw new Error('not connected');
        sent.push(d.guild_id);
      },
    });
    const dispatch = (t: `${GatewayDispatchEvents}`, d: unknown) => members.handleDispatch(0, packet(t, d));
    dispatch('READY', ready());
    for (const id of ['1', '2', '3']) dispatch('GUILD_CREATE', { ...create(5), id });
    timers.advance(5_000);
    shardStates.lost(0, { isUpToDate: true });
    timers.advance(60_000);
    connected = true;
    expect(sent).toEqual([]);
    shardStates.resumed(0);
    dispatch('RESUMED', {});
    expect(sent).toEqual(['1', '2', '3']);
  });

  test('are retried, but not after the end', () => {
    const timers = new ManualTimers();
    let attempts = 0;
    const members = new GatewayMembers({
      timers,
      shardStates: manualShardStates([0], timers),
      fetchRoleCounts: null,
      log: silent,
      requestMembers: () => {
        attempts += 1;
        throw new Error('lost');
      },
    });
    const dispatch = (t: `${GatewayDispatchEvents}`, d: unknown) => members.handleDispatch(0, packet(t, d));
    dispatch('READY', ready());
    dispatch('GUILD_CREATE', create(5));
    for (let round = 2; round <= 4; round += 1) {
      timers.advance(1_000);
      expect(attempts).toBe(round);
    }
    members.close();
    timers.advance(60_000);
    expect(attempts).toBe(4);
  });
});
