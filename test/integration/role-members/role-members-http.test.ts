import { beforeAll, describe, expect, test } from 'vitest';

import { membersText, startService, type Service } from './role-members-http-setup.ts';
import { BLUE, bigGuild, COUNTS, EMPTY, GUILD, MEMBERS, RED } from '../rest-members/rest-members-setup.ts';

const OTHER_GUILD = '300000000000000002';
const OTHER_ROLE = '400000000000000009';

describe('GET /api/role-members with a complete list', () => {
  let service: Service;
  let token: { Token: string };

  beforeAll(async () => {
    const { guilds = [] } = bigGuild(3_000);
    service = await startService({
      guilds: [
        ...guilds,
        { id: OTHER_GUILD, roles: [{ id: OTHER_ROLE }], members: { count: 5, rolesOf: () => [OTHER_ROLE] } },
      ],
    });
    token = { Token: service.discord.bot().token };
    await service.untilComplete();
    return () => service[Symbol.asyncDispose]();
  });

  test('answers with all documented keys in their order, and the ids ascending', async () => {
    const reply = await service.ask();
    const members = service.discord.guild(GUILD).holdersOf(BLUE);
    expect(reply.status).toBe(200);
    expect(reply.type).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    expect(reply.headers.get('etag')).toMatch(/^"[\w-]{27}"$/);
    expect(Object.keys(reply.body)).toEqual([
      'ok',
      'guild_id',
      'role_id',
      'count',
      'members',
      'returned',
      'next_after',
      'bots',
      'source',
      'as_of',
    ]);
    expect(reply.body).toEqual({
      ok: true,
      guild_id: GUILD,
      role_id: BLUE,
      count: 1_000,
      members,
      returned: 1_000,
      next_after: null,
      bots: 'include',
      source: 'gateway',
      as_of: expect.any(Number),
    });
    expect(members).toEqual(members.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)));
    expect(reply.text.length).toBe(Number(reply.headers.get('content-length')));
  });

  test('returns the same bytes in `members` from the gateway and with a token', async () => {
    const middle = service.discord.guild(GUILD).holdersOf(BLUE)[500];
    for (const query of [
      {},
      { role_id: GUILD },
      { role_id: RED },
      { role_id: EMPTY },
      { limit: '7', after: middle },
    ]) {
      const gateway = await service.ask({ ...query, source: 'gateway' });
      const listed = await service.ask({ ...query, source: 'token' }, token);
      expect([gateway.status, listed.status]).toEqual([200, 200]);
      expect(listed.body['source']).toBe('token');
      expect(membersText(listed)).not.toBe('');
      expect(membersText(listed)).toBe(membersText(gateway));
      for (const key of ['count', 'returned', 'next_after'])
        expect(listed.body[key]).toEqual(gateway.body[key]);
    }
  });

  test.each(['gateway', 'token'])('pages through all members, %s', async (source) => {
    const pages: string[] = [];
    let after: string | undefined;
    let requests = 0;
    for (;;) {
      const { body } = await service.ask({ source, limit: '300', after }, token);
      requests += 1;
      const page = body['members'] as string[];
      expect(body['returned']).toBe(page.length);
      expect(body['count']).toBe(1_000);
      pages.push(...page);
      if (body['next_after'] === null) break;
      expect(body['next_after']).toBe(page.at(-1));
      after = page.at(-1);
    }
    expect(requests).toBe(4);
    expect(pages).toEqual(service.discord.guild(GUILD).holdersOf(BLUE));
  });

  test.each(['gateway', 'token'])('returns an empty page beyond the end, %s', async (source) => {
    const { body, status } = await service.ask({ source, limit: '10', after: '18446744073709551615' }, token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 1_000, members: [], returned: 0, next_after: null });
    // A page that ends exactly with the last one.
    const holders = service.discord.guild(GUILD).holdersOf(BLUE);
    const last = await service.ask({ source, limit: '10', after: holders.at(-11) }, token);
    expect(last.body).toMatchObject({ members: holders.slice(-10), returned: 10, next_after: null });
  });

  test.each([
    [{ limit: '0' }, 'invalid_field', 'limit'],
    [{ user_id: ',' }, 'invalid_field', 'user_id'],
    [{ any: ' , ' }, 'invalid_field', 'any'],
    [{ limit: '-1' }, 'invalid_field', 'limit'],
    [{ limit: '100001' }, 'invalid_field', 'limit'],
    [{ limit: '1.5' }, 'invalid_field', 'limit'],
    [{ limit: 'all' }, 'invalid_field', 'limit'],
    [{ role_id: undefined }, 'missing_field', 'role_id'],
    [{ role_id: '' }, 'missing_field', 'role_id'],
    [{ role_id: 'mods' }, 'invalid_field', 'role_id'],
    [{ role_id: '-1' }, 'invalid_field', 'role_id'],
    [{ role_id: '1e18' }, 'invalid_field', 'role_id'],
    [{ role_id: '18446744073709551616' }, 'invalid_field', 'role_id'],
    [{ role_id: '123456789012345678901' }, 'invalid_field', 'role_id'],
    [{ role_id: '<@&400000000000000001' }, 'invalid_field', 'role_id'],
    [{ role_id: '{role_id}' }, 'unresolved_placeholder', 'role_id'],
    [{ role_id: '$roleID' }, 'unresolved_placeholder', 'role_id'],
    [{ guild_id: 'here' }, 'invalid_field', 'guild_id'],
    [{ guild_id: '{{guild}}' }, 'unresolved_placeholder', 'guild_id'],
    [{ after: 'x' }, 'invalid_field', 'after'],
    [{ after: '-5' }, 'invalid_field', 'after'],
    [{ source: 'cache' }, 'invalid_field', 'source'],
    [{ count_only: 'maybe' }, 'invalid_field', 'count_only'],
  ])('refuses %o with 400 %s', async (query, code, field) => {
    const { body, status } = await service.ask(query);
    expect({ status, code: body['code'], field: body['field'] }).toEqual({ status: 400, code, field });
  });

  test.each([
    [{ role_id: OTHER_ROLE }, 'role_id'],
    [{ role_id: OTHER_ROLE, count_only: 'true' }, 'role_id'],
    [{ role_id: '', any: OTHER_ROLE }, 'any'],
    [{ all: OTHER_ROLE }, 'all'],
    [{ any: RED, none: `${EMPTY},${OTHER_ROLE}` }, 'none'],
  ])(
    'refuses a role of another guild with 404 unknown_role that names its field, from both sources: %o',
    async (query, field) => {
      for (const source of ['auto', 'gateway', 'token']) {
        const { body, status } = await service.ask({ source, ...query }, token);
        expect([status, body['code'], body['field']]).toEqual([404, 'unknown_role', field]);
      }
    },
  );

  test('reads another guild only with a token', async () => {
    const other = { guild_id: OTHER_GUILD, role_id: OTHER_ROLE };
    for (const [query, headers] of [
      [other, {}],
      [{ ...other, source: 'gateway' }, {}],
      [{ ...other, source: 'gateway' }, token],
    ] as const) {
      const { body, status } = await service.ask(query, headers);
      expect([status, body['code'], body['field']]).toEqual([403, 'guild_mismatch', 'guild_id']);
      expect(body['hint']).toContain('Token');
    }
    const { body } = await service.ask(other, token);
    expect(body).toMatchObject({ source: 'token', count: 5, guild_id: OTHER_GUILD });
  });

  test('names the missing header for source=token', async () => {
    const { body, status } = await service.ask({ source: 'token' });
    expect([status, body['code'], body['field']]).toEqual([400, 'missing_field', 'Token']);
  });

  test('refuses malformed tokens before any call, and never repeats them', async () => {
    const good = service.discord.bot().token;
    const calls = service.discord.rest.calls.length;
    for (const malformed of [
      'x',
      'Bot',
      'Bot Bot',
      `Bearer ${good}`,
      `mfa.${'a'.repeat(84)}`,
      `Bot mfa.${'a'.repeat(84)}`,
      good.split('.').slice(0, 2).join('.'),
      `${good}.${good}`,
      `${good}.`,
      `.${good}`,
      `${good} ${good}`,
      `"${good}"`,
      `${good}=`,
      good.slice(0, 30),
      `a.b.${'c'.repeat(1_025)}`,
      '{token}',
      '$getVar[token]',
    ]) {
      // Refused where the service's own list would do, too.
      for (const source of ['auto', 'gateway', 'token']) {
        const { body, status, text } = await service.ask({ source }, { Token: malformed });
        expect([malformed, status, body['code']]).toEqual([malformed, 400, 'token_malformed']);
        expect(text).not.toContain(good.slice(0, 20));
      }
    }
    expect(service.discord.rest.calls).toHaveLength(calls);
  });

  test('accepts the token with `Bot` in front, in any spelling', async () => {
    for (const prefix of ['Bot ', 'bot ', 'BOT  ']) {
      const { status } = await service.ask({ source: 'token', limit: '1' }, { Token: prefix + token.Token });
      expect(status).toBe(200);
    }
  });

  test('answers 403 for a token that Discord does not know, after one request', async () => {
    const before = service.discord.rest.calls.length;
    const unknown = { Token: token.Token.replace('Simula', 'Unknwn') };
    for (let times = 0; times < 2; times += 1) {
      const { body, status } = await service.ask({ source: 'token' }, unknown);
      expect([status, body['code']]).toEqual([403, 'discord_token_rejected']);
    }
    expect(service.discord.rest.calls.slice(before).filter(({ status }) => status === 401)).toHaveLength(1);
  });

  test('leaves `members` empty with count_only, in one cheap call with a token', async () => {
    for (const source of ['gateway', 'token']) {
      const [counts, pages] = [COUNTS, MEMBERS].map(
        (route) => service.discord.rest.callsTo(route as never).length,
      );
      const { body } = await service.ask({ source, count_only: 'yes' }, token);
      expect(body).toMatchObject({ count: 1_000, members: [], returned: 0, next_after: null, source });
      expect(service.discord.rest.callsTo(MEMBERS)).toHaveLength(pages ?? 0);
      expect(service.discord.rest.callsTo(COUNTS)).toHaveLength((counts ?? 0) + (source === 'token' ? 1 : 0));
    }
  });

  test.each(['gateway', 'token'])(
    'answers flat on request, with 100 numbered ids and all of them joined, %s',
    async (source) => {
      const holders = service.discord.guild(GUILD).holdersOf(BLUE);
      const { body, text, headers } = await service.ask({ source, flat: 'true' }, token);
      expect(Object.keys(body).filter((key) => key.startsWith('members_'))).toHaveLength(101);
      expect(body).toMatchObject({
        members_1: holders[0],
        members_100: holders[99],
        members_text: holders.join(', '),
        count: 1_000,
        next_after: '',
      });
      expect(body).not.toHaveProperty('members');
      expect(Number(headers.get('content-length'))).toBe(text.length);
      const lines = await service.ask({ source, flat: 'true', separator: '\n"' }, token);
      expect(lines.body['members_text']).toBe(holders.join('\n"'));
      const none = await service.ask({ source, flat: 'true', role_id: EMPTY }, token);
      expect(none.body).toMatchObject({ members_text: '', count: 0 });
      expect(none.body).not.toHaveProperty('members_1');
    },
  );

  test('answers HEAD with the headers of GET', async () => {
    const get = await service.ask();
    const head = await service.ask({}, {}, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    const unchanged = { 'If-None-Match': get.headers.get('etag') ?? '' };
    expect((await service.ask({}, unchanged, { method: 'HEAD' })).status).toBe(304);
  });

  test('refuses other methods than GET', async () => {
    const { body, status, headers } = await service.ask({}, {}, { method: 'POST' });
    expect([status, body['code'], headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, OPTIONS',
    ]);
  });
});
