import { describe, expect, test, vi } from 'vitest';

import { InvalidRequestBreaker } from '../../../src/upstream/invalid-request-breaker.ts';
import { startSimulator } from '../../simulator/simulator.ts';
import { POLL } from '../../fixtures/poll.ts';
import { membersText, startService } from './role-members-http-setup.ts';
import { startDiscordApp } from '../../fixtures/test-app.ts';
import { BLUE, bigGuild, COUNTS, GUILD, MEMBERS } from '../rest-members/rest-members-setup.ts';

describe('GET /api/role-members while a listing runs', () => {
  test('answers 503 with progress and Retry-After, then 200 with the same bytes as the gateway', async () => {
    await using service = await startService(bigGuild(9_000), { restMembers: { callerWaitMs: 50 } });
    await service.untilComplete();
    const token = { Token: service.discord.bot().token };
    const gate = service.discord.rest.faults.hold(MEMBERS);
    const ask = () => service.ask({ source: 'token' }, token);
    let going = await ask();
    // The number of members is not known before the first answer of Discord.
    while (!String(going.body['error']).includes('9,001')) going = await ask();
    expect(going.status).toBe(503);
    expect(going.headers.get('retry-after')).toBe(String(going.body['retry_after']));
    expect(going.headers.get('etag')).toBeNull();
    expect(going.headers.get('cache-control')).toBe('no-store');
    expect(going.body).toEqual({
      ok: false,
      status: 503,
      code: 'member_list_unavailable',
      error: 'Still reading this server: 0 of about 9,001 members so far.',
      field: null,
      hint: 'Send the same request again after retry_after seconds. The result is kept for 10 minutes.',
      retry_after: expect.any(Number),
      request_id: expect.any(String),
    });
    const flat = await service.ask({ source: 'token', flat: 'true', always_200: 'true' }, token);
    expect(flat.status).toBe(200);
    expect(flat.body).toMatchObject({ ok: false, status: 503, code: 'member_list_unavailable', field: '' });
    gate.release();
    let done = await ask();
    for (; done.status === 503; done = await ask());
    expect([done.status, done.body['count']]).toEqual([200, 3_000]);
    expect(membersText(done)).toBe(membersText(await service.ask({ source: 'gateway' })));
    expect(service.discord.rest.callsTo(MEMBERS)).toHaveLength(10);
  });

  test('counts as no failure in the log, the metrics and the usage of the key', async () => {
    const discord = await startSimulator(bigGuild(10));
    discord.rest.faults.hold(MEMBERS);
    const token = discord.bot().token;
    await using app = await startDiscordApp(
      discord,
      { METRICS_PORT: '0' },
      { restMembers: { callerWaitMs: 1_000 } },
    );
    const path = `/api/role-members?guild_id=${GUILD}&role_id=${BLUE}&source=token`;
    const { status, body } = await app.call(path, { headers: { token } });
    expect([status, body['code']]).toEqual([503, 'member_list_unavailable']);
    const line = await vi.waitUntil(
      () => app.logLines.find((each) => each.includes(String(body['request_id']))),
      POLL,
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 'info',
      operation: 'role-members',
      status: 503,
      code: 'member_list_unavailable',
    });
    expect(await app.metrics()).toContain('requests_total{operation="role-members",status="202",code=""} 1');
  });
});

describe('GET /api/role-members after too many refusals by Discord', () => {
  test('refuses tokens even if only its own bot was refused, and still answers from its own list', async () => {
    const breaker = new InvalidRequestBreaker({ pausedFrom: 3 });
    await using service = await startService(bigGuild(100), {
      restMembers: { breaker },
      members: { selfCheckMs: 1 },
    });
    service.discord.rest.faults.fail(COUNTS, 403, { times: 3, code: 50_001 });
    await service.discord.until(() => service.discord.rest.callsTo(COUNTS).length > 3);
    const token = { Token: service.discord.bot().token };
    const paused = await service.ask({ source: 'token' }, token);
    expect([paused.status, paused.body['code']]).toEqual([503, 'discord_paused']);
    await service.untilComplete();
    expect((await service.ask({}, token)).body).toMatchObject({ source: 'gateway', count: 34 });
  });
});

describe('GET /api/role-members without a complete list', () => {
  test('answers 503 with progress and Retry-After while it loads, or uses a token if there is one', async () => {
    const discord = await startSimulator(bigGuild(3_000));
    const held = discord.gateway.memberRequests.holdNext(GUILD);
    await using app = await startDiscordApp(discord);
    const headers = { authorization: await app.createKey({ guildId: GUILD }) };
    const chunks = await held;
    const path = `/api/role-members?role_id=${BLUE}`;
    const loading = await app.call(path, { headers });
    expect([loading.status, loading.body['code']]).toEqual([503, 'member_list_unavailable']);
    expect(loading.body['error']).toMatch(/0 of 300\d members so far/);
    expect(loading.headers.get('retry-after')).toBe(String(loading.body['retry_after']));
    const listed = await app.call(path, { headers: { ...headers, Token: discord.bot().token } });
    expect(listed.body).toMatchObject({ source: 'token', count: 1_000 });
    chunks.release();
    const whole = await vi.waitUntil(async () => {
      const reply = await app.call(path, { headers });
      return reply.status === 503 ? undefined : reply;
    }, POLL);
    expect(whole.body).toMatchObject({ source: 'gateway', count: 1_000 });
    expect(membersText(whole)).toBe(membersText(listed));
  });

  test('says where to switch on the intent when Discord closes with 4014, while the rest works', async () => {
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

  test('works with a server that lists the guild among the roles of its members', async () => {
    await using service = await startService({ ...bigGuild(1_500), spacebar: true });
    await service.untilComplete();
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
