import { beforeAll, describe, expect, test, vi } from 'vitest';

import { POLL } from '../../fixtures/poll.ts';
import { BLUE, bigGuild, EMPTY, GUILD, RED } from '../rest-members/rest-members-setup.ts';
import { startService, type Service } from './role-members-http-setup.ts';

/** No `role_id`: the question names its roles itself. */
const SEVERAL = { role_id: undefined, any: `${BLUE},${RED}`, none: EMPTY };

function isBot({ discord }: Service, id: string): boolean {
  return discord.guild(GUILD).members.get(id)?.bot === true;
}

describe('questions about roles over HTTP', () => {
  let service: Service;
  let token: { Token: string };

  beforeAll(async () => {
    service = await startService(bigGuild(3_000, (index) => index % 12 === 0));
    token = { Token: service.discord.bot().token };
    await service.untilComplete();
    return () => service[Symbol.asyncDispose]();
  });

  /** Blue or red, ascending. */
  function holders(): string[] {
    const guild = service.discord.guild(GUILD);
    const ids = new Set([...guild.holdersOf(BLUE), ...guild.holdersOf(RED)]);
    return [...ids].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  }

  test.each(['gateway', 'token'])(
    'lead from page to page, and omit the ids with count_only, %s',
    async (source) => {
      const pages: string[] = [];
      let after: string | undefined;
      for (let requests = 0; requests < 4; requests += 1) {
        const { body } = await service.ask({ ...SEVERAL, source, limit: '300', after }, token);
        expect(body).toMatchObject({ role_id: null, count: 1_001, source });
        const page = body['members'] as string[];
        pages.push(...page);
        after = page.at(-1);
        expect(body['next_after']).toBe(requests === 3 ? null : after);
      }
      expect(pages).toEqual(holders());
      const counted = await service.ask({ ...SEVERAL, source, count_only: 'true' }, token);
      expect(counted.body).toMatchObject({
        count: 1_001,
        members: [],
        returned: 0,
        next_after: null,
        source,
      });
    },
  );

  test.each(['gateway', 'token'])(
    'can exclude bots or people, in lists, counts and among named members, %s',
    async (source) => {
      const all = holders();
      const bots = all.filter((id) => isBot(service, id));
      const people = all.filter((id) => !bots.includes(id));
      expect([bots.length, people.length]).toEqual([250, 751]);
      const named = [all[0], people[0], bots[0]].join();
      for (const [choice, expected] of [
        ['include', all],
        ['exclude', people],
        ['only', bots],
      ] as const) {
        const asked = { ...SEVERAL, source, bots: choice };
        const listed = await service.ask(asked, token);
        expect(listed.body).toMatchObject({
          bots: choice,
          source,
          count: expected.length,
          members: expected,
        });
        const counted = await service.ask({ ...asked, count_only: 'true' }, token);
        expect(counted.body).toMatchObject({ bots: choice, count: expected.length, members: [] });
        const some = await service.ask({ ...asked, user_id: named }, token);
        expect(some.body['members']).toEqual(expected.filter((id) => named.includes(id)));
        const page = await service.ask({ ...asked, limit: '10', after: expected[99] }, token);
        expect(page.body['members']).toEqual(expected.slice(100, 110));
        const single = await service.ask({ source, bots: choice, count_only: 'yes' }, token);
        const blue = service.discord.guild(GUILD).holdersOf(BLUE);
        expect(single.body['count']).toBe(blue.filter((id) => expected.includes(id)).length);
      }
    },
  );

  test.each(['gateway', 'token'])('draw people unless bots are requested, %s', async (source) => {
    const draw = async (bots?: string) =>
      (await service.ask({ ...SEVERAL, source, sample: '100', bots }, token)).body;
    const drawn = await draw();
    expect(drawn).toMatchObject({ bots: 'exclude', count: 751, returned: 100 });
    expect((drawn['members'] as string[]).filter((id) => isBot(service, id))).toEqual([]);
    const bots = await draw('only');
    expect(bots).toMatchObject({ bots: 'only', count: 250, returned: 100 });
    expect((bots['members'] as string[]).filter((id) => !isBot(service, id))).toEqual([]);
    expect(await draw('true')).toMatchObject({ bots: 'include', count: 1_001 });
  });

  test('are answered flat on request', async () => {
    const { body } = await service.ask({ ...SEVERAL, flat: 'true', limit: '3' });
    const [first, second, third] = holders();
    expect(body).toMatchObject({
      role_id: '',
      count: 1_001,
      members_1: first,
      members_3: third,
      members_text: [first, second, third].join(', '),
    });
    expect(body).not.toHaveProperty('members');
  });

  test('have one ETag in any spelling, which leads to 304, but a draw has none', async () => {
    const tag = (await service.ask(SEVERAL)).headers.get('etag') ?? '';
    expect(tag).not.toBe('');
    const spelt = { ...SEVERAL, any: `<@&${RED}>,${BLUE},${RED}` };
    const unchanged = await service.ask(spelt, { 'If-None-Match': tag });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    for (const other of [
      { ...SEVERAL, none: undefined },
      { ...SEVERAL, any: BLUE, all: RED },
      { ...SEVERAL, user_id: holders()[0] },
      { ...SEVERAL, limit: '5' },
      { ...SEVERAL, bots: 'exclude' },
    ]) {
      expect((await service.ask(other, { 'If-None-Match': tag })).status).toBe(200);
    }
    const drawn = await service.ask({ ...SEVERAL, sample: '5' }, { 'If-None-Match': '*' });
    expect([drawn.status, drawn.headers.get('etag')]).toEqual([200, null]);
    expect(drawn.body).toMatchObject({ count: 751, returned: 5, next_after: null });
    expect(holders()).toEqual(expect.arrayContaining(drawn.body['members'] as string[]));
  });

  test.each(['gateway', 'token'])(
    'return the counts of all roles in one response, ascending, %s',
    async (source) => {
      const reply = await service.askCounts({ source }, token);
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
      expect(Object.keys(reply.body)).toEqual(['ok', 'guild_id', 'roles', 'members', 'source', 'as_of']);
      expect(reply.body).toMatchObject({
        guild_id: GUILD,
        roles: [
          { role_id: BLUE, count: 1_000 },
          { role_id: RED, count: 2 },
          { role_id: EMPTY, count: 0 },
        ],
        // The bot is one of them.
        members: 3_001,
        source,
      });
      const flat = await service.askCounts({ source, flat: 'true' }, token);
      expect(flat.body).toMatchObject({ roles_1_role_id: BLUE, roles_1_count: 1_000, roles_3_count: 0 });
      expect(flat.body).not.toHaveProperty('roles');
      expect(flat.body).not.toHaveProperty('roles_text');
      const tag = reply.headers.get('etag') ?? '';
      expect((await service.askCounts({ source }, { ...token, 'If-None-Match': tag })).status).toBe(304);
      expect(
        (await service.askCounts({ source, flat: 'true' }, { ...token, 'If-None-Match': tag })).status,
      ).toBe(200);
    },
  );

  test('get 304 for their ETag until one of their roles or a bot changes', async () => {
    const guild = service.discord.guild(GUILD);
    const question = { role_id: RED, bots: 'exclude' };
    const tag = (await service.ask(question)).headers.get('etag') ?? '';
    const unchanged = async () => (await service.ask(question, { 'If-None-Match': tag })).status;
    const countOf = async (of: Record<string, string>) =>
      (await service.ask({ count_only: 'true', ...of })).body['count'];
    const someone = guild.addMember({ roles: [BLUE] });
    await vi.waitFor(async () => expect(await countOf({ role_id: BLUE })).toBe(1_001), POLL);
    expect(await unchanged()).toBe(304);
    const bot = guild.addMember({ roles: [BLUE], bot: true });
    await vi.waitFor(async () => expect(await countOf({ role_id: BLUE })).toBe(1_002), POLL);
    expect(await unchanged()).toBe(200);
    expect(await countOf({ role_id: BLUE, bots: 'exclude' })).toBe(751);
    for (const { id } of [someone, bot]) guild.removeMember(id);
    await vi.waitFor(async () => expect(await countOf({ role_id: BLUE })).toBe(1_000), POLL);
  });

  // Last: it changes the server.
  test('get a full answer once a member whom they concern joins, as do the counts', async () => {
    const [tag, countsTag] = [await service.ask(SEVERAL), await service.askCounts()].map(
      ({ headers }) => headers.get('etag') ?? '',
    );
    const plain = await service.ask({ role_id: RED });
    const guild = service.discord.guild(GUILD);
    const someone = guild.holdersOf(GUILD).find((id) => !holders().includes(id)) ?? '';
    guild.updateMember(someone, { roles: [BLUE] });
    await vi.waitFor(async () => {
      expect((await service.askCounts({}, { 'If-None-Match': countsTag ?? '' })).body).toMatchObject({
        roles: [{ role_id: BLUE, count: 1_001 }, {}, {}],
        members: 3_001,
      });
    }, POLL);
    const changed = await service.ask(SEVERAL, { 'If-None-Match': tag ?? '' });
    expect(changed.body).toMatchObject({ count: 1_002, members: holders() });
    const unchanged = { 'If-None-Match': plain.headers.get('etag') ?? '' };
    expect((await service.ask({ role_id: RED }, unchanged)).status).toBe(304);
  });
});

