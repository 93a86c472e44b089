import { expect, test } from 'vitest';

import { writeRecipe } from '../../../src/recipes/recipe-writer.ts';
import { RECIPE_WRITERS } from '../../../src/recipes/recipe-writers.ts';
import { RECIPE_OPERATIONS } from '../../../src/recipes/recipe-operations.ts';
import { answerNotes, fullNote } from '../../../src/recipes/shared-steps.ts';

/** What a reader of each builder's recipe is told, beside its code and its fields. */
function told(command: string): [builder: string, text: string, code: string][] {
  const operation = RECIPE_OPERATIONS.find(({ recipe }) => recipe.command === command);
  if (operation === undefined) throw new Error(`No recipe is !${command}`);
  return Object.entries(RECIPE_WRITERS).map(([builder, writer]) => {
    const request = { operation, publicUrl: 'https://api.example', key: 'qm_key', fields: {} };
    const recipe = writeRecipe(writer, request);
    const steps = recipe.steps.map(({ text }) => text);
    const notes = [...answerNotes(operation, writer), fullNote(writer, recipe)];
    return [builder, [...steps, ...notes].join('\n'), recipe.code];
  });
}

const buildersOf = (rows: readonly (readonly [builder: string, ...rest: unknown[]])[]) =>
  rows.map(([builder]) => builder);

test('each builder whose variable leaves the command out is told how the form gets the same answer', () => {
  const all = told('timeout');
  const sending = all.filter(([, , code]) => code.includes('args_only'));
  expect(buildersOf(sending)).toEqual(['bdfd', 'botghost', 'kite', 'aoijs', 'forgescript']);
  expect(buildersOf(all.filter(([, text]) => text.includes('tick `args_only`')))).toEqual(
    buildersOf(sending),
  );
});

test('each builder that times somebody out says what to do when Discord refuses', () => {
  const silent = told('timeout').filter(
    ([, text, code]) =>
      !`${text}${code}`.includes('Discord does not let me') && !/Discord (?:has )?refuse[sd]/.test(text),
  );
  expect(buildersOf(silent)).toEqual(['curl']);
});

test('each builder with a line for each role says why it has five, and what to do for more', () => {
  const all = told('countmembers');
  const few = all.filter(([, , code]) => code.includes('roles_5_count') && !code.includes('roles_6_count'));
  expect(buildersOf(few)).toEqual(['bdfd', 'botghost', 'kite', 'aoijs']);
  for (const [builder, text] of few)
    expect([builder, text]).toEqual([builder, expect.stringContaining('a line for each role')]);
});

test('each builder that shows ids of roles is told where names ping nobody', () => {
  const ids = told('countmembers').filter(([, , code]) => !code.includes('<@&'));
  const silent = ids.filter(([, text]) => !text.includes('`<@&…>`'));
  expect(buildersOf(silent)).toEqual([]);
});
