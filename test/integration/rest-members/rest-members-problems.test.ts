import { describe, expect, test, vi } from 'vitest';

import { InvalidRequestBreaker } from '../../../src/upstream/invalid-request-breaker.ts';
import {
  BLUE,
  bigGuild,
  COUNTS,
  GUILD,
  GUILD_ROUTE,
  MEMBERS,
  membersOf,
  startTokenListing,
} from './rest-members-setup.ts';

const OTHER_GUILD = '300000000000000009';
const UNKNOWN_ROLE = '499999999999999999';

/** A token of the right shape that Discord does not know. */
function badToken(number: number): string {
  return `${'b'.repeat(24)}.AAAAAA.${String(number).padStart(38, '0')}`;
}

describe('a token that Discord rejects', () => {
  test('is answered with discord_token_rejected and causes no second request', async () => {
    const { askCode, discord } = await startTokenListing(bigGuild(10));
    expect(await askCode({}, { secret: badToken(1) })).toBe('discord_token_rejected');
    expect(await askCode({ count_only: true }, { secret: `Bot ${badToken(1)}` })).toBe(
      'discord_token_rejected',
    );
    expect(await askCode({ guild_id: OTHER_GUILD }, { secret: badToken(1), guildId: OTHER_GUILD })).toBe(
      'discord_token_rejected',
    );
    expect(discord.rest.calls).toHaveLength(1);
  });

  test('is forgotten after a day', async () => {
    let now = 1_000_000;
    const { ask, askCode, discord } = await startTokenListing(bigGuild(10), { now: () => now });
    const { token } = discord.bot();
    discord.bot().token = badToken(9);
    expect(await askCode({}, { secret: token })).toBe('discord_token_rejected');
    discord.bot().token = token;
    now += 86_399_000;
    expect(await askCode({}, { secret: token })).toBe('discord_token_rejected');
    now += 1_001;
    expect((await ask({}, { secret: token })).value['count']).toBe(4);
  });

  test('blocks the guild after five different ones, except for tokens that work', async () => {
    let now = 1_000_000;
    const { ask, askCode, discord } = await startTokenListing(bigGuild(10), { now: () => now });
    await ask();
    const before = discord.rest.calls.length;
    for (let number = 1; number <= 5; number += 1) {
      expect(await askCode({}, { secret: badToken(number) })).toBe('discord_token_rejected');
    }
    expect(await askCode({}, { secret: badToken(6) })).toBe('token_attempts');
    expect(await askCode({}, { secret: badToken(1) })).toBe('discord_token_rejected');
    expect(discord.rest.calls).toHaveLength(before + 5);
    expect((await ask()).value['count']).toBe(4);
    // Another guild's key is not concerned.
    expect(await askCode({}, { secret: badToken(6), guildId: OTHER_GUILD })).toBe('discord_token_rejected');
    now += 600_001;
    expect(await askCode({}, { secret: badToken(7) })).toBe('discord_token_rejected');
  });
});

describe('a guild that the token may not list', () => {
  test('is discord_missing_access without the intent, remembered for a minute', async () => {
    let now = 1_000_000;
    const { ask, askCode, discord } = await startTokenListing(bigGuild(10), { now: () => now });
    discord.bot().privilegedIntents.clear();
    expect(await askCode()).toBe('discord_missing_access');
    const calls = discord.rest.calls.length;
    discord.bot().privilegedIntents.add('GuildMembers');
    expect(await askCode()).toBe('discord_missing_access');
    expect(discord.rest.calls).toHaveLength(calls);
    now += 60_001;
    expect((await ask()).value['count']).toBe(4);
  });

  test('is discord_missing_access when the bot is not in it', async () => {
    const { askCode } = await startTokenListing({ ...bigGuild(10), bots: [{ guilds: [] }] });
    expect(await askCode()).toBe('discord_missing_access');
  });

  test('is unknown_guild when there is none, remembered for this guild only', async () => {
    const { ask, askCode, discord } = await startTokenListing(bigGuild(10));
    await expect(ask({ guild_id: OTHER_GUILD })).rejects.toMatchObject({
      code: 'unknown_guild',
      field: 'guild_id',
      hint: expect.stringContaining('invite the bot'),
    });
    expect(await askCode({ guild_id: OTHER_GUILD, count_only: true })).toBe('unknown_guild');
    expect(discord.rest.calls).toHaveLength(1);
    expect((await ask()).value['count']).toBe(4);
  });

  test('blocks the guild of the key after 20 refusals', async () => {
    const { askCode, discord } = await startTokenListing({ bots: [{ guilds: [] }] });
    const guilds = Array.from({ length: 21 }, () => discord.addGuild({}, []).id);
    for (const guild_id of guilds.slice(0, 20)) {
      expect(await askCode({ guild_id })).toBe('discord_missing_access');
    }
    expect(await askCode({ guild_id: guilds[20] })).toBe('token_attempts');
    expect(discord.rest.calls).toHaveLength(20);
  });
});

