import { describe, expect, onTestFinished, test } from 'vitest';

import { roleCounts } from '../../../src/operations/role-counts/operation.ts';
import { Feed } from '../gateway-members/gateway-members-setup.ts';
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
} from './rest-members-setup.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { NO_MEMBERS } from '../../fixtures/no-members.ts';

const NO_ROLE = { role_id: undefined };

describe('questions of several roles', () => {
  test('get the same answers from the gateway and with a token, which match the server', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(3_000));
    const feed = await new Feed(discord, {}).login();
    onTestFinished(async () => {
      feed.members.close();
      await feed.connection.close();
    });
    await feed.untilComplete();
    const guild = discord.guild();
    const ids = guild.holdersOf(GUILD);
    const [blue, red] = [new Set(guild.holdersOf(BLUE)), new Set(guild.holdersOf(RED))];
    const some = [ids[0], ids[1], ids[3], '100000000000000001'];
    for (const [question, fits] of [
      [{ all: [BLUE, RED] }, (id: string) => blue.has(id) && red.has(id)],
      [{ any: `${BLUE},${RED}` }, (id: string) => blue.has(id) || red.has(id)],
      [{ role_id: RED, none: [BLUE] }, (id: string) => red.has(id) && !blue.has(id)],
      [{ none: `<@&${BLUE}>` }, (id: string) => !blue.has(id)],
      [{ all: BLUE, none: BLUE }, () => false],
      [{ role_id: BLUE, user_id: some }, (id: string) => blue.has(id) && some.includes(id)],
      [{ none: RED, user_id: some.join(' ') }, (id: string) => !red.has(id) && some.includes(id)],
    ] as const) {
      const expected = ids.filter(fits);
      const pages = [{}, { limit: 7 }, { limit: 7, after: ids[1_000] }, { count_only: true }];
      for (const page of pages) {
        const input = { ...NO_ROLE, ...question, ...page };
        const gateway = await ask({ ...input, source: 'gateway' }, { guildId: GUILD, members: feed.members });
        const token = await ask({ ...input, source: 'token' }, { guildId: GUILD });
        const moment = { as_of: 0, source: '', members: null };
        expect({ ...gateway.value, ...moment }).toEqual({ ...token.value, ...moment });
        expect(membersOf(gateway)).toEqual(membersOf(token));
        expect(gateway.value['count']).toBe(expected.length);
      }
      expect(membersOf(await ask({ ...NO_ROLE, ...question }))).toEqual(expected);
    }
    // One listing for all of them.
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(4);
  });

  test('ask their callers to retry while the listing runs', async () => {
    const { askCode, askUntilDone, discord } = await startTokenListing(bigGuild(4_500), {
      callerWaitMs: 500,
    });
    const gate = discord.rest.faults.hold(MEMBERS);
    const question = { ...NO_ROLE, all: [BLUE], none: [RED], sample: 3 };
    expect(await askCode(question)).toBe('member_list_unavailable');
    gate.release();
    const { value } = await askUntilDone(question);
    expect(value).toMatchObject({ count: 1_499, returned: 3, next_after: null });
  });

  test('name the unknown role, without a listing', async () => {
    const { ask, askCode, discord } = await startTokenListing(bigGuild(5_000));
    const strange = '400000000000000099';
    expect(await askCode({ ...NO_ROLE, all: [BLUE, strange] })).toBe('unknown_role');
    await expect(ask({ ...NO_ROLE, all: [BLUE, strange] })).rejects.toThrow(strange);
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(0);
  });

  test('have one version for the same question, and a draw has none', async () => {
    const { ask } = await startTokenListing(bigGuild(30));
    const first = await ask({ ...NO_ROLE, all: [BLUE, RED] });
    expect((await ask({ role_id: RED, all: `<@&${BLUE}>` })).version).toBe(first.version);
    expect((await ask({ ...NO_ROLE, any: [BLUE, RED] })).version).not.toBe(first.version);
    expect((await ask({ sample: 2 })).version).toBeUndefined();
  });
});

describe('the counts of all roles', () => {
  test('are sorted by id, with one request for the counts', async () => {
    const { discord, directory } = await startTokenListing(bigGuild(30));
    const { value } = await roleCounts.answer(
      { guild_id: GUILD },
      {
        tenantId: KEY_GUILD,
        guildId: KEY_GUILD,
        secret: discord.bot().token,
        now: Date.now,
        signal: new AbortController().signal,
        images: { fetch: () => Promise.reject(new Error('no image')) },
        members: NO_MEMBERS,
        idempotencyKey: null,
        deliveries: NO_DELIVERIES,
        restMembers: directory,
      },
    );
    expect(value).toMatchObject({
      guild_id: GUILD,
      roles: [
        { role_id: BLUE, count: 10 },
        { role_id: RED, count: 2 },
        { role_id: EMPTY, count: 0 },
      ],
      members: 31,
      source: 'token',
    });
    expect(discord.rest.callsTo(MEMBERS)).toHaveLength(0);
    expect(discord.rest.callsTo(COUNTS)).toHaveLength(1);
  });
});
