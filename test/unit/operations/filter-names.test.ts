import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { Problem } from '../../../src/kernel/problem.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import type { OperationContext } from '../../../src/operations/operation.ts';

const ABOUT_MEMBERS = OPERATIONS.filter(({ aboutMembers }) => aboutMembers);

/** Why an operation refuses these fields: its code, field and sentence. Reaching the lists is no refusal. */
async function refusalOf(name: string, fields: Readonly<Record<string, unknown>>): Promise<string | null> {
  const operation = ABOUT_MEMBERS.find((each) => each.name === name);
  const refusal: unknown = await operation
    ?.answer(fields, {} as OperationContext)
    .catch((error: unknown) => error);
  const isOurs =
    refusal instanceof Problem && /filter_elsewhere|misspelt|unread_id|role_of_counts/.test(refusal.key);
  return isOurs ? `${refusal.field}: ${refusal.message}` : null;
}

describe.each([
  ['role-members', 'without', 'Did you mean none\\?'],
  ['role-members', 'exclude', 'Did you mean none\\?'],
  ['role-members', 'not', 'Did you mean none\\?'],
  ['role-members', 'except', 'Did you mean none\\?'],
  ['role-members', 'none_of', 'Did you mean none\\?'],
  ['role-members', 'and', 'Did you mean all\\?'],
  ['role-members', 'all_of', 'Did you mean all\\?'],
  ['role-members', 'or', 'Did you mean any\\?'],
  ['role-members', 'any_of', 'Did you mean any\\?'],
  ['role-members', 'random', 'Did you mean sample\\?'],
  ['role-members', 'winners', 'Did you mean sample\\?'],
  ['role-members', 'amount', 'Did you mean sample\\?'],
  ['role-members', 'member_id', 'Did you mean user_id\\?'],
  ['role-members', 'members', 'Did you mean user_id\\?'],
  ['role-members', 'next_after', 'Did you mean after\\?'],
  ['role-members', 'cursor', 'Did you mean after\\?'],
  ['role-members', 'offset', 'Did you mean after\\?'],
  ['role-members', 'page', 'Did you mean after\\?'],
  ['role-members', 'skip', 'Did you mean after\\?'],
  ['role-members', 'per_page', 'Did you mean limit\\?'],
  ['role-members', 'exclude_bots', 'Did you mean bots\\?'],
  ['role-members', 'humans', 'Did you mean bots\\?'],
  ['role-members', 'server', 'Did you mean guild_id\\?'],
  ['role-members', 'winner', 'Did you mean sample\\?'],
  ['role-members', 'winner_count', 'Did you mean sample\\?'],
  ['role-members', 'number', 'Did you mean sample\\?'],
  ['role-members', 'max_results', 'Did you mean limit\\?'],
  ['role-members', 'page_size', 'Did you mean limit\\?'],
  ['role-members', 'size', 'Did you mean limit\\?'],
  ['role-members', 'first', 'Did you mean limit\\?'],
  ['role-members', 'top', 'Did you mean limit\\?'],
  ['role-members', 'last_cursor', 'Did you mean after\\?'],
  ['role-members', 'no_bots', 'Did you mean bots\\?'],
  ['role-members', 'only_bots', 'Did you mean bots\\?'],
  ['role-members', 'humans_only', 'Did you mean bots\\?'],
  ['role-members', 'ignore_bots', 'Did you mean bots\\?'],
  ['role-members', 'since', 'role-changes has it: since'],
  ['role-members', 'channel_id', 'permission-check has it: channel_id'],
  ['role-members', 'in', 'permission-check has it: channel_id'],
  ['role-changes', 'cursor', 'Did you mean since\\?'],
  ['role-changes', 'last_cursor', 'Did you mean since\\?'],
  ['role-changes', 'winner_count', 'role-members has it: sample'],
  ['role-changes', 'none', 'role-members has it: none'],
  ['role-changes', 'user_id', 'role-members has it: user_id'],
  ['role-changes', 'limit', 'role-members has it: limit'],
  ['role-changes', 'after', 'role-members has it: after'],
  ['role-counts', 'role_id', 'role-counts is about all roles'],
  ['role-counts', 'page_size', 'role-members has it: limit'],
  ['role-counts', 'bots', 'role-members has it: bots'],
  ['role-counts', 'all', 'role-members has it: all'],
  ['role-counts', 'any', 'role-members has it: any'],
  ['role-counts', 'user_id', 'role-members has it: user_id'],
  ['permission-check', 'thread_id', 'Did you mean channel_id\\?'],
  ['permission-check', 'thread', 'Did you mean channel_id\\?'],
  ['permission-check', 'channel', 'Did you mean channel_id\\?'],
  ['permission-check', 'category_id', 'Did you mean channel_id\\?'],
  ['permission-check', 'in', 'Did you mean channel_id\\?'],
  ['permission-check', 'member_id', 'Did you mean user_id\\?'],
])('%s with %s', (name, word, instead) => {
  test.each([word, word.toUpperCase(), word.replaceAll('_', ''), `${word}[]`, `${word}[0]`])(
    'written %s is answered with what to send',
    async (spelt) => {
      expect(await refusalOf(name, { [spelt]: '2' })).toMatch(new RegExp(`^${word}: .*${instead}`));
    },
  );

  test.each(['', null, undefined])('is ignored without a value (%s)', async (value) => {
    expect(await refusalOf(name, { [word]: value })).toBeNull();
  });
});

