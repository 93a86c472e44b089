import { describe, expect, test } from 'vitest';

import type { TokenDirectoryMetrics } from '../../../src/members/token/token-directory-options.ts';
import {
  BLUE,
  bigGuild,
  EMPTY,
  GUILD,
  MEMBERS,
  membersOf,
  RED,
  startTokenListing,
  guilds,
} from './token-listing-setup.ts';

/** `ended` resolves when no listing is under way any more. */
function watchPasses(): { ended: Promise<void>; metrics: TokenDirectoryMetrics } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const metrics: TokenDirectoryMetrics = {
    countInvalidAnswer: () => undefined,
    setPassesRunning: (count) => (count === 0 ? resolve() : undefined),
  };
  return { ended: promise, metrics };
}

describe('a listing that takes longer than its caller waits', () => {
  test('answers 202 with all keys, goes on, and keeps what it found', async () => {
    const { ask, askUntilDone, discord } = await startTokenListing(bigGuild(4_500), {
      patienceMs: 500,
      keptMs: 0,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    const pending = await ask();
    expect(pending).toMatchObject({ pendingSeconds: 2 });
    expect(pending.version).toBeUndefined();
    expect(pending.value).toEqual({
      ok: true,
      guild_id: GUILD,
      role_id: BLUE,
      bots: 'include',
      count: null,
      members: null,
      returned: null,
      next_after: null,
      source: 'token',
      as_of: null,
      pending: true,
      fetched: 0,
      total: 4_501,
      retry_after: 2,
    });
    gate.release();
    const { value } = await askUntilDone();
    expect(value).toMatchObject({ count: 1_500, pending: false });
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(5);
  });

  test('tells the next caller why it failed, and starts over after that', async () => {
    const { ended, metrics } = watchPasses();
    const { ask, askCode, askUntilDone, discord } = await startTokenListing(bigGuild(1_500), {
      patienceMs: 500,
      metrics,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    expect((await ask()).value['pending']).toBe(true);
    discord.rest.faults.fail(MEMBERS, 503, { times: 3 });
    gate.release();
    await ended;
    expect(await askCode()).toBe('discord_unavailable');
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(4);
    expect((await askUntilDone()).value['count']).toBe(500);
  });

  test('is given as it was found, although the guild has changed since', async () => {
    let now = 1_000_000;
    const { ask, askUntilDone, discord } = await startTokenListing(bigGuild(10), {
      patienceMs: 500,
      now: () => now,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    expect((await ask()).value['pending']).toBe(true);
    gate.release();
    const found = await askUntilDone();
    discord.guild().addMember({ roles: [BLUE] });
    now += 599_000;
    expect((await askUntilDone()).value).toMatchObject({ count: 4, as_of: found.value['as_of'] });
    now += 1_001;
    expect((await askUntilDone()).value['count']).toBe(5);
  });

  test('is kept for ten minutes, whatever other role is asked for in the meantime', async () => {
    let now = 1_000_000;
    const { ended, metrics } = watchPasses();
    const { ask, askUntilDone, discord } = await startTokenListing(bigGuild(20_000), {
      patienceMs: 100,
      now: () => now,
      metrics,
    });
    const guild = discord.guild();
    const [holder = '', next = ''] = guild.holdersOf(GUILD).slice(10);
    const other = guild.createRole();
    for (const id of [holder, next]) guild.updateMember(id, { roles: [EMPTY, other.id] });
    const gate = discord.rest.faults.hold(MEMBERS);
    expect((await ask({ role_id: EMPTY })).value['pending']).toBe(true);
    gate.release();
    await ended;
    guild.updateMember(holder, { roles: [] });
    now += 1_000;
    // Each of these listings ends on its own: one early, one with the last page.
    expect((await askUntilDone({ role_id: other.id })).value['count']).toBe(1);
    expect(membersOf(await ask({ role_id: EMPTY }))).toEqual([holder, next]);
    expect((await askUntilDone({ role_id: RED })).value['count']).toBe(2);
    now += 590_000;
    const listings = discord.rest.callsTo(MEMBERS).length;
    expect((await ask({ role_id: EMPTY })).value['pending']).toBe(false);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(listings);
  });

  test('is not driven out by short listings for the same keys', async () => {
    const { ask, askCode, askUntilDone, discord } = await startTokenListing(guilds(4), {
      keptPerKeyGuildMax: 2,
      patienceMs: 500,
    });
    const [one, two, three, four] = discord.guilds.map(({ id }) => ({ guild_id: id, role_id: id }));
    const gate = discord.rest.faults.hold(MEMBERS);
    expect((await ask(one)).value['pending']).toBe(true);
    gate.release();
    for (const input of [two, three]) await askUntilDone(input);
    const listings = discord.rest.callsTo(MEMBERS).length;
    expect((await ask(one)).value['pending']).toBe(false);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(listings);
    // With both places promised, a further listing is refused and not one of these.
    const second = discord.rest.faults.hold(MEMBERS);
    expect((await ask(four)).value['pending']).toBe(true);
    second.release();
    await askUntilDone(four);
    expect(await askCode(two)).toBe('busy');
    expect((await ask(one)).value['pending']).toBe(false);
  });

  test('goes on when its caller goes away', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(2_500));
    const gate = discord.rest.faults.hold(MEMBERS);
    const caller = new AbortController();
    const left = ask({}, { signal: caller.signal });
    const stays = ask();
    await gate.reached;
    caller.abort();
    await expect(left).rejects.toThrow('aborted');
    gate.release();
    expect((await stays).value['count']).toBe(834);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(3);
  });

  test('ends when nobody has asked for it for ten minutes', async () => {
    let now = 1_000_000;
    const { ended, metrics } = watchPasses();
    const { ask, discord } = await startTokenListing(bigGuild(2_500), {
      now: () => now,
      metrics,
      patienceMs: 20,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    expect((await ask()).value['pending']).toBe(true);
    await gate.reached;
    now += 600_001;
    gate.release();
    await ended;
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(1);
  });

  test('asks callers to come back when their role is newer than the listing', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(10));
    const gate = discord.rest.faults.hold(MEMBERS);
    const listing = ask();
    await gate.reached;
    const role = discord.guild().createRole();
    expect((await ask({ role_id: role.id })).value).toMatchObject({ pending: true, total: 11 });
    gate.release();
    await listing;
    expect((await ask({ role_id: role.id })).value).toMatchObject({ pending: false, count: 0 });
  });
});
