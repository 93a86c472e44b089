import { describe, expect, test } from 'vitest';

import type { TokenDirectoryMetrics } from '../../../src/members/token/token-directory-options.ts';
import { BLUE, bigGuild, MEMBERS, RED, startTokenListing, guilds } from './token-listing-setup.ts';

const GOES_ON = 'member_list_unavailable';

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
  test('says how far it is and when to come back, goes on, and keeps what it found', async () => {
    const { ask, askUntilDone, discord } = await startTokenListing(bigGuild(4_500), {
      patienceMs: 500,
      keptMs: 0,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    await expect(ask()).rejects.toMatchObject({
      code: GOES_ON,
      status: 503,
      message: 'The listing of this server goes on: 0 of about 4,501 members are read.',
      hint: expect.stringContaining('same request again') as string,
      retryAfterSeconds: 2,
      goesOn: true,
    });
    gate.release();
    const { value } = await askUntilDone();
    expect(value).toMatchObject({ ok: true, count: 1_500 });
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(5);
  });

  test('tells the next caller why it failed, and starts over after that', async () => {
    const { ended, metrics } = watchPasses();
    const { askCode, askUntilDone, discord } = await startTokenListing(bigGuild(1_500), {
      patienceMs: 500,
      metrics,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    expect(await askCode()).toBe(GOES_ON);
    discord.rest.faults.fail(MEMBERS, 503, { times: 3 });
    gate.release();
    await ended;
    expect(await askCode()).toBe('discord_unavailable');
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(4);
    expect((await askUntilDone()).value['count']).toBe(500);
  });

  test('waits ten minutes for those it sent away, and answers others for a minute', async () => {
    let now = 1_000_000;
    const { askCode, askUntilDone, discord } = await startTokenListing(bigGuild(10), {
      patienceMs: 500,
      now: () => now,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    expect(await askCode()).toBe(GOES_ON);
    gate.release();
    const found = await askUntilDone();
    discord.guild().addMember({ roles: [BLUE] });
    now += 59_000;
    expect((await askUntilDone({ role_id: RED })).value['count']).toBe(2);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(1);
    now += 540_000;
    expect((await askUntilDone()).value).toMatchObject({ count: 4, as_of: found.value['as_of'] });
    now += 1_001;
    expect((await askUntilDone()).value['count']).toBe(5);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(2);
  });

  test('is read anew for another question after the minute, and those it sent away get the newer one', async () => {
    let now = 1_000_000;
    const { askCode, askUntilDone, discord } = await startTokenListing(bigGuild(10), {
      patienceMs: 500,
      now: () => now,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    expect(await askCode()).toBe(GOES_ON);
    gate.release();
    await askUntilDone();
    discord.guild().addMember({ roles: [BLUE] });
    now += 60_001;
    await askUntilDone({ role_id: RED });
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(2);
    now += 60_001;
    expect((await askUntilDone()).value['count']).toBe(5);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(2);
  });

  test('is not driven out by short listings', async () => {
    const { ask, askCode, discord } = await startTokenListing(guilds(4), { keptMax: 2, patienceMs: 500 });
    const [one, two, three, four] = discord.guilds.map(({ id }) => ({ guild_id: id, role_id: id }));
    const gate = discord.rest.faults.hold(MEMBERS);
    expect(await askCode(one)).toBe(GOES_ON);
    gate.release();
    for (const input of [one, two, three]) await ask(input);
    const listings = discord.rest.callsTo(MEMBERS).length;
    expect((await ask(one)).value['count']).toBe(2);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(listings);
    // With both places waited for, a further listing is refused and not one of these.
    const second = discord.rest.faults.hold(MEMBERS);
    expect(await askCode(four)).toBe(GOES_ON);
    second.release();
    await ask(four);
    expect(await askCode(two)).toBe('busy');
    expect((await ask(one)).value['count']).toBe(2);
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
    const { askCode, discord } = await startTokenListing(bigGuild(2_500), {
      now: () => now,
      metrics,
      patienceMs: 20,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    expect(await askCode()).toBe(GOES_ON);
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
    await expect(ask({ role_id: role.id })).rejects.toMatchObject({ code: GOES_ON, goesOn: true });
    gate.release();
    await listing;
    expect((await ask({ role_id: role.id })).value).toMatchObject({ count: 0 });
  });
});