test.each([
  ['role-members', 'without[x]', 'Did you mean none?'],
  ['role-members', 'filter[without]', 'Did you mean none?'],
  ['role-members', 'filter[without][]', 'Did you mean none?'],
  ['role-members', 'withouts', 'Did you mean none?'],
  ['role-members', 'Without.0', 'Did you mean none?'],
  ['role-members', 'pages', 'Did you mean after?'],
  ['role-members', 'paging[page]', 'Did you mean after?'],
  ['role-changes', 'last_cursors', 'Did you mean since?'],
  ['role-counts', 'where[without]', 'role-members has it: none'],
  ['role-counts', 'roleIds', 'role-counts is about all roles'],
  ['permission-check', 'threads', 'Did you mean channel_id?'],
  ['permission-check', 'in[0][id]', 'Did you mean channel_id?'],
])('%s finds the filter in %s', async (name, spelt, instead) => {
  expect(await refusalOf(name, { [spelt]: 'x' })).toContain(`${spelt}: `);
  expect(await refusalOf(name, { [spelt]: 'x' })).toContain(instead);
});

test.each(['withuot', 'wihout', 'exclud', 'offse', 'winer', 'passed', 'x'])(
  'a word that only resembles a filter is ignored: %s',
  async (word) => {
    expect(await refusalOf('role-members', { [word]: 'x' })).toBeNull();
  },
);

const ID = '123456789012345678';

/** What people and other APIs call a filter, a person or a place. None of it is in the table. */
const OTHER_NAMES = `exclude_role with has ids participants before server_members blacklist required_roles
  parent_id text_channel where category exclude_role_ids user.id roles[0][id] author target who owner guild
  colour constructor`.split(/\s+/);

/** What callers send to recognise a request, or to get past a cache. */
const REQUEST_MARKS =
  `_ t ts v cb nonce rnd utm_id utm_content request_id trace_id span_id message_id interaction_id
  application_id client_id event_id execution_id workflow_id run_id timestamp time nocache messageId Request-Id NOCACHE
  run-id[]`.split(/\s+/);

describe.each(ABOUT_MEMBERS.map(({ name, input }) => [name, Object.keys(input.shape)] as const))(
  '%s with an id under another name',
  (name, fields) => {
    test.each(OTHER_NAMES.filter((other) => !fields.includes(other)))('refuses %s', async (other) => {
      expect(await refusalOf(name, { [other]: ID })).toMatch(/./);
    });

    test.each([
      ` ${ID} `,
      `<@${ID}>`,
      `<@!${ID}>`,
      `<@&${ID}>`,
      `<#${ID}>`,
      `${ID},<@${ID}>`,
      `${ID}, ${ID}`,
      `${ID} ${ID}`,
      `["${ID}","${ID}"]`,
      [ID, `<@&${ID}>`],
      [ID, ''],
      [`${ID},${ID}`],
    ])('refuses %j', async (value) => {
      expect(await refusalOf(name, { colour: value })).toContain('colour holds an id');
    });

    test.each([
      'x',
      '1234567890123456',
      '123456789012345678901',
      `user ${ID}`,
      `x${ID}`,
      `<@${ID}> hello`,
      [ID, 'x'],
      ',',
      '[]',
      [],
      ['', null],
      { id: ID },
      true,
      5,
    ])('ignores %j', async (value) => {
      expect(await refusalOf(name, { colour: value })).toBeNull();
    });

    test.each(REQUEST_MARKS)('ignores %s, which only identifies a request', async (mark) => {
      expect(await refusalOf(name, { [mark]: ID })).toBeNull();
      expect(await refusalOf(name, { [mark]: [ID, ID] })).toBeNull();
    });
  },
);

