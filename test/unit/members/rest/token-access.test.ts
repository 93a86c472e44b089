import { describe, expect, test } from 'vitest';

import { TokenAccess, type Lookup, type Path } from '../../../../src/members/rest/token-access.ts';
import type { FailedOutcome } from '../../../../src/upstream/call-outcome.ts';
import { Problem, type ProblemCode } from '../../../../src/kernel/problem.ts';

const [KEY_GUILD, GUILD, OTHER_GUILD] = ['300000000000000001', '300000000000000002', '300000000000000003'];

function start() {
  let now = 1_000_000;
  const access = new TokenAccess(() => now);
  return {
    access,
    pass: (ms: number) => {
      now += ms;
    },
    /** The code of the problem with which a token is refused for a guild; null when it is admitted. */
    refusal: (guildId: string, token: string | null = 'a') =>
      codeOf(() =>
        token === null
          ? access.admitOwn('own token', guildId, false)
          : access.admit(token, KEY_GUILD, guildId),
      ),
  };
}

/** What the caller is told after Discord has refused a call, which is noted. */
function refuse(access: TokenAccess, lookup: Lookup, status: number, path: Path = '/guilds/1'): ProblemCode {
  const outcome: FailedOutcome = { kind: 'refused', status, code: 0, path: null };
  const call = { ...lookup, path };
  access.record(call, outcome);
  return access.problemOf(call, outcome).code;
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

describe('a token that Discord refused', () => {
  test('is remembered for a minute, for this guild', () => {
    const { access, pass, refusal } = start();
    const lookup = access.admit('a', KEY_GUILD, GUILD);
    refuse(access, lookup, 403);
    expect([refusal(GUILD), refusal(OTHER_GUILD), refusal(GUILD, 'b')]).toEqual([
      'discord_missing_access',
      null,
      null,
    ]);
    expect(codeOf(() => access.check(lookup))).toBe('discord_missing_access');
    pass(60_000);
    expect(refusal(GUILD)).toBeNull();
  });

  test('does not affect the guild when it was a channel', () => {
    const { access, refusal } = start();
    const lookup = access.admit('a', KEY_GUILD, GUILD);
    refuse(access, lookup, 403, '/channels/1');
    expect(refusal(GUILD)).toBeNull();
  });

  test('is remembered as unknown for a day, for all guilds and for running lookups', () => {
    const { access, pass, refusal } = start();
    const other = access.admit('a', KEY_GUILD, OTHER_GUILD);
    refuse(access, access.admit('a', KEY_GUILD, GUILD), 401);
    expect([refusal(GUILD), codeOf(() => access.check(other))]).toEqual([
      'discord_token_rejected',
      'discord_token_rejected',
    ]);
    expect(refuse(access, other, 404)).toBe('discord_token_rejected');
    pass(86_400_000);
    expect(refusal(GUILD)).toBeNull();
  });
});

test("a 401 of the service's own bot makes it unavailable for a minute, in all guilds, and rejects no token", () => {
  const { access, pass, refusal } = start();
  const lookup = access.admitOwn('own token', GUILD, false);
  expect(refuse(access, lookup, 401)).toBe('discord_unavailable');
  expect([refusal(OTHER_GUILD, null), refusal(OTHER_GUILD)]).toEqual(['discord_unavailable', null]);
  pass(60_000);
  expect(refusal(OTHER_GUILD, null)).toBeNull();
});
