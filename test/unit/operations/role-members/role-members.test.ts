import { describe, expect, test } from 'vitest';

import { MemberIndex } from '../../../../src/members/index/member-index.ts';
import { RoleChangeLogs } from '../../../../src/members/changes/role-change-logs.ts';
import { systemTimers } from '../../../../src/members/timers.ts';
import type { CompleteList, MemberDirectory } from '../../../../src/members/member-directory.ts';
import { membersQuestion } from '../../../../src/members/members-query.ts';
import type { OperationContext } from '../../../../src/operations/operation.ts';
import { roleMembers } from '../../../../src/operations/role-members/operation.ts';
import { Problem, type ProblemCode } from '../../../../src/kernel/problem.ts';
import { NO_DELIVERIES } from '../../../fixtures/no-deliveries.ts';
import { NO_MEMBERS, NO_REST_MEMBERS } from '../../../fixtures/no-members.ts';

const GUILD = '300000000000000001';
const OTHER = '300000000000000002';
const ROLE = '400000000000000001';
const HOLDERS = ['200000000000000001', '200000000000000002', '18446744073709551615'];

const index = new MemberIndex({ guildId: GUILD, now: () => 1_767_225_600_000 });
for (const id of HOLDERS) index.upsert(id, [ROLE]);
const LISTS: CompleteList = { index, changeLogs: new RoleChangeLogs(systemTimers) };

interface Asked {
  readonly source: 'gateway' | 'token';
  readonly query: unknown;
  readonly token: string | null;
  readonly tenantId: string;
}

/** Directories that answer with what is given, or throw the problem of that code, and remember what they were asked. */
function setUp(
  gateway: CompleteList | ProblemCode,
  token: CompleteList | ProblemCode,
  given: Partial<OperationContext> = {},
) {
  const asked: Asked[] = [];
  const directory =
    (source: 'gateway' | 'token', lists: CompleteList | ProblemCode): MemberDirectory['ask'] =>
    async (kind, query, caller) => {
      asked.push({ source, query, token: caller.token, tenantId: caller.tenantId });
      if (typeof lists === 'string') throw new Problem(lists, { retryAfterSeconds: 7 });
      return kind.answer(lists, query);
    };
  const context: OperationContext = {
    tenantId: given.guildId === null ? '0' : GUILD,
    guildId: GUILD,
    now: Date.now,
    secret: null,
    signal: new AbortController().signal,
    images: {
      async fetch() {
        throw new Problem('internal');
      },
    },
    members: { ...NO_MEMBERS, ask: directory('gateway', gateway) },
    idempotencyKey: null,
    deliveries: NO_DELIVERIES,
    restMembers: { ...NO_REST_MEMBERS, ask: directory('token', token) },
    ...given,
  };
  return { asked, ask: (raw: Record<string, unknown>) => roleMembers.answer(raw, context) };
}

const OK = LISTS;
const LOADING = 'member_list_unavailable';
const TOKEN = `${'M'.repeat(24)}.G-_4xY.${'z'.repeat(38)}`;
const WITH = { secret: `Bot ${TOKEN}` };