describe('a role that the guild does not have', () => {
  test.each([
    ['listed', {}],
    ['counted', { count_only: true }],
  ])('is unknown_role when it is %s', async (_, input) => {
    const { askCode, discord } = await startTokenListing(bigGuild(10));
    expect(await askCode({ ...input, role_id: UNKNOWN_ROLE })).toBe('unknown_role');
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(0);
  });

  test('is unknown_role even for callers who ask while a listing runs', async () => {
    const { ask, askCode, discord } = await startTokenListing(bigGuild(10));
    const gate = discord.rest.faults.hold(MEMBERS);
    const listing = ask();
    await gate.reached;
    expect(await askCode({ role_id: UNKNOWN_ROLE })).toBe('unknown_role');
    gate.release();
    expect((await listing).value['count']).toBe(4);
  });

  test('does not end the listing of others', async () => {
    const { ask, askCode } = await startTokenListing(bigGuild(10));
    const [code, answer] = await Promise.all([askCode({ role_id: UNKNOWN_ROLE }), ask()]);
    expect([code, answer.value['count']]).toEqual(['unknown_role', 4]);
  });
});

describe('a failing Discord', () => {
  test.each([
    ['a 500', (faults: Faults) => faults.fail(GUILD_ROUTE, 500), 'discord_unavailable'],
    ['a page of a proxy', (faults: Faults) => faults.garble(GUILD_ROUTE), 'discord_unavailable'],
    ['another form', (faults: Faults) => faults.fail(GUILD_ROUTE, 200), 'discord_unavailable'],
    [
      'a 403 of a proxy',
      (faults: Faults) => faults.garble(GUILD_ROUTE, { status: 403, contentType: 'text/html' }),
      'discord_unavailable',
    ],
    ['a cut connection', (faults: Faults) => faults.drop(GUILD_ROUTE), 'discord_unavailable'],
    ['a bad request', (faults: Faults) => faults.fail(GUILD_ROUTE, 400), 'discord_unavailable'],
    ['silence', (faults: Faults) => void faults.hold(GUILD_ROUTE), 'discord_timeout'],
  ])('leads to one clear code: %s', async (_, breakIt, code) => {
    // A busy machine answers late as well, and then the caller asks again.
    const isSilent = code === 'discord_timeout';
    const { askUntilDone, askCode, discord } = await startTokenListing(
      bigGuild(10),
      isSilent ? { callTimeoutMs: 1_000 } : {},
    );
    breakIt(discord.rest.faults);
    expect(await askCode()).toBe(code);
    expect((await askUntilDone()).value['count']).toBe(4);
  });

  test('leads to discord_timeout when a count takes longer than its caller waits', async () => {
    const { askCode, discord } = await startTokenListing(bigGuild(10), { callerWaitMs: 50 });
    const gate = discord.rest.faults.hold(COUNTS);
    expect(await askCode({ count_only: true })).toBe('discord_timeout');
    gate.release();
  });

  test('ends a listing only after three attempts at a page in the middle', async () => {
    const { ask, askCode, discord } = await startTokenListing(bigGuild(3_000), { keptMs: 0 });
    const failSecondPage = async (times: number) => {
      const gate = discord.rest.faults.hold(MEMBERS);
      const settled = askCode().catch(() => 'none');
      await gate.reached;
      discord.rest.faults.fail(MEMBERS, 503, { times });
      gate.release();
      return settled;
    };
    expect(await failSecondPage(3)).toBe('discord_unavailable');
    expect(await failSecondPage(2)).toBe('none');
    expect(membersOf(await ask())).toEqual(discord.guild().holdersOf(BLUE));
  });
});