test.each([
  ['role-members', 'guild_id, role_id, all, any, none, user_id, after'],
  ['role-changes', 'guild_id, role_id'],
  ['role-counts', 'guild_id'],
])('%s names the fields that take an id', async (name, names) => {
  expect(await refusalOf(name, { colour: ID })).toContain(`: ${names}.`);
});

test('operations that are not about members ignore an id under an unknown name', async () => {
  const others = OPERATIONS.filter((each) => each.textField === 'text' && each.readOnly);
  expect(others.length).toBeGreaterThan(1);
  for (const operation of others) {
    const context = { now: () => 0, tenantId: '0', signal: new AbortController().signal } as OperationContext;
    const answer = await operation.answer({ text: '!ban', without: ID, colour: ID }, context);
    expect(answer.value.ok).toBe(true);
    answer.release?.();
  }
});

test.each([
  ['role-counts', 'bots', 'include'],
  ['role-members', 'no_bots', 'false'],
  ['role-members', 'only_bots', '0'],
  ['role-changes', 'no_bots', 'true'],
  ['role-changes', 'humans_only', 'yes'],
  ['role-changes', 'ignore_bots', '1'],
  ['role-changes', 'only_bots', 'no'],
  ['role-counts', 'bots', 'true'],
  ['role-counts', 'exclude_bots', 'no'],
  ['role-members', 'humans', 'false'],
  ['role-changes', 'exclude_bots', '1'],
  ['role-members', 'offset', '0'],
  ['role-members', 'skip', 0],
  ['role-members', 'page', '1'],
  ['role-members', 'page', '0'],
])('%s accepts %s=%s, because it does that anyway', async (name, word, value) => {
  expect(await refusalOf(name, { [word]: value })).toBeNull();
});

test.each([
  ['role-counts', 'bots', 'exclude'],
  ['role-changes', 'exclude_bots', 'false'],
  ['role-changes', 'only_bots', 'true'],
  ['role-counts', 'only_bots', '1'],
  ['role-members', 'no_bots', '1'],
  ['role-members', 'offset', '100'],
  ['role-members', 'page', '2'],
])('%s refuses %s=%s, because it does not do that', async (name, word, value) => {
  expect(await refusalOf(name, { [word]: value })).toMatch(`${word}: `);
});

test('random is accepted only for draws', async () => {
  for (const name of ['role-changes', 'role-counts', 'permission-check']) {
    expect(await refusalOf(name, { random: '1' })).toBeNull();
  }
});

/** Keys of answers that narrow nothing when they are sent back, whichever operation they are sent to. */
const HARMLESS = new Set(
  'ok count returned as_of pending fetched total retry_after added removed added_count removed_count reset roles'
    .concat(' bitfield permissions allowed because kind role_ids text')
    // permission-check is about a member, and says which fields take an id.
    .concat(' role_id source')
    .split(' '),
);

test.each(
  ABOUT_MEMBERS.flatMap((from) => ABOUT_MEMBERS.map((to) => [from.name, to.name, from, to] as const)),
)(
  'each key of an answer of %s is read by %s, refused by it, or harmless',
  async (_from, to, { output }, { input }) => {
    const keys = keysOf(z.toJSONSchema(output, { unrepresentable: 'any' }));
    expect(keys.size).toBeGreaterThan(5);
    for (const key of [...keys].filter((name) => !(name in input.shape || HARMLESS.has(name)))) {
      expect([key, await refusalOf(to, { [key]: '2' })]).not.toEqual([key, null]);
    }
  },
);

/** All names of properties, at any depth. */
function keysOf(schema: unknown): Set<string> {
  const keys = new Set<string>();
  const walk = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return;
    if ('properties' in part && typeof part.properties === 'object' && part.properties !== null) {
      for (const key of Object.keys(part.properties)) keys.add(key);
    }
    Object.values(part).forEach(walk);
  };
  walk(schema);
  return keys;
}
