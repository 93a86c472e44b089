import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { RECIPE_BOOKS } from '../../../src/recipes/recipe-books.ts';
import { hasRecipe } from '../../../src/recipes/recipe.ts';

it('the recipes of the README are those of the documents', () => {
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../../README.md'), 'utf8');
  const section = readme.split('\n## Recipes\n')[1]?.split('\n## ')[0] ?? '';
  const shown = [...section.matchAll(/^```\w*\n(.*?)\n```$/gms)].map((block) => block[1]);
  const operation = OPERATIONS.find(hasRecipe);
  if (operation === undefined) throw new Error('No operation has a recipe.');
  const order = {
    operation,
    publicUrl: 'https://quartermaster.example',
    key: 'YOUR_API_KEY',
    fields: {},
  } as const;
  const written = Object.values(RECIPE_BOOKS).map((book) => book.write(order).code);
  expect(shown.length).toBeGreaterThan(2);
  for (const recipe of shown) expect(written).toContain(recipe);
});