describe('the source of a list', () => {
  test.each<[string, Record<string, unknown>, Partial<OperationContext>, Parameters<typeof setUp>, string]>([
    ['auto uses the gateway', {}, {}, [OK, OK], 'gateway'],
    ['auto uses the gateway although there is a token', {}, WITH, [OK, OK], 'gateway'],
    ['auto uses the token while the gateway loads', {}, WITH, [LOADING, OK], 'token'],
    ['auto without a token says that the gateway loads', {}, {}, [LOADING, OK], LOADING],
    ['auto says so too where tokens are off', {}, WITH, [LOADING, 'caller_tokens_disabled'], LOADING],
    [
      'auto explains the problem with the token',
      {},
      WITH,
      [LOADING, 'discord_token_rejected'],
      'discord_token_rejected',
    ],
    ['auto refuses a malformed token', {}, { secret: 'bad' }, [OK, OK], 'token_malformed'],
    [
      'gateway refuses it too',
      { source: 'gateway' },
      { secret: 'Bearer a.b.c' },
      [OK, OK],
      'token_malformed',
    ],
    ['auto does not ask twice for an unknown role', {}, WITH, ['unknown_role', OK], 'unknown_role'],
    ['auto uses the token for another guild', { guild_id: OTHER }, WITH, [OK, OK], 'token'],
    ['auto needs a token for another guild', { guild_id: OTHER }, {}, [OK, OK], 'guild_mismatch'],
    ['a blank token counts as absent', { guild_id: OTHER }, { secret: '  ' }, [OK, OK], 'guild_mismatch'],
    ['gateway is for the own guild', { source: 'gateway', guild_id: GUILD }, WITH, [OK, OK], 'gateway'],
    ['gateway does not fall back', { source: 'gateway' }, WITH, [LOADING, OK], LOADING],
    [
      'gateway is for no other guild',
      { source: 'gateway', guild_id: OTHER },
      WITH,
      [OK, OK],
      'guild_mismatch',
    ],
    ['token uses the token for its own guild', { source: 'TOKEN ' }, WITH, [OK, OK], 'token'],
    ['token needs one', { source: 'token' }, {}, [OK, OK], 'missing_field'],
    ['token may be off', { source: 'token' }, WITH, [OK, 'caller_tokens_disabled'], 'caller_tokens_disabled'],
    ['a key of no server needs a guild', {}, { guildId: null, ...WITH }, [OK, OK], 'missing_field'],
    ['a key of no server needs a token', { guild_id: GUILD }, { guildId: null }, [OK, OK], 'guild_mismatch'],
    [
      'a key of no server has no gateway',
      { guild_id: GUILD, source: 'gateway' },
      { guildId: null, ...WITH },
      [OK, OK],
      'guild_mismatch',
    ],
    [
      'a key of no server accepts a token',
      { guild_id: GUILD },
      { guildId: null, ...WITH },
      [OK, OK],
      'token',
    ],
  ])('is chosen: %s', async (_, input, given, [gateway, token], expected) => {
    const { ask } = setUp(gateway, token, given);
    const outcome = await ask({ role_id: ROLE, ...input }).then(
      ({ value }) => value['source'],
      (error: unknown) => (error instanceof Problem ? error.code : error),
    );
    expect(outcome).toBe(expected);
  });

  test.each([
    LOADING,
    'discord_missing_access',
    'unknown_guild',
    'discord_unavailable',
    'discord_rate_limited',
    'token_attempts',
  ] as const)('auto uses the token when the bot of the service got %s', async (code) => {
    const { ask, asked } = setUp(code, OK, WITH);
    expect((await ask({ role_id: ROLE })).value['source']).toBe('token');
    expect(asked.map(({ source }) => source)).toEqual(['gateway', 'token']);
  });

  // All twelve, written out: expectations read from the table of the code would be right whatever it says.
  test.each([
    ['auto', 'own', 'with', 'own, else token'],
    ['auto', 'own', 'without', 'own'],
    ['auto', 'other', 'with', 'token'],
    ['auto', 'other', 'without', 'guild_mismatch'],
    ['gateway', 'own', 'with', 'own'],
    ['gateway', 'own', 'without', 'own'],
    ['gateway', 'other', 'with', 'guild_mismatch'],
    ['gateway', 'other', 'without', 'guild_mismatch'],
    ['token', 'own', 'with', 'token'],
    ['token', 'own', 'without', 'missing_field/token'],
    ['token', 'other', 'with', 'token'],
    ['token', 'other', 'without', 'missing_field/token'],
  ] as const)('source=%s, %s server, %s a token: %s', async (source, server, token, way) => {
    const input = { role_id: ROLE, source, guild_id: server === 'own' ? GUILD : OTHER };
    const given = token === 'with' ? WITH : {};
    const outcomeOf = async (own: CompleteList | ProblemCode, other: CompleteList | ProblemCode) => {
      const { ask, asked } = setUp(own, other, given);
      const outcome = await ask(input).then(
        ({ value }) => value['source'],
        (error: unknown) => (error instanceof Problem ? error.key : error),
      );
      return [outcome, ...asked.map((each) => `${each.source} ${each.token === null ? 'alone' : 'with it'}`)];
    };
    const own = ['gateway', 'gateway alone'];
    const withToken = ['token', 'token with it'];
    const expected = {
      own: [own, [LOADING, 'gateway alone']],
      token: [withToken, withToken],
      'own, else token': [own, ['token', 'gateway alone', 'token with it']],
      guild_mismatch: [['guild_mismatch/members'], ['guild_mismatch/members']],
      'missing_field/token': [['missing_field/token'], ['missing_field/token']],
    }[way];
    expect([await outcomeOf(OK, OK), await outcomeOf(LOADING, OK)]).toEqual(expected);
  });

  test('receives the question, with guild 0 for a key of no server', async () => {
    const { ask, asked } = setUp(OK, OK, { guildId: null, ...WITH });
    await ask({ guild_id: ` ${GUILD} `, role_id: ROLE, count_only: 'YES', limit: '5', after: HOLDERS[0] });
    await ask({ guild_id: GUILD, role_id: ROLE, after: '0', limit: '', source: null });
    const query = { guildId: GUILD, all: [ROLE] };
    expect(asked).toEqual([
      {
        source: 'token',
        query: membersQuestion({ ...query, countOnly: true, limit: 5, after: HOLDERS[0] ?? null }),
        token: TOKEN,
        tenantId: '0',
      },
      {
        source: 'token',
        query: membersQuestion(query),
        token: TOKEN,
        tenantId: '0',
      },
    ]);
  });
});