describe('a filter', () => {
  let service: Service;
  let inside: string[];
  let outside: string[];

  beforeAll(async () => {
    service = await startService(bigGuild(3_000));
    await service.untilComplete();
    const guild = service.discord.guild(GUILD);
    inside = [...guild.holdersOf(BLUE)];
    const red = new Set(guild.holdersOf(RED));
    outside = inside.filter((id) => !red.has(id));
    return () => service[Symbol.asyncDispose]();
  });

  test.each(['user_id[]', 'user_id[0]', 'userId', 'USER-ID', 'userId[17]'])(
    'of members is read in the spelling %s',
    async (name) => {
      const { body } = await service.ask({ [name]: inside[0] });
      expect(body).toMatchObject({ count: 1, members: [inside[0]] });
    },
  );

  test.each(['none[]', 'none[0]', 'None', 'NONE[3]'])('of roles is read in the spelling %s', async (name) => {
    const { body } = await service.ask({ [name]: RED, count_only: '1' });
    expect(body).toMatchObject({ count: outside.length });
    expect(outside.length).toBeLessThan(inside.length);
  });

  test.each(['role_id[]', 'roleId', 'all[]', 'ANY[0]'])('names its role in %s', async (name) => {
    const { body } = await service.ask({ role_id: undefined, [name]: BLUE, countOnly: 'true' });
    expect(body).toMatchObject({ count: inside.length, members: [] });
  });

  test.each(['user_ids', 'userIds[]', 'user', 'user_id[x]', 'usr_id', 'nones', 'non', 'none[x]', 'alls'])(
    'is refused if misspelt: %s',
    async (name) => {
      const { status, body } = await service.ask({ [name]: RED });
      expect([status, body['code'], body['field']]).toEqual([400, 'invalid_field', name]);
      expect(body['error']).toMatch(/Did you mean (?:user_id|none|all)\?/);
    },
  );

  test('is not confused with parameters that other programs add to a URL', async () => {
    const more = {
      _: '1',
      t: '2',
      ts: '3',
      v: '4',
      cb: '5',
      nonce: '6',
      rnd: '7',
      utm_source: 'x',
      colour: 'y',
    };
    const { status, body } = await service.ask({ ...more, count_only: 'true' });
    expect([status, body['count']]).toEqual([200, inside.length]);
  });

  test('cannot be a token', async () => {
    for (const name of ['token', 'Token', 'TOKEN[]', 'to_ken']) {
      const { status, body } = await service.ask({ [name]: 'abc' });
      expect([status, body['code'], body['field']]).toEqual([400, 'invalid_field', 'token']);
      expect(body['hint']).toContain('header Token');
    }
  });
});
