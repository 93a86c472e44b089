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
    ?.handle(fields, {} as OperationContext)
    .catch((error: unknown) => error);
  const isOurs = refusal instanceof Problem && /filter_elsewhere|misspelt/.test(refusal.key);
  return isOurs ? `${refusal.field}: ${refusal.message}` : null;
}

describe.each([
  ['role-members', 'without', 'did you mean none\\?'],
  ['role-members', 'exclude', 'did you mean none\\?'],
  ['role-members', 'not', 'did you mean none\\?'],
  ['role-members', 'except', 'did you mean none\\?'],
  ['role-members', 'none_of', 'did you mean none\\?'],
  ['role-members', 'and', 'did you mean all\\?'],
  ['role-members', 'all_of', 'did you mean all\\?'],
  ['role-members', 'or', 'did you mean any\\?'],
  ['role-members', 'any_of', 'did you mean any\\?'],
  ['role-members', 'random', 'did you mean sample\\?'],
  ['role-members', 'winners', 'did you mean sample\\?'],
  ['role-members', 'amount', 'did you mean sample\\?'],
  ['role-members', 'member_id', 'did you mean user_id\\?'],
  ['role-members', 'members', 'did you mean user_id\\?'],
  ['role-members', 'next_after', 'did you mean after\\?'],
  ['role-members', 'cursor', 'did you mean after\\?'],
  ['role-members', 'offset', 'did you mean after\\?'],
  ['role-members', 'page', 'did you mean after\\?'],
  ['role-members', 'skip', 'did you mean after\\?'],
  ['role-members', 'per_page', 'did you mean limit\\?'],
  ['role-members', 'exclude_bots', 'did you mean bots\\?'],
  ['role-members', 'humans', 'did you mean bots\\?'],
  ['role-members', 'server', 'did you mean guild_id\\?'],
  ['role-members', 'since', 'role-changes has it: since'],
  ['role-members', 'channel_id', 'permission-check has it: channel_id'],
  ['role-members', 'in', 'permission-check has it: channel_id'],
  ['role-changes', 'cursor', 'did you mean since\\?'],
  ['role-changes', 'none', 'role-members has it: none'],
  ['role-changes', 'user_id', 'role-members has it: user_id'],
  ['role-changes', 'limit', 'role-members has it: limit'],
  ['role-changes', 'after', 'role-members has it: after'],
  ['role-counts', 'bots', 'role-members has it: bots'],
  ['role-counts', 'all', 'role-members has it: all'],
  ['role-counts', 'any', 'role-members has it: any'],
  ['role-counts', 'user_id', 'role-members has it: user_id'],
  ['permission-check', 'thread_id', 'did you mean channel_id\\?'],
  ['permission-check', 'thread', 'did you mean channel_id\\?'],
  ['permission-check', 'channel', 'did you mean channel_id\\?'],
  ['permission-check', 'category_id', 'did you mean channel_id\\?'],
  ['permission-check', 'in', 'did you mean channel_id\\?'],
  ['permission-check', 'member_id', 'did you mean user_id\\?'],
])('%s with %s', (name, word, instead) => {
  test.each([word, word.toUpperCase(), word.replaceAll('_', ''), `${word}[]`, `${word}[0]`])(
    'written %s says what to send',
    async (spelt) => {
      expect(await refusalOf(name, { [spelt]: '2' })).toMatch(new RegExp(`^${word}: .*${instead}`));
    },
  );

  test.each(['', null, undefined])('without a value (%s) is nothing to complain about', async (value) => {
    expect(await refusalOf(name, { [word]: value })).toBeNull();
  });
});

test.each([
  ['role-counts', 'bots', 'include'],
  ['role-counts', 'bots', 'true'],
  ['role-counts', 'exclude_bots', 'no'],
  ['role-members', 'humans', 'false'],
  ['role-changes', 'exclude_bots', '1'],
  ['role-members', 'offset', '0'],
  ['role-members', 'skip', 0],
  ['role-members', 'page', '1'],
  ['role-members', 'page', '0'],
])('%s takes %s=%s, because that is done anyway', async (name, word, value) => {
  expect(await refusalOf(name, { [word]: value })).toBeNull();
});

test.each([
  ['role-counts', 'bots', 'exclude'],
  ['role-changes', 'exclude_bots', 'false'],
  ['role-members', 'offset', '100'],
  ['role-members', 'page', '2'],
])('%s refuses %s=%s, because that is not done', async (name, word, value) => {
  expect(await refusalOf(name, { [word]: value })).toMatch(`${word}: `);
});

test('random is a word of draws alone', async () => {
  for (const name of ['role-changes', 'role-counts', 'permission-check']) {
    expect(await refusalOf(name, { random: '1' })).toBeNull();
  }
});

/** Keys of answers that narrow nothing when they are sent back, whichever operation they are sent to. */
const HARMLESS = new Set(
  'ok count returned as_of pending fetched total retry_after added removed added_count removed_count reset roles'
    .concat(' bitfield permissions allowed because kind role_ids text')
    // Each number of role-counts is said with its role, and permission-check is about a member.
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
