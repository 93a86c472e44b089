import { describe, expect, test } from 'vitest';

import { RECIPE_BOOKS } from '../../../src/recipes/recipe-books.ts';
import { RECIPE_OPERATIONS, type RecipeOperation } from '../../../src/recipes/recipe-operations.ts';
import { playN8n, type Workflow } from './n8n-player.ts';

// What a workflow of n8n says in Discord. That its request works is in recipes.test.ts.

const OPERATIONS = RECIPE_OPERATIONS.map((operation) => [operation.name, operation] as const);

const write = (operation: RecipeOperation) =>
  RECIPE_BOOKS.n8n.write({ operation, publicUrl: 'https://qm.example', key: 'qm_key', fields: {} });

function operationOf(command: string): RecipeOperation {
  const found = RECIPE_OPERATIONS.find(({ recipe }) => recipe.command === command);
  if (found === undefined) throw new Error(`No recipe is !${command}`);
  return found;
}

/** The messages, and the bodies that were asked with. Answers come one after the other; the last one stays. */
async function play(operation: RecipeOperation, ...answers: readonly object[]) {
  const messages: string[] = [];
  const asked: { readonly method: string; readonly url: URL; readonly body: string }[] = [];
  const item = { [operation.recipe.field]: operation.example.input[operation.recipe.field] };
  await playN8n(JSON.parse(write(operation).code) as Workflow, 'Quartermaster', item, {
    credential: {},
    executionId: 'e1',
    messages,
    fetch: async (url, { method = 'GET', body } = {}) => {
      asked.push({
        method,
        url: new URL(url instanceof Request ? url.url : url),
        body: body instanceof URLSearchParams ? body.toString() : '',
      });
      return Response.json(answers[Math.min(asked.length, answers.length) - 1]);
    },
  });
  return { messages, asked };
}

describe('a workflow of n8n', () => {
  test.each(OPERATIONS)('with %s ends in what the page shows', async (_name, operation) => {
    const said = write(operation)
      .seen.filter(({ from }) => from === 'bot')
      .map(({ text }) => text);
    expect((await play(operation, operation.example.answer)).messages).toEqual(said);
  });

  test.each(OPERATIONS)('with %s says once why it failed', async (_name, operation) => {
    const error = 'Too many requests for this server.';
    expect((await play(operation, { ok: false, error })).messages).toEqual([error]);
  });

  test.each([
    ['no member', { user_id: null }, /^Name a member/],
    ['no time', { duration_seconds: null }, /at most 28 days/],
    ['more than 28 days', { duration_seconds: 2_505_600 }, /at most 28 days/],
  ])('says once how to write a line with %s', async (_what, changes, expected) => {
    const operation = operationOf('timeout');
    const { messages } = await play(operation, { ...operation.example.answer, ...changes });
    expect(messages).toEqual([expect.stringMatching(expected)]);
  });

  test('sends a list with commas', async () => {
    const operation = operationOf('makerole');
    const { asked } = await play(operation, operation.example.answer);
    const sent = asked.map(({ url, body }) => new URLSearchParams(body || url.search).get('permissions'));
    expect(sent).toEqual([[operation.example.input['permissions']].flat().join(', ')]);
  });

  test('waits for a long text, and says what became of it', async () => {
    const operation = operationOf('announce');
    const { answer, pending } = operation.example;
    const stopped = { ...answer, state: 'stopped', reason: 'Look first.' };
    const { messages, asked } = await play(operation, pending ?? {}, pending ?? {}, stopped);
    expect(messages).toEqual(['Look first.']);
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
  });
});
