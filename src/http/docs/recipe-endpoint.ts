import type { Request, Response } from 'express';

import { Problem } from '../../problem.ts';
import { isToolId } from '../../builders.ts';
import { KEY_PLACEHOLDER } from '../../recipes/first-recipe.ts';
import { RECIPE_BOOKS } from '../../recipes/recipe-books.ts';
import { withRecipe } from '../../recipes/recipe-operations.ts';
import { SUCCESS_TYPE, writeJson } from '../answer/write-json.ts';
import { NO_FIELDS } from '../locals.ts';
import type { DocumentsOptions } from './documents-options.ts';
import { recipeBody } from './pages/recipe-panel.ts';

const FIELDS_MAX = 32;

type RecipeEndpointOptions = Pick<DocumentsOptions, 'operations' | 'publicUrl'>;

/**
 * Writes the recipe that the page shows: `{operation, tool, fields}` → `{code, language, html}`. It needs no key and
 * gets none: the page puts it in by itself.
 */
export function recipeEndpoint({ operations, publicUrl }: RecipeEndpointOptions) {
  return async (_request: Request, response: Response): Promise<void> => {
    const { operation, tool, fields } = response.locals.body ?? NO_FIELDS;
    const found = operations.find(({ name }) => name === operation);
    const named = found === undefined ? null : withRecipe(found);
    if (named === null) throw new Problem('invalid_field', { field: 'operation' });
    if (typeof tool !== 'string' || !isToolId(tool)) throw new Problem('invalid_field', { field: 'tool' });
    const recipe = RECIPE_BOOKS[tool].write({
      operation: named,
      publicUrl: publicUrl(),
      key: KEY_PLACEHOLDER,
      fields: readFields(fields),
    });
    await writeJson(response, SUCCESS_TYPE, {
      ok: true,
      code: recipe.code,
      language: recipe.language,
      html: recipeBody(named, tool, recipe).html,
    });
  };
}

function readFields(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) throw new Problem('invalid_field', { field: 'fields' });
  const entries = Object.entries(given);
  if (entries.length > FIELDS_MAX || !entries.every(isField)) {
    throw new Problem('invalid_field', { field: 'fields' });
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function isField([name, value]: [string, unknown]): boolean {
  return /^[a-z_]{1,40}$/.test(name) && typeof value === 'string';
}