describe('rate limits of Discord', () => {
  test('are awaited inside a listing', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(12_000));
    discord.rest.limits.set(MEMBERS, { count: 5, windowMs: 50 });
    expect(membersOf(await ask())).toEqual(discord.guild().holdersOf(BLUE));
    expect(discord.rest.callsTo(MEMBERS).filter((call) => call.status === 429)).toHaveLength(0);
  });

  test('are reported to the caller when Discord refuses the first request', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(10));
    discord.rest.faults.rateLimit(GUILD_ROUTE, 6.4);
    // Discord's own header is in whole seconds.
    await expect(ask()).rejects.toMatchObject({ code: 'discord_rate_limited', retryAfterSeconds: 7 });
    expect(discord.rest.calls).toHaveLength(1);
  });

  test('are reported to the caller when the wait is longer than a minute', async () => {
    const { askCode, discord } = await startTokenListing(bigGuild(2_500));
    discord.rest.faults.rateLimit(MEMBERS, 61);
    expect(await askCode()).toBe('discord_rate_limited');
  });

  test('end a listing that is refused repeatedly', async () => {
    const { askCode, discord } = await startTokenListing(bigGuild(2_500));
    discord.rest.faults.rateLimit(MEMBERS, 0, { times: 50 });
    expect(await askCode()).toBe('discord_rate_limited');
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(6);
  });
});

describe('too many invalid requests in the whole process', () => {
  test('allow only tokens that worked in the last hour, then none', async () => {
    let now = 1_000_000;
    const breaker = new InvalidRequestBreaker({ now: () => now });
    const { ask, discord } = await startTokenListing(
      { ...bigGuild(10), bots: [{ name: 'one' }, { name: 'two' }] },
      { breaker, now: () => now },
    );
    const two = { secret: discord.bot('two').token };
    await ask();
    for (let answer = 0; answer < 1_000; answer += 1) breaker.record();
    await expect(ask({}, two)).rejects.toMatchObject({ code: 'discord_paused', retryAfterSeconds: 600 });
    expect((await ask()).value['count']).toBe(4);
    for (let answer = 0; answer < 2_000; answer += 1) breaker.record();
    await expect(ask()).rejects.toMatchObject({ code: 'discord_paused' });
    now += 600_001;
    expect((await ask({}, two)).value['count']).toBe(4);
  });

  test('are counted from the responses of Discord', async () => {
    const breaker = new InvalidRequestBreaker();
    const record = vi.spyOn(breaker, 'record');
    const { askCode, discord } = await startTokenListing(bigGuild(10), { breaker });
    await askCode({}, { secret: badToken(1) });
    discord.rest.faults.rateLimit(GUILD_ROUTE, 1);
    await askCode();
    discord.bot().privilegedIntents.clear();
    await askCode();
    await askCode({ guild_id: OTHER_GUILD });
    expect(record).toHaveBeenCalledTimes(3);
  });
});

describe('a question without any request', () => {
  test('is refused with a token if tokens are switched off', async () => {
    const { askCode, discord } = await startTokenListing(bigGuild(10), { allowsCallerTokens: false });
    expect(await askCode()).toBe('caller_tokens_disabled');
    expect(discord.rest.calls).toHaveLength(0);
  });

  test.each(['Bearer', 'Bot', 'x', 'mfa.', '{token}'])('is refused with %s as a token', async (start) => {
    const { askCode, discord } = await startTokenListing(bigGuild(10));
    expect(await askCode({}, { secret: `${start} ${'a'.repeat(60)}` })).toBe('token_malformed');
    expect(discord.rest.calls).toHaveLength(0);
  });

  test('is not sent to Discord for a caller who has disconnected', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(10));
    await expect(ask({}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(discord.rest.calls).toHaveLength(0);
  });

  test('requires a token for source=token', async () => {
    const { ask } = await startTokenListing(bigGuild(10));
    await expect(ask({ source: 'token', guild_id: GUILD }, { secret: null })).rejects.toMatchObject({
      code: 'missing_field',
      field: 'Token',
    });
  });
});

type Faults = Awaited<ReturnType<typeof startTokenListing>>['discord']['rest']['faults'];
