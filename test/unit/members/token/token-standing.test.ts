import { describe, expect, test } from 'vitest';

import { TokenStanding } from '../../../../src/members/token/token-standing.ts';
import { Problem, type ProblemCode } from '../../../../src/kernel/problem.ts';

const [KEY_GUILD, GUILD, OTHER_GUILD] = ['300000000000000001', '300000000000000002', '300000000000000003'];

function start() {
  let now = 1_000_000;
  const standing = new TokenStanding(() => now);
  return {
    standing,
    pass: (ms: number) => {
      now += ms;
    },
    /** The code of the problem with which a token is refused for a guild; null when it is admitted. */
    refusal: (guildId: string, token: string | null = 'a') =>
      codeOf(() =>
        token === null
          ? standing.admitOwn('own token', guildId, false)
          : standing.admit(token, KEY_GUILD, guildId),
      ),
  };
}

function codeOf(work: () => unknown): ProblemCode | null {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  return null;
}

describe('what Discord refused a token', () => {
  test('is remembered for a minute, for this guild', () => {
    const { standing, pass, refusal } = start();
    const lookup = standing.admit('a', KEY_GUILD, GUILD);
    standing.noteFailed(lookup, new Problem('discord_missing_access'), true);
    expect([refusal(GUILD), refusal(OTHER_GUILD), refusal(GUILD, 'b')]).toEqual([
      'discord_missing_access',
      null,
      null,
    ]);
    expect(codeOf(() => standing.check(lookup))).toBe('discord_missing_access');
    pass(60_000);
    expect(refusal(GUILD)).toBeNull();
  });

  test('says nothing about the guild when it was a channel', () => {
    const { standing, refusal } = start();
    const lookup = standing.admit('a', KEY_GUILD, GUILD);
    standing.noteFailed(lookup, new Problem('discord_missing_access'), false);
    expect(refusal(GUILD)).toBeNull();
  });

  test('is remembered as unknown for a day, for all guilds and for running lookups', () => {
    const { standing, pass, refusal } = start();
    const other = standing.admit('a', KEY_GUILD, OTHER_GUILD);
    standing.noteFailed(standing.admit('a', KEY_GUILD, GUILD), new Problem('discord_token_rejected'), true);
    expect([refusal(GUILD), codeOf(() => standing.check(other))]).toEqual([
      'discord_token_rejected',
      'discord_token_rejected',
    ]);
    const late = standing.noteFailed(other, new Problem('discord_unavailable'), true);
    expect(late.code).toBe('discord_token_rejected');
    pass(86_400_000);
    expect(refusal(GUILD)).toBeNull();
  });
});

test("a 401 of the service's own bot is unavailable for a minute, in all guilds, and no rejected token", () => {
  const { standing, pass, refusal } = start();
  const lookup = standing.admitOwn('own token', GUILD, false);
  expect(standing.noteFailed(lookup, new Problem('discord_token_rejected'), true).code).toBe(
    'discord_unavailable',
  );
  expect([refusal(OTHER_GUILD, null), refusal(OTHER_GUILD)]).toEqual(['discord_unavailable', null]);
  pass(60_000);
  expect(refusal(OTHER_GUILD, null)).toBeNull();
});
