import { describe, expect, test } from 'vitest';

import {
  BLUE,
  bigGuild,
  COUNTS,
  EMPTY,
  GUILD,
  GUILD_ROUTE,
  MEMBERS,
  membersOf,
  RED,
  startTokenListing,
} from './rest-members-setup.ts';

describe('a listing with a token', () => {
  test('lists all holders of a role in ascending order, over several pages', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(2_500));
    const answer = await ask();
    expect(membersOf(answer)).toEqual(discord.guild().holdersOf(BLUE));
    expect(answer.value).toMatchObject({
      ok: true,
      guild_id: GUILD,
      role_id: BLUE,
      count: 834,
      returned: 834,
      next_after: null,
      source: 'token',
    });
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(3);
    expect(discord.rest.calls.every((call) => call.authorization === `Bot ${discord.bot().token}`)).toBe(
      true,
    );
  });

  test('accepts the id of the guild for all members', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(1_200));
    const answer = await ask({ role_id: GUILD });
    expect(membersOf(answer)).toEqual(discord.guild().holdersOf(GUILD));
    expect(answer.value['count']).toBe(1_201);
  });

  test('pages through a role with limit and after', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(2_500));
    const ids: string[] = [];
    let after: unknown = '0';
    while (after !== null) {
      const answer = await ask({ limit: '300', after });
      expect(answer.value['count']).toBe(834);
      ids.push(...membersOf(answer));
      after = answer.value['next_after'];
    }
    expect(ids).toEqual(discord.guild().holdersOf(BLUE));
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(3);
  });

  test('returns an empty page beyond the end', async () => {
    const { ask } = await startTokenListing(bigGuild(1_200));
    const answer = await ask({ after: '18446744073709551615', limit: 10 });
    expect(answer.value).toMatchObject({ count: 400, returned: 0, next_after: null, members: { length: 0 } });
  });

  test('counts with one request', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(2_500));
    const answer = await ask({ count_only: 'true' });
    expect(answer.value).toMatchObject({ count: 834, returned: 0, next_after: null });
    expect(membersOf(answer)).toEqual([]);
    expect(discord.rest.calls.map((call) => call.route)).toEqual([COUNTS]);
  });

  test('counts all members over the full listing', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(1_200));
    const answer = await ask({ role_id: GUILD, count_only: 'true' });
    expect(answer.value).toMatchObject({ count: 1_201, returned: 0, next_after: null });
    expect(membersOf(answer)).toEqual([]);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(2);
  });

  test('requests only the guild and all its pages, whatever the question', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(8_000));
    discord.guild().updateMember(discord.guild().holdersOf(GUILD)[1_500] ?? '', { roles: [EMPTY] });
    expect(membersOf(await ask({ role_id: EMPTY }))).toEqual(discord.guild().holdersOf(EMPTY));
    expect(discord.rest.calls.map(({ route }) => route)).toEqual([GUILD_ROUTE, ...Array(9).fill(MEMBERS)]);
  });

  test('is shared among all concurrent callers', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(2_500));
    const answers = await Promise.all([ask(), ask(), ask({ role_id: RED }), ask({ role_id: GUILD })]);
    expect(answers.map((answer) => answer.value['count'])).toEqual([834, 834, 2, 2_501]);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(3);
    expect(discord.rest.callsTo(GUILD_ROUTE)).toHaveLength(1);
  });
});
