import { Routes } from 'discord-api-types/v10';
import type { APIGuildMember } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';
import { startSimulator } from './simulator.ts';
import { makeRest } from './test-client.ts';

describe('the access rules of REST', () => {
  const GUILD = '42000000000000000';
  test.each([
    ['/guilds/1', 404, 10004],
    ['/guilds/1/roles', 404, 10004],
    [`/guilds/${GUILD}/members/9`, 404, 10007],
    ['/guilds/not-an-id', 400, 50035],
    [`/guilds/${GUILD}/members?limit=0`, 400, 50035],
    [`/guilds/${GUILD}/members?limit=1001`, 400, 50035],
    [`/guilds/${GUILD}/members?limit=1&after=x`, 400, 50035],
    ['/nothing/here', 404, 0],
    ['/guilds/%E0%A4%A', 400, 50035],
    ['/applications/1/commands', 403, 20012],
    ['/users/999', 404, 10013],
  ] as const)('refuse GET %s with %i and code %i', async (path, status, code) => {
    await using discord = await startSimulator({ guilds: [{ id: GUILD }] });
    await expect(makeRest(discord).get(path)).rejects.toMatchObject({ status, code });
  });

  test('answer 401 for a wrong token, and 403 for a guild without the bot or a missing intent', async () => {
    await using discord = await startSimulator({
      bots: [{ privilegedIntents: [] }, { name: 'outside', guilds: [] }],
      guilds: [{}],
    });
    const { id } = discord.guild();
    const wrong = makeRest(discord, { token: 'no.such.token' });
    await expect(wrong.get(Routes.guild(id))).rejects.toMatchObject({ status: 401, code: 0 });
    const outside = makeRest(discord, { token: discord.bot('outside').token });
    await expect(outside.get(Routes.guildMembers(id))).rejects.toMatchObject({ status: 403, code: 50001 });
    const noIntent = makeRest(discord);
    await expect(noIntent.get(Routes.guildMembers(id))).rejects.toMatchObject({ status: 403, code: 50001 });
    expect(await noIntent.get(Routes.guildRoles(id))).toHaveLength(1);
    expect(await noIntent.get(Routes.currentApplication())).toMatchObject({ flags: 0, id: discord.bot().id });
    discord.bot().privilegedIntents.add('GuildMembers');
    expect(await noIntent.get(Routes.guildMembers(id))).toHaveLength(1);
    discord.bot().token = 'a.new.token';
    await expect(noIntent.get(Routes.guild(id))).rejects.toMatchObject({ status: 401 });
  });
});

describe('the guilds of REST', () => {
  test('show their counts, roles, how many members hold each, and one member', async () => {
    await using discord = await startSimulator({
      guilds: [
        {
          roles: [{ id: '901' }, { id: '902' }],
          members: [
            { id: '11', roles: ['901'] },
            { id: '12', roles: ['901'] },
          ],
        },
      ],
    });
    const rest = makeRest(discord);
    const guild = discord.guild();
    expect(await rest.get(Routes.guild(guild.id))).not.toHaveProperty('approximate_member_count');
    const counted = await rest.get(Routes.guild(guild.id), {
      query: new URLSearchParams({ with_counts: 'true' }),
    });
    expect(counted).toMatchObject({ id: guild.id, approximate_member_count: 3 });
    expect(await rest.get(`/guilds/${guild.id}/roles/member-counts`)).toEqual({ '901': 2, '902': 0 });
    expect(await rest.get(Routes.guildMember(guild.id, '11'))).toMatchObject({
      user: { id: '11' },
      roles: ['901'],
    });
    expect(await rest.get(Routes.user('11'))).toMatchObject({ id: '11' });
    expect(await rest.get('/users/@me/guilds')).toMatchObject([{ id: guild.id }]);
  });

  test('list 250,000 members page by page, ascending, none twice and none missing', async () => {
    await using discord = await startSimulator({
      guilds: [{ members: { count: 250_000, rolesOf: (index) => (index % 1000 === 0 ? ['901'] : []) } }],
    });
    const rest = makeRest(discord);
    const path = Routes.guildMembers(discord.guild().id);
    // The first, one in the middle and the last pages: all 251 would only take longer.
    const read = async (after: string): Promise<APIGuildMember[]> => {
      const query = new URLSearchParams({ limit: '1000', after });
      return (await rest.get(path, { query })) as APIGuildMember[];
    };
    const first = await read('0');
    const second = await read(first.at(-1)?.user.id ?? '');
    const ids = [...first, ...second].map(({ user }) => BigInt(user.id));
    expect(ids).toHaveLength(2000);
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0n))).toBe(true);
    const last = await read(String(200_000_000_000_000_000n + 249_989n * 1_000_003n));
    // The ten last generated ones, and the bot, whose id is higher.
    expect(last).toHaveLength(11);
    expect(await read(last.at(-1)?.user.id ?? '')).toEqual([]);
    expect(discord.guild().holdersOf('901')).toHaveLength(250);
    expect(discord.guild().memberCount).toBe(250_001);
  });
});

