import { describe, expect, test, vi } from 'vitest';

import {
  BLUE,
  bigGuild,
  MEMBERS,
  RED,
  startTokenListing,
  guilds,
  untilTimersOf,
  type TokenListing,
} from './rest-members-setup.ts';

const PENDING = 'member_list_unavailable';
/** A result is used again for this long, by the clock of the machine. */
const KEPT_MS = 1;

/** Resolves when no listing is under way any more. */
function untilEnded({ directory }: Pick<TokenListing, 'directory'>): Promise<unknown> {
  return vi.waitUntil(() => directory.listings === 0, { interval: 5, timeout: 20_000 });
}

/**
 * Asks while the first page is held back. Only callers who ask when the listing is under way are sure to be asked to retry
 * by it: on a busy machine, the first one is told to come back before it begins.
 */
async function askToRetry(
  { askCode, discord }: Pick<TokenListing, 'askCode' | 'discord'>,
  ...inputs: Record<string, unknown>[]
) {
  const gate = discord.rest.faults.hold(MEMBERS);
  const first = askCode(inputs[0]);
  await gate.reached;
  const codes = await Promise.all([first, ...inputs.map((input) => askCode(input))]);
  expect(new Set(codes)).toEqual(new Set([PENDING]));
  return gate;
}

describe('a listing that takes longer than its caller waits', () => {
  test('reports its progress and when to retry, continues, and keeps its results', async () => {
    const listing = await startTokenListing(bigGuild(4_500), { callerWaitMs: 500, keptMs: KEPT_MS });
    const { ask, askUntilDone, discord } = listing;
    const gate = await askToRetry(listing, {});
    await expect(ask()).rejects.toMatchObject({
      code: PENDING,
      status: 503,
      message: 'Still reading this server: 0 of about 4,501 members so far.',
      hint: expect.stringContaining('same request again') as string,
      retryAfterSeconds: 2,
      isPending: true,
    });
    gate.release();
    const { value } = await askUntilDone();
    expect(value).toMatchObject({ ok: true, count: 1_500 });
    await untilTimersOf(KEPT_MS);
    expect((await askUntilDone()).value).toMatchObject({ ok: true, count: 1_500 });
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(5);
  });

  test('reports its failure to the next caller, and starts over after that', async () => {
    const listing = await startTokenListing(bigGuild(1_500), { callerWaitMs: 500 });
    const { askCode, askUntilDone, discord } = listing;
    const gate = await askToRetry(listing, {});
    discord.rest.faults.fail(MEMBERS, 503, { times: 3 });
    gate.release();
    await untilEnded(listing);
    expect(await askCode()).toBe('discord_unavailable');
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(4);
    expect((await askUntilDone()).value['count']).toBe(500);
  });

  test('starts over after a failure that all callers got, so the next caller gets no old error', async () => {
    const { askCode, ask, discord } = await startTokenListing(bigGuild(1_500));
    const gate = discord.rest.faults.hold(MEMBERS);
    const failed = askCode();
    await gate.reached;
    discord.rest.faults.fail(MEMBERS, 503, { times: 3 });
    gate.release();
    expect(await failed).toBe('discord_unavailable');
    expect((await ask()).value['count']).toBe(500);
  });

  test('is kept for at most a hundred questions, and drops the oldest first', async () => {
    let now = 1_000_000;
    const { askCode, askUntilDone, discord } = await startTokenListing(bigGuild(10), {
      callerWaitMs: 500,
      now: () => now,
    });
    const ask = (limit: number) => askUntilDone({ limit });
    const askToRetryPages = async (from: number, to: number) => {
      const limits = Array.from({ length: to - from + 1 }, (_, at) => ({ limit: from + at }));
      const gate = await askToRetry({ askCode, discord }, ...limits);
      gate.release();
      await ask(from);
      now += 60_001;
    };
    const listings = () => discord.rest.callsTo(MEMBERS).length;
    await askToRetryPages(1, 100);
    await askToRetryPages(101, 160);
    for (const limit of [160, 101, 1]) await ask(limit);
    expect(listings()).toBe(2);
    await ask(100);
    expect(listings()).toBe(3);
  });

  test('keeps its result for ten minutes for callers asked to retry, and for a minute for others', async () => {
    let now = 1_000_000;
    const listing = await startTokenListing(bigGuild(10), { callerWaitMs: 500, now: () => now });
    const { askUntilDone, discord } = listing;
    (await askToRetry(listing, {})).release();
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

  test('is repeated for another question after the minute, and callers asked to retry get the newer result', async () => {
    let now = 1_000_000;
    const listing = await startTokenListing(bigGuild(10), { callerWaitMs: 500, now: () => now });
    const { askUntilDone, discord } = listing;
    (await askToRetry(listing, {})).release();
    await askUntilDone();
    discord.guild().addMember({ roles: [BLUE] });
    now += 60_001;
    await askUntilDone({ role_id: RED });
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(2);
    now += 60_001;
    expect((await askUntilDone()).value['count']).toBe(5);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(2);
  });

  test('is not evicted by short listings', async () => {
    const listing = await startTokenListing(guilds(4), { keptMax: 2, callerWaitMs: 500 });
    const { askUntilDone: ask, askCode, discord } = listing;
    const [one = {}, two, three, four = {}] = discord.guilds.map(({ id }) => ({ guild_id: id, role_id: id }));
    (await askToRetry(listing, one)).release();
    for (const input of [one, two, three]) await ask(input);
    const listings = discord.rest.callsTo(MEMBERS).length;
    expect((await ask(one)).value['count']).toBe(2);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(listings);
    // With both places waited for, a further listing is refused and not one of these.
    (await askToRetry(listing, four)).release();
    await ask(four);
    expect(await askCode(two)).toBe('busy');
    expect((await ask(one)).value['count']).toBe(2);
  });

  test('continues when its caller disconnects', async () => {
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

  test('ends when no caller has asked for it for ten minutes', async () => {
    let now = 1_000_000;
    const listing = await startTokenListing(bigGuild(2_500), { now: () => now, callerWaitMs: 20 });
    const { askCode, discord } = listing;
    const gate = discord.rest.faults.hold(MEMBERS);
    expect(await askCode()).toBe(PENDING);
    await gate.reached;
    now += 600_001;
    gate.release();
    await untilEnded(listing);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(1);
  });

  test('continues while a caller asks for it within ten minutes', async () => {
    let now = 1_000_000;
    const { askCode, askUntilDone, discord } = await startTokenListing(bigGuild(2_500), {
      now: () => now,
      callerWaitMs: 20,
    });
    const gate = await askToRetry({ askCode, discord }, {});
    now += 599_000;
    expect(await askCode()).toBe(PENDING);
    now += 599_000;
    gate.release();
    expect((await askUntilDone()).value['count']).toBe(834);
  });

  test('asks callers to retry when their role is newer than the listing', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(10));
    const gate = discord.rest.faults.hold(MEMBERS);
    const listing = ask();
    await gate.reached;
    const role = discord.guild().createRole();
    await expect(ask({ role_id: role.id })).rejects.toMatchObject({ code: PENDING, isPending: true });
    gate.release();
    await listing;
    expect((await ask({ role_id: role.id })).value).toMatchObject({ count: 0 });
  });
});
