import { describe, expect, test } from 'vitest';

import type { ListedMember } from '../../../../src/members/discord-answers.ts';
import { MemberPages } from '../../../../src/members/rest/member-pages.ts';
import { TokenAccess } from '../../../../src/members/rest/token-access.ts';
import { Problem, type ProblemCode } from '../../../../src/kernel/problem.ts';

const GUILD = '300000000000000001';
const MEMBER: ListedMember = { userId: '400000000000000001', roleIds: [], isBot: false };
/** One caller with a token, who asks about one guild. */
const lookup = new TokenAccess(Date.now).admit('a', GUILD, GUILD);

/** Pages that come, or fail with these codes, one after another. */
function openPages(...answers: (ListedMember[] | ProblemCode)[]) {
  const rest = [...answers];
  const pages = new MemberPages({
    calls: {
      async readMembers() {
        const answer = rest.shift() ?? [];
        if (typeof answer === 'string') throw new Problem(answer);
        return answer;
      },
    },
    retryDelaysMs: [0],
    signal: new AbortController().signal,
  });
  return { pages, rest };
}

describe('a failing page of members', () => {
  test.each(['busy', 'discord_timeout', 'discord_unavailable'] as const)(
    'with %s is read again when others came before it',
    async (code) => {
      const { pages } = openPages([MEMBER], code, []);
      expect(await pages.next(lookup)).toEqual([MEMBER]);
      expect(await pages.next(lookup)).toEqual([]);
    },
  );

  test.each(['busy', 'discord_timeout'] as const)(
    'with %s ends the listing when it is the first one',
    async (code) => {
      const { pages, rest } = openPages(code, [MEMBER]);
      await expect(pages.next(lookup)).rejects.toMatchObject({ code });
      expect(rest).toEqual([[MEMBER]]);
    },
  );

  test('is not read again when the bot has left', async () => {
    const { pages, rest } = openPages([MEMBER], 'unknown_guild', []);
    await pages.next(lookup);
    await expect(pages.next(lookup)).rejects.toMatchObject({ code: 'unknown_guild' });
    expect(rest).toHaveLength(1);
  });
});