describe('bots', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['are included in a list', {}, 'include'],
    ['are included in a count', { count_only: true }, 'include'],
    ['are excluded from a draw', { sample: 2 }, 'exclude'],
    ['are included in a draw that asks for them', { sample: 2, bots: 'include' }, 'include'],
    ['can be excluded', { bots: 'exclude' }, 'exclude'],
    ['can be the only members', { bots: ' Only ' }, 'only'],
    ['are included when the field is true', { bots: true }, 'include'],
    ['are included when it is 1', { bots: '1' }, 'include'],
    ['are included when it is yes', { bots: 'YES' }, 'include'],
    ['are excluded when it is false', { bots: 'false' }, 'exclude'],
    ['are excluded when it is off', { bots: 'Off' }, 'exclude'],
    ['are excluded when it is 0', { bots: 0 }, 'exclude'],
    ['are included when the field is empty', { bots: '' }, 'include'],
  ])('%s', async (_, input, bots) => {
    const { ask, asked } = setUp(OK, OK);
    const { value } = await ask({ role_id: ROLE, ...input });
    expect(value['bots']).toBe(bots);
    expect(asked).toMatchObject([{ query: { bots } }]);
  });

  test('are part of the question, so the version differs', async () => {
    const versions = await Promise.all(['include', 'exclude', 'only'].map((bots) => versionOf({ bots })));
    expect(new Set(versions).size).toBe(3);
    expect(await versionOf({})).toBe(versions[0]);
    expect(await versionOf({ bots: 'no' })).toBe(versions[1]);
  });
});

async function versionOf(input: Record<string, unknown>): Promise<string | undefined> {
  return (await setUp(OK, OK).ask({ role_id: ROLE, ...input })).version;
}

