import { describe, expect, test } from 'vitest';

import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';
import { BDFD_SITUATION, runBdfdIn, type BdfdSituation } from './recipe-languages.ts';

// BDFD has no public source: its recipes are run by what its wiki says of each function.

const restricted = RECIPE_OPERATIONS.filter(({ recipe }) => recipe.permission !== null);
const TIMED_OUT = { ok: true, user_id: '7', duration: '2h', duration_seconds: 7200, reason: 'noise' };

async function run(command: string, answer: unknown, situation: Partial<BdfdSituation> = {}, words = ' x') {
  const operation = RECIPE_OPERATIONS.find(({ recipe }) => recipe.command === command);
  if (operation === undefined) throw new Error(`No recipe is !${command}`);
  const { code } = writeRecipe(RECIPE_WRITERS.bdfd, {
    operation,
    publicUrl: 'https://api.example',
    key: 'qm_key',
    fields: {},
  });
  const all = { ...BDFD_SITUATION, ...situation };
  const result = await runBdfdIn(
    all,
    code,
    `!${command}${words}`,
    async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
    'qm_key',
  );
  return { ...result, text: result.text.trim() };
}

describe('a command of BDFD', () => {
  test.each(restricted.map(({ recipe }) => recipe.command))(
    'refuses !%s to a member without the permission, and does not ask the service',
    async (command) => {
      const { text, sent } = await run(command, {}, { permissions: [] });
      expect(text).toMatch(/^You need the permission /);
      expect(sent).toEqual([]);
    },
  );

  test('works only in servers', async () => {
    const { text, sent } = await run('timeout', {}, { inServer: false });
    expect([text, sent]).toEqual(['This works only in servers.', []]);
  });

  test('times a member out and says so', async () => {
    const { text, messages } = await run('timeout', TIMED_OUT);
    expect(messages).toEqual(['timeout 7 7200s']);
    expect(text).toBe('<@7> is timed out for 2h. noise');
  });

  test.each([
    ['the owner, who has no role', '5', { 7: '1' }, ''],
    ['a moderator, on somebody below', '1', { 5: '2', 7: '3' }, ''],
    ['a moderator, on somebody without a role', '1', { 5: '2' }, ''],
    ['a moderator, on somebody above', '1', { 5: '3', 7: '2' }, 'Your highest role must be above'],
    ['a moderator, on an equal', '1', { 5: '3', 7: '3' }, 'Your highest role must be above'],
  ])('acts for %s only within the order of roles', async (_who, ownerId, roles, refusal) => {
    const authorId = '5';
    const { text, messages } = await run('timeout', TIMED_OUT, {
      authorId,
      ownerId,
      roles,
    });
    expect(messages).toHaveLength(refusal === '' ? 1 : 0);
    expect(text).toContain(refusal);
  });

  test.each([
    ['nothing after it', TIMED_OUT, '', /^Name a member/],
    ['no member', { ...TIMED_OUT, user_id: '' }, ' 2h', /^Name a member/],
    ['no time', { ...TIMED_OUT, duration_seconds: '' }, ' @a', /at most 28 days/],
    ['too long a time', { ...TIMED_OUT, duration_seconds: 2_505_600 }, ' @a 29d', /at most 28 days/],
  ])('explains how to write it with %s, and has no effect', async (_what, answer, words, expected) => {
    const { text, messages } = await run('timeout', answer, {}, words);
    expect(text).toMatch(expected);
    expect(messages).toEqual([]);
  });

  test('reports a refusal of Discord', async () => {
    const { text } = await run('timeout', TIMED_OUT, { mayAct: false });
    expect(text).toMatch(/^Discord does not let me/);
  });

  test.each([
    ['is away', new Error('no connection')],
    ['answers with no JSON', '<html>bad gateway</html>'],
  ])('reports when the service %s', async (_how, answer) => {
    const { text, messages } = await run('timeout', answer);
    expect(text).toBe('The service cannot be reached. Try again in a minute.');
    expect(messages).toEqual([]);
  });

  test('reports the progress of a running listing', async () => {
    const error = 'Still reading this server: 41,000 of about 250,000 members so far.';
    const { text } = await run('rolemembers', { ok: false, error });
    expect(text).toBe(error);
  });
});
