import type { Request, Response } from 'express';

import { Problem } from '../../problem.ts';
import { isRecipeBookId, RECIPE_BOOKS } from '../../recipes/recipe-books.ts';
import { hasRecipe, type RecipeBook } from '../../recipes/recipe.ts';
import { readBody } from '../body/read-body.ts';
import { sendJson, SUCCESS_TYPE } from '../answer/send.ts';
import type { DocumentsOptions } from './documents-options.ts';
import { KEY_PLACEHOLDER, recipeBody } from './recipe-panel.ts';

const BODY_BYTES_MAX = 64 * 1024;
const FIELDS_MAX = 32;

type RecipeEndpointOptions = Pick<
  DocumentsOptions,
  'operations' | 'publicUrl' | 'bodyTimeoutMs' | 'bodyOwner'
>;

/**
 * Writes the recipe that the page shows: `{operation, tool, fields}` → `{code, language, html}`. It needs no key and
 * gets none: the page puts it in by itself.
 */
export function recipeEndpoint({ operations, publicUrl, bodyTimeoutMs, bodyOwner }: RecipeEndpointOptions) {
  return async (request: Request, response: Response): Promise<void> => {
    const options = {
      owner: () => bodyOwner(request),
      bodyTimeoutMs,
      bytesMax: BODY_BYTES_MAX,
      textField: null,
    };
    const { operation, tool, fields } = await readBody(request, options);
    const named = operations.filter(hasRecipe).find(({ name }) => name === operation);
    if (named === undefined) throw new Problem('invalid_field', { field: 'operation' });
    if (typeof tool !== 'string' || !isRecipeBookId(tool))
      throw new Problem('invalid_field', { field: 'tool' });
    const book: RecipeBook = RECIPE_BOOKS[tool];
    const recipe = book.write({
      operation: named,
      publicUrl: publicUrl(),
      key: KEY_PLACEHOLDER,
      fields: readFields(fields),
    });
    await sendJson(response, 200, ['Content-Type', SUCCESS_TYPE, 'Cache-Control', 'no-store'], {
      ok: true,
      code: recipe.code,
      language: recipe.language,
      html: recipeBody(named, book, recipe).html,
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