describe('a response', () => {
  test('has the documented keys in their order', async () => {
    const { value, version } = await setUp(OK, OK).ask({ role_id: ROLE });
    expect(JSON.stringify(value)).toBe(
      `{"ok":true,"guild_id":"${GUILD}","role_id":"${ROLE}","count":3,"members":${JSON.stringify(HOLDERS)},` +
        '"returned":3,"next_after":null,"bots":"include","source":"gateway","as_of":1767225600}',
    );
    expect(version).toMatch(/^\["gateway","/);
  });

  test('has the same version for the same question in any spelling, and a different one for any other', async () => {
    const plain = await versionOf({});
    expect(await versionOf({ count_only: 'no', limit: '', unknown: 1 })).toBe(plain);
    expect(await versionOf({ limit: ' 3 ' })).toBe(await versionOf({ limit: 3 }));
    expect(new Set([plain, await versionOf({ limit: 3 }), await versionOf({ count_only: 1 })]).size).toBe(3);
  });

  test('has no version for a draw, because the next one differs', async () => {
    expect(await versionOf({ sample: 2 })).toBeUndefined();
  });
});

describe('bad input', () => {
  const BAD_IDS = [
    'x',
    '123',
    '1'.repeat(16),
    '1'.repeat(21),
    '18446744073709551616',
    '012345678901234567',
    '-1'.repeat(9),
  ];

  test.each<[string, Record<string, unknown>, string, string]>([
    ['no role', {}, 'missing_field', 'role_id'],
    ['an empty role', { role_id: '' }, 'missing_field', 'role_id'],
    ['a role as a number', { role_id: 400_000_000_000_000 }, 'invalid_field', 'role_id'],
    ['a role that is a placeholder', { role_id: '{role_id}' }, 'unresolved_placeholder', 'role_id'],
    [
      'a guild that is a placeholder',
      { role_id: ROLE, guild_id: '$guildID' },
      'unresolved_placeholder',
      'guild_id',
    ],
    ['a user as a role', { role_id: `<@${ROLE}>` }, 'invalid_field', 'role_id'],
    [
      'eleven roles',
      {
        all: BAD_IDS.map((_, n) => `${ROLE.slice(0, -1)}${n}`),
        any: [`5${ROLE.slice(1)}`, `6${ROLE.slice(1)}`, `7${ROLE.slice(1)}`, `8${ROLE.slice(1)}`],
      },
      'invalid_field',
      'all',
    ],
    ['a list with a placeholder', { all: ['{role}'] }, 'unresolved_placeholder', 'all'],
    ['a list with a word', { none: `${ROLE},x` }, 'invalid_field', 'none'],
    ['a sample of 101', { role_id: ROLE, sample: 101 }, 'invalid_field', 'sample'],
    ['a sample with a page', { role_id: ROLE, sample: 1, limit: 5 }, 'invalid_field', 'sample'],
    ['a sample from an id on', { role_id: ROLE, sample: 1, after: ROLE }, 'invalid_field', 'sample'],
    ['a sample of a count', { role_id: ROLE, sample: 1, count_only: true }, 'invalid_field', 'sample'],
    ['limit 0', { role_id: ROLE, limit: '0' }, 'invalid_field', 'limit'],
    ['limit -1', { role_id: ROLE, limit: '-1' }, 'invalid_field', 'limit'],
    ['limit 1.5', { role_id: ROLE, limit: 1.5 }, 'invalid_field', 'limit'],
    ['limit 100,001', { role_id: ROLE, limit: '100001' }, 'invalid_field', 'limit'],
    ['another source', { role_id: ROLE, source: 'cache' }, 'invalid_field', 'source'],
    ['bots as a word', { role_id: ROLE, bots: 'none' }, 'invalid_field', 'bots'],
    ['bots as a number', { role_id: ROLE, bots: 2 }, 'invalid_field', 'bots'],
    ['count_only as a word', { role_id: ROLE, count_only: 'maybe' }, 'invalid_field', 'count_only'],
    ...BAD_IDS.flatMap((id): [string, Record<string, unknown>, string, string][] => [
      [`role ${id}`, { role_id: id }, 'invalid_field', 'role_id'],
      [`guild ${id}`, { role_id: ROLE, guild_id: id }, 'invalid_field', 'guild_id'],
      [`after ${id}`, { role_id: ROLE, after: id }, 'invalid_field', 'after'],
    ]),
  ])('is refused: %s', async (_, input, code, field) => {
    const { ask, asked } = setUp(OK, OK, WITH);
    await expect(ask(input)).rejects.toMatchObject({ code, field });
    expect(asked).toEqual([]);
  });
});
