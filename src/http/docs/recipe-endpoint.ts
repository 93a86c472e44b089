import type { Request, Response } from 'express';

import { isToolId } from '../../builders.ts';
import { Problem } from '../../problem.ts';
import { withRecipe } from '../../recipes/recipe-operations.ts';
import { SUCCESS_TYPE, writeJson } from '../answer/write-json.ts';
import { NO_FIELDS } from '../locals.ts';
import type { DocumentsOptions } from './documents-options.ts';
import { showRecipe } from './pages/recipe-panel.ts';

const FIELDS_MAX = 32;

type RecipeEndpointOptions = Pick<DocumentsOptions, 'operations' | 'publicUrl'>;

/**
 * Writes the recipe that the page shows: `{operation, tool, fields}` → `{code, language, html, seen}`. It needs no key and
 * gets none: the page puts it in by itself.
 */
export function recipeEndpoint({ operations, publicUrl }: RecipeEndpointOptions) {
  return async (_request: Request, response: Response): Promise<void> => {
    const { operation, tool, fields } = response.locals.body ?? NO_FIELDS;
    const named = operations.find(({ name }) => name === operation);
    const known = named === undefined ? null : withRecipe(named);
    if (known === null) throw new Problem('invalid_field', { field: 'operation' });
    if (typeof tool !== 'string' || !isToolId(tool)) throw new Problem('invalid_field', { field: 'tool' });
    const { recipe, steps, seen } = showRecipe(known, tool, publicUrl(), readFields(fields));
    const { code, language } = recipe;
    await writeJson(response, SUCCESS_TYPE, { ok: true, code, language, html: steps.html, seen: seen.html });
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
