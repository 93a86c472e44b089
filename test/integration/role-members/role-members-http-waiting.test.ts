import { describe, expect, test, vi } from 'vitest';

import { InvalidAnswerBreaker } from '../../../src/upstream/invalid-answer-breaker.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { PATIENCE } from '../../fixtures/patience.ts';
import { membersText, startService } from './role-members-http-setup.ts';
import { startDiscordApp } from '../../fixtures/test-app.ts';
import { BLUE, bigGuild, COUNTS, GUILD, MEMBERS } from '../token-listing/token-listing-setup.ts';

describe('GET /api/role-members while a listing goes on', () => {
  test('is 202 with progress and Retry-After, then 200 with the same bytes as the gateway', async () => {
    await using service = await startService(bigGuild(9_000), { tokenMembers: { patienceMs: 50 } });
    await service.whole();
    const token = { Token: service.discord.bot().token };
    const gate = service.discord.rest.faults.hold(MEMBERS);
    let pending = await service.ask({ source: 'token' }, token);
    // Not known before the first answer of Discord.
    while (pending.body['total'] === null) pending = await service.ask({ source: 'token' }, token);
    expect(pending.status).toBe(202);
    expect(pending.headers.get('retry-after')).toBe(String(pending.body['retry_after']));
    expect(pending.headers.get('etag')).toBeNull();
    expect(pending.headers.get('cache-control')).toBe('no-store');
    expect(pending.body).toEqual({
      ok: true,
      guild_id: GUILD,
      role_id: BLUE,
      count: null,
      members: null,
      returned: null,
      next_after: null,
      bots: 'include',
      source: 'token',
      as_of: null,
      pending: true,
      fetched: 0,
      total: 9_001,
      retry_after: expect.any(Number),
    });
    const flat = await service.ask({ source: 'token', flat: 'true', always_200: 'true' }, token);
    expect(flat.status).toBe(200);
    expect(flat.body).toMatchObject({ status: 202, pending: true, count: '', members: '', total: 9_001 });
    gate.release();
    let done = await service.ask({ source: 'token' }, token);
    for (; done.status === 202; done = await service.ask({ source: 'token' }, token));
    expect([done.status, done.body['pending'], done.body['count']]).toEqual([200, false, 3_000]);
    expect(membersText(done)).toBe(membersText(await service.ask({ source: 'gateway' })));
    expect(service.discord.rest.callsTo(MEMBERS)).toHaveLength(10);
  });
});

describe('GET /api/role-members when Discord has refused too much', () => {
  test('uses no token, even when its own bot was refused, while its own list still works', async () => {
    const breaker = new InvalidAnswerBreaker({ pausedFrom: 3 });
    await using service = await startService(bigGuild(100), {
      tokenMembers: { breaker },
      members: { selfCheckMs: 1 },
    });
    service.discord.rest.faults.fail(COUNTS, 403, { times: 3, code: 50_001 });
    await service.discord.until(() => service.discord.rest.callsTo(COUNTS).length > 3);
    const token = { Token: service.discord.bot().token };
    const paused = await service.ask({ source: 'token' }, token);
    expect([paused.status, paused.body['code']]).toEqual([503, 'discord_paused']);
    await service.whole();
    expect((await service.ask({}, token)).body).toMatchObject({ source: 'gateway', count: 34 });
  });
});

describe('GET /api/role-members without a whole list', () => {
  test('is 503 with progress and Retry-After while it loads, and takes the token instead where there is one', async () => {
    const discord = await startSimulator(bigGuild(3_000));
    const held = discord.gateway.memberRequests.holdNext(GUILD);
    await using app = await startDiscordApp(discord);
    const headers = { authorization: await app.createKey({ guildId: GUILD }) };
    const chunks = await held;
    const path = `/api/role-members?role_id=${BLUE}`;
    const loading = await app.call(path, { headers });
    expect([loading.status, loading.body['code']]).toEqual([503, 'member_list_unavailable']);
    expect(loading.body['error']).toMatch(/0 of 300\d members have been read/);
    expect(loading.headers.get('retry-after')).toBe(String(loading.body['retry_after']));
    const listed = await app.call(path, { headers: { ...headers, Token: discord.bot().token } });
    expect(listed.body).toMatchObject({ source: 'token', count: 1_000 });
    chunks.release();
    const whole = await vi.waitUntil(async () => {
      const reply = await app.call(path, { headers });
      return reply.status === 503 ? undefined : reply;
    }, PATIENCE);
    expect(whole.body).toMatchObject({ source: 'gateway', count: 1_000 });
    expect(membersText(whole)).toBe(membersText(listed));
  });

  test('says where to switch the intent on when Discord closes with 4014, and the rest works', async () => {
    await using service = await startService({
      ...bigGuild(100),
      bots: [{ privilegedIntents: [] }],
    });
    const { body, status } = await service.until({}, ({ body }) => String(body['error']).includes('Intent'));
    expect([status, body['code']]).toEqual([503, 'member_list_unavailable']);
    expect(body['hint']).toContain('developer portal');
    const listed = await service.ask({}, { Token: service.discord.bot().token });
    expect([listed.status, listed.body['code']]).toEqual([403, 'discord_missing_access']);
    expect(listed.body['hint']).toContain('Server Members Intent');
  });

  test('reads a server that speaks like Discord: the guild among the roles of its members', async () => {
    await using service = await startService({ ...bigGuild(1_500), spacebar: true });
    await service.whole();
    const guild = service.discord.guild();
    const token = { Token: service.discord.bot().token };
    for (const source of ['gateway', 'token']) {
      const blue = await service.ask({ source }, token);
      expect(blue.body['members']).toEqual(guild.holdersOf(BLUE));
      const everyone = await service.ask({ source, role_id: GUILD, count_only: 'true' }, token);
      expect(everyone.body).toMatchObject({ count: guild.members.size, members: [] });
    }
  });
});
