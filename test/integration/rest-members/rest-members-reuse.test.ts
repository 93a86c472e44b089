import { describe, expect, test } from 'vitest';

import { countPerIteration } from '../../fixtures/iteration-counter.ts';
import {
  BLUE,
  bigGuild,
  COUNTS,
  EMPTY,
  GUILD,
  KEY_GUILD,
  MEMBERS,
  membersOf,
  RED,
  startTokenListing,
  guilds,
} from './rest-members-setup.ts';

describe('a result of the last minute', () => {
  test('answers every question about its guild, without a further request', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(2_500));
    const first = await ask();
    const calls = discord.rest.calls.length;
    discord.guild().addMember({ roles: [BLUE] });
    const again = await ask();
    expect(JSON.stringify(again.value)).toBe(JSON.stringify(first.value));
    expect(again.version).toBe(first.version);
    expect(membersOf(await ask({ role_id: RED }))).toEqual(discord.guild().holdersOf(RED));
    expect(membersOf(await ask({ role_id: EMPTY }))).toEqual([]);
    expect((await ask({ role_id: GUILD })).value['count']).toBe(2_501);
    expect((await ask({ role_id: undefined, none: [BLUE] })).value['count']).toBe(1_667);
    expect(discord.rest.calls).toHaveLength(calls);
  });

  test('answers each waiting caller in its own iteration of the event loop', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(2_500));
    const answers = countPerIteration();
    const asked = Array.from({ length: 20 }, () => ask().then(answers.note));
    await Promise.all(asked);
    expect(answers.counts()).toEqual(asked.map(() => 1));
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(3);
  });

  test('does not cover a newer role, so a new listing is made', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(1_200));
    await ask();
    const role = discord.guild().createRole();
    expect((await ask({ role_id: role.id })).value).toMatchObject({ count: 0 });
  });

  test('is gone after the minute', async () => {
    let now = 1_000_000;
    const { ask, discord } = await startTokenListing(bigGuild(10), { now: () => now });
    await ask();
    now += 60_001;
    await ask();
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(2);
  });

  test('is not shared between tokens', async () => {
    const { ask, discord } = await startTokenListing({
      ...bigGuild(10),
      bots: [{ name: 'one' }, { name: 'two' }],
    });
    await ask();
    await ask({}, { secret: discord.bot('two').token });
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(2);
  });

  test('has its own version in its ETag', async () => {
    const { ask } = await startTokenListing(bigGuild(2_500), { keptMs: 0 });
    const [first, second] = [await ask(), await ask()];
    expect(membersOf(first)).toEqual(membersOf(second));
    expect(first.version).toMatch(/^\["token",/);
    expect(first.version).not.toBe(second.version);
  });
});

describe('concurrent listings', () => {
  test('are limited to two for the keys of a guild', async () => {
    const { ask, askCode, discord } = await startTokenListing(guilds(3));
    const [one, two, three] = discord.guilds.map(({ id }) => ({ guild_id: id, role_id: id }));
    const gate = discord.rest.faults.hold(MEMBERS, { times: 2 });
    const listings = [ask(one), ask(two)];
    await discord.until(() => discord.rest.callsTo(MEMBERS).length === 2);
    expect(await askCode(three)).toBe('busy');
    expect((await ask(three, { guildId: GUILD })).value['count']).toBe(2);
    const joined = ask(one);
    gate.release();
    const answers = await Promise.all([...listings, joined]);
    expect(answers.map(({ value }) => value['count'])).toEqual([2, 2, 2]);
    expect((await ask(three)).value['count']).toBe(2);
  });

  test('are limited to sixteen in all', async () => {
    const { ask, askCode, discord } = await startTokenListing(guilds(17));
    const gate = discord.rest.faults.hold(MEMBERS, { times: 16 });
    const input = discord.guilds.map(({ id }) => ({ guild_id: id, role_id: id }));
    const listings = input.slice(0, 16).map((each) => ask(each, { guildId: each.guild_id }));
    await discord.until(() => discord.rest.callsTo(MEMBERS).length === 16);
    expect(await askCode(input[16], { guildId: KEY_GUILD })).toBe('busy');
    gate.release();
    await Promise.all(listings);
    expect((await ask(input[16])).value['count']).toBe(2);
  });

  test('are refused when the members would exceed the memory', async () => {
    const { ask, askCode } = await startTokenListing(bigGuild(1_500), { membersMax: 1_500 });
    expect(await askCode({ role_id: GUILD })).toBe('busy');
    expect((await ask({ count_only: true })).value['count']).toBe(500);
  });
});

describe('closing the service', () => {
  test('ends listings and counts, and answers waiting callers', async () => {
    // Calls end because the service does, and not in time.
    const { askCode, directory, discord } = await startTokenListing(bigGuild(2_500), {
      callTimeoutMs: 2 ** 31 - 1,
    });
    const members = discord.rest.faults.hold(MEMBERS);
    const listing = askCode();
    await members.reached;
    const counts = discord.rest.faults.hold(COUNTS);
    const count = askCode({ count_only: true });
    await counts.reached;
    await directory.close();
    expect(await Promise.all([listing, count, askCode()])).toEqual(Array(3).fill('shutting_down'));
  });

  test('ends a wait for a rate limit', async () => {
    const { askCode, directory, discord } = await startTokenListing(bigGuild(2_500));
    discord.rest.faults.rateLimit(MEMBERS, 30);
    const code = askCode();
    await discord.until(() => discord.rest.callsTo(MEMBERS).some(({ status }) => status === 429));
    await directory.close();
    expect(await code).toBe('shutting_down');
  });
});