describe('the rate limits of REST', () => {
  test('make @discordjs/rest read the bucket from the headers and wait for the window', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    discord.rest.limits.set('GET /guilds/:guild/roles', { count: 2, windowMs: 40 });
    const rest = makeRest(discord, { rejects: false });
    for (let call = 0; call < 5; call += 1) await rest.get(Routes.guildRoles(discord.guild().id));
    // It waited before the third and the fifth call, so that none was refused.
    expect(discord.rest.callsTo('GET /guilds/:guild/roles').map(({ status }) => status)).toEqual(
      Array(5).fill(200),
    );
  });

  test('answer one call too many with 429 and its headers; other guilds and tokens have their own bucket', async () => {
    await using discord = await startSimulator({ bots: [{}, { name: 'other' }], guilds: [{}, {}] });
    discord.rest.limits.set('GET /guilds/:guild/roles', { count: 1, windowMs: 60_000 });
    const [one, two] = discord.guilds.map(({ id }) => `${discord.apiUrl}/v10/guilds/${id}/roles`);
    const call = (url = '', bot = discord.bot()) =>
      fetch(url, { headers: { authorization: `Bot ${bot.token}` } });
    const first = await call(one);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
    });
    const refused = await call(one);
    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'x-ratelimit-scope': 'user',
      'retry-after': '60',
    });
    expect(await refused.json()).toMatchObject({ global: false, retry_after: expect.any(Number) });
    expect((await call(two)).status).toBe(200);
    expect((await call(one, discord.bot('other'))).status).toBe(200);
    discord.rest.limits.set('GET /guilds/:guild/roles', null);
    expect((await call(one)).status).toBe(200);
    discord.rest.limits.setGlobal({ count: 1, windowMs: 60_000 });
    await call(one);
    const global = await call(one);
    expect(Object.fromEntries(global.headers)).toMatchObject({
      'x-ratelimit-global': 'true',
      'x-ratelimit-scope': 'global',
    });
    expect(await global.json()).toMatchObject({ global: true });
  });

  test('include a planned 429 that @discordjs/rest throws', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    discord.rest.faults.rateLimit('*', 7.5, { scope: 'shared' });
    const rest = makeRest(discord);
    const roles = Routes.guildRoles(discord.guild().id);
    await expect(rest.get(roles)).rejects.toMatchObject({
      name: expect.stringContaining('RateLimitError'),
      scope: 'shared',
    });
  });
});

describe('REST with faults', () => {
  test('fails calls as often as planned, and works again afterwards', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    const path = Routes.guild(discord.guild().id);
    discord.rest.faults.fail('GET /guilds/:guild', 503, { times: 2 });
    expect(await makeRest(discord, { retries: 2 }).get(path)).toMatchObject({ id: discord.guild().id });
    expect(discord.rest.callsTo('GET /guilds/:guild').map(({ status }) => status)).toEqual([503, 503, 200]);
    discord.rest.faults.fail('GET /guilds/:guild', 403, { code: 50001, message: 'Missing Access' });
    await expect(makeRest(discord).get(path)).rejects.toMatchObject({ code: 50001 });
    discord.rest.faults.fail('*', 500);
    discord.rest.faults.clear();
    expect(await makeRest(discord).get(path)).toMatchObject({ id: discord.guild().id });
  });

  test('drops a connection, or answers with invalid JSON', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    const path = Routes.guild(discord.guild().id);
    discord.rest.faults.drop('GET /guilds/:guild');
    await expect(makeRest(discord).get(path)).rejects.toThrow('other side closed');
    discord.rest.faults.garble('GET /guilds/:guild');
    await expect(makeRest(discord).get(path)).rejects.toThrow(SyntaxError);
    expect(discord.rest.calls.map(({ status }) => status)).toEqual([0, 200]);
  });

  test('holds a call until its gate opens', async () => {
    await using discord = await startSimulator({ guilds: [{}] });
    const gate = discord.rest.faults.hold('GET /guilds/:guild');
    const answer = makeRest(discord).get(Routes.guild(discord.guild().id));
    const call = await gate.reached;
    expect(call).toMatchObject({ route: 'GET /guilds/:guild', status: null });
    // Another route is not held.
    await makeRest(discord).get(Routes.guildRoles(discord.guild().id));
    expect(call.status).toBeNull();
    gate.release();
    expect(await answer).toMatchObject({ id: discord.guild().id });
    expect(call.status).toBe(200);
  });

  test('records calls with path, query, body and the header that was sent', async () => {
    await using discord = await startSimulator();
    const bot = discord.bot();
    await makeRest(discord).get('/gateway', { auth: false });
    const query = new URLSearchParams({ with_localizations: 'true' });
    await makeRest(discord).get(Routes.applicationCommands(bot.id), { query });
    await makeRest(discord).put(Routes.applicationCommands(bot.id), { body: [] });
    expect(discord.rest.calls).toMatchObject([
      { method: 'GET', path: '/gateway', authorization: null, status: 200 },
      { path: `/applications/${bot.id}/commands`, authorization: `Bot ${bot.token}` },
      { method: 'PUT', body: [], route: 'PUT /applications/:application/commands' },
    ]);
    expect(discord.rest.calls[1]?.query.get('with_localizations')).toBe('true');
  });

  test('answers 400 to invalid JSON, and accepts any version of the API', async () => {
    await using discord = await startSimulator();
    const headers = { authorization: `Bot ${discord.bot().token}`, 'content-type': 'application/json' };
    const url = `${discord.apiUrl}/v9/applications/${discord.bot().id}/commands`;
    const refused = await fetch(url, { method: 'PUT', headers, body: '{' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 50109 });
    expect((await fetch(url, { headers })).status).toBe(200);
    expect((await fetch(url.replace('/v9', ''), { headers })).status).toBe(200);
  });
});

test('the CDN serves registered bytes, and 404 once they are removed', async () => {
  await using discord = await startSimulator();
  const attachment = discord.cdn.put({ name: 'a b.png', bytes: new Uint8Array([1, 2, 3]) });
  expect(attachment).toMatchObject({ filename: 'a b.png', content_type: 'image/png', size: 3 });
  const answer = await fetch(attachment.url);
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
  discord.cdn.remove(attachment.url);
  expect((await fetch(attachment.url)).status).toBe(404);
});
