import { describe, expect, test } from 'vitest';

import { flatten } from '../../../src/http/answer/flat.ts';
import { RECIPE_BOOKS } from '../../../src/recipes/recipe-books.ts';
import { RECIPE_OPERATIONS, type RecipeOperation } from '../../../src/recipes/recipe-operations.ts';
import { playForm, type FormTool } from './form-player.ts';

// What a flow does that somebody has built from the steps of a recipe. That its request works is in recipes.test.ts.

const TOOLS: readonly FormTool[] = ['botghost', 'kite', 'discord_bot_maker', 'make', 'zapier'];
/** Tools that are asked to read lists. */
const READS_LISTS = new Set<FormTool>(['make', 'zapier']);
/** Tools that act in Discord by themselves. */
const ACTS = new Set<FormTool>(['botghost', 'kite']);

const write = (tool: FormTool, operation: RecipeOperation) =>
  RECIPE_BOOKS[tool].write({ operation, publicUrl: 'https://qm.example', key: 'qm_key', fields: {} });

function operationOf(command: string): RecipeOperation {
  const found = RECIPE_OPERATIONS.find(({ recipe }) => recipe.command === command);
  if (found === undefined) throw new Error(`No recipe is !${command}`);
  return found;
}

function play(tool: FormTool, operation: RecipeOperation, changes: Record<string, unknown> = {}) {
  const answer = { ...operation.example.answer, ...changes };
  // Chunks are read as a list, everything else as texts, in Discord Bot Maker.
  const isFlat =
    !READS_LISTS.has(tool) && (tool !== 'discord_bot_maker' || operation.recipe.use !== 'send_chunks');
  return playForm(tool, write(tool, operation), isFlat ? flatten(answer, null) : answer);
}

describe.each(TOOLS)('a flow of %s', (tool) => {
  test.each(RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'with %s says what the page shows',
    (_name, operation) => {
      const { seen } = write(tool, operation);
      const said = seen.filter(({ from }) => from === 'bot').map(({ text }) => text);
      expect(play(tool, operation).messages).toEqual(said);
    },
  );

  test.each(RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'with %s says once why it failed, and does nothing else',
    (_name, operation) => {
      const error = 'Too many requests for this server.';
      const answer = { ok: false, status: 429, code: 'rate_limited', error };
      expect(playForm(tool, write(tool, operation), answer)).toEqual({ messages: [error], acts: [] });
    },
  );

  test.each([
    ['no member', { user_id: null }, /^Name a member/],
    ['no time', { duration_seconds: null }, /at most 28 days/],
    ['neither', { user_id: null, duration_seconds: null }, /^Name a member/],
    ['more than 28 days', { duration_seconds: 2_505_600 }, /at most 28 days/],
  ])('says once how to write a line with %s, and does nothing else', (_what, changes, expected) => {
    const { messages, acts } = play(tool, operationOf('timeout'), changes);
    expect(messages).toEqual([expect.stringMatching(expected)]);
    expect(acts).toEqual([]);
  });

  test('says once how far a listing is that goes on', () => {
    const error = 'The listing of this server goes on: 41,000 of about 250,000 members are read.';
    const { messages } = playForm(tool, write(tool, operationOf('rolemembers')), { ok: false, error });
    expect(messages).toEqual([error]);
  });

  test.each([['stopped', { state: 'stopped', reason: 'Look first.' }, /^Look first\.$/]])(
    'says once that a text %s',
    (_how, changes, expected) => {
      expect(play(tool, operationOf('announce'), changes).messages).toEqual([
        expect.stringMatching(expected),
      ]);
    },
  );

  test('says once that a picture cannot be an emoji', () => {
    const { messages, acts } = play(tool, operationOf('addemoji'), { emoji_ok: false });
    expect(messages).toEqual([expect.stringMatching(/too large for an emoji/)]);
    expect(acts).toEqual([]);
  });
});

test.each(['make', 'zapier'] as const)('%s pings nobody with what somebody wrote', (tool) => {
  const { messages } = play(tool, operationOf('timeout'), { reason: '@everyone' });
  expect(messages).toEqual([expect.stringContaining('＠everyone')]);
});

test.each(['makerole', 'decode', 'post', 'announce'])(
  'the word of %s does not go with its text',
  (command) => {
    const operation = operationOf(command);
    const sent = write('make', operation).steps.flatMap((step) => (step.kind === 'fill' ? step.fields : []));
    expect(sent.map((field) => field.at(-1))).toContain(
      `{{replace(1.${operation.recipe.field}; "/^!${command}\\b\\s*/"; emptystring)}}`,
    );
    expect(write('zapier', operation).steps.map(({ text }) => text)).toContainEqual(
      expect.stringContaining(`*Find* \`!${command}\``),
    );
  },
);

test.each(TOOLS.filter((tool) => ACTS.has(tool)))('%s times a member out by seconds', (tool) => {
  const { acts } = play(tool, operationOf('timeout'), { duration_seconds: 7200, duration: '2h' });
  expect(acts.find(([label]) => label.startsWith('Duration'))?.at(-1)).toBe('7200');
});

test.each(['botghost', 'discord_bot_maker'] as const)('%s says so when no answer came', (tool) => {
  const { messages } = playForm(tool, write(tool, operationOf('timeout')), {});
  expect(messages).toEqual(['The service cannot be reached. Try again in a minute.']);
});

test('in BotGhost, the reader is asked for each variable that a step has', () => {
  for (const operation of RECIPE_OPERATIONS) {
    const { steps } = write('botghost', operation);
    const asked = steps.flatMap((step) => (step.kind === 'name' ? step.variables : []));
    const after = steps.slice(steps.findIndex(({ kind }) => kind === 'name') + 1);
    const used = [...JSON.stringify(after).matchAll(/\((\w+)\)/g)].map(([, name]) => name);
    expect(used.filter((name) => name !== undefined && !asked.includes(name))).toEqual([]);
  }
});
